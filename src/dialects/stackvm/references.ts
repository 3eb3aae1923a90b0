/** Names that are read: do they exist, have they been written, were they meant at all. */

import { nearest } from '../../program/diagnostic.ts';
import type { Environment } from '../dialect.ts';
import { inputHint } from '../input-hint.ts';
import type { Flow } from './flow.ts';
import { isForeign, type Names, staysText } from './names.ts';
import {
  everyInstruction,
  expressionsOf,
  formOf,
  type Instruction,
  type Plan,
  type Reference,
  referencesIn,
  type Suspect,
  writesOf,
} from './plan.ts';
import { error, type Report, warn } from './report.ts';
import { type TextForm, written } from './template.ts';
import { unsetReads } from './variables.ts';

/** Text that looks like a reference. */
export function checkSuspects(report: Report, plan: Plan, names: Names): void {
  for (const suspect of plan.suspects) {
    const spaced = suspect.kind !== 'lookalike' && names.known.has(inside(suspect.text));
    const known = spaced || names.known.has(suspect.name);
    const meant = names.foreignMeant && suspect.kind === 'broken' && known;
    if (meant || !isForeign(suspect.form, plan.dialect))
      checkSuspect(report, suspect, known, spaced);
  }
}

/** `spaced`: it names a variable that no reference can spell. */
function checkSuspect(report: Report, suspect: Suspect, known: boolean, spaced: boolean): void {
  const { kind, form, name, text, step } = suspect;
  const inText = form === 'object' ? 'braces' : form;
  switch (kind) {
    case 'broken':
      if (known) {
        error(report, 'brokenReference', suspect, `got ${text}, want a name and a path`, {
          step,
          hint: spaced
            ? 'name the variable with letters, digits, _ and - only'
            : `for example ${written(inText, name)} or ${written(inText, `${name}.key[0]`)}`,
        });
      } else {
        warn(report, 'oddBraces', suspect, `${text} is no reference and stays text`, {
          step,
          hint: `write ${escaped[inText]} to say so`,
        });
      }
      return;
    case 'escaped':
      if (!known) return;
      warn(
        report,
        'escapedVariable',
        suspect,
        `the value of ${name} is not put in: ${text} stays`,
        {
          step,
          hint:
            form === 'dollar' ? `for a dollar sign and the value write $$\${${name}}` : undefined,
        },
      );
      return;
    case 'lookalike':
      if (!known) return;
      warn(report, 'oddBraces', suspect, `${text} is no reference and stays text`, {
        step,
        hint: `write ${written(inText, name)} for the value`,
      });
      return;
    case 'extra keys':
      if (!known) return;
      warn(report, 'extraKeys', suspect, `the object stays data, ${name} is not put in`, {
        step,
        hint: 'a reference has the key var alone',
      });
      return;
  }
}

/** What stands between the braces. */
const inside = (text: string): string => text.replace(/^\$?\{+\s*|\s*\}*$/g, '');

/** How the opening of a reference is written as text. */
const escaped: Readonly<Record<TextForm, string>> = { dollar: '$${', braces: '\\{{' };

/** Unknown variables, and references in the form of the other dialect. */
export function checkReferences(report: Report, plan: Plan, names: Names): void {
  const resolved: Reference[] = [];
  const text: Reference[] = [];
  for (const instruction of everyInstruction(plan.instructions)) {
    const said = new Set<string>();
    for (const reference of referencesOf(instruction)) {
      if (staysText(reference, plan.dialect, names)) text.push(reference);
      else {
        if (isForeign(reference.form, plan.dialect)) resolved.push(reference);
        if (names.known.has(reference.name) || said.has(reference.name)) continue;
        said.add(reference.name);
        unknown(report, reference, instruction, names);
      }
    }
  }
  const own = written(formOf(plan.dialect), 'name');
  report.step = '';
  sum(report, 'foreignReference', resolved, `it is resolved; ${plan.dialect} writes ${own}`);
  sum(report, 'foreignText', text, `it stays text; ${plan.dialect} refers to variables as ${own}`);
}

function* referencesOf(instruction: Instruction): Generator<Reference> {
  for (const expression of expressionsOf(instruction)) yield* referencesIn(expression);
}

/** One warning for all of them, at the first. */
function sum(
  report: Report,
  code: 'foreignReference' | 'foreignText',
  found: readonly Reference[],
  what: string,
): void {
  const [first] = found;
  if (!first) return;
  const written = first.form === 'object' ? `{"var": ${JSON.stringify(first.text)}}` : first.text;
  const more = found.length > 1 ? ` (and ${found.length - 1} more like it)` : '';
  warn(report, code, first, `got ${written}${more}: ${what}`);
}

function unknown(
  report: Report,
  reference: Reference,
  { label: step }: Instruction,
  { known }: Names,
): void {
  const hint = (): string => {
    const near = nearest(reference.name, known);
    if (near) return `did you mean ${near}?`;
    const all = [...known].slice(0, listedMax).join(', ');
    const listed = all === '' ? 'there are no variables' : `the variables are ${all}`;
    const there = `${listed}; ${inputHint(reference.name)}`;
    const { form, text, isIndex } = reference;
    if (isIndex) return `${there}; a key itself is written ["${reference.name}"]`;
    if (form === 'object') return there;
    return `${there}; for the text itself write ${escaped[form]}${text.slice(2)}`;
  };
  const message = `no step writes the variable ${reference.name}`;
  error(report, 'unknownVariable', reference, message, { step, hint });
}

const listedMax = 20;

/** Reads that come before the write, on every path or on some. */
export function checkReads(
  report: Report,
  plan: Plan,
  flow: Flow,
  { inputs }: Environment,
  names: Names,
): void {
  for (const { reference, instruction, sometimes } of unsetReads(flow, inputs, plan, names)) {
    const { name } = reference;
    const step = instruction.label;
    if (sometimes) {
      const message = `${name} may have no value here: some path to this step does not write it`;
      warn(report, 'maybeUnwritten', reference, message, { step });
      continue;
    }
    const writer = flow.nodes.find((node) =>
      writesOf(node.instruction).some((w) => w.name === name),
    );
    const at = writer?.instruction.head;
    error(
      report,
      'unwritten',
      reference,
      `${name} has no value here: no path to this step writes it`,
      {
        step,
        ...(at
          ? { notes: [{ message: `${name} is written here`, line: at.line, column: at.column }] }
          : {}),
      },
    );
  }
}

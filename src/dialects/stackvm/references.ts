/**
 * Variables and the names that are read: do they exist, have they been written, were they meant.
 */
import { nearest } from '../../program/diagnostic.ts';
import type { Environment } from '../dialect.ts';
import { inputHint } from '../report.ts';
import type { Flow } from './flow.ts';
import {
  type DialectName,
  type Expression,
  everyInstruction,
  expressionsOf,
  type Form,
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

/** Text that looks like a reference. */
export function checkSuspects(report: Report, plan: Plan, names: Names): void {
  for (const suspect of plan.suspects) {
    const spaced = names.known.has(inside(suspect.text));
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
const inside = (text: string): string => text.replace(/^\$?\{+|(?<!\})\}*$/g, '').trim();

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

// Whether a variable can have a value where it is read: written on every path, on some, on none.
//
// Most plans write a variable before the first branch, and reading them in order settles that. The
// rest are the bits of two integers per node: whether it can be entered before the variable has
// been written, and whether after.

/** A read that does not find a value on every path. */
export interface Unset {
  readonly reference: Reference;
  readonly instruction: Instruction;
  /** Whether there is a path on which it does find one. */
  readonly sometimes: boolean;
}

interface Read extends Pick<Unset, 'reference' | 'instruction'> {
  readonly node: number;
}

/** The references of an instruction that it does not itself write before, one for each name. */
function readsOf(
  instruction: Instruction,
  dialect: DialectName,
  names: Names,
): readonly Reference[] {
  const found = new Map<string, Reference>();
  const own = new Set<string>();
  const look = (expression: Expression): void => {
    for (const reference of referencesIn(expression)) {
      if (staysText(reference, dialect, names)) continue;
      if (!own.has(reference.name) && !found.has(reference.name)) {
        found.set(reference.name, reference);
      }
    }
  };
  if (instruction.kind === 'assign') {
    for (const { name, value } of instruction.entries) {
      look(value);
      own.add(name);
    }
  } else expressionsOf(instruction).forEach(look);
  return [...found.values()];
}

function unsetReads(
  flow: Flow,
  inputs: readonly string[],
  { dialect }: Pick<Plan, 'dialect'>,
  names: Names,
): Unset[] {
  const doubtful = doubtfulReads(flow, inputs, dialect, names);
  const bits = new Map<string, bigint>();
  for (const { reference } of doubtful) {
    if (!bits.has(reference.name)) bits.set(reference.name, 1n << BigInt(bits.size));
  }
  const writes = flow.nodes.map(({ instruction }) =>
    writesOf(instruction).reduce((all, { name }) => all | (bits.get(name) ?? 0n), 0n),
  );
  const every = (1n << BigInt(bits.size)) - 1n;
  const unwritten = flood(flow, every, (at, known) => known & ~(writes[at] ?? 0n));
  const written = flood(flow, 0n, (at, known) => known | (writes[at] ?? 0n));
  return doubtful.flatMap(({ node, instruction, reference }) => {
    const bit = bits.get(reference.name) ?? 0n;
    if (((unwritten[node] ?? 0n) & bit) === 0n) return [];
    return [{ reference, instruction, sometimes: ((written[node] ?? 0n) & bit) !== 0n }];
  });
}

/** Reads that a write before the first branch does not settle. */
function doubtfulReads(
  flow: Flow,
  inputs: readonly string[],
  dialect: DialectName,
  names: Names,
): Read[] {
  const certain = new Set(inputs);
  const doubtful: Read[] = [];
  let straight = true;
  for (const [at, node] of flow.nodes.entries()) {
    const { instruction } = node;
    for (const reference of readsOf(instruction, dialect, names)) {
      if (!names.known.has(reference.name) || !flow.reachable[at]) continue;
      if (!certain.has(reference.name)) doubtful.push({ node: at, instruction, reference });
    }
    straight &&= node.next.length === 1 && node.next[0] === at + 1 && node.failed.length === 0;
    if (straight) for (const { name } of writesOf(instruction)) certain.add(name);
  }
  return doubtful;
}

/** What holds on some path to each node, from `start`; `after` is what a node makes of it. */
function flood(
  { nodes, reachable }: Flow,
  start: bigint,
  after: (at: number, known: bigint) => bigint,
): readonly bigint[] {
  const known: bigint[] = nodes.map((_, at) => (at === 0 ? start : 0n));
  const queue = nodes.flatMap((_, at) => (reachable[at] ? [at] : []));
  const enter = (to: number, bits: bigint): void => {
    const before = known[to];
    if (before === undefined || (before | bits) === before) return;
    known[to] = before | bits;
    queue.push(to);
  };
  for (let head = 0; head < queue.length; head++) {
    const at = queue[head] ?? 0;
    const before = known[at] ?? 0n;
    const next = after(at, before);
    for (const to of nodes[at]?.next ?? []) enter(to, next);
    // An instruction that fails has written nothing.
    for (const to of nodes[at]?.failed ?? []) enter(to, before);
  }
  return known;
}

// The variables of a plan, and which references are meant as such.

export interface Names {
  /** Variables that some step writes, and the inputs. */
  readonly known: ReadonlySet<string>;
  /**
   * The other dialect's references are plain text by this one's document. They are resolved all
   * the same once one of them names a known variable: then the author plainly means them.
   */
  readonly foreignMeant: boolean;
}

export function namesOf(plan: Plan, environment: Environment): Names {
  const known = new Set(environment.inputs);
  for (const instruction of everyInstruction(plan.instructions)) {
    for (const { name } of writesOf(instruction)) known.add(name);
  }
  return { known, foreignMeant: meansForeign(plan, known) };
}

function meansForeign(plan: Plan, known: ReadonlySet<string>): boolean {
  for (const instruction of everyInstruction(plan.instructions)) {
    for (const expression of expressionsOf(instruction)) {
      for (const reference of referencesIn(expression)) {
        if (isForeign(reference.form, plan.dialect) && known.has(reference.name)) return true;
      }
    }
  }
  return false;
}

const isForeign = (form: Form, dialect: DialectName): boolean =>
  (form === 'dollar') === (dialect === 'stackvm-1');

/** Whether a reference stays text (or, written as an object, data). */
export const staysText = (reference: Reference, dialect: DialectName, names: Names): boolean =>
  !names.foreignMeant && isForeign(reference.form, dialect);

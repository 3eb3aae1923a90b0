/**
 * Placeholders in descriptions: `{$bike}`, `{price(bike)}`. They are filled in when a playbook
 * starts, by the variables and functions that its agent has; what names anything else stays text.
 */
import { namePattern } from '../../../program/name.ts';
import { mark, markEnd } from '../../starlark/compile/line-marks.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import { walk } from '../../starlark/parse/tree-walk.ts';
import { constants, functions, modules, planFunctions } from '../../starlark/resolve/universe.ts';
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';
import { lastResult } from '../compiled/last-result.ts';
import type { LinkedAgent, LinkedPlaybook } from '../compiled/linked.ts';
import type { Place } from '../source/tree.ts';
import { formattedIn } from '../text/filling.ts';
import { literal } from '../text/literal.ts';
import { isFilled, stateNames } from '../text/variables.ts';
import { definedIn } from './woven-code.ts';

/** By the id of each playbook that has any, a function that gives its description for a frame. */
export function fillings(agent: LinkedAgent, file: string): (readonly [string, string])[] {
  return agent.playbooks.flatMap((playbook) => {
    if (playbook.mode === 'code') return [];
    const parts = partsOf(playbook, agent);
    if (parts.every(({ code }) => code === undefined)) return [];
    const pieces = parts.map((part) => wovenOf(part, file));
    return [[playbook.id, `lambda frame: "".join([\n${pieces.join(',\n')}\n])`] as const];
  });
}

/**
 * The function that computes it has a place in the file, for an error in it: what is put around
 * that is nobody's business. Blanks have the columns of the expression be those of the file.
 */
function wovenOf({ code, place, column, text, names = '' }: Piece, file: string): string {
  if (code === undefined) return literal(text);
  if (place === undefined || file === '') return `text((lambda ${names}: ${code})())`;
  const of = place.file ?? file;
  const indent = ' '.repeat(Math.max(0, place.column + column - 2));
  const head = ['text((', mark(of, 0, 0), `lambda ${names}:`];
  return [...head, mark(of, place.line, 0), indent + code, markEnd, ')())'].join('\n');
}

interface Piece {
  readonly text: string;
  /** Where its line begins, and the column of the brace in that. */
  readonly place?: Place | undefined;
  readonly column: number;
  /** What the names in the expression mean. */
  readonly names?: string;
  /** An expression in Starlark, where it is a placeholder. */
  readonly code?: string;
}

function partsOf(playbook: LinkedPlaybook, agent: LinkedAgent): readonly Piece[] {
  const pieces: Piece[] = [];
  let filled = -1;
  for (const [at, whole] of playbook.description.split('\n').entries()) {
    let column = 1;
    if (isFilled(whole)) filled++;
    const place = playbook.filledLines?.[filled];
    for (const [part, text] of whole.split(/(\{[^{}]+\})/).entries()) {
      const made = part % 2 === 1 ? codeOf(text.slice(1, -1).trim(), playbook, agent) : undefined;
      const shown = at > 0 && part === 0 ? `\n${text}` : text;
      pieces.push({ text: shown, place, column: column + 1, ...made });
      column += text.length;
    }
  }
  return pieces;
}

const known: ReadonlySet<string> = new Set([
  ...constants.keys(),
  ...functions,
  ...planFunctions,
  ...modules,
]);

const stateName = new RegExp(String.raw`\$(${namePattern})`, 'gu');

function codeOf(
  written: string,
  playbook: LinkedPlaybook,
  agent: LinkedAgent,
): Pick<Piece, 'names' | 'code'> | undefined {
  const read = readPlaceholder(written);
  if (!read || strangeNames(read, playbook, agent).length > 0) return undefined;
  const { code, names } = read;
  const locals = localsIn(names, playbook);
  const isFree = (name: string): boolean => names.has(name) && !locals.includes(name);
  const ran = (name: string) => `run_code(${literal(name)}, frame, *args, **named)`;
  const makers = [
    ...functionsOf(agent)
      .filter((name) => isFree(name))
      .map((name) => `${name} = lambda *args, **named: ${ran(name)}`),
    ...locals.map((name) => `${name} = ${ownValue(name, playbook)}`),
    ...agent.playbooks.flatMap(({ mode, name, id }) =>
      mode !== 'code' && names.has(name)
        ? [`${name} = lambda *args, **named: play_from_code(${literal(id)}, args, named, frame)`]
        : [],
    ),
  ];
  return { names: ['_ = lambda name: filled(name, frame)', ...makers].join(', '), code };
}

interface Placeholder {
  /** In Starlark, variables of the agent as `_("day")`. */
  readonly code: string;
  readonly names: ReadonlySet<string>;
  /** Of those, what a comprehension goes over its items by. */
  readonly items: ReadonlySet<string>;
}

/** What stands between the braces, where it is an expression that has a value from the start. */
export function readPlaceholder(written: string): Placeholder | undefined {
  // No call has been made when it starts: for whoever follows it, it stays as it stands.
  if (stateNames(written).includes(lastResult)) return undefined;
  const { shown, format } = formattedIn(written) ?? { shown: written, format: undefined };
  const bare = shown.replace(stateName, '_("$1")');
  const code = format === undefined ? bare : `${literal(`{:${format}}`)}.format(${bare})`;
  const { file } = parse(code, plan);
  if (file?.body.length !== 1 || file.body[0]?.kind !== 'expression') return undefined;
  const names = new Set<string>();
  const items = new Set<string>();
  walk(file, (node) => {
    if (node.kind === 'name' && node.name !== '_') names.add(node.name);
    if (node.kind !== 'comprehension') return;
    for (const clause of node.clauses) {
      if (clause.kind !== 'for') continue;
      walk(clause.target, (one) => one.kind === 'name' && items.add(one.name));
    }
  });
  return { code, names, items };
}

/** The names in it that neither the playbook nor its agent has: for those it stays as it stands. */
export function strangeNames(
  { items, names }: Placeholder,
  playbook: Pick<CompiledPlaybook, 'parameters'>,
  agent: Pick<CompiledAgent, 'code' | 'playbooks'>,
): string[] {
  const played = agent.playbooks.filter(({ mode }) => mode !== 'code').map(({ name }) => name);
  const own = new Set([...localsIn(names, playbook), ...functionsOf(agent), ...played]);
  return [...names].filter((name) => ![known, items, own].some((all) => all.has(name)));
}

/** Parameters, those that are variables of the agent also without their dollar. */
const localsIn = (
  names: ReadonlySet<string>,
  { parameters }: Pick<CompiledPlaybook, 'parameters'>,
): string[] => [...new Set(parameters.flatMap(({ name }) => (names.has(name) ? [name] : [])))];

/** A playbook that has both means its own. */
const ownValue = (name: string, { parameters }: Pick<CompiledPlaybook, 'parameters'>): string =>
  parameters.some((one) => one.name === name && one.scope === 'local')
    ? `frame["locals"][${literal(name)}]`
    : `filled(${literal(name)}, frame)`;

const functionsOf = ({ code }: Pick<CompiledAgent, 'code'>): string[] => [
  ...new Set(code.flatMap(({ text }) => definedIn(text))),
];

/**
 * Where the value of an expression came from, as a text of the program: the statement that gave a
 * variable its value, or the expression itself. Found in a tree that is resolved; what is written
 * out in the program says itself what it is, and has none.
 */
import { unpackPosition } from '../../../program/program.ts';
import type { Binding, Expression, File, Name, Position } from '../parse/syntax.ts';
import { type AnyNode, walk } from '../parse/tree-walk.ts';

interface Definition {
  readonly at: Position;
  /** What stands right of `=`, or is looped over; undefined for a call of `append`. */
  readonly value: Expression | undefined;
}

/** From where to where something stands in the text. */
interface Extent {
  readonly from: Position;
  readonly to: Position;
}

/** What gives variables of a file their values. */
export interface Definitions {
  /** Loops and functions: in a loop, and before a call, what stands below may come first. */
  readonly loops: readonly Extent[];
  readonly functions: readonly Extent[];
  readonly lines: readonly string[];
  readonly of: ReadonlyMap<Binding, readonly Definition[]>;
  /** Whether the file makes a struct with a field `ask`. */
  readonly hasAskField: boolean;
}

/** `source` is the text that the file was read from. */
export function definitionsIn(file: File, source: string): Definitions {
  const of = new Map<Binding, Definition[]>();
  const add = (target: Expression, at: Position, value: Expression | undefined): void => {
    if (target.kind === 'tuple' || target.kind === 'list') {
      for (const item of target.items) add(item, at, value);
    } else if (target.kind === 'name' && target.binding) {
      const known = of.get(target.binding);
      if (known) known.push({ at, value });
      else of.set(target.binding, [{ at, value }]);
    }
  };
  let hasAskField = false;
  const [loops, functions]: [Extent[], Extent[]] = [[], []];
  const listOf = ({ kind }: AnyNode): Extent[] | undefined =>
    loopKinds.has(kind) ? loops : functionKinds.has(kind) ? functions : undefined;
  /** Those of loops and functions that are not left yet, the innermost last. */
  const open: { readonly from: Position; to: Position }[] = [];
  const visit = (node: AnyNode): void => {
    for (const one of open) if (node.at > one.to) one.to = node.at;
    const listed = listOf(node);
    if (listed) {
      const extent = { from: node.at, to: node.at };
      listed.push(extent);
      open.push(extent);
    }
    if (node.kind === 'assign') add(node.target, node.at, node.value);
    else if (node.kind === 'for') add(node.target, node.at, node.iterable);
    else if (node.kind === 'call') {
      hasAskField ||= node.arguments.some((one) => one.kind === 'named' && one.name === 'ask');
      const { callee } = node;
      if (callee.kind === 'attribute' && callee.name === 'append') {
        add(callee.object, callee.object.at, undefined);
      }
    }
  };
  walk(file, visit, (node) => void (listOf(node) && open.pop()));
  return { lines: source.split('\n'), of, hasAskField, loops, functions };
}

const loopKinds: ReadonlySet<string> = new Set(['for', 'while', 'comprehension']);
const functionKinds: ReadonlySet<string> = new Set(['def', 'lambda']);

/** Characters of a source, at most: a program may have long texts in it. */
const sourceCharactersMax = 240;

/** In one line; empty where there is nothing to say. */
export function definitionOf(node: Expression, definitions: Definitions): string {
  if (isWrittenOut(node)) return '';
  if (node.kind !== 'name') return textAt(definitions.lines, node.at, true);
  const found = latest(node, definitions);
  if (!found) return '';
  if (found.value && isWrittenOut(found.value)) return '';
  return textAt(definitions.lines, found.at, false);
}

/**
 * The last one above the place, or the last one below it that may come before it nevertheless: so
 * what is said of a statement does not change with what is written behind it.
 */
function latest(name: Name, { of, loops, functions }: Definitions): Definition | undefined {
  const isIn = ({ from, to }: Extent, at: Position): boolean => from <= at && at <= to;
  const around = loops.filter((loop) => isIn(loop, name.at));
  const called = functions.filter((one) => isIn(one, name.at));
  const all = ((name.binding && of.get(name.binding)) ?? []).filter(
    ({ at }) =>
      at < name.at || around.some((loop) => isIn(loop, at)) || called.some((one) => !isIn(one, at)),
  );
  const telling = all.filter(({ value }) => !value || !isWrittenOut(value));
  const some = telling.length > 0 ? telling : all;
  return some.findLast(({ at }) => at < name.at) ?? some.at(-1);
}

/** Whether a value stands there as it is. */
const isWrittenOut = (node: Expression): boolean =>
  node.kind === 'literal' ||
  ((node.kind === 'list' || node.kind === 'tuple') && node.items.every(isWrittenOut));

const closers = ')]}';

/** From a place to the end of its statement, or of its argument: brackets and quotes count. */
function textAt(lines: readonly string[], at: Position, isArgument: boolean): string {
  const { line, column } = unpackPosition(at);
  const rest = [lines[line - 1]?.slice(column - 1) ?? '', ...lines.slice(line, line + linesMax)];
  const text = rest.join('\n');
  let depth = 0;
  let end = 0;
  for (const [part] of text.matchAll(parts)) {
    const isOutside = depth === 0;
    if (isOutside && (part === '\n' || (isArgument && part === ','))) break;
    if (closers.includes(part)) depth--;
    else if ('([{'.includes(part)) depth++;
    if (depth < 0) break;
    end += part.length;
  }
  const whole = text.slice(0, end).replace(/\s+/g, ' ').trim().replace(/:$/, '');
  if (whole.length <= sourceCharactersMax) return whole;
  return `${whole.slice(0, sourceCharactersMax)}…`;
}

/** Lines behind the first one that a statement is looked for in. */
const linesMax = 40;

/** Texts in quotes, comments, and else each character for itself. */
const parts = new RegExp(
  [
    /"{3}(?:[^\\]|\\.)*?"{3}|'{3}(?:[^\\]|\\.)*?'{3}/,
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
);

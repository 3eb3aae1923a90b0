/**
 * The variables of an agent that code changes, and not those that it only reads: it sets
 * `state["x"]`, or changes what it has of it. What is given to another function counts as read.
 */
import type { Argument, Expression, File } from '../../starlark/parse/syntax.ts';
import { type AnyNode, walk } from '../../starlark/parse/tree-walk.ts';
import { functions } from '../../starlark/resolve/universe.ts';

/** As written, `$x`; `*` where it may be any. */
export function changesIn(file: File): readonly string[] {
  const found = new Set<string>();
  const holders = holdersIn(file);
  /** Mentions of the state as a whole by what only reads it, or was looked at. */
  const seen = new Set<Expression>();
  const change = (names: readonly string[]): void => {
    for (const one of names) found.add(one);
  };
  const changeIn = (target: Expression): void => {
    if (target.kind === 'tuple' || target.kind === 'list') target.items.forEach(changeIn);
    if (target.kind !== 'index' && target.kind !== 'attribute') return;
    change(isState(target.object) ? fieldsOf(target, holders) : fieldsOf(target.object, holders));
  };
  walk(file, (node) => {
    for (const one of readBy(node)) seen.add(one);
    if (node.kind === 'name' && isState(node) && !seen.has(node)) found.add('*');
    if (node.kind === 'assign') changeIn(node.target);
    if (node.kind === 'augmented') {
      changeIn(node.target);
      // What is added to a list is in it for all who have that.
      if (node.target.kind === 'name') change(fieldsOf(node.target, holders));
    }
    if (node.kind !== 'call' || node.callee.kind !== 'attribute') return;
    const { name, object } = node.callee;
    if (isState(object) && setting.has(name)) change([keyOf(node.arguments[0])]);
    else if (changing.has(name)) change(fieldsOf(object, holders));
  });
  return [...found];
}

/** Methods by which what is changed is no longer what it was. */
export const changing: ReadonlySet<string> = new Set([
  ...['append', 'extend', 'insert', 'pop', 'remove', 'clear'],
  ...['popitem', 'setdefault', 'update', 'add', 'discard'],
]);

const setting: ReadonlySet<string> = new Set(['setdefault', 'pop']);
const reading: ReadonlySet<string> = new Set(['get', 'keys', 'values', 'items', ...setting]);

const isState = (one: Expression): boolean => one.kind === 'name' && one.name === 'state';

const any = '*';

const keyOf = (key: Argument | undefined): string => (key ? keyIn(key.value) : any);

const keyIn = (key: Expression): string =>
  key.kind === 'literal' && typeof key.value === 'string' ? `$${key.value}` : any;

/** The state, where a node mentions it, and does with it as a whole nothing that is not known. */
function readBy(node: AnyNode): readonly Expression[] {
  switch (node.kind) {
    case 'index':
      return [node.object];
    case 'binary':
      return node.operator === 'in' || node.operator === 'not in' ? [node.right] : [];
    case 'for':
      return [node.iterable];
    case 'comprehension':
      return node.clauses.flatMap((one) => (one.kind === 'for' ? [one.iterable] : []));
    case 'call': {
      const { arguments: given, callee } = node;
      if (callee.kind === 'attribute') return reading.has(callee.name) ? [callee.object] : [];
      const isKnown = callee.kind === 'name' && functions.includes(callee.name);
      return isKnown ? given.map(({ value }) => value) : [];
    }
    default:
      return [];
  }
}

/** By the names of variables of functions: of which fields they may have something. */
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

function holdersIn(file: File): Holders {
  const holders = new Map<string, Set<string>>();
  let hasGrown = true;
  const bind = (target: Expression, fields: readonly string[]): void => {
    if (target.kind === 'tuple' || target.kind === 'list') {
      for (const one of target.items) bind(one, fields);
    }
    if (target.kind !== 'name' || fields.length === 0) return;
    const known = holders.get(target.name) ?? new Set();
    hasGrown ||= fields.some((one) => !known.has(one));
    holders.set(target.name, new Set([...known, ...fields]));
  };
  while (hasGrown) {
    hasGrown = false;
    walk(file, (node) => {
      if (node.kind === 'assign') bind(node.target, fieldsOf(node.value, holders));
      const loops = node.kind === 'comprehension' ? node.clauses : [node];
      for (const one of loops) {
        if (one.kind === 'for') bind(one.target, fieldsOf(one.iterable, holders));
      }
    });
  }
  return holders;
}

/** The fields of the state that a value may be, or be a part of. */
function fieldsOf(value: Expression, holders: Holders): readonly string[] {
  switch (value.kind) {
    case 'name':
      return [...(holders.get(value.name) ?? [])];
    case 'index':
      return isState(value.object) ? [keyIn(value.index)] : fieldsOf(value.object, holders);
    case 'attribute':
      return fieldsOf(value.object, holders);
    case 'conditional':
      return [value.then, value.orElse].flatMap((one) => fieldsOf(one, holders));
    case 'binary':
      return value.operator === 'and' || value.operator === 'or'
        ? [value.left, value.right].flatMap((one) => fieldsOf(one, holders))
        : [];
    case 'call': {
      const { arguments: given, callee } = value;
      if (callee.kind !== 'attribute') return [];
      if (!isState(callee.object)) return fieldsOf(callee.object, holders);
      return callee.name === 'values' || callee.name === 'items' ? [any] : [keyOf(given[0])];
    }
    default:
      return [];
  }
}

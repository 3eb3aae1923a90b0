/**
 * The variables of an agent that code changes, and not those that it only reads: it sets
 * `state["x"]`, or changes what it has of it, also in a function of its own that is given that.
 * What is given to any other function counts as read.
 */
import type { Argument, Def, Expression, File, Statement } from '../../starlark/parse/syntax.ts';
import { type AnyNode, walk } from '../../starlark/parse/tree-walk.ts';
import { functions } from '../../starlark/resolve/universe.ts';

/**
 * As written, `$x`; `*` where it may be any. `F(xs)` is what the function F is given for its
 * parameter, and changes: a list is the one that its caller has.
 */
export function changesIn(file: File): readonly string[] {
  const found = new Set<string>();
  /** Mentions of the state as a whole by what only reads it, or was looked at. */
  const seen = new Set<Expression>();
  const change = (names: readonly string[]): void => {
    for (const one of names) found.add(one);
  };
  for (const { holders, statement } of scopesIn(file)) {
    const changeIn = (target: Expression): void => {
      if (target.kind === 'tuple' || target.kind === 'list') target.items.forEach(changeIn);
      if (target.kind !== 'index' && target.kind !== 'attribute') return;
      change(isState(target.object) ? fieldsOf(target, holders) : fieldsOf(target.object, holders));
    };
    walk(statement, (node) => {
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
  }
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

/** By the names of variables: the fields of the state, and parameters, that they may be of. */
type Holders = Map<string, ReadonlySet<string>>;

/** A function of a block, or another statement beside them. */
interface Scope {
  readonly statement: Statement;
  readonly holders: Holders;
  /** Of a function. */
  readonly name?: string;
  readonly parameters: readonly string[];
}

function scopeOf(statement: Statement): Scope {
  if (statement.kind !== 'def') return { statement, holders: new Map(), parameters: [] };
  const { name } = statement.name;
  const parameters = namesOf(statement);
  const holders = new Map(parameters.map((one) => [one, new Set([changedOf(name, one)])]));
  return { statement, holders, name, parameters };
}

const namesOf = (def: Def): readonly string[] =>
  def.function.parameters.flatMap(({ name }) => name?.name ?? []);

/** Of a function of a file. */
export const parametersOf = (name: string, { body }: File): readonly string[] =>
  body.flatMap((one) => (one.kind === 'def' && one.name.name === name ? namesOf(one) : []));

/** How what a function is given for a parameter stands among what is changed. */
export const changedOf = (name: string, parameter: string): string => `${name}(${parameter})`;

function scopesIn(file: File): readonly Scope[] {
  const scopes = file.body.map(scopeOf);
  const byName = new Map(
    scopes.flatMap((one) => (one.name === undefined ? [] : [[one.name, one]])),
  );
  let hasGrown = true;
  const hold = (name: string, fields: readonly string[], holders: Holders): void => {
    const known = holders.get(name) ?? new Set();
    const added = fields.filter((one) => !known.has(one));
    if (added.length === 0) return;
    hasGrown = true;
    holders.set(name, new Set([...known, ...added]));
  };
  const bind = (target: Expression, value: Expression, holders: Holders): void => {
    if (target.kind === 'tuple' || target.kind === 'list') {
      for (const one of target.items) bind(one, value, holders);
    }
    if (target.kind === 'name') hold(target.name, fieldsOf(value, holders), holders);
  };
  while (hasGrown) {
    hasGrown = false;
    for (const { holders, statement } of scopes) {
      walk(statement, (node) => {
        if (node.kind === 'assign') bind(node.target, node.value, holders);
        const loops = node.kind === 'comprehension' ? node.clauses : [node];
        for (const one of loops) {
          if (one.kind === 'for') bind(one.target, one.iterable, holders);
        }
        if (node.kind !== 'call' || node.callee.kind !== 'name') return;
        const callee = byName.get(node.callee.name);
        if (!callee) return;
        for (const [at, one] of node.arguments.entries()) {
          const parameter = one.kind === 'named' ? one.name : callee.parameters[at];
          if (parameter !== undefined)
            hold(parameter, fieldsOf(one.value, holders), callee.holders);
        }
      });
    }
  }
  return scopes;
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

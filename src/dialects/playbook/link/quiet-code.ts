/**
 * Functions of blocks that nobody notices: they compute with what they are given, and call tools
 * that only read. What runs beside others sees frozen copies, in a block that is made anew: so
 * nothing may be changed that was not made in the function itself, and nothing read of the block
 * that changes. Where that is not plain to see, a function is none of them.
 */
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Def, Expression, Statement } from '../../starlark/parse/syntax.ts';
import { type AnyNode, walk } from '../../starlark/parse/tree-walk.ts';
import { constants, functions, modules } from '../../starlark/resolve/universe.ts';
import { changing } from '../source/state-changes.ts';
import type { CodeBlock } from '../source/tree.ts';

/** The names of those of an agent. */
export function quietFunctions(
  code: readonly CodeBlock[],
  isWrite: (tool: string) => boolean,
): ReadonlySet<string> {
  const files = code.map(({ text }) => parse(text, plan).file);
  const body = files.flatMap((file) => file?.body ?? []);
  if (files.includes(undefined) || !body.every(isStill)) return new Set();
  const defined = body.filter((one) => one.kind === 'def');
  const names = body.flatMap(namesSetBy);
  const isOnce = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  const fixed = new Set(body.filter(isFixed).flatMap(namesSetBy).filter(isOnce));
  const ofBlock: OfBlock = { names: new Set(names), fixed, isWrite };
  const quiet = new Map(
    defined.flatMap((def) => {
      const callees = isOnce(def.name.name) ? calleesOf(def, ofBlock) : undefined;
      return callees ? [[def.name.name, callees] as const] : [];
    }),
  );
  for (let size = -1; size !== quiet.size; ) {
    size = quiet.size;
    for (const [name, callees] of quiet) {
      if (!callees.every((callee) => quiet.has(callee))) quiet.delete(name);
    }
  }
  return new Set(quiet.keys());
}

interface OfBlock {
  readonly names: ReadonlySet<string>;
  /** Numbers and texts, which stay what they are. */
  readonly fixed: ReadonlySet<string>;
  readonly isWrite: (tool: string) => boolean;
}

/** What blocks may name that neither does nor changes anything. */
const harmless: ReadonlySet<string> = new Set([
  ...constants.keys(),
  ...modules,
  ...functions.filter((name) => name !== 'getattr'),
  ...['pow', 'round', 'sum', 'try_call'],
]);

/** The functions of the block that one names; undefined where it may be noticed. */
function calleesOf({ function: body }: Def, block: OfBlock): readonly string[] | undefined {
  const locals = localsOf(body);
  const callees: string[] = [];
  const tools = new Set<Expression>();
  let isQuiet = [...locals.keys()].every((name) => !block.names.has(name) && !given.has(name));
  const isMade = (one: Expression): boolean => one.kind === 'name' && locals.get(one.name) === true;
  walk(body, (node) => {
    switch (node.kind) {
      case 'name':
        if (tools.has(node) || locals.has(node.name) || block.fixed.has(node.name)) break;
        if (block.names.has(node.name)) callees.push(node.name);
        else if (!harmless.has(node.name) && block.isWrite(node.name)) isQuiet = false;
        break;
      case 'attribute': {
        const { object, name } = node;
        const isTool = object.kind === 'name' && !block.isWrite(`${object.name}.${name}`);
        if (isTool) tools.add(object);
        else if (changing.has(name) && !isMade(object)) isQuiet = false;
        break;
      }
      case 'call':
        // Who calls what it was given cannot know what that does.
        if (node.callee.kind === 'name' && locals.has(node.callee.name)) isQuiet = false;
        break;
      case 'assign':
      case 'augmented':
        for (const target of targetsOf(node.target)) {
          const isOwn = target.kind === 'name' ? node.kind === 'assign' || isMade(target) : false;
          const isPart = target.kind === 'index' && isMade(target.object);
          if (!isOwn && !isPart) isQuiet = false;
        }
        break;
      default:
    }
  });
  return isQuiet ? callees : undefined;
}

/** What a block has from the loop: whoever names it may do anything. */
const given: ReadonlySet<string> = new Set(['state', 'Say', 'attempt', 'CreateAgent']);

/**
 * The variables of a function, with those of functions in it; true for those that never hold
 * anything but what was made there.
 */
function localsOf(body: AnyNode): ReadonlyMap<string, boolean> {
  const locals = new Map<string, boolean>();
  const bind = (target: Expression, isMade: boolean): void => {
    for (const one of targetsOf(target)) {
      if (one.kind === 'name') locals.set(one.name, isMade && locals.get(one.name) !== false);
    }
  };
  walk(body, (node) => {
    if (node.kind === 'assign') bind(node.target, isMaking(node.value) && isOne(node.target));
    if (node.kind === 'for') bind(node.target, false);
    if (node.kind === 'comprehension') {
      for (const one of node.clauses) if (one.kind === 'for') bind(one.target, false);
    }
    if (node.kind === 'def') bind(node.name, false);
    if (node.kind === 'function') {
      for (const { name } of node.parameters) if (name) bind(name, false);
    }
  });
  return locals;
}

const isOne = ({ kind }: Expression): boolean => kind === 'name';

/** Whether what an expression gives is new, or never changes. */
function isMaking(value: Expression): boolean {
  switch (value.kind) {
    case 'comprehension':
    case 'dict':
    case 'format':
    case 'list':
    case 'literal':
      return true;
    case 'call':
      return value.callee.kind === 'name' && makers.has(value.callee.name);
    default:
      return false;
  }
}

const makers: ReadonlySet<string> = new Set(['dict', 'list', 'set', 'sorted', 'str', 'int', 'len']);

const targetsOf = (target: Expression): readonly Expression[] =>
  target.kind === 'tuple' || target.kind === 'list' ? target.items.flatMap(targetsOf) : [target];

/** A statement of a block that may be done once more: nothing is called. */
function isStill(one: Statement): boolean {
  if (one.kind === 'def' || one.kind === 'expression') return !calls(one);
  return one.kind === 'assign' && isOne(one.target) && !calls(one.value);
}

/** A default of a parameter is computed where its function is defined. */
function calls(one: Statement | Expression): boolean {
  let isCalling = false;
  const look = (node: AnyNode): void => {
    if (node.kind === 'call') isCalling = true;
  };
  if (one.kind !== 'def') walk(one, look);
  else for (const { value } of defaultsOf(one)) walk(value, look);
  return isCalling;
}

const defaultsOf = ({ function: { parameters } }: Def): readonly { readonly value: Expression }[] =>
  parameters.flatMap((one) => (one.kind === 'optional' ? [one] : []));

const isFixed = (one: Statement): boolean =>
  one.kind === 'assign' && one.value.kind === 'literal' && isOne(one.target);

const namesSetBy = (one: Statement): readonly string[] => {
  if (one.kind === 'def') return [one.name.name];
  return one.kind === 'assign' && one.target.kind === 'name' ? [one.target.name] : [];
};

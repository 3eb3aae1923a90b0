/**
 * Says for every name which variable it is, gives variables their slots, and refuses what the
 * grammar lets pass: statements in wrong places, names of nothing, parameters out of order.
 * Reports everything that is wrong, not the first thing only.
 *
 * A name is local to a function if anything in the function binds it, before or after its use. So
 * the tree is walked once to bind, and uses are looked up at the end.
 */
import { type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import { unpackPosition } from '../../../program/program.ts';
import type { Options } from '../parse/options.ts';
import type {
  Binding,
  Comprehension,
  Expression,
  File,
  Format,
  FunctionNode,
  Load,
  Name,
  Position,
  Statement,
  Variable,
} from '../parse/syntax.ts';
import { diagnostic } from '../parse/syntax-error.ts';
import { checkArguments, checkParameters } from './call-rules.ts';
import { foreignNames } from './foreign-names.ts';
import {
  type Block,
  block,
  declare,
  type FrameDraft,
  finished,
  frameDraft,
  lookup,
  namesAround,
} from './scope.ts';

export interface ResolveEnvironment {
  readonly options: Options;
  /** Whether the host defines a name for this file. */
  readonly predeclared: (name: string) => boolean;
  /** Whether the language defines a name. */
  readonly universal: (name: string) => boolean;
  /** All names of both kinds, for advice on misspelt ones. Default: none. */
  readonly names?: Iterable<string>;
  /** What messages call the file. Default: only lines and columns are shown. */
  readonly fileName?: string;
  /** Globals of the files before, which this one goes on from. Default: none. */
  readonly globals?: readonly Variable[];
}

interface Resolver {
  readonly environment: ResolveEnvironment;
  readonly options: Options;
  readonly errors: Diagnostic[];
  readonly file: Block;
  readonly globals: Map<string, Binding>;
  readonly globalVariables: Variable[];
  /** Bindings of predeclared and universal names. */
  readonly outer: Map<string, Binding>;
  readonly uses: { readonly name: Name; readonly block: Block }[];
  readonly functions: { readonly node: FunctionNode; readonly draft: FrameDraft }[];
  block: Block;
  /** Whether the place is inside a function. */
  inFunction: boolean;
  /** Loops around the place in the same function. */
  loops: number;
  /** Conditions around the place in the same function. */
  conditions: number;
}

/** Annotates the tree; gives all errors in the order of the text. Never throws. */
export function resolve(file: File, environment: ResolveEnvironment): Diagnostic[] {
  const draft = frameDraft();
  const outermost = block(undefined, draft);
  const earlier = environment.globals ?? [];
  const r: Resolver = {
    environment,
    options: environment.options,
    errors: [],
    file: outermost,
    globals: new Map(earlier.map(({ name }, index) => [name, { scope: 'global', index }])),
    globalVariables: [...earlier],
    outer: new Map(),
    uses: [],
    functions: [],
    block: outermost,
    inFunction: false,
    loops: 0,
    conditions: 0,
  };
  statements(r, file.body);
  for (const { name, block: inner } of r.uses) {
    name.binding = lookup(inner, name, (outside) => topLevel(r, outside, inner));
  }
  const none = { positional: 0, named: 0, hasStar: false, hasStarStar: false };
  file.frame = finished(draft, none);
  file.globals = r.globalVariables;
  for (const { node, draft: inner } of r.functions) {
    node.frame = finished(inner, parameterCounts(node));
  }
  return r.errors.toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function parameterCounts({ parameters }: FunctionNode): {
  positional: number;
  named: number;
  hasStar: boolean;
  hasStarStar: boolean;
} {
  const star = parameters.findIndex(({ kind }) => kind === 'star');
  const isPlain = parameters.map(({ kind }) => kind === 'parameter' || kind === 'optional');
  const plain = isPlain.filter(Boolean).length;
  const positional = star < 0 ? plain : isPlain.slice(0, star).filter(Boolean).length;
  return {
    positional,
    named: plain - positional,
    hasStar: parameters[star]?.name !== undefined,
    hasStarStar: parameters.some(({ kind }) => kind === 'starstar'),
  };
}

function report(r: Resolver, code: string, at: Position, message: string, hint?: string): void {
  r.errors.push(diagnostic(code, at, message, { hint }));
}

function statements(r: Resolver, body: readonly Statement[]): void {
  for (const one of body) statement(r, one);
}

function statement(r: Resolver, node: Statement): void {
  switch (node.kind) {
    case 'expression':
      expression(r, node.value);
      break;
    case 'assign':
      expression(r, node.value);
      assign(r, node.target, false);
      break;
    case 'augmented':
      expression(r, node.value);
      assign(r, node.target, true);
      break;
    case 'def':
      bind(r, node.name);
      functionNode(r, node.function);
      break;
    case 'return':
      returned(r, node.at, node.value);
      break;
    case 'load':
      load(r, node);
      break;
    case 'pass':
      break;
    case 'break':
    case 'continue':
      if (r.loops === 0) report(r, 'PV2323', node.at, `${node.kind} not in a loop`);
      break;
    default:
      control(r, node);
  }
}

const inFunctionHint = 'put the statements in a function, def main():, and call main()';

function control(r: Resolver, node: Statement & { kind: 'if' | 'for' | 'while' }): void {
  if (node.kind === 'while' && !r.options.while) {
    report(r, 'PV2324', node.at, 'this Starlark dialect does not support while loops', whileHint);
  }
  if (!r.inFunction && !r.options.toplevelcontrol) {
    const what = node.kind === 'if' ? 'if statement' : `${node.kind} loop`;
    report(r, 'PV2323', node.at, `${what} not within a function`, inFunctionHint);
  }
  if (node.kind === 'if') {
    expression(r, node.condition);
    r.conditions++;
    statements(r, node.body);
    statements(r, node.orElse);
    r.conditions--;
    return;
  }
  if (node.kind === 'for') {
    expression(r, node.iterable);
    assign(r, node.target, false);
  } else {
    expression(r, node.condition);
  }
  r.loops++;
  statements(r, node.body);
  r.loops--;
}

const whileHint = 'write for i in range(n): with a break';

function returned(r: Resolver, at: Position, value: Expression | undefined): void {
  if (!r.inFunction) {
    const hint = 'outside functions, say what came of it by answer(x)';
    report(r, 'PV2323', at, 'return statement not within a function', hint);
  }
  if (value) expression(r, value);
}

function load(r: Resolver, node: Load): void {
  const within = r.inFunction
    ? 'a function'
    : r.loops > 0
      ? 'a loop'
      : r.conditions > 0
        ? 'a conditional'
        : undefined;
  if (within !== undefined) {
    const hint = 'put it at the top of the file';
    report(r, 'PV2323', node.at, `load statement within ${within}`, hint);
  }
  for (const { from, at, to } of node.items) {
    if (from === '') {
      report(r, 'PV2325', at, 'load: empty identifier');
      continue;
    }
    if (from.startsWith('_')) {
      const message = `load: names with leading underscores are not exported: ${from}`;
      report(r, 'PV2325', at, message);
    }
    if (r.options.loadbindsglobally) bind(r, to);
    else if (bindLocal(r, to) && !r.options.globalreassign) {
      const hint = 'load it under another name: load("module", other="name")';
      report(r, 'PV2322', to.at, `cannot reassign top-level ${to.name}`, hint);
    }
  }
}

/** Binds what stands left of `=`, or between `for` and `in`. */
function assign(r: Resolver, target: Expression, isAugmented: boolean): void {
  switch (target.kind) {
    case 'name':
      bind(r, target);
      break;
    case 'index':
      expression(r, target.object);
      expression(r, target.index);
      break;
    case 'attribute':
      expression(r, target.object);
      break;
    case 'tuple':
    case 'list':
      if (isAugmented) {
        const message = `can't use ${target.kind} expression in augmented assignment`;
        report(r, 'PV2326', target.at, message, 'assign to one variable at a time');
      }
      for (const item of target.items) assign(r, item, isAugmented);
      break;
    default:
      report(r, 'PV2326', target.at, `can't assign to ${kinds[target.kind]}`, targetHint(target));
  }
}

const kinds = {
  binary: 'binaryexpr',
  call: 'callexpr',
  chain: 'binaryexpr',
  comprehension: 'comprehension',
  conditional: 'condexpr',
  dict: 'dictexpr',
  format: 'literal',
  lambda: 'lambdaexpr',
  literal: 'literal',
  slice: 'sliceexpr',
  unary: 'unaryexpr',
} as const;

const targetHint = ({ kind }: Expression): string =>
  kind === 'lambda'
    ? 'a lambda is one expression: write def for statements'
    : kind === 'slice'
      ? 'build the whole list: xs = xs[:low] + new + xs[high:]'
      : 'left of = stands a variable, x.field, x[key] or several of them';

/** Binds a name where it stands; says whether it was bound there before. */
function bind(r: Resolver, name: Name): boolean {
  if (r.block !== r.file) return bindLocal(r, name);
  const known = r.file.bindings.get(name.name) ?? r.globals.get(name.name);
  if (!known) {
    name.binding = { scope: 'global', index: r.globalVariables.length };
    r.globals.set(name.name, name.binding);
    r.globalVariables.push({ name: name.name, at: name.at });
    return false;
  }
  name.binding = known;
  const isEarlier = known.scope === 'global' && known.index < (r.environment.globals?.length ?? 0);
  if (!r.options.globalreassign && !isEarlier) {
    const [scope, variables] =
      known.scope === 'global' ? ['global', r.globalVariables] : ['local', r.file.frame.locals];
    const place = shownPlace(r, variables[known.index]?.at ?? 0);
    const message = `cannot reassign ${scope} ${name.name} declared at ${place}`;
    report(r, 'PV2322', name.at, message, 'give the second value a name of its own');
  }
  return true;
}

function shownPlace(r: Resolver, at: Position): string {
  const { line, column } = unpackPosition(at);
  const { fileName } = r.environment;
  return `${fileName === undefined ? '' : `${fileName}:`}${line}:${column}`;
}

function bindLocal(r: Resolver, name: Name): boolean {
  const known = r.block.bindings.get(name.name);
  name.binding = known ?? declare(r.block, name.name, name.at);
  return known !== undefined;
}

function expression(r: Resolver, node: Expression): void {
  switch (node.kind) {
    case 'name':
      use(r, node);
      break;
    case 'literal':
      break;
    case 'tuple':
    case 'list':
      for (const item of node.items) expression(r, item);
      break;
    case 'dict':
      for (const { key, value } of node.entries) all(r, key, value);
      break;
    case 'comprehension':
      comprehension(r, node);
      break;
    case 'conditional':
      all(r, node.condition, node.then, node.orElse);
      break;
    case 'unary':
      expression(r, node.operand);
      break;
    case 'binary':
      all(r, node.left, node.right);
      break;
    case 'chain':
      all(r, node.first, ...node.links.map(({ right }) => right));
      break;
    case 'attribute':
      expression(r, node.object);
      break;
    case 'index':
      all(r, node.object, node.index);
      break;
    case 'slice':
      all(r, node.object, node.low, node.high, node.step);
      break;
    case 'call':
      expression(r, node.callee);
      for (const { value } of node.arguments) expression(r, value);
      checkArguments(node.at, node.arguments, (...what) => report(r, ...what));
      break;
    case 'lambda':
      functionNode(r, node.function);
      break;
    case 'format':
      replacements(r, node.parts);
      break;
  }
}

function replacements(r: Resolver, parts: Format['parts']): void {
  for (const part of parts) {
    if (typeof part === 'string') continue;
    expression(r, part.value);
    replacements(r, part.format);
  }
}

function all(r: Resolver, ...nodes: readonly (Expression | undefined)[]): void {
  for (const node of nodes) if (node) expression(r, node);
}

/** The first iterable belongs to the block around: `[x for x in x]` reads the outer x. */
function comprehension(r: Resolver, { clauses, result }: Comprehension): void {
  const around = r.block;
  for (const clause of clauses) {
    if (clause.kind === 'if') {
      expression(r, clause.condition);
      continue;
    }
    const isFirst = r.block === around;
    if (isFirst) {
      expression(r, clause.iterable);
      r.block = block(around, around.frame);
    }
    assign(r, clause.target, false);
    if (!isFirst) expression(r, clause.iterable);
  }
  if (result.kind === 'entry') all(r, result.key, result.value);
  else expression(r, result);
  r.block = around;
}

function functionNode(r: Resolver, node: FunctionNode): void {
  for (const one of node.parameters) if (one.kind === 'optional') expression(r, one.value);
  checkParameters(node.parameters, (...what) => report(r, ...what));
  const { block: around, inFunction, loops, conditions } = r;
  const draft = frameDraft();
  r.functions.push({ node, draft });
  Object.assign(r, { block: block(around, draft), inFunction: true, loops: 0, conditions: 0 });
  const isPlain = ({ kind }: { kind: string }): boolean => !kind.startsWith('star');
  const rest = node.parameters.filter((one) => !isPlain(one));
  const inOrder = [...node.parameters.filter(isPlain), ...rest];
  for (const { name } of inOrder) {
    if (name && bindLocal(r, name)) {
      report(r, 'PV2328', name.at, `duplicate parameter: ${name.name}`);
    }
  }
  statements(r, node.body);
  Object.assign(r, { block: around, inFunction, loops, conditions });
}

/**
 * A use outside functions, where globals may be assigned again, means what the name means at that
 * line: `len(x)` before `len = 1` is the built-in. In a loop what stands below may come first, so
 * only there a name that means nothing yet is left for the end.
 */
function use(r: Resolver, name: Name): void {
  if (r.options.globalreassign && r.block === r.file) {
    const known = r.file.bindings.get(name.name) ?? beyond(r, name);
    if (known || r.loops === 0) {
      name.binding = known ?? topLevel(r, name, r.block);
      return;
    }
  }
  r.uses.push({ name, block: r.block });
}

/** The binding of a name that the file does not keep to itself; undefined if there is none. */
function beyond(r: Resolver, { name, at }: Name): Binding | undefined {
  const known = r.globals.get(name) ?? r.outer.get(name);
  if (known) return known;
  const scope = r.environment.predeclared(name)
    ? 'predeclared'
    : r.environment.universal(name)
      ? 'universal'
      : undefined;
  if (scope === undefined) return undefined;
  if (scope === 'universal' && name === 'set' && !r.options.set) {
    const hint = 'a dict with values True has unique keys';
    report(r, 'PV2324', at, 'this Starlark dialect does not support sets', hint);
  }
  const binding: Binding = { scope, index: -1 };
  r.outer.set(name, binding);
  return binding;
}

function topLevel(r: Resolver, name: Name, inner: Block): Binding {
  const known = beyond(r, name);
  if (known) return known;
  const names = [...namesAround(inner), ...r.globals.keys(), ...(r.environment.names ?? [])];
  const foreign = foreignNames.get(name.name);
  const near = foreign === undefined ? nearest(name.name, names.sort()) : undefined;
  const guess = near === undefined ? '' : ` (did you mean ${near}?)`;
  r.errors.push(
    diagnostic('PV2321', name.at, `undefined: ${name.name}${guess}`, {
      ...(foreign === undefined ? { unknown: name.name } : { hint: foreign }),
    }),
  );
  return { scope: 'undefined', index: -1 };
}

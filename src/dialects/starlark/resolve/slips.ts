/**
 * What the language allows and no author means: calls that a tool will refuse, comparisons that can
 * never be true. Found in a tree that is resolved.
 */
import { counted, type Diagnostic, nearest } from '../../../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../../../program/effect.ts';
import { parameterName } from '../../../program/tool-names.ts';
import { signatureOf } from '../../signature.ts';
import type { Argument, Binary, Call, Expression, File, Position } from '../parse/syntax.ts';
import { diagnostic } from '../parse/syntax-error.ts';
import { walk } from '../parse/tree-walk.ts';
import { checkBinding } from './bind-check.ts';
import { checkLiterals } from './literal-arguments.ts';
import { isOuter, pathOf, writable } from './tool-names.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

/** `open`: there may be tools that are not among these. */
export function findSlips(file: File, tools: Tools, open = false): Diagnostic[] {
  const found: Diagnostic[] = [];
  const named = writable(tools);
  const defined = new Set<unknown>(file.body.map((one) => one.kind === 'def' && one.name));
  let isMainUsed = false;
  walk(file, (node) => {
    if (node.kind === 'name' && node.name === 'main' && !defined.has(node)) isMainUsed = true;
    if (node.kind === 'call')
      found.push(...checkCall(node, named), ...checkBinding(node, tools, open));
    else if (node.kind === 'binary') found.push(...checkComparison(node));
  });
  return isMainUsed ? found : [...found, ...uncalledMain(file)];
}

/** Other languages call `main` by themselves. */
function uncalledMain({ body }: File): Diagnostic[] {
  return body.flatMap((statement) => {
    if (statement.kind !== 'def' || statement.name.name !== 'main') return [];
    const message = 'main is defined, and nothing calls it';
    const hint = 'write main() below it, at the beginning of a line';
    const warned = diagnostic('PV2337', statement.name.at, message, { hint });
    return [{ ...warned, severity: 'warning' as const }];
  });
}

/** `tool(…)`, and what a function that calls a tool for the program is given for it. */
function checkCall({ callee, arguments: given, at }: Call, tools: Tools): Diagnostic[] {
  const own = toolOf(callee, tools);
  if (own) return checkArguments(own, given, at);
  const [first, ...rest] = given;
  if (!isBuiltin(callee, callers) || first?.kind !== 'positional') return [];
  const called = toolOf(first.value, tools);
  return called ? checkArguments(called, rest, first.at) : [];
}

/** Built-in functions whose first argument is a tool, and whose others are the tool's. */
const callers: readonly string[] = ['try_call', 'stream'];

const isBuiltin = (node: Expression, names: readonly string[]): boolean =>
  node.kind === 'name' && node.binding?.scope === 'universal' && names.includes(node.name);

function toolOf(node: Expression, tools: Tools): ToolSpec | undefined {
  const path = pathOf(node);
  if (!path || !isOuter(path.root)) return undefined;
  if (node.kind === 'name' && node.binding?.scope !== 'predeclared') return undefined;
  return tools.get(path.text);
}

function checkArguments(spec: ToolSpec, given: readonly Argument[], at: Position): Diagnostic[] {
  const { properties = {}, additionalProperties } = spec.parameters;
  const names = Object.keys(properties);
  // A tool that declares no parameters at all may have left its schema out.
  if (names.length === 0 && additionalProperties === undefined) return [];
  const found: Diagnostic[] = [];
  const say = (place: Position, message: string, hint: string, isError = true): void => {
    const made = diagnostic('PV2332', place, message, { hint });
    found.push(isError ? made : { ...made, severity: 'warning' });
  };
  found.push(...checkLiterals(spec, given));
  const signature = signatureOf(spec);
  const positional = given.filter(({ kind }) => kind === 'positional');
  const tooMany = positional[names.length];
  if (tooMany) {
    const most = counted(names.length, 'parameter');
    say(tooMany.at, `${spec.name} has ${most}, got ${positional.length} values`, signature);
  }
  const set = new Set(names.slice(0, positional.length));
  const named = given.flatMap((one) =>
    one.kind === 'named' ? [{ name: parameterName(spec.parameters, one.name), at: one.at }] : [],
  );
  // What stars unpack may be any of them.
  const isKnown = !given.some(({ kind }) => kind === 'star' || kind === 'starstar');
  const there = new Set([...set, ...named.map(({ name }) => name)]);
  const lacking = isKnown ? mandatory(spec).filter((name) => !there.has(name)) : [];
  for (const { name, at: place } of named) {
    if (set.has(name)) say(place, `${spec.name} gets the parameter ${name} twice`, signature);
    set.add(name);
    if (Object.hasOwn(properties, name) || isOpen(additionalProperties)) continue;
    const near = nearest(name, names);
    const hint = near === undefined ? signature : `did you mean ${near}?`;
    const message = `${spec.name} has no parameter ${name}`;
    // What is close to one that is missing is what was to be that.
    const isMissing = near !== undefined && lacking.includes(near);
    say(place, message, hint, isMissing || additionalProperties === false);
  }
  for (const name of lacking) say(at, `${spec.name} lacks the parameter ${name}`, signature);
  return found;
}

const isOpen = (additional: ToolSpec['parameters']['additionalProperties']): boolean =>
  additional !== undefined && additional !== false;

/** What `type(x)` says for the function that makes such values. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ...['bool', 'bytes', 'dict', 'float', 'int', 'list', 'range', 'set', 'struct', 'tuple'].map(
    (name) => [name, name] as const,
  ),
]);

/** `type(x) == int` compares a text with a function. */
function checkComparison({ operator, operatorAt, left, right }: Binary): Diagnostic[] {
  if (operator !== '==' && operator !== '!=') return [];
  for (const [call, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (call.kind !== 'call' || !isBuiltin(call.callee, ['type'])) continue;
    if (other.kind !== 'name' || !isBuiltin(other, [...typeNames.keys()])) continue;
    const message = `type(x) is a text and ${other.name} a function: they are never equal`;
    const hint = `write type(x) ${operator} "${typeNames.get(other.name)}"`;
    return [{ ...diagnostic('PV2333', operatorAt, message, { hint }), severity: 'warning' }];
  }
  return [];
}

/** References to parts of results, against what the tools of those tasks say that they return. */
import { nearest } from '../../program/diagnostic.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { type FieldKind, obviousField } from '../../program/retrieved-text.ts';
import { everyElement, isNode, type PathKey, readNode, type Task } from '../../program/task.ts';
import type { Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { branchOf, typeOf, typesOf } from '../signature.ts';
import { type Report, warn } from './report.ts';

/** Warns: a declaration may be off, and what is missing is the failure of its task anyway. */
export function checkResults(all: Report, tasks: readonly Task[], { tools }: Environment): void {
  const byId = new Map(
    tasks.map((task) => [task.id, { ...task, returns: returnedBy(task, tools) }]),
  );
  for (const task of tasks) {
    for (const { index, path, wanted } of refsIn(task.args)) {
      const needed = byId.get(task.needs[index] ?? '');
      const problem =
        needed?.returns && (problemOf(needed.returns, path) ?? wholeProblem(needed, path, wanted));
      if (!needed || !problem) continue;
      const text = `$${needed.id}: ${needed.tool} ${problem.message}`;
      warn(all, 'noSuchPart', task, text, { hint: problem.hint, step: task.id });
    }
  }
}

/** A task that is performed for each element has a list of what its tool returns. */
function returnedBy({ tool, args }: Task, tools: Environment['tools']): JsonSchema | undefined {
  const returns = tools.get(tool)?.returns;
  const isEach = refsIn(args).some(({ path }) => path.includes(everyElement));
  return returns && isEach ? { type: 'array', items: returns } : returns;
}

/** Where a number is wanted and an object of several is returned: which of them could be meant. */
function wholeProblem(
  { id, returns }: { readonly id: string; readonly returns?: JsonSchema | undefined },
  path: readonly PathKey[],
  wanted: Ref['wanted'],
): Problem | undefined {
  const { properties, type } = returns ?? {};
  if (wanted !== 'number' || path.length > 0 || type !== 'object' || !properties) return undefined;
  const kinds = Object.entries(properties).map(([name, schema]): [string, FieldKind] => [
    name,
    kindOf(schema),
  ]);
  if (obviousField(new Map(kinds), 'number') !== undefined) return undefined;
  const some = kinds.filter(([, kind]) => kind === 'number').map(([name]) => `$${id}.${name}`);
  const hint = some.length > 0 ? `write ${some.join(' or ')}` : 'ask a tool for the number alone';
  return { message: `returns ${typeOf(returns ?? {})}, want a number`, hint };
}

function kindOf(schema: JsonSchema): FieldKind {
  const types = typesOf(schema) ?? [];
  if (types.includes('number') || types.includes('integer')) return 'number';
  return types.includes('string') ? 'text' : 'other';
}

interface Ref {
  /** What it is used as; any value where it is undefined. */
  readonly wanted?: 'number';
  readonly index: number;
  readonly path: readonly PathKey[];
}

/** All references of arguments, also those inside of texts and expressions. */
function refsIn(value: Value): Ref[] {
  if (value === null || typeof value !== 'object') return [];
  if (value.kind === 'tuple') {
    const node = isNode(value) ? readNode(value) : undefined;
    if (node?.kind === 'ref') return [node];
    const refs = value.items.flatMap(refsIn);
    return node?.kind === 'number' ? refs.map((ref) => ({ ...ref, wanted: 'number' })) : refs;
  }
  if (value.kind === 'list') return value.items.flatMap(refsIn);
  return value.kind === 'dict' ? value.slots.flatMap((slot) => (slot ? refsIn(slot[1]) : [])) : [];
}

interface Problem {
  readonly message: string;
  readonly hint: string;
}

/** What a path asks for that there cannot be; undefined where it may be there. */
function problemOf(returns: JsonSchema, path: readonly PathKey[]): Problem | undefined {
  let schema: JsonSchema | undefined = returns;
  for (const key of path) {
    const types: readonly string[] | undefined = schema && typesOf(schema);
    // A text may hold JSON, whose parts can be asked for.
    if (!schema || !types || types.includes('string')) return undefined;
    const isPosition = typeof key === 'number' || key === everyElement;
    if (!types.includes(isPosition ? 'array' : 'object')) {
      const hint = `it returns ${typeOf(returns)}`;
      return { message: `returns nothing that has a part ${JSON.stringify(key)}`, hint };
    }
    schema = branchOf(schema, isPosition ? 'array' : 'object');
    if (isPosition) schema = schema.items;
    else {
      const { properties, additionalProperties: others }: JsonSchema = schema;
      const found = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (!found && properties && typeof others !== 'object' && others !== true) {
        const names = Object.keys(properties);
        const meant = nearest(key, names);
        const hint = meant === undefined ? `it has ${names.join(', ')}` : `did you mean ${meant}?`;
        return { message: `returns no ${JSON.stringify(key)}`, hint };
      }
      schema = found ?? (typeof others === 'object' ? others : undefined);
    }
  }
  return undefined;
}

/** Reads the declaration of a tool out of whatever a file holds, and says exactly what is wrong. */
import { EffectFailure } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { isStandardSchema, jsonSchemaOf, type StandardSchema } from './standard-schema.ts';
import type { FunctionTool } from './tool.ts';

export interface Declared {
  readonly spec: ToolSpec;
  readonly schema: StandardSchema | undefined;
  /** Whether it says what it does to the world. */
  readonly classed: boolean;
  readonly run: FunctionTool['run'] | undefined;
}

type Kind = 'text' | 'flag' | 'count' | 'class' | 'schema' | 'function';

const members: Readonly<Record<string, Kind>> = {
  name: 'text',
  description: 'text',
  parameters: 'schema',
  effect: 'class',
  idempotent: 'flag',
  destructive: 'flag',
  timeoutMs: 'count',
  concurrency: 'count',
  attempts: 'count',
  effects: 'count',
  run: 'function',
};

const wants: Readonly<Record<Kind, string>> = {
  text: 'a text',
  flag: 'true or false',
  count: 'a positive integer',
  class: "'pure', 'read' or 'write'",
  schema: 'a Standard Schema (such as one of zod) or a JSON Schema, of an object',
  function: 'a function (args, { signal, idempotencyKey }) => result',
};

/** `where` names the place for messages: `tools.ts[2]`. Throws `EffectFailure` PV4200. */
export async function readDeclaration(data: unknown, where: string): Promise<Declared> {
  if (!isObject(data)) throw wrong(where, `got ${gotOf(data)}, want an object`);
  for (const [name, value] of Object.entries(data)) checkMember(name, value, where);
  for (const name of ['name', 'description']) {
    if (data[name] === undefined) throw wrong(where, `lacks ${name}, ${wants.text}`);
  }
  const { name, parameters, run, effect, ...rest } = data as unknown as FunctionTool;
  const place = `${where} (${name})`;
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) {
    throw wrong(place, `name: got ${JSON.stringify(name)}, want letters, digits, _ . and -`);
  }
  const schema = isStandardSchema(parameters) ? parameters : undefined;
  const json = schema ? await ownSchema(schema, place) : (parameters as JsonSchema | undefined);
  if (json !== undefined && json.type !== 'object') {
    const got = json.type === undefined ? 'a schema without type' : `the type ${json.type}`;
    throw wrong(place, `parameters: got ${got}, want one of type object`);
  }
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const spec = toolSpec({
    ...(Object.fromEntries(given) as Pick<ToolSpec, 'description'>),
    name,
    ...(effect && { effect }),
    ...(json && { parameters: json }),
  });
  return { spec, schema, classed: effect !== undefined, run };
}

async function ownSchema(schema: StandardSchema, where: string): Promise<JsonSchema> {
  const { vendor } = schema['~standard'];
  let json: JsonSchema | undefined;
  try {
    json = await jsonSchemaOf(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrong(where, `parameters: the ${vendor} schema has no JSON Schema: ${reason}`);
  }
  if (json !== undefined) return json;
  throw wrong(
    where,
    `parameters: this version of ${vendor} gives no JSON Schema of its schemas`,
    'write parameters as JSON Schema and check the rest in run',
  );
}

function checkMember(name: string, value: unknown, where: string): void {
  const kind = Object.hasOwn(members, name) ? members[name] : undefined;
  if (kind === undefined) {
    const meant = nearest(name, Object.keys(members));
    const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
    throw wrong(where, `has ${name}, want ${Object.keys(members).join(', ')}`, hint);
  }
  if (value !== undefined && !fits(kind, value)) {
    throw wrong(where, `${name}: got ${gotOf(value)}, want ${wants[kind]}`);
  }
}

function fits(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value.trim() !== '';
    case 'flag':
      return typeof value === 'boolean';
    case 'count':
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
    case 'class':
      return value === 'pure' || value === 'read' || value === 'write';
    case 'schema':
      return isStandardSchema(value) || isObject(value);
    case 'function':
      return typeof value === 'function';
  }
}

function wrong(where: string, problem: string, hint?: string): EffectFailure {
  return new EffectFailure('PV4200', `${where}: ${problem}`, { hint, mayHaveActed: false });
}

const isObject = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

function gotOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

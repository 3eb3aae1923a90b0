/** Reads the declaration of a tool out of whatever a file holds, and says exactly what is wrong. */
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { toolLimitNames } from '../../program/limits.ts';
import { isObject } from '../foreign-json.ts';
import { isStandardSchema, jsonSchemaOf, type StandardSchema } from './standard-schema.ts';
import type { FunctionTool } from './tool.ts';

export interface Declared {
  readonly spec: ToolSpec;
  readonly schema: StandardSchema | undefined;
  /** Whether it says what it does to the world. */
  readonly classed: boolean;
  readonly run: FunctionTool['run'] | undefined;
}

type Kind =
  | 'text'
  | 'flag'
  | 'names'
  | 'aliases'
  | 'limits'
  | 'price'
  | 'class'
  | 'schema'
  | 'function';

const members: Readonly<Record<string, Kind>> = {
  name: 'text',
  description: 'text',
  aliases: 'aliases',
  parameters: 'schema',
  effect: 'class',
  idempotent: 'flag',
  destructive: 'flag',
  after: 'names',
  requires: 'names',
  returns: 'schema',
  alternatives: 'names',
  conflicts: 'names',
  limits: 'limits',
  price: 'price',
  run: 'function',
};

const wants: Readonly<Record<Kind, string>> = {
  text: 'a text',
  flag: 'true or false',
  names: 'a list of different names',
  aliases: 'a list of different names of letters, digits, _ . and -',
  limits: `an object with some of ${toolLimitNames.join(', ')}`,
  price: 'an object { perCall: USD }',
  class: "'pure', 'read' or 'write'",
  schema: 'a Standard Schema (such as one of zod) or a JSON Schema',
  function: 'a function (args, { signal, idempotencyKey }) => result',
};

/** `where` names the place for messages: `tools.ts[2]`. Throws `EffectFailure` PV4200. */
export async function readDeclaration(data: unknown, where: string): Promise<Declared> {
  if (!isObject(data)) throw wrong(where, `got ${gotOf(data)}, want an object`);
  for (const [name, value] of Object.entries(data)) checkMember(name, value, where);
  for (const name of ['name', 'description']) {
    if (data[name] === undefined) throw wrong(where, `lacks ${name}, ${wants.text}`);
  }
  const { name, parameters, returns, run, effect, ...rest } = data as unknown as FunctionTool;
  const place = `${where} (${name})`;
  if (!isToolName(name)) {
    throw wrong(place, `name: got ${JSON.stringify(name)}, want letters, digits, _ . and -`);
  }
  const schema = isStandardSchema(parameters) ? parameters : undefined;
  const json = await schemaOf(parameters, place);
  if (json !== undefined && json.type !== 'object') {
    const got = json.type === undefined ? 'a schema without type' : `the type ${json.type}`;
    throw wrong(place, `parameters: got ${got}, want one of type object`);
  }
  const result = await schemaOf(returns, place);
  checkLimits(data.limits, place);
  checkRequires(data.requires, json, place);
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  const spec = toolSpec({
    ...(Object.fromEntries(given) as Pick<ToolSpec, 'description'>),
    name,
    ...(effect && { effect }),
    ...(json && { parameters: json }),
    ...(result && { returns: result }),
  });
  return { spec, schema, classed: effect !== undefined, run };
}

/** A JSON Schema, whichever kind of schema is given. */
async function schemaOf(
  given: StandardSchema | JsonSchema | undefined,
  where: string,
): Promise<JsonSchema | undefined> {
  return isStandardSchema(given) ? await ownSchema(given, where) : given;
}

/** A limit is a count, a size or a time: nothing of it is less than one. */
function checkLimits(limits: unknown, where: string): void {
  if (!isObject(limits)) return;
  for (const [name, value] of Object.entries(limits)) {
    if (!toolLimitNames.some((one) => one === name)) {
      const meant = nearest(name, toolLimitNames);
      const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
      throw wrong(where, `limits: has ${name}, want ${toolLimitNames.join(', ')}`, hint);
    }
    const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
    if (value !== undefined && !isCount) {
      throw wrong(where, `limits.${name}: got ${gotOf(value)}, want a positive integer`);
    }
  }
}

function checkRequires(requires: unknown, json: JsonSchema | undefined, where: string): void {
  const known = Object.keys(json?.properties ?? {});
  for (const name of Array.isArray(requires) ? requires.filter(isName) : []) {
    if (known.includes(name)) continue;
    const meant = nearest(name, known);
    const hint =
      meant === undefined ? `its parameters are ${known.join(', ') || 'none'}` : undefined;
    throw wrong(where, `requires: it has no parameter ${name}`, hint ?? `did you mean ${meant}?`);
  }
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
    const meant = nearest(name, [...Object.keys(members), ...toolLimitNames]);
    const isLimit = toolLimitNames.some((one) => one === meant);
    const place = isLimit ? `limits: { ${meant}: … }` : meant;
    const hint = meant === undefined ? undefined : `did you mean ${place}?`;
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
    case 'names':
      return Array.isArray(value) && value.every(isName) && new Set(value).size === value.length;
    case 'aliases':
      return fits('names', value) && Array.isArray(value) && value.every(isToolName);
    case 'limits':
      return isObject(value);
    case 'price':
      return isObject(value) && typeof value.perCall === 'number' && value.perCall >= 0;
    case 'class':
      return value === 'pure' || value === 'read' || value === 'write';
    case 'schema':
      return isStandardSchema(value) || isObject(value);
    case 'function':
      return typeof value === 'function';
  }
}

function wrong(where: string, problem: string, hint?: string): EffectFailure {
  return refusal('PV4200', `${where}: ${problem}`, { hint });
}

const isToolName = (name: string): boolean => /^[A-Za-z_][\w.-]*$/.test(name);

const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';

function gotOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Holds calls against the tools of the environment: names, parameters, values that are literal. */
import { nearest } from '../../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../../program/effect.ts';
import { namedMax } from '../../program/opcodes.ts';
import { parameterName } from '../../program/parameter-names.ts';
import { findTool, toolHint, withChoice } from '../../program/tool-names.ts';
import type { Environment } from '../dialect.ts';
import { allows, checkValue, isMended, typeOf } from '../schema-check.ts';
import { signatureOf, typesOf } from '../signature.ts';
import { rowsOf } from './instructions.ts';
import {
  type Call,
  conditionTool,
  type DialectName,
  type Entry,
  type Expression,
  type Named,
} from './plan.ts';
import { error, type Report, warn } from './report.ts';

/** What a call hands over: a parameter that is null and not required is the same as none. */
export function argumentsOf(call: Call, spec: ToolSpec | undefined): readonly Entry[] {
  const required = spec ? mandatory(spec) : [];
  const isNull = ({ value }: Entry): boolean => value.kind === 'literal' && value.value === null;
  const named = (entry: Entry): Entry => {
    const name = spec ? parameterName(spec.parameters, entry.name) : entry.name;
    return name === entry.name ? entry : { ...entry, name };
  };
  return call.arguments
    .map(named)
    .filter((entry) => !isNull(entry) || required.includes(entry.name));
}

/**
 * The keys that a model is told to answer with. One alone only where the plan wants JSON anyway:
 * plans mean by a list of one the key as well as all of an answer that is no object.
 */
export function keysToTell(call: Call, spec: ToolSpec | undefined): readonly Named[] {
  const { outputs } = call;
  const formats = spec?.parameters.properties?.response_format !== undefined;
  if (outputs.kind !== 'keys' || spec?.kind !== 'model' || !formats) return [];
  const format = formatOf(call)?.value;
  const isText = format === undefined || (format.kind === 'literal' && format.value === 'text');
  return outputs.names.length === 1 && isText ? [] : outputs.names;
}

/** The format that the plan itself gives; null is none. */
export const formatOf = (call: Call): Entry | undefined =>
  call.arguments.find(
    ({ name, value }) =>
      name === 'response_format' && !(value.kind === 'literal' && value.value === null),
  );

export function checkCall(
  report: Report,
  call: Call,
  dialect: DialectName,
  environment: Environment,
): void {
  const spec = findTool(environment.tools, call.tool.name);
  if (!spec) {
    unknownTool(report, call, dialect, environment);
    return;
  }
  checkArguments(report, argumentsOf(call, spec), call, spec);
  const keys = keysToTell(call, spec);
  if (keys.length === 0) return;
  const format = formatOf(call)?.value;
  if (format?.kind !== 'literal' || format.value !== 'text') return;
  const names = keys.map(({ name }) => name).join(', ');
  warn(report, 'formatConflict', format, `the keys ${names} want JSON, response_format is text`, {
    hint: 'write "json", or leave response_format out',
  });
}

/**
 * The types that the value of a parameter is brought to when the step runs; none where it has one
 * of them already, or may have any.
 */
export function typesToFit(
  name: string,
  value: Expression | undefined,
  spec: ToolSpec | undefined,
): readonly string[] {
  const { properties = {} } = spec?.parameters ?? {};
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const types = schema && typesOf(schema);
  if (!types || types.length === 0) return [];
  const given = value && typeOf(value);
  return given !== undefined && allows(types, given) ? [] : types;
}

/** The names of the tools a plan can call, without those that instructions call by themselves. */
export const toolNames = ({ tools }: Environment): string[] =>
  [...tools.keys()].filter((name) => name !== conditionTool);

function unknownTool(
  report: Report,
  call: Call,
  dialect: DialectName,
  environment: Environment,
): void {
  const { name } = call.tool;
  const tools = toolNames(environment);
  const listed = `the tools are ${tools.join(', ') || 'none'}`;
  if (call.by === 'calling' || call.by === 'own') {
    const hint = (): string => withChoice(toolHint(environment.tools, name), listed);
    error(report, 'unknownTool', call.tool, `there is no tool ${name}`, { hint, unknown: name });
    return;
  }
  const types = rowsOf(dialect).map(({ type }) => type);
  const all = `the instructions are ${types.join(', ')}; ${listed}`;
  const near = nearest(name, [...types, ...tools]);
  error(report, 'unknownType', call.tool, `got the type ${name}, want an instruction`, {
    hint: () => {
      const hint = near && `did you mean ${near}?`;
      return withChoice(hint ?? toolHint(environment.tools, name), all);
    },
    ...(!isSlip(name, near) && { unknown: name }),
  });
}

/** Whether what is there was plainly meant: `asign`, which nobody has to declare. */
const isSlip = (name: string, near: string | undefined): boolean =>
  near !== undefined && Math.abs(name.length - near.length) <= 2;

function checkArguments(report: Report, given: readonly Entry[], call: Call, spec: ToolSpec): void {
  const { properties = {}, additionalProperties } = spec.parameters;
  if (given.length > namedMax) {
    const message = `got ${given.length} parameters, want at most ${namedMax}`;
    error(report, 'tooManyArguments', call.head, message);
  }
  const names = new Set(given.map(({ name }) => name));
  for (const name of mandatory(spec)) {
    if (names.has(name)) continue;
    const message = `${spec.name} lacks the parameter ${name}`;
    error(report, 'missingArgument', call.tool, message, { hint: signatureOf(spec) });
  }
  // A tool that declares no parameters at all may have left its schema out.
  const open = Object.keys(properties).length === 0 && additionalProperties === undefined;
  for (const entry of given) {
    const schema = Object.hasOwn(properties, entry.name) ? properties[entry.name] : undefined;
    if (schema) {
      const say = isMended(entry.value, schema) ? warn : error;
      for (const { site, message, hint } of checkValue(entry.name, entry.value, schema)) {
        say(report, 'wrongArgument', site, message, { hint });
      }
    } else if (!open && (additionalProperties ?? false) === false) {
      const hint = (): string => {
        const near = nearest(entry.name, Object.keys(properties));
        return near ? `did you mean ${near}?` : signatureOf(spec);
      };
      const say = additionalProperties === false ? error : warn;
      say(report, 'unknownArgument', entry, `${spec.name} has no parameter ${entry.name}`, {
        hint,
      });
    }
  }
}

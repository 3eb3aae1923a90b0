/**
 * What a call leaves out of what its tool asks a person for (`ToolSpec.requires`): which parameters
 * those are, and the question about each. Whoever issues the call issues the questions before it.
 */
import type { JsonSchema, ToolSpec } from '../../program/effect.ts';
import { fromJson } from '../../program/json.ts';
import {
  type Dict,
  dict,
  dictGet,
  dictSet,
  isDict,
  settled,
  type Value,
} from '../../program/value.ts';

/** To be asked before a call can be made. */
export interface Question {
  readonly parameter: string;
  /** The tool that asks, and its arguments. */
  readonly tool: string;
  readonly args: Dict;
}

const none: readonly Question[] = [];

/**
 * One for each parameter, in the order of the declaration. None where this run has no tool that
 * asks people: the call then fails as a wrong one.
 */
export function questionsFor(
  spec: ToolSpec | undefined,
  args: Value,
  tools: ReadonlyMap<string, ToolSpec>,
): readonly Question[] {
  if (!spec?.requires || !isDict(args)) {
    return none;
  }
  const missing = spec.requires.filter((name) => isMissing(spec, name, args));
  const tool = missing.length === 0 ? undefined : askerAmong(tools);
  if (tool === undefined) return none;
  return missing.map((parameter) => ({ parameter, tool, args: questionAbout(spec, parameter) }));
}

function askerAmong(tools: ReadonlyMap<string, ToolSpec>): string | undefined {
  for (const { kind, name } of tools.values()) if (kind === 'person') return name;
  return undefined;
}

/** A null that the schema does not allow is how models write that they do not know. */
function isMissing(spec: ToolSpec, name: string, args: Dict): boolean {
  const given = dictGet(args, name);
  if (given === undefined) return true;
  const { type } = schemaOf(spec, name);
  return settled(given) === null && type !== undefined && ![type].flat().includes('null');
}

const schemaOf = ({ parameters }: ToolSpec, name: string): JsonSchema =>
  parameters.properties?.[name] ?? {};

/** `Temperature needs date: The day, as YYYY-MM-DD.` */
function questionAbout(spec: ToolSpec, name: string): Dict {
  const { description, enum: choices, default: _, ...schema } = schemaOf(spec, name);
  const about = description === undefined ? '' : `: ${description}`;
  const made = dict([['question', `${spec.name} needs ${name}${about}`]]);
  if (choices) dictSet(made, 'choices', fromJson(choices));
  else if (Object.keys(schema).length > 0) dictSet(made, 'schema', fromJson(schema));
  return made;
}

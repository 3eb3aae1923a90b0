/**
 * Every setting, its value and where the value comes from: flags before the environment before
 * `.env` before `planvm.config.ts|json` before the person's own file before the default.
 */
import { resolve } from 'node:path';
import type { AgentModels, AgentSettings } from '../../agent/port/settings.ts';
import {
  BadQuantity,
  readLimit,
  readToolLimits,
  toolSource,
} from '../../agent/settings/quantity.ts';
import { type Manner, readManner } from '../../dialects/playbook/manner.ts';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import type { ApiSource } from '../../effects/http/openapi/source.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { routes } from '../../planner/goal.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  type ToolLimits,
} from '../../program/limits.ts';
import { modelProblem } from '../../program/model-name.ts';
import { CliError } from '../failure.ts';

/** The settings that a configuration file can make; limits stand beside them. */
export interface Values extends Omit<AgentSettings, 'limits'> {
  /** Absolute path of `.planvm`. */
  readonly home?: string;
  /** What `planvm gc` does where its options do not say: `30d`. */
  readonly gcOlderThan?: string;
  readonly gcKeep?: number;
  /** `500MB`. */
  readonly gcMaxSize?: string | number;
}

/** What one place says. */
export interface Layer {
  /** As `planvm doctor` names it: `--model`, `PLANVM_MODEL in .env`, `planvm.config.json`. */
  readonly origin: (setting: string) => string;
  readonly values: Values;
  readonly limits: Partial<Limits>;
}

export interface Settings extends Values, AgentSettings {}

/** Where each setting and limit that is set comes from, by its name. */
export type Origins = Readonly<Record<string, string>>;

export interface MergedSettings {
  readonly settings: Settings;
  readonly origins: Origins;
}

/** As a configuration file has it, where it stands within another name there. */
export function nameInFile(setting: keyof Values): string {
  const within: Readonly<Record<string, string>> = {
    plannerModel: 'models.planner',
    judgeModel: 'models.judge',
    agentModels: 'playbooks.models',
  };
  return within[setting] ?? setting;
}

/** The first layer that has a setting decides it, each limit for itself. */
export function merge(layers: readonly Layer[]): MergedSettings {
  const origins: Record<string, string> = {};
  const first = (
    names: readonly string[],
    valueIn: (layer: Layer, name: string) => unknown,
  ): Record<string, unknown> => {
    const values: Record<string, unknown> = {};
    for (const name of names) {
      const layer = layers.find((each) => valueIn(each, name) !== undefined);
      if (!layer) continue;
      values[name] = valueIn(layer, name);
      origins[name] = layer.origin(name);
    }
    return values;
  };
  const values = first(settingNames, (layer, name) => Reflect.get(layer.values, name));
  const limits = first(limitNames, (layer, name) => Reflect.get(layer.limits, name));
  for (const name of [...byEntry, 'prices', 'toolLimits', 'deny'] as const) {
    const saying = layers.filter((layer) => layer.values[name] !== undefined);
    if (saying.length === 0) continue;
    values[name] = joined(name, saying);
    origins[name] = saying.map((layer) => layer.origin(name)).join(', ');
  }
  return { settings: { ...values, limits }, origins };
}

/** Settings by name of which each entry is decided for itself. */
const byEntry = ['agentModels', 'playbooks', 'http', 'toolsets', 'pins', 'toolOverrides'] as const;

/** What is forbidden anywhere is forbidden; limits of one tool are decided one by one. */
function joined(name: keyof Values, layers: readonly Layer[]): unknown {
  const last = layers.toReversed();
  if (name === 'deny') return [...new Set(layers.flatMap(({ values }) => values.deny ?? []))];
  if (name !== 'toolLimits') return Object.assign({}, ...last.map(({ values }) => values[name]));
  const toolLimits: Record<string, ToolLimits> = {};
  for (const { values } of last) {
    for (const [tool, limits] of Object.entries(values.toolLimits ?? {})) {
      toolLimits[tool] = { ...toolLimits[tool], ...limits };
    }
  }
  return toolLimits;
}

/** Helpers may be named by their module alone: all that it exports. */
export const helperSource = (given: string): string => (given.includes('#') ? given : `${given}#`);

/** `maxOutputTokens` → `PLANVM_MAX_OUTPUT_TOKENS`; a limit by its flag: `PLANVM_VALUE_BYTES`. */
export function variableOf(setting: string): string {
  const name = isLimit(setting) ? limitTable[setting].flag : setting;
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).replaceAll('-', '_');
  return `PLANVM_${words.toUpperCase()}`;
}

const isLimit = (name: string): name is LimitName => Object.hasOwn(limitTable, name);

const list = (text: string): string[] => text.split(',').map((one) => one.trim());

const choice =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((one) => one === text);
    if (found === undefined) throw new BadQuantity(`got ${text}, want ${choices.join(', ')}`);
    return found;
  };

const number =
  (fits: (value: number) => boolean, want: string) =>
  (text: string): number => {
    if (!fits(Number(text))) throw new BadQuantity(`got ${text}, want ${want}`);
    return Number(text);
  };

const positive = number((value) => Number.isSafeInteger(value) && value > 0, 'a positive integer');

const asWritten = (text: string): string => text;

/** How a variable is read, which throws `BadQuantity`; null where only files can say it. */
type Reader<Value> = ((text: string, folder: string) => Value) | null;

/** Every setting that a configuration can make, in the order in which they are shown. */
const readers: { readonly [Name in keyof Values]-?: Reader<Values[Name]> } = {
  model: asWritten,
  plannerModel: asWritten,
  judgeModel: asWritten,
  agentModels: (text) => Object.assign({}, ...list(text).map(readAgentModel)),
  embeddings: asWritten,
  tools: (text, folder) => list(text).map((given) => toolSource(folder, given)),
  helpers: (text, folder) => list(text).map((given) => toolSource(folder, helperSource(given))),
  dialect: asWritten,
  route: choice(routes),
  system: asWritten,
  temperature: number((value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
  maxOutputTokens: positive,
  contextWindow: positive,
  fit: choice(fits),
  unbound: choice(ways),
  approve: choice(approvalPolicies),
  yes: list,
  home: (text, folder) => resolve(folder, text),
  gcOlderThan: asWritten,
  gcKeep: number((value) => Number.isSafeInteger(value) && value >= 0, 'a whole number'),
  gcMaxSize: asWritten,
  redact: null,
  prices: null,
  toolLimits: (text) => readToolLimits(list(text)),
  otlp: asWritten,
  playbooks: (text) => mannerOf(Object.fromEntries(list(text).map(mannerPair))),
  // More about servers is for a file.
  mcp: (text) => {
    if (['off', 'false', '0'].includes(text)) return false;
    throw new BadQuantity(`got ${text}, want off`);
  },
  openapi: (text, folder) => list(text).map((given) => readApiSource(given, folder)),
  http: null,
  toolsets: null,
  allow: list,
  deny: list,
  pins: null,
  toolOverrides: null,
};

export const settingNames: readonly (keyof Values)[] = Object.keys(readers) as (keyof Values)[];

/**
 * What a set of environment variables says; an empty one says nothing. Paths are relative to
 * `folder`. Throws `CliError` PV6005 for a value of the wrong form.
 */
export function environmentLayer(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  where: string,
): Layer {
  const read = (setting: string, reader: Reader<unknown>): unknown => {
    const variable = variableOf(setting);
    const given = env[variable]?.trim();
    if (!given || !reader) return undefined;
    try {
      return reader(given, folder);
    } catch (error) {
      if (!(error instanceof BadQuantity)) throw error;
      const hint = `correct ${variable}, or unset it`;
      throw new CliError('PV6005', `${variable}: ${error.message}`, { hint });
    }
  };
  const values = Object.entries(readers).map(([name, reader]) => [name, read(name, reader)]);
  const limits = limitNames.map((name) => [name, read(name, (given) => readLimit(name, given))]);
  return {
    origin: (setting) => `${variableOf(setting)} ${where}`,
    values: defined(Object.fromEntries(values)),
    limits: defined(Object.fromEntries(limits)),
  };
}

/** Without the members that are undefined. */
export const defined = <T extends object>(values: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** `strictness=enforce`, `inline=0`. */
function mannerPair(given: string): [string, string | number] {
  const [, name = given, value = ''] = /^([^=]*)=(.*)$/.exec(given) ?? [];
  const text = value.trim();
  return [name.trim(), /^\d+$/.test(text) ? Number(text) : text];
}

/** Throws `BadQuantity`, as the readers below do. */
export function mannerOf(given: unknown): Partial<Manner> {
  const { manner, problems } = readManner(given);
  if (problems.length > 0) throw new BadQuantity(problems.join('; '));
  return manner;
}

/** `Desk=openai/gpt-5-mini`. */
export function readAgentModel(given: string): AgentModels {
  const at = given.indexOf('=');
  const name = given.slice(0, Math.max(at, 0)).trim();
  if (name === '') throw new BadQuantity(`got ${given}, want AGENT=PROVIDER/NAME`);
  return agentModelsIn({ [name]: given.slice(at + 1).trim() });
}

/** Models of agents of playbooks, of JSON-like data. */
export function agentModelsIn(given: unknown): AgentModels {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new BadQuantity(`got ${JSON.stringify(given)}, want { "AGENT": "PROVIDER/NAME" }`);
  for (const [name, model] of Object.entries(given)) {
    const problem = modelProblem(model);
    if (problem !== undefined) throw new BadQuantity(`${name}: ${problem}`);
  }
  return given as AgentModels;
}

/** A document as options and files name it: a path, an address, or `name=` before either. */
export function readApiSource(given: string | ApiSource, folder: string): ApiSource {
  const [, name, named] =
    typeof given === 'string' ? (/^([A-Za-z_][\w-]*)=(.+)$/s.exec(given) ?? []) : [];
  const api =
    typeof given !== 'string'
      ? given
      : named === undefined
        ? { source: given }
        : { source: named, name };
  const { source } = api;
  return /^https?:/.test(source) ? api : { ...api, source: resolve(folder, source) };
}

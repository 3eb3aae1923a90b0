/**
 * Every setting, its value and where the value comes from: flags before the environment before
 * `.env` before `planvm.config.ts|json` before the person's own file before the default.
 */
import { resolve } from 'node:path';
import { type Manner, readManner } from '../../dialects/playbook/manner.ts';
import { type Unbound, ways } from '../../effects/bind/specs.ts';
import { type Fit, fits } from '../../effects/digest/fit.ts';
import type { ServerPolicy } from '../../effects/mcp/policy.ts';
import type { PriceTable } from '../../effects/model/prices.ts';
import type { ContextWindow } from '../../effects/model/window.ts';
import type { RedactionRules } from '../../effects/redaction.ts';
import { isToolSet, placedToolSet } from '../../effects/tool-set-names.ts';

import {
  type ApprovalPolicy,
  type Approvals,
  approvalPolicies,
} from '../../engine/perform/approvals.ts';
import { type Route, routes } from '../../planner/ways.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  type ToolLimits,
} from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import { type AgentModels, readAgentModel } from './agent-models.ts';
import { BadQuantity, readLimit } from './quantity.ts';
import { readToolLimits } from './tool-limits.ts';
import { readApiSource, type ToolSettings, toolSettingNames } from './tool-settings.ts';

/** The settings that a configuration file can make; limits stand beside them. */
export interface Values extends ToolSettings {
  /** `provider/model`: what programs ask, and who plans and judges where nobody else is named. */
  readonly model?: string;
  /** Who writes and repairs programs; `models.planner` in a file. */
  readonly plannerModel?: string;
  /** Who judges answers; `models.judge` in a file. */
  readonly judgeModel?: string;
  /** Who follows agents of playbooks, by their names; `playbooks.models` in a file. */
  readonly agentModels?: AgentModels;
  /** The embedding model of the knowledge base; words alone are searched where it is absent. */
  readonly embeddings?: string;
  /** Absolute paths of tools files, and names of tool sets: `planvm:wikipedia`. */
  readonly tools?: readonly string[];
  /** Modules whose functions and classes are tools: absolute paths with `#Class` behind. */
  readonly helpers?: readonly string[];
  readonly dialect?: string;
  /** Whether what is asked for is answered by a program; `auto`: a model decides. */
  readonly route?: Route;
  /** The first message of every conversation with the model. */
  readonly system?: string;
  /** 0 to 2. */
  readonly temperature?: number;
  /** Per model call. */
  readonly maxOutputTokens?: number;
  /** Tokens that models take at once, for all of them or by reference. */
  readonly contextWindow?: ContextWindow;
  /** What becomes of values that are longer than that. */
  readonly fit?: Fit;
  /** What becomes of arguments that cannot be found. */
  readonly unbound?: Unbound;
  /** What a person is asked about before it is performed. */
  readonly approve?: ApprovalPolicy;
  /** Tools that need no approval. */
  readonly yes?: readonly string[];
  /** Absolute path of `.planvm`. */
  readonly home?: string;
  /** What `planvm gc` does where its options do not say: `30d`. */
  readonly gcOlderThan?: string;
  readonly gcKeep?: number;
  /** `500MB`. */
  readonly gcMaxSize?: string | number;
  /** What else is secret, and what is not. */
  readonly redact?: RedactionRules;
  /** USD per million tokens, by model reference; they come before those that planvm knows. */
  readonly prices?: PriceTable;
  /** Address of a collector that spans and metrics go to, `http://localhost:4318`. */
  readonly otlp?: string;
  /** How playbooks are played. */
  readonly playbooks?: Partial<Manner>;
  /** What is said of the servers of `.mcp.json`, by name; false: none of them is there. */
  readonly mcp?: false | Readonly<Record<string, ServerPolicy>>;
  /** By name of the tool. */
  readonly toolLimits?: Readonly<Record<string, ToolLimits>>;
}

/** What one place says. */
export interface Layer {
  /** As `planvm doctor` names it: `--model`, `PLANVM_MODEL in .env`, `planvm.config.json`. */
  readonly origin: (setting: string) => string;
  readonly values: Values;
  readonly limits: Partial<Limits>;
}

export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

export type Settings = { readonly [K in keyof Values]?: Setting<NonNullable<Values[K]>> } & {
  /** Those that differ from the defaults. */
  readonly limits: { readonly [K in LimitName]?: Setting<number> };
};

export const settingNames: readonly (keyof Values)[] = [
  'model',
  'plannerModel',
  'judgeModel',
  'agentModels',
  'embeddings',
  'tools',
  'helpers',
  'dialect',
  'route',
  'system',
  'temperature',
  'maxOutputTokens',
  'contextWindow',
  'fit',
  'unbound',
  'approve',
  'yes',
  'home',
  'gcOlderThan',
  'gcKeep',
  'gcMaxSize',
  'redact',
  'prices',
  'toolLimits',
  'otlp',
  'playbooks',
  'mcp',
  ...toolSettingNames,
];

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
export function merge(layers: readonly Layer[]): Settings {
  const first = <T>(
    name: string,
    pick: (layer: Layer) => T | undefined,
  ): [string, Setting<T>][] => {
    for (const layer of layers) {
      const value = pick(layer);
      if (value !== undefined) return [[name, { value, origin: layer.origin(name) }]];
    }
    return [];
  };
  const values = settingNames.flatMap((name) => first<unknown>(name, ({ values }) => values[name]));
  const limits = limitNames.flatMap((name) => first(name, ({ limits }) => limits[name]));
  return { ...Object.fromEntries(values), ...joined(layers), limits: Object.fromEntries(limits) };
}

/** Settings by name of which each entry is decided for itself. */
const byEntry = ['agentModels', 'playbooks', 'http', 'toolsets', 'pins', 'toolOverrides'] as const;

/** Of prices, limits and what else is by name, each entry is decided for itself. */
function joined(layers: readonly Layer[]): Partial<Settings> {
  const entries = byEntry.flatMap((name) => {
    const saying = layers.filter(({ values }) => values[name] !== undefined);
    if (saying.length === 0) return [];
    const value = Object.assign({}, ...saying.toReversed().map(({ values }) => values[name]));
    return [[name, { value, origin: saying.map((one) => one.origin(name)).join(', ') }]];
  });
  // What is forbidden anywhere is forbidden.
  const denying = layers.filter(({ values }) => values.deny !== undefined);
  const deny = {
    value: [...new Set(denying.flatMap(({ values }) => values.deny ?? []))],
    origin: denying.map((one) => one.origin('deny')).join(', '),
  };
  return {
    ...Object.fromEntries(entries),
    ...(denying.length > 0 && { deny }),
    ...joinedNumbers(layers),
  };
}

function joinedNumbers(layers: readonly Layer[]): Pick<Settings, 'prices' | 'toolLimits'> {
  const saying = layers.filter(({ values }) => values.prices !== undefined);
  const prices = Object.assign({}, ...saying.toReversed().map(({ values }) => values.prices));
  const limiting = layers.filter(({ values }) => values.toolLimits !== undefined);
  const toolLimits: Record<string, ToolLimits> = {};
  for (const { values } of limiting.toReversed()) {
    for (const [tool, limits] of Object.entries(values.toolLimits ?? {})) {
      toolLimits[tool] = { ...toolLimits[tool], ...limits };
    }
  }
  const originOf = (name: string, of: readonly Layer[]): string =>
    of.map((layer) => layer.origin(name)).join(', ');
  return {
    ...(saying.length > 0 && { prices: { value: prices, origin: originOf('prices', saying) } }),
    ...(limiting.length > 0 && {
      toolLimits: { value: toolLimits, origin: originOf('toolLimits', limiting) },
    }),
  };
}

/** The limits without their origins. */
export function limitsIn(settings: Settings): Partial<Limits> {
  const entries = Object.entries(settings.limits);
  return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
}

/** What is said about approvals; the rest is as the engine has it. */
export function approvalsIn({ approve, yes }: Settings): Partial<Approvals> {
  return { ...(approve && { policy: approve.value }), ...(yes && { yes: yes.value }) };
}

/** Helpers may be named by their module alone: all that it exports. */
export const helperSource = (given: string): string => (given.includes('#') ? given : `${given}#`);

/** A tools file by its absolute path; the name of a tool set as it is. */
export const toolSource = (folder: string, given: string): string =>
  isToolSet(given) ? placedToolSet(given, (path) => resolve(folder, path)) : resolve(folder, given);

/** `maxOutputTokens` → `PLANVM_MAX_OUTPUT_TOKENS`; a limit by its flag: `PLANVM_VALUE_BYTES`. */
export function variableOf(setting: string): string {
  const name = isLimit(setting) ? limitTable[setting].flag : setting;
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).replaceAll('-', '_');
  return `PLANVM_${words.toUpperCase()}`;
}

const isLimit = (name: string): name is LimitName => Object.hasOwn(limitTable, name);

/**
 * What a set of environment variables says; an empty one says nothing. Paths are relative to
 * `folder`. Throws `CliError` PV6005 for a value of the wrong form.
 */
export function environmentLayer(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  where: string,
): Layer {
  const text = (name: string): string | undefined => {
    const given = env[variableOf(name)]?.trim();
    return given === '' ? undefined : given;
  };
  const list = (name: string): string[] | undefined =>
    text(name)
      ?.split(',')
      .map((one) => one.trim());
  const number = (name: string, fits: (value: number) => boolean, want: string) => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (!fits(Number(given))) throw badVariable(variableOf(name), `got ${given}, want ${want}`);
    return Number(given);
  };
  const home = text('home');
  const values: { [K in keyof Values]: Values[K] | undefined } = {
    model: text('model'),
    plannerModel: text('plannerModel'),
    judgeModel: text('judgeModel'),
    agentModels: agentModelsIn(list('agentModels')),
    embeddings: text('embeddings'),
    tools: list('tools')?.map((given) => toolSource(folder, given)),
    helpers: list('helpers')?.map((given) => toolSource(folder, helperSource(given))),
    dialect: text('dialect'),
    route: choice('route', text('route'), routes),
    otlp: text('otlp'),
    mcp: mcpOf(text('mcp')),
    playbooks: playbooksIn(list('playbooks')),
    toolLimits: toolLimitsIn(text('toolLimits')),
    openapi: list('openapi')?.map((given) => readApiSource(given, folder)),
    allow: list('allow'),
    deny: list('deny'),
    system: text('system'),
    temperature: number('temperature', (value) => value >= 0 && value <= 2, 'a number from 0 to 2'),
    maxOutputTokens: number(
      'maxOutputTokens',
      (value) => Number.isSafeInteger(value) && value > 0,
      'a positive integer',
    ),
    contextWindow: number(
      'contextWindow',
      (value) => Number.isSafeInteger(value) && value > 0,
      'a positive integer',
    ),
    fit: choice('fit', text('fit'), fits),
    unbound: choice('unbound', text('unbound'), ways),
    approve: choice('approve', text('approve'), approvalPolicies),
    yes: list('yes'),
    home: home === undefined ? undefined : resolve(folder, home),
    gcOlderThan: text('gcOlderThan'),
    gcKeep: number(
      'gcKeep',
      (value) => Number.isSafeInteger(value) && value >= 0,
      'a whole number',
    ),
    gcMaxSize: text('gcMaxSize'),
  };
  const limits = limitNames.flatMap((name): [string, number][] => {
    const given = text(name);
    if (given === undefined) return [];
    try {
      return [[name, readLimit(name, given)]];
    } catch (error) {
      throw error instanceof BadQuantity ? badVariable(variableOf(name), error.message) : error;
    }
  });
  return {
    origin: (setting) => `${variableOf(setting)} ${where}`,
    values: defined(values),
    limits: Object.fromEntries(limits),
  };
}

const toolLimitsIn = (given: string | undefined): Values['toolLimits'] =>
  given === undefined
    ? undefined
    : read('toolLimits', () => readToolLimits(given.split(',').map((one) => one.trim())));

const agentModelsIn = (given: readonly string[] | undefined): Values['agentModels'] =>
  given && read('agentModels', () => Object.assign({}, ...given.map(readAgentModel)));

function read<T>(name: keyof Values, reading: () => T): T {
  try {
    return reading();
  } catch (error) {
    throw error instanceof BadQuantity ? badVariable(variableOf(name), error.message) : error;
  }
}

/** `strictness=enforce`, `inline=0`. */
function playbooksIn(given: readonly string[] | undefined): Values['playbooks'] {
  const pairs = given?.map((one) => {
    const [, name = one, value = ''] = /^([^=]*)=(.*)$/.exec(one) ?? [];
    return [name.trim(), /^\d+$/.test(value.trim()) ? Number(value) : value.trim()];
  });
  if (pairs === undefined) return undefined;
  const { manner, problems } = readManner(Object.fromEntries(pairs));
  if (problems.length > 0) throw badVariable(variableOf('playbooks'), problems.join('; '));
  return manner;
}

/** The variable can only do without all servers: more is for a file. */
function mcpOf(given: string | undefined): false | undefined {
  if (given === undefined) return undefined;
  if (['off', 'false', '0'].includes(given)) return false;
  throw badVariable(variableOf('mcp'), `got ${given}, want off`);
}

function choice<T extends string>(
  name: string,
  given: string | undefined,
  choices: readonly T[],
): T | undefined {
  const found = choices.find((one) => one === given);
  if (given === undefined || found) return found;
  throw badVariable(variableOf(name), `got ${given}, want ${choices.join(', ')}`);
}

function badVariable(name: string, problem: string): CliError {
  return new CliError('PV6005', `${name}: ${problem}`, { hint: `correct ${name}, or unset it` });
}

/** Without the members that are undefined. */
export function defined(values: { [K in keyof Values]: Values[K] | undefined }): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/**
 * Every setting, its value and where the value comes from: flags before the environment before
 * `.env` before `planvm.config.ts|json` before the person's own file before the default.
 */
import { resolve } from 'node:path';
import type { AgentSettings } from '../../agent/port/settings.ts';
import { BadQuantity, readLimit } from '../../agent/settings/quantity.ts';
import { readToolLimits } from '../../agent/settings/tool-limits.ts';
import { toolSource } from '../../agent/settings/tool-source.ts';
import { readManner } from '../../dialects/playbook/manner.ts';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { routes } from '../../planner/ways.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  type ToolLimits,
} from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import { readAgentModel } from './agent-models.ts';
import { readApiSource, toolSettingNames } from './tool-settings.ts';

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

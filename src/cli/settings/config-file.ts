/**
 * Configuration files: `planvm.config.ts` (run as a module), `planvm.config.json` and the person's
 * own `config.json`. Checked strictly, so that a misspelt setting is not a silent one.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../agent/port/errors.ts';
import type { AgentModels } from '../../agent/port/settings.ts';
import {
  BadQuantity,
  formOf,
  readLimit,
  readToolLimits,
  toolSource,
} from '../../agent/settings/quantity.ts';
import type { Manner } from '../../dialects/playbook/manner.ts';
import type { ApiSource } from '../../effects/http/openapi/source.ts';
import type { ServerPolicy, ToolOverride } from '../../effects/mcp/policy.ts';
import {
  type LimitName,
  limitNames,
  limitTable,
  type ToolLimitName,
  type ToolLimits,
} from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import { divertStdout } from '../view/output.ts';
import {
  agentModelsIn,
  defined,
  helperSource,
  type Layer,
  mannerOf,
  readApiSource,
  type Values,
} from './settings.ts';

type Quantity = number | string;

type GivenLimits = Readonly<Partial<Record<ToolLimitName, Quantity>>>;

interface GivenServer extends Omit<ServerPolicy, 'tools' | 'startMs' | 'timeoutMs'> {
  readonly tools?: Readonly<
    Record<string, Omit<ToolOverride, 'limits'> & { readonly limits?: GivenLimits }>
  >;
  readonly startMs?: Quantity;
  readonly timeoutMs?: Quantity;
}

/** What a file says in another form than settings have it. */
interface ConfigForms {
  /** How playbooks are played, and by which models: by agent, or by playbook, `Desk.Main`. */
  readonly playbooks?: Partial<Manner> & { readonly models?: AgentModels };
  /** `provider/model` by role; `worker` is another name of `model`. */
  readonly models?: {
    readonly planner?: string;
    readonly worker?: string;
    readonly judge?: string;
  };
  /** OpenAPI documents: paths, addresses, `name=path`, or objects that say more. */
  readonly openapi?: string | ApiSource | readonly (string | ApiSource)[];
  /** Tools files (modules, or JSON with declarations) and tool sets: `planvm:wikipedia`. */
  readonly tools?: string | readonly string[];
  /** Modules, or functions and classes of them, whose methods are tools: `./mail.ts#Mail`. */
  readonly helpers?: string | readonly string[];
  /** By tool: `{ "search": { "timeoutMs": "5s", "callsPerRun": 100 } }`. */
  readonly toolLimits?: Readonly<Record<string, GivenLimits>>;
  /** By name of the server in `.mcp.json`; false: none of them is there. */
  readonly mcp?: false | Readonly<Record<string, GivenServer>>;
  /** By name as in `planvm doctor`: `{ "tokens": 100000, "wallMs": "5m" }`. */
  readonly limits?: Readonly<Partial<Record<LimitName, Quantity>>>;
}

/** What a configuration file exports, or holds as JSON. Paths are relative to the file. */
export interface Config extends Omit<Values, keyof ConfigForms | RoleModels>, ConfigForms {}

type RoleModels = 'plannerModel' | 'judgeModel' | 'agentModels';

/** Throws `CliError` PV6003 when the file cannot be read or run, PV6004 for what it holds. */
export async function readConfig(file: string, origin: string): Promise<Layer> {
  const data = file.endsWith('.json') ? readJsonFile(file) : await runModule(file);
  const config = await validated(data, file);
  const folder = dirname(file);
  const { tools, helpers, limits = {}, toolLimits, mcp, home, openapi, models, ...more } = config;
  const { playbooks: { models: agentModels, ...manner } = {}, ...values } = more;
  /** What one setting says. Throws `CliError` PV6004 for a value of the wrong form. */
  const read = <T>(name: string, reading: () => T, hint?: string): T => {
    try {
      return reading();
    } catch (error) {
      if (!(error instanceof BadQuantity)) throw error;
      throw new CliError('PV6004', `${file}: ${name}: ${error.message}`, { hint });
    }
  };
  const readLimits = limitNames.flatMap((name): [string, number][] => {
    const value = limits[name];
    if (value === undefined) return [];
    const hint = `${limitTable[name].about} Write ${formOf(name)}.`;
    return [[name, read(`limits.${name}`, () => readLimit(name, value), hint)]];
  });
  return {
    origin: () => origin,
    values: defined({
      ...values,
      ...modelValues(models, values.model, file),
      tools: tools && [tools].flat().map((given) => toolSource(folder, given)),
      helpers: helpers && [helpers].flat().map((given) => toolSource(folder, helperSource(given))),
      openapi: openapi && [openapi].flat().map((given) => readApiSource(given, folder)),
      toolLimits: toolLimits && read('toolLimits', () => limitsByTool(toolLimits)),
      mcp: read('mcp', () => mcp && byName(mcp, policyOf)),
      playbooks: more.playbooks && read('playbooks', () => mannerOf(manner)),
      agentModels: agentModels && read('playbooks.models', () => agentModelsIn(agentModels)),
      home: home === undefined ? undefined : resolve(folder, home),
    } as Values),
    limits: Object.fromEntries(readLimits),
  };
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CliError('PV6003', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

async function runModule(file: string): Promise<unknown> {
  let data: unknown;
  try {
    divertStdout();
    const { importDefault } = await import('../../effects/tool/import-module.ts');
    data = await importDefault(file);
  } catch (cause) {
    throw new CliError('PV6003', `cannot run ${file}: ${reasonOf(cause)}`, {
      hint: 'correct the file; --verbose shows the stack',
      cause,
    });
  }
  if (data !== undefined) return data;
  throw new CliError('PV6004', `${file} has no default export, want export default { … }`);
}

async function validated(data: unknown, file: string): Promise<Config> {
  const { configSchema, problemsOf } = await import('./config-schema.ts');
  const result = configSchema.safeParse(data);
  if (result.success) return result.data as Config;
  const problems = problemsOf(result.error);
  throw new CliError('PV6004', `${file} is not a configuration:\n${problems}`, {
    hint: `settings: ${Object.keys(configSchema.shape).join(', ')}`,
  });
}

/** Throws `CliError` PV6004 for two workers. */
function modelValues(
  { planner, worker, judge }: NonNullable<Config['models']> = {},
  model: string | undefined,
  file: string,
): Pick<Values, 'model' | 'plannerModel' | 'judgeModel'> {
  if (worker !== undefined && model !== undefined && worker !== model) {
    throw new CliError('PV6004', `${file}: got model ${model} and models.worker ${worker}`, {
      hint: 'models.worker is another name of model: keep one of them',
    });
  }
  const own = worker ?? model;
  return {
    ...(own && { model: own }),
    ...(planner && { plannerModel: planner }),
    ...(judge && { judgeModel: judge }),
  };
}

const byName = <From, To>(
  given: Readonly<Record<string, From>>,
  read: (from: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(given).map(([name, from]) => [name, read(from)]));

/** Throws `BadQuantity`, as the two below do. */
const limitsByTool = (given: Readonly<Record<string, GivenLimits>>): Values['toolLimits'] =>
  readToolLimits(
    Object.entries(given).flatMap(([tool, limits]) =>
      Object.entries(limits).map(([name, value]) => `${tool}.${name}=${value}`),
    ),
  );

const limitsOf = (tool: GivenLimits): ToolLimits => limitsByTool({ tool })?.tool ?? {};

function policyOf({ tools, startMs, timeoutMs, ...rest }: GivenServer): ServerPolicy {
  return {
    ...rest,
    ...(tools && {
      tools: byName(tools, ({ limits, ...own }) => ({
        ...own,
        ...(limits && { limits: limitsOf(limits) }),
      })),
    }),
    ...(startMs !== undefined && { startMs: readLimit('timeoutMs', startMs) }),
    ...(timeoutMs !== undefined && { timeoutMs: readLimit('timeoutMs', timeoutMs) }),
  };
}

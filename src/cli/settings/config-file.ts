/**
 * Configuration files: `planvm.config.ts` (run as a module), `planvm.config.json` and the person's
 * own `config.json`. Checked strictly, so that a misspelt setting is not a silent one.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../agent/port/reason.ts';
import type { AgentModels } from '../../agent/port/settings.ts';
import { BadQuantity, formOf, readLimit } from '../../agent/settings/quantity.ts';
import { readToolLimits } from '../../agent/settings/tool-limits.ts';
import { toolSource } from '../../agent/settings/tool-source.ts';
import { type Manner, readManner } from '../../dialects/playbook/manner.ts';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import type { ApiSource } from '../../effects/http/openapi/source.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { routes } from '../../planner/ways.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  type ToolLimitName,
  toolLimitNames,
} from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import { divertStdout } from '../view/output.ts';
import { agentModelsIn } from './agent-models.ts';
import { type GivenMcp, mcpSchema, readMcp } from './mcp-settings.ts';
import { defined, helperSource, type Layer, type Values } from './settings.ts';
import { readApiSource, toolSettingShape } from './tool-settings.ts';

/** What a configuration file exports, or holds as JSON. Paths are relative to the file. */
export interface Config
  extends Omit<
    Values,
    | 'tools'
    | 'helpers'
    | 'toolLimits'
    | 'mcp'
    | 'openapi'
    | 'plannerModel'
    | 'judgeModel'
    | 'agentModels'
    | 'playbooks'
  > {
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
  readonly toolLimits?: Readonly<
    Record<string, Readonly<Partial<Record<ToolLimitName, number | string>>>>
  >;
  /** By name of the server in `.mcp.json`; false: none of them is there. */
  readonly mcp?: GivenMcp;
  /** By name as in `planvm doctor`: `{ "tokens": 100000, "wallMs": "5m" }`. */
  readonly limits?: Readonly<Partial<Record<LimitName, number | string>>>;
}

/** Throws `CliError` PV6003 when the file cannot be read or run, PV6004 for what it holds. */
export async function readConfig(file: string, origin: string): Promise<Layer> {
  const data = file.endsWith('.json') ? readJsonFile(file) : await runModule(file);
  const config = await validated(data, file);
  const folder = dirname(file);
  const { tools, helpers, limits = {}, toolLimits, mcp, home, openapi, models, ...more } = config;
  const { playbooks, ...values } = more;
  const paths =
    tools === undefined ? undefined : [tools].flat().map((given) => toolSource(folder, given));
  return {
    origin: () => origin,
    values: defined({
      ...values,
      ...modelValues(models, values.model, file),
      tools: paths,
      helpers: helpers && [helpers].flat().map((given) => toolSource(folder, helperSource(given))),
      openapi: openapi && [openapi].flat().map((given) => readApiSource(given, folder)),
      toolLimits: toolLimits && toolLimitValues(toolLimits, file),
      mcp: mcpValues(mcp, file),
      ...playbookValues(playbooks, file),
      home: home === undefined ? undefined : resolve(folder, home),
    } as Values),
    limits: limitValues(limits, file),
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
  const { z } = await import('zod');
  const role = z.string().optional();
  const price = z.number().nonnegative();
  const limit = z.union([z.number(), z.string()]).optional();
  const schema = z.strictObject({
    model: z.string().optional(),
    models: z.strictObject({ planner: role, worker: role, judge: role }).optional(),
    embeddings: z.string().optional(),
    tools: z.union([z.string(), z.array(z.string())]).optional(),
    helpers: z.union([z.string(), z.array(z.string())]).optional(),
    dialect: z.string().optional(),
    route: z.enum(routes).optional(),
    system: z.string().optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxOutputTokens: z.int().positive().optional(),
    contextWindow: z
      .union([z.int().positive(), z.record(z.string(), z.int().positive())])
      .optional(),
    fit: z.enum(fits).optional(),
    unbound: z.enum(ways).optional(),
    approve: z.enum(approvalPolicies).optional(),
    yes: z.array(z.string()).optional(),
    home: z.string().optional(),
    gcOlderThan: z.string().optional(),
    gcKeep: z.int().nonnegative().optional(),
    gcMaxSize: z.union([z.string(), z.number()]).optional(),
    otlp: z.url().optional(),
    prices: z
      .record(z.string(), z.strictObject({ input: price, output: price, kept: price.optional() }))
      .optional(),
    toolLimits: z
      .record(
        z.string(),
        z.strictObject(Object.fromEntries(toolLimitNames.map((name) => [name, limit]))),
      )
      .optional(),
    playbooks: z.record(z.string(), z.unknown()).optional(),
    mcp: mcpSchema(z),
    redact: z
      .strictObject({
        variables: z.array(z.string()).optional(),
        patterns: z.array(z.string().refine(isExpression, 'no regular expression')).optional(),
        keep: z.array(z.string()).optional(),
      })
      .optional(),
    limits: z.strictObject(Object.fromEntries(limitNames.map((name) => [name, limit]))).optional(),
    ...toolSettingShape(z),
  });
  const result = schema.safeParse(data);
  if (result.success) return result.data as Config;
  throw new CliError(
    'PV6004',
    `${file} is not a configuration:\n${z.prettifyError(result.error)}`,
    {
      hint: `settings: ${Object.keys(schema.shape).join(', ')}`,
    },
  );
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

/** Throws `CliError` PV6004, as `limitValues` does. */
function toolLimitValues(
  given: NonNullable<Config['toolLimits']>,
  file: string,
): NonNullable<Values['toolLimits']> {
  const pairs = Object.entries(given).flatMap(([tool, limits]) =>
    Object.entries(limits).map(([name, value]) => `${tool}.${name}=${value}`),
  );
  try {
    return readToolLimits(pairs);
  } catch (error) {
    if (!(error instanceof BadQuantity)) throw error;
    throw new CliError('PV6004', `${file}: toolLimits: ${error.message}`);
  }
}

/** Throws `CliError` PV6004, as `limitValues` does. */
function mcpValues(given: GivenMcp | undefined, file: string): Values['mcp'] {
  try {
    return readMcp(given);
  } catch (error) {
    if (!(error instanceof BadQuantity)) throw error;
    throw new CliError('PV6004', `${file}: mcp: ${error.message}`);
  }
}

/** Throws `CliError` PV6004, as `limitValues` does. */
function playbookValues(
  given: Config['playbooks'],
  file: string,
): Pick<Values, 'playbooks' | 'agentModels'> {
  if (given === undefined) return {};
  const { models, ...rest } = given;
  const { manner, problems } = readManner(rest);
  if (problems.length > 0) {
    throw new CliError('PV6004', `${file}: playbooks: ${problems.join('; ')}`);
  }
  try {
    return { playbooks: manner, ...(models && { agentModels: agentModelsIn(models) }) };
  } catch (error) {
    if (!(error instanceof BadQuantity)) throw error;
    throw new CliError('PV6004', `${file}: playbooks.models: ${error.message}`);
  }
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'g').global && pattern !== '';
  } catch {
    return false;
  }
}

function limitValues(given: NonNullable<Config['limits']>, file: string): Partial<Limits> {
  const read = limitNames.flatMap((name): [string, number][] => {
    const value = given[name];
    if (value === undefined) return [];
    try {
      return [[name, readLimit(name, value)]];
    } catch (error) {
      if (!(error instanceof BadQuantity)) throw error;
      throw new CliError('PV6004', `${file}: limits.${name}: ${error.message}`, {
        hint: `${limitTable[name].about} Write ${formOf(name)}.`,
      });
    }
  });
  return Object.fromEntries(read);
}

/** From the options of an agent to the workspace that it works with. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ApiSource } from '../effects/http/openapi/source.ts';
import type { ServerPolicy } from '../effects/mcp/policy.ts';
import type { LanguageModel } from '../effects/model/language-model.ts';
import type { Model } from '../effects/model/model.ts';
import type { OwnModel } from '../effects/model/own-model.ts';
import type { RedactionRules } from '../effects/redaction.ts';
import type { AiTools } from '../effects/tool/ai-tools.ts';
import type { FunctionTool } from '../effects/tool/tool.ts';
import type { Handler } from '../engine/handler.ts';
import type { Journal } from '../engine/journal/journal.ts';
import type { ApprovalRule } from '../engine/perform/approval-rule.ts';
import type { ApprovalPolicy } from '../engine/perform/approvals.ts';
import type { Limits } from '../program/limits.ts';
import type { Host } from './port/host.ts';
import type { AgentSettings, ServerHere } from './port/settings.ts';
import type { ModelRole, Ports, Workspace } from './port/workspace.ts';
import { tracing } from './tracing.ts';
import type { Travel } from './travel/travel.ts';

/** `provider/model`, a model of the `ai` package, or an object with `complete`. */
export type GivenModel = string | LanguageModel | OwnModel;

/** `person` answers and approves while a run goes on; without, a run that asks ends as waiting. */
export interface AgentOptions extends Pick<Host, 'person' | 'review' | 'saying'> {
  /**
   * Goes through each program in place of watching it: what it asks for begins when `travel` has
   * come there. A run that has not ended is suspended afterwards.
   */
  goThrough?(travel: Travel): Promise<void>;
  /** A journal, or the path of one. Default: in memory, so that nothing outlives the process. */
  readonly journal?: Journal | string;
  /** One for all, or by what they do; the planner and the judge have the worker's by default. */
  readonly model?: GivenModel | Readonly<Partial<Record<ModelRole, GivenModel>>>;
  /** What programs may call besides the built-in tools; one of the same name replaces those. */
  readonly tools?: readonly (FunctionTool | Handler)[] | AiTools;
  /** MCP servers by name, as `.mcp.json` has them; texts may hold `${VAR}` of `env`. */
  readonly mcp?: Readonly<Record<string, GivenServer>>;
  /** OpenAPI documents, each operation of which is a tool. */
  readonly openapi?: readonly (string | ApiSource)[];
  /**
   * Which calls a person is asked about; by default those that cannot be undone. A function decides
   * about each call that changes something: `allow`, `ask` a person, or `deny`. What it says is
   * journaled and counts on resume; one that throws asks.
   */
  readonly approve?: ApprovalPolicy | ApprovalRule;
  /** Tools that need no approval: names and patterns. */
  readonly yes?: readonly string[];
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Where keys of models and tools are looked up. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Path of the knowledge base that retrieval searches. */
  readonly knowledge?: string;
  /** Folder of caches and saved plans. Default: that of the journal's file. */
  readonly home?: string;
  readonly redact?: RedactionRules;
  /** File that every reply of a model is appended to; the model `replay/FILE` answers from it. */
  readonly record?: string;
  /** Everything else that a configuration may say. */
  readonly settings?: Partial<AgentSettings>;
  /** By default, runs are traced where the process has OpenTelemetry set up. */
  readonly ports?: Ports;
}

export interface GivenServer extends ServerPolicy {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throws `EffectFailure` for tools and `BadMcpFile` for servers that are none. */
export async function workspaceFor(options: AgentOptions): Promise<Workspace> {
  const { journal, model, approve, yes, limits = {}, redact, env = {} } = options;
  const file = typeof journal === 'string' && journal !== ':memory:' ? resolve(journal) : undefined;
  // Nothing of the folder in which the process happens to be is read or written.
  const elsewhere = () => join(tmpdir(), `planvm-${randomUUID()}`);
  const home = options.home ?? (file === undefined ? elsewhere() : dirname(file));
  const { settings: rest = {} } = options;
  const { names, models } = await modelsIn(model);
  const openapi = options.openapi?.map((source) =>
    typeof source === 'string' ? { source } : source,
  );
  const settings: AgentSettings = {
    ...{ ...rest, ...names, limits: { ...rest.limits, ...limits } },
    ...(typeof approve === 'string' && { approve }),
    // A function is asked about all that changes something.
    ...(typeof approve === 'function' && { approve: 'writes' as const }),
    ...(yes && { yes }),
    ...(redact && { redact }),
    ...(openapi && { openapi }),
  };
  const servers = await serversIn(options.mcp ?? {}, home);
  const { traced, watched } = tracing();
  return {
    ...{ traced, watched, ...options.ports, settings, origins: {}, home, env, models },
    unread: undefined,
    rule: typeof approve === 'function' ? approve : undefined,
    ...{ knowledge: options.knowledge, record: options.record },
    journalFile: file,
    ownTools: await handlersOf(options.tools ?? []),
    servers: () => servers,
    hasServers: servers.length > 0,
  };
}

async function modelsIn(given: AgentOptions['model']) {
  const roles: Readonly<Partial<Record<ModelRole, GivenModel | undefined>>> =
    given === undefined || isModel(given) ? { worker: given } : given;
  const settingOf = { planner: 'plannerModel', worker: 'model', judge: 'judgeModel' } as const;
  const names: Partial<Record<(typeof settingOf)[ModelRole], string>> = {};
  const models: Partial<Record<ModelRole, Model>> = {};
  for (const role of ['planner', 'worker', 'judge'] as const) {
    const model = roles[role];
    if (typeof model === 'string') names[settingOf[role]] = model;
    else if (model) {
      const { modelOf } = await import('../effects/model/own-model.ts');
      models[role] = modelOf(model);
    }
  }
  return { names, models };
}

const isModel = (given: NonNullable<AgentOptions['model']>): given is GivenModel =>
  typeof given === 'string' || 'complete' in given || 'doStream' in given;

async function handlersOf(tools: NonNullable<AgentOptions['tools']>): Promise<Handler[]> {
  const listed = isList(tools) ? tools : await toolsOfAi(tools);
  if (listed.length === 0) return [];
  const { functionHandlers } = await import('../effects/tool/function.ts');
  const handlers: Handler[] = [];
  for (const [index, tool] of listed.entries()) {
    if ('spec' in tool) handlers.push(tool);
    else handlers.push(...(await functionHandlers([tool], `tools[${index}]`)));
  }
  return handlers;
}

const toolsOfAi = async (tools: AiTools): Promise<readonly FunctionTool[]> =>
  (await import('../effects/tool/ai-tools.ts')).fromAiTools(tools);

const isList = <Item>(tools: readonly Item[] | AiTools): tools is readonly Item[] =>
  Array.isArray(tools);

async function serversIn(
  given: NonNullable<AgentOptions['mcp']>,
  home: string,
): Promise<ServerHere[]> {
  const entries = Object.entries(given);
  if (entries.length === 0) return [];
  const { readServers } = await import('../effects/mcp/config.ts');
  const { secretsIn } = await import('../effects/mcp/secrets.ts');
  const transports = entries.map(([name, { command, args, url, env, headers }]) => [
    name,
    { command, args, url, env, headers },
  ]);
  const text = JSON.stringify({ mcpServers: Object.fromEntries(transports) });
  return readServers(text, 'options.mcp.json').map((server) => {
    const policy = given[server.name] ?? {};
    return { server, policy, folder: join(home, '..'), secrets: secretsIn(server) };
  });
}

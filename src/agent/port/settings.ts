/** Settings of an agent as plain values: where each comes from is the business of a face. */
import type { Manner } from '../../dialects/playbook/manner.ts';
import type { ApiSource } from '../../effects/http/openapi/source.ts';
import type { HttpDeclaration } from '../../effects/http/template.ts';
import type { McpServer } from '../../effects/mcp/config.ts';
import type { ServerPolicy } from '../../effects/mcp/policy.ts';
import type { ModelSettings as CallSettings } from '../../effects/model/model-settings.ts';
import type { PriceTable } from '../../effects/model/prices.ts';
import type { RedactionRules } from '../../effects/redaction.ts';
import type { Pins } from '../../effects/tool/pinned.ts';
import type { ApprovalPolicy, Approvals } from '../../engine/perform/approvals.ts';
import type { Route } from '../../planner/goal.ts';
import type { EffectClass } from '../../program/effect.ts';
import type { Limits, ToolLimits } from '../../program/limits.ts';

export interface AgentSettings extends ModelSettings, ToolSettings {
  /** Limits that differ from the defaults. */
  readonly limits: Partial<Limits>;
  /** The dialect of programs that do not say theirs, and in which a model plans. */
  readonly dialect?: string;
  /** Whether a goal is answered by a program; `auto`: a model decides. */
  readonly route?: Route;
  /** What a person is asked about before it is performed. */
  readonly approve?: ApprovalPolicy;
  /** Tools that need no approval. */
  readonly yes?: readonly string[];
  /** What else is secret, and what is not. */
  readonly redact?: RedactionRules;
  /** How playbooks are played. */
  readonly playbooks?: Partial<Manner>;
  /** Address of an OpenTelemetry collector, `http://localhost:4318`. */
  readonly otlp?: string;
}

export interface ModelSettings extends CallSettings {
  /** `provider/model`: answers what programs ask, and plans and judges where no other is named. */
  readonly model?: string;
  /** Writes and repairs programs. */
  readonly plannerModel?: string;
  /** Judges answers. */
  readonly judgeModel?: string;
  /** Models of agents of playbooks: by agent, `Desk`, or by playbook, `Desk.Main`. */
  readonly agentModels?: AgentModels;
  /** The embedding model of the knowledge base; without one, only words are searched. */
  readonly embeddings?: string;
  /** USD per million tokens, by model reference; they come before those that planvm knows. */
  readonly prices?: PriceTable;
}

export type AgentModels = Readonly<Record<string, string>>;

export interface ToolSettings {
  /** Absolute paths of tools files, and names of tool sets: `planvm:wikipedia`. */
  readonly tools?: readonly string[];
  /** Modules whose functions and classes are tools: absolute paths followed by `#Class`. */
  readonly helpers?: readonly string[];
  /** Policies of MCP servers by name; false: no server is used. */
  readonly mcp?: false | Readonly<Record<string, ServerPolicy>>;
  /** OpenAPI documents, each operation of which is a tool. Paths are absolute. */
  readonly openapi?: readonly ApiSource[];
  /** Tools that are one request: by name, `GET https://…`, or more of it. */
  readonly http?: Readonly<Record<string, string | HttpDeclaration>>;
  /** Named sets of tools, which `allow` and `deny` refer to as `@name`. */
  readonly toolsets?: Readonly<Record<string, readonly string[]>>;
  /** Names and patterns of the tools that a run may call, beside built-in ones. Absent: all. */
  readonly allow?: readonly string[];
  /** Tools that a run may not call, whatever `allow` says; also built-in ones. */
  readonly deny?: readonly string[];
  /** By tool and parameter: values that programs neither see nor change. */
  readonly pins?: Readonly<Record<string, Pins>>;
  /** By name or pattern: what a tool does, where it says nothing or something wrong. */
  readonly toolOverrides?: Readonly<Record<string, ToolOverride>>;
  /** By name of the tool. */
  readonly toolLimits?: Readonly<Record<string, ToolLimits>>;
}

export interface ToolOverride {
  readonly effect?: EffectClass;
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  readonly description?: string;
  /** USD. */
  readonly price?: { readonly perCall: number };
}

/** The part about approvals; the rest is as the engine has it. */
export function approvalsIn({ approve, yes }: AgentSettings): Partial<Approvals> {
  return { ...(approve && { policy: approve }), ...(yes && { yes }) };
}

/** An MCP server, as the settings of an agent have it. */
export const mcpFileName = '.mcp.json';

export interface ServerHere {
  readonly server: McpServer;
  readonly policy: ServerPolicy;
  /** The folder of the file that names it. */
  readonly folder: string;
  /** Keys that stand in the file itself, by where they stand. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where it is an agent of the program. */
  readonly agent?: ServerAgent;
}

export interface ServerAgent {
  /** By which the program calls its tools, whatever the server is called. */
  readonly name: string;
  /** Where the program says so: `desk.playbook.md:12`. */
  readonly at: string;
  /** When it is spoken to: before the run starts, when a tool of it is called, or never. */
  readonly contact: 'now' | 'later' | 'never';
  /** Tools of it that the program names. */
  readonly calls: readonly string[];
}

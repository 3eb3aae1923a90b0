/**
 * The public API of planvm: an agent, and what can be plugged into it.
 *
 *     import { defineTool, openAgent } from 'planvm';
 *
 *     const add = defineTool({ name: 'add', description: 'Adds.', effect: 'pure', … });
 *     const agent = await openAgent({ tools: [add], model: 'openai/gpt-5-mini' });
 *     const { answer } = await agent.ask('How much is 2 + 3?').end;
 */
import { type Agent, openAgent as openAgentWith } from './agent/agent.ts';
import type { AgentOptions } from './agent/options.ts';
import { AgentError, InvalidProgram } from './agent/port/errors.ts';
import type { SessionEnd } from './agent/port/events.ts';
import type { CheckTextOptions } from './agent/program/check-text.ts';
import type { GivenSource, RunOptions } from './agent/requests.ts';
import type { Checked } from './dialects/dialect.ts';
import type { IngestOptions, IngestReport } from './effects/retrieve/ingest.ts';
import type { Knowledge } from './effects/retrieve/knowledge.ts';
import type { Environment } from './effects/tool-set.ts';
import type { Handler } from './engine/handler.ts';
import type { Diagnostic } from './program/diagnostic.ts';
import type { ToolSpec } from './program/effect.ts';
import type { Limits } from './program/limits.ts';
import type { Program } from './program/program.ts';

export { Agent } from './agent/agent.ts';
export { AgentRuns } from './agent/agent-runs.ts';
export type { AgentTool, AgentToolInput, AgentToolOutput } from './agent/as-tool.ts';
export type { FollowOptions } from './agent/follow.ts';
export type { RevisionOptions } from './agent/goal/revise.ts';
export type { AgentOptions, GivenModel, GivenServer } from './agent/options.ts';
export { AgentError, InvalidProgram } from './agent/port/errors.ts';
export type { AgentEvent, NextStep, Notice, SessionEnd } from './agent/port/events.ts';
export type { Reply } from './agent/port/reply.ts';
export type { AgentSettings } from './agent/port/settings.ts';
export type { ModelRole, Ports } from './agent/port/workspace.ts';
export type {
  AskOptions,
  GivenSource,
  LaterOptions,
  ResumeOptions,
  RunOptions,
  SessionOptions,
} from './agent/requests.ts';
export { Session } from './agent/session.ts';
export type { AgentThread } from './agent/thread/agent-thread.ts';
export type { Travel } from './agent/travel/travel.ts';
export { disassemble } from './analysis/disassembler.ts';
export type { Config } from './cli/settings/config-file.ts';
export {
  render as renderDiagnostic,
  renderAll as renderDiagnostics,
} from './dialects/diagnostic.ts';
export type { Checked } from './dialects/dialect.ts';
export type { ApiSource } from './effects/http/openapi/source.ts';
export type { HttpDeclaration } from './effects/http/template.ts';
export { type HttpToolsOptions, httpTools, openApiTools } from './effects/http/tools.ts';
export type { Model, ModelReply, ModelRequest } from './effects/model/model.ts';
export { openModel } from './effects/model/open.ts';
export type { OwnModel } from './effects/model/own-model.ts';
export type { RedactionRules } from './effects/redaction.ts';
export { openKnowledge } from './effects/retrieve/knowledge.ts';
export type { AiTool, AiTools } from './effects/tool/ai-tools.ts';
export {
  type DefinedTool,
  defineTool,
  type FunctionTool,
  type ToolContext,
} from './effects/tool/tool.ts';
export { RunError } from './engine/codes.ts';
export type { WatchEvent } from './engine/events.ts';
export type { ForkChanges } from './engine/fork/fork-changes.ts';
export type { ForkPreview } from './engine/fork/fork-preview.ts';
export { EffectFailure, type Handler } from './engine/handler.ts';
export type { ForkEdit } from './engine/journal/fork-edit.ts';
export { type Journal, JournalError, type RunSummary } from './engine/journal/journal.ts';
export { openJournal } from './engine/journal/open-journal.ts';
export type { RunFilter, RunMetadata } from './engine/journal/run-identity.ts';
export type { Assume } from './engine/past/past-effect.ts';
export type { ApprovalRule } from './engine/perform/approval-rule.ts';
export type { ApprovalPolicy } from './engine/perform/approvals.ts';
export type { OpenWait, Person } from './engine/perform/person.ts';
export type { RunResult } from './engine/result.ts';
export type { Comparison } from './engine/views/compare.ts';
export type { Member } from './engine/views/family.ts';
export type { RunView } from './engine/views/show.ts';
export type { StateView } from './engine/views/state-view.ts';
export { decodeValue, encodeValue, type Json } from './program/json.ts';
export type { Diagnostic, Limits, Program, ToolSpec };

/** Everything that can be said about a text without running it. */
export async function check(text: string, options: CheckTextOptions = {}): Promise<Checked> {
  const { checkText } = await import('./agent/program/check-text.ts');
  return await checkText(text, options);
}

/** The program of a text. Throws `InvalidProgram`, and `AgentError` PV6066 for playbooks. */
export async function compile(text: string, options: CheckTextOptions = {}): Promise<Program> {
  const { ok, program, dialect, diagnostics } = await check(text, options);
  if (program) return program;
  if (!ok) throw new InvalidProgram(diagnostics, { text, file: 'program' });
  throw new AgentError('PV6066', `got a ${dialect}, want a program: a control loop plays it`, {
    hint: 'an agent plays it, with run or play; check says whether it is valid',
  });
}

/**
 * An agent with the keys of the process's environment, unless `env` has others. Throws what is
 * wrong with the options.
 */
export async function openAgent(options: AgentOptions = {}): Promise<Agent> {
  return await openAgentWith({ env: process.env, ...options });
}

/** The tools of a set, by a name with options: `planvm:wikipedia?language=fr`. */
export async function toolSet(
  source: string,
  env: Environment = process.env,
): Promise<readonly Handler[]> {
  const { toolSet: openSet } = await import('./effects/tool-sets.ts');
  return await openSet(source, env);
}

/**
 * Loads files and folders into a knowledge base. Throws `EffectFailure` when a path does not exist,
 * the embedding model fails or the knowledge base cannot be written. Files done by then stay.
 */
export async function ingest(
  knowledge: Knowledge,
  paths: readonly string[],
  options: IngestOptions = {},
): Promise<IngestReport> {
  const { ingest: load } = await import('./effects/retrieve/ingest.ts');
  return await load(knowledge, paths, options);
}

/** One program, from its text to its end, with an agent of its own. Rejects as `Session.end`. */
export async function run(
  text: GivenSource,
  options: AgentOptions & RunOptions = {},
): Promise<SessionEnd> {
  await using agent = await openAgent(options);
  return await agent.run(text, options).end;
}

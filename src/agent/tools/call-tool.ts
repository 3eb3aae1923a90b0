/** One call of a tool by hand: its arguments are checked, it has a time, nothing is kept. */
import { randomUUID } from 'node:crypto';
import { type AttemptContext, EffectFailure, type Handler } from '../../engine/handler.ts';
import { loneAttempt } from '../../engine/lone-attempt.ts';
import { argumentReader } from '../../engine/perform/arguments.ts';
import { thrownText } from '../../program/diagnostic.ts';
import { encode, fromJson, toJson } from '../../program/json.ts';
import { limitTable } from '../../program/limits.ts';
import { dict, type Value } from '../../program/value.ts';
import { AgentError } from '../port/errors.ts';

export interface ToolCall extends Pick<AttemptContext, 'signal' | 'use' | 'warn'> {
  readonly handler: Handler;
  readonly args: ReadonlyMap<string, Value>;
}

/** How long a tool may take. */
export const timeoutOf = ({ spec }: Handler): number =>
  spec.limits?.timeoutMs ?? limitTable.timeoutMs.default;

/** What the tool returns. Throws `AgentError` PV6002 for arguments, and `EffectFailure`. */
export async function callTool({ handler, args, signal, use, warn }: ToolCall): Promise<unknown> {
  const { name, parameters } = handler.spec;
  const read = argumentReader(parameters)(encode(dict(args)));
  for (const warning of read.warnings) warn(`${name} ${warning}`);
  if (read.errors.length > 0) {
    throw new AgentError('PV6002', `arguments of ${name}: ${read.errors.join('; ')}`, {
      facts: { tool: name },
    });
  }
  const timeoutMs = timeoutOf(handler);
  const id = `call-${randomUUID()}`;
  const both = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const work = { ...{ signal: both, timeoutMs, run: id, idempotencyKey: id }, use, warn };
  try {
    const result = await handler.perform(read.args, loneAttempt(work));
    if (result !== undefined) return toJson(fromJson(result));
    throw new EffectFailure('PV4002', `${name} returned undefined, want JSON data`, {
      hint: 'return null for nothing',
    });
  } catch (error) {
    if (error instanceof EffectFailure || error instanceof AgentError) throw error;
    throw new EffectFailure('PV4006', `${name} threw ${thrownText(error)}`, { cause: error });
  } finally {
    await handler.ended?.(id).catch(() => undefined);
  }
}

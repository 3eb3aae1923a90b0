/**
 * Who stands in for a tool that has failed for good (`ToolSpec.alternatives`). The effect stays the
 * same, with its id and its request; its attempts go on with another tool. So the journal knows one
 * effect with one outcome, and a resumed run begins again with the tool that the program has named.
 *
 * - I1 Neither side writes: what has failed may have acted, and must not act a second time.
 * - I2 Nothing stands in quietly: a warning says what has failed, and every attempt who made it.
 */
import type { EffectError, Outcome } from '../../program/effect.ts';
import { decode, encode } from '../../program/json.ts';
import { dict, dictEntries, isDict } from '../../program/value.ts';
import { addWarning, type Job, type RunTool } from './job.ts';

export interface StandInHost {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether a tool may be called without asking anybody, and as often as it has been. */
  readonly mayCall: (tool: RunTool) => boolean;
}

/** Mistakes of the program, which it should hear of. */
const ofProgram: ReadonlySet<string> = new Set(['PV4001', 'PV4201']);

/** Gives a failed job to the next tool that can have it; false where there is none. */
export function handOver(job: Job, error: EffectError, host: StandInHost): boolean {
  const from = job.tool.spec.name;
  const next = nextTool(job, error, host);
  if (!next) return false;
  job.instead = [...job.instead, { tool: from, error }];
  addWarning(job, `${from} failed (${error.message}): ${next.spec.name} stands in`);
  const { code, message } = error;
  job.failed = { startedAt: job.triedAt, endedAt: host.now(), code, message };
  job.attemptsBefore = job.attempts;
  job.tool = next;
  return true;
}

/** The failure of the tool that was asked first; it says how those fared that stood in. */
export function withStandIns({ instead, tool }: Job, outcome: Outcome): Outcome {
  if (outcome.ok || instead.length === 0) return outcome;
  const [first, ...others] = instead;
  if (!first) return outcome;
  const all = [...others, { tool: tool.spec.name, error: outcome.error }];
  const list = all.map((one) => `${one.tool}: ${one.error.message}`).join('; ');
  const message = `${first.error.message} (what stands in for it failed too: ${list})`;
  return { ok: false, error: { ...first.error, message } };
}

function nextTool(job: Job, error: EffectError, host: StandInHost): RunTool | undefined {
  const { own, tool, request, parts } = job;
  if (!own.standIns || own.spec.effect === 'write' || parts.length > 0) return undefined;
  if (tool === own && ofProgram.has(error.code)) return undefined;
  const names = own.spec.alternatives ?? [];
  const left = names.slice(names.indexOf(tool.spec.name) + 1);
  for (const other of own.standIns()) {
    const { spec, handler } = other;
    if (!left.includes(spec.name) || spec.effect === 'write' || handler.wait) continue;
    const fitted = adapted(other, own);
    if (host.mayCall(other) && fitted.read(request.args).errors.length === 0) return fitted;
  }
  return undefined;
}

/** Without the arguments that it has no parameters for. What the first keeps secret stays so. */
function adapted(other: RunTool, own: RunTool): RunTool {
  const { properties, additionalProperties } = other.spec.parameters;
  const isOpen = properties === undefined || (additionalProperties ?? false) !== false;
  const known = (text: string): string => {
    const args = decode(text);
    if (isOpen || !isDict(args)) return text;
    const kept = [...dictEntries(args)].filter(([name]) => Object.hasOwn(properties, String(name)));
    return encode(dict(kept));
  };
  return { ...other, read: (text) => other.read(known(text)), secret: own.secret ?? other.secret };
}

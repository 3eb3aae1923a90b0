/**
 * Whether each outcome in a journal is what the world has answered to that very request: what holds
 * however things were timed, also of programs whose end depends on that.
 */
import type { RunEvent } from '../../src/engine/journal/journal.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { type Outcome, raceTool } from '../../src/program/effect.ts';
import { decode, stringify, toJson } from '../../src/program/json.ts';
import type { Recorded } from './recorded.ts';
import { type Fate, isNest, specs, type World } from './world.ts';

/** Outcomes, parts and winners that cannot be. */
export function untruths(world: World, recorded: Recorded): string[] {
  const { outcomes, parts, hashes, tools, given, borrowed, shared, doubted } = recorded;
  const wrongs: string[] = [];
  for (const [id, outcome] of outcomes) {
    const tool = tools.get(id) ?? '';
    if (given.has(id)) continue;
    const isShared = shared.get(id);
    if (isShared === false) wrongs.push(`${tool} ${id} has what no equal request has come to`);
    if (isShared !== undefined) continue;
    if (tool === raceTool) {
      const won = outcome.ok ? outcome.value : outcome.error.code;
      if (!decisions.has(won)) wrongs.push(`race ${id} was decided as ${won}`);
    } else if (isActor(tool) && !borrowed.has(id)) {
      // What a person has found out to have happened, within an effect nobody says what it gave.
      const isFoundOut = doubted.has(hashes.get(id) ?? '') && isNull(outcome);
      if (isFoundOut) continue;
      const fate = world.fate(tool, `${id}/${hashes.get(id)}`);
      const problem = outcomeProblem(outcome, fate) ?? partsProblem(outcome, fate, parts.get(id));
      if (problem !== undefined) wrongs.push(`${tool} ${id} ${problem}`);
    }
  }
  return wrongs;
}

const isNull = (outcome: Outcome): boolean => outcome.ok && outcome.value === 'null';

/** One of three candidates, nobody in time, or all have failed. */
const decisions = new Set(['0', '1', '2', 'null', 'PV4008']);

/** Whether the world performs it: questions, pauses and programs have outcomes of their own. */
const isActor = (tool: string): boolean => {
  const kind = specs.get(tool)?.kind;
  return kind !== 'person' && kind !== 'clock' && !isNest(tool);
};

/** Failures that a run has for reasons of its own: away, no answer, left alone, denied. */
const ownFailures = new Set(['PV4005', 'PV4006', 'PV4022', 'PV4020', 'PV4010']);

function outcomeProblem(outcome: Outcome, { value, fails }: Fate): string | undefined {
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    if (fails || ownFailures.has(code) || message.includes(' is away')) return undefined;
    return `has failed with ${code} ${message}`;
  }
  if (fails) return `has come to ${outcome.value}, where it fails`;
  const got = stringify(toJson(decode(outcome.value)));
  const want = stringify(value);
  const isFresh = typeof value === 'string' && got.startsWith(`${want.slice(0, -1)}.`);
  return got === want || isFresh ? undefined : `has come to ${got}, want ${want}`;
}

/** All parts, in order, of what has succeeded; of what has not, the first ones. */
function partsProblem(
  outcome: Outcome,
  { parts }: Fate,
  seen: readonly string[] = [],
): string | undefined {
  if (parts.length === 0 || seen.length === 0) return undefined;
  const want = parts.map((part) => JSON.stringify(part));
  const isEnough = !outcome.ok || seen.length === want.length;
  if (isEnough && seen.every((part, i) => part === want[i])) return undefined;
  return `has given ${seen.join(' ')}, want ${want.join(' ')}`;
}

/** The usage of a run is that of its effects, counted once. */
export function usageProblems(events: readonly RunEvent[], { usage }: RunResult): string[] {
  const sum = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
  for (const event of events) {
    if (event.type === 'run.forked') for (const name of countNames) sum[name] = 0;
    if (!('usage' in event) || !event.usage) continue;
    for (const name of countNames) sum[name] += event.usage[name];
  }
  return countNames.flatMap((name) =>
    usage[name] === sum[name] ? [] : [`${name}: got ${usage[name]}, want ${sum[name]}`],
  );
}

const countNames = ['modelCalls', 'inputTokens', 'outputTokens'] as const;

/**
 * The recorded outcomes of a case: `outcomes.ndjson`, a line for each effect, and the tools that
 * answer with them. Nothing else is performed in such a case.
 */
import { readFileSync } from 'node:fs';
import { AgentError, reasonOf } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import { EffectFailure, type Handler } from '../engine/handler.ts';
import type { Journal } from '../engine/journal/journal.ts';
import { readPast } from '../engine/past/read-past.ts';
import { type EffectError, type Outcome, raceTool, toolSpec } from '../program/effect.ts';
import { decode, toJson } from '../program/json.ts';

/** The first line of the file declares the tools. */
interface OutcomesHead {
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

interface OutcomeLine {
  readonly effect: string;
  /** Of tool and arguments, as the journal has it. */
  readonly hash: string;
  readonly outcome: Outcome;
  /** Of a stream, canonical texts. */
  readonly parts?: readonly string[];
}

/** The file for a run: as text, ready to be written. */
export function outcomesOf(journal: Journal, run: string): string {
  const { effects, program } = readPast(journal.events(run));
  const lines: unknown[] = [{ tools: JSON.parse(program?.tools ?? '[]') } satisfies OutcomesHead];
  for (const [effect, { tool, hash, outcome, parts }] of effects) {
    if (!outcome || tool === raceTool) continue;
    const more = parts.length > 0 ? { parts } : {};
    lines.push({ effect, tool, hash, outcome, ...more });
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

/** Throws `AgentError` PV6052. */
export function recordedHandlers(file: string): Map<string, Handler> {
  const [head, ...lines] = readLines(file) as [OutcomesHead?, ...OutcomeLine[]];
  if (!Array.isArray(head?.tools)) {
    throw new AgentError(
      'PV6052',
      `${shortPath(file)}: its first line does not declare the tools`,
      {
        hint: 'make the case again from its run',
      },
    );
  }
  const recorded = new Recorded(lines);
  return new Map(
    head.tools.map((declared) => {
      // Nobody is asked and nothing is waited for: what came of it is there.
      const spec = { ...toolSpec(declared), kind: 'tool' as const, destructive: false };
      return [
        spec.name,
        { spec, perform: async (args, context) => recorded.answer(spec.name, args, context) },
      ];
    }),
  );
}

/** The k-th equal request has the k-th outcome, unless one was recorded for the very effect. */
class Recorded {
  readonly #lines: OutcomeLine[];

  constructor(lines: readonly OutcomeLine[]) {
    this.#lines = [...lines];
  }

  answer(tool: string, args: unknown, context: Parameters<Handler['perform']>[1]): unknown {
    const { effect, idempotencyKey } = context;
    const hash = idempotencyKey.slice(idempotencyKey.lastIndexOf('/') + 1);
    const equal = (line: OutcomeLine): boolean => line.hash === hash;
    let index = this.#lines.findIndex((line) => equal(line) && line.effect === effect);
    if (index < 0) index = this.#lines.findIndex(equal);
    const [line] = index < 0 ? [] : this.#lines.splice(index, 1);
    if (!line) throw notRecorded(tool, args);
    for (const part of line.parts ?? []) context.part(toJson(decode(part)));
    if (line.outcome.ok) return toJson(decode(line.outcome.value));
    throw failureOf(line.outcome.error);
  }
}

const failureOf = ({ code, message, hint }: EffectError): EffectFailure =>
  new EffectFailure(code, message, { hint, answered: true, mayHaveActed: false });

const notRecorded = (tool: string, args: unknown): EffectFailure =>
  new EffectFailure('PV6053', `the case has no outcome for ${tool} ${JSON.stringify(args)}`, {
    hint: 'where the request is right, make the case again from a run',
    answered: true,
    mayHaveActed: false,
  });

function readLines(file: string): unknown[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
  } catch (cause) {
    throw new AgentError('PV6052', `cannot read ${shortPath(file)}: ${reasonOf(cause)}`, { cause });
  }
}

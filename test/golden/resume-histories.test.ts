/**
 * The histories of earlier versions, cut off at every event: this version has to take each up from
 * there and come to the end that was. What is missing then is answered as it was answered before.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { load } from '../../src/agent/record/load.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Past } from '../../src/engine/past/past.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import { type ResumeOptions, resumeRun } from '../../src/engine/run.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { decode, toJson } from '../../src/program/json.ts';
import { points } from '../support/depth.ts';
import { root } from '../support/repo.ts';

const folder = join(root, 'test/golden/histories');
const files = readdirSync(folder).sort();

function imported(file: string): { journal: Journal; runs: readonly string[] } {
  const journal = memoryJournal();
  const text = readFileSync(join(folder, file), 'utf8');
  return { journal, runs: importRuns(journal, readExport(text, file)) };
}

/**
 * Tools that answer each effect as the history has it: of those that were asked for, the one that
 * came first then. What was given up then is never answered.
 */
function answering({ effects, order, program }: Past): Map<string, Handler> {
  const asked = new Map<string, () => void>();
  const answerNext = (): void => {
    const first = order.find((id) => asked.has(id)) ?? '';
    asked.get(first)?.();
    asked.delete(first);
  };
  const specs: ToolSpec[] = JSON.parse(program?.tools ?? '[]');
  const tools = specs.map((declared): [string, Handler] => {
    // Nobody is asked and nothing is waited for: what came of it is there.
    const spec: ToolSpec = { ...toolSpec(declared), kind: 'tool', destructive: false };
    const perform: Handler['perform'] = async (_, context) => {
      const { outcome, parts = [] } = effects.get(context.effect) ?? {};
      for (const part of parts) context.part(toJson(decode(part)));
      await new Promise<void>((resolve) => {
        if (outcome) asked.set(context.effect, resolve);
        setImmediate(answerNext);
      });
      if (outcome?.ok) return toJson(decode(outcome.value));
      const { code, message, hint } = outcome?.error ?? { code: '', message: '' };
      throw new EffectFailure(code, message, { hint, answered: true, mayHaveActed: false });
    };
    return [spec.name, { spec, perform }];
  });
  return new Map(tools);
}

/** What has come of a run, but for what depends on when it was stopped. */
function endOf(events: readonly RunEvent[]): unknown {
  const last = events.findLast((event) => 'result' in event);
  if (last === undefined) return undefined;
  const { status, reason, answer, answers, variables, error } = JSON.parse(last.result);
  return { status, reason, answer, answers, variables, code: error?.code, step: error?.step };
}

test.each(files)('%s is resumed from any of its events, to the same end', async (file) => {
  const { journal, runs } = imported(file);
  let resumed = 0;
  for (const run of runs) {
    const events = journal.events(run);
    const past = readPast(events);
    const end = endOf(events);
    const { record, raised } = past;
    const last = events.at(-1);
    if (!record || (last?.type !== 'run.finished' && last?.type !== 'run.failed')) continue;
    const from = journal.find(run)?.base?.seq ?? 0;
    // A short history is resumed from each of its events, so that some of it is.
    const stride = events.length < 30 ? 1 : 3;
    for (const length of points(2, stride, events.length - from - 1)) {
      const id = `${run}-${length}`;
      const seq = from + length;
      journal.release(journal.create({ ...record, id }, 'test', events.slice(from, seq)));
      const sinceThen = systemClock.now() - (events[seq - 1]?.at ?? 0);
      const options: ResumeOptions = {
        ...{ journal, run: id, load, handlers: answering(past) },
        // No time has passed since: what has a moment to wait for has it to come.
        clock: { ...systemClock, now: () => systemClock.now() - sinceThen },
        ...{ limits: raised, assume: { as: 'retry' }, approvals: { policy: 'none' } },
      };
      if (['done', 'invalid'].includes(journal.find(id)?.status ?? '')) continue;
      await resumeRun(options).result;
      expect({ id, end: endOf(journal.events(id)) }).toEqual({ id, end });
      resumed++;
    }
  }
  expect(resumed).toBeGreaterThan(0);
});

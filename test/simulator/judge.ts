/** Holds what a run has come to against what its program comes to, one effect at a time. */
import { exportRuns } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { RunEvent } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import type { Load } from '../../src/engine/load.ts';
import { verifyRun } from '../../src/engine/past/verify.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { decode, stringify, toJson } from '../../src/program/json.ts';
import { type Expected, expectedOf } from './oracle.ts';
import type { Drawn } from './programs.ts';
import { type Recorded, readHistory } from './recorded.ts';
import type { Stage } from './stage.ts';
import type { Trial } from './trial.ts';
import { untruths, usageProblems } from './truth.ts';
import { isWrite, specs } from './world.ts';

/**
 * Puts what is not as it must be into the stage's list; gives what was expected, which there is of
 * no program whose end depends on time.
 */
export function judge(
  stage: Stage,
  trial: Pick<Trial, 'id' | 'events'>,
  result: RunResult,
  drawn: Pick<Drawn, 'dialect' | 'program' | 'timed' | 'load'>,
): Expected | undefined {
  const { wrongs, world } = stage;
  const events = trial.events();
  const recorded = readHistory(events);
  wrongs.push(...untruths(world, recorded), ...usageProblems(events, result));
  wrongs.push(...exportProblems(stage, trial.id, drawn.load));
  judgeWithin(stage, trial.id, recorded, drawn.load);
  const replayed = verifyRun({ journal: stage.journal(), run: trial.id, load: drawn.load });
  for (const one of replayed.differences) wrongs.push(`replay: ${JSON.stringify(one)}`);
  if (drawn.timed) return undefined;
  const { program } = drawn;
  const { assignments } = recorded;
  const { limits } = stage.settings;
  const expected = expectedOf({ program, world, recorded, limits, assignments });
  // Of tasks, those go on that need nothing of one that has failed, and it is tried again later.
  const isLater = drawn.dialect === 'llmcompiler' && recorded.isMended;
  const written = inOrder(world.written(trial.id), isLater ? expected.written : []);
  for (const [what, want, got] of comparisons(expected, result, recorded, written)) {
    if (stringify(want) === stringify(got)) continue;
    wrongs.push(`${trial.id}, ${what}: got ${stringify(got)}, want ${stringify(want)}`);
  }
  return expected;
}

/** The runs within its effects are runs as any, and what they answer is what these give. */
function judgeWithin(stage: Stage, run: string, around: Recorded, load: Load): void {
  const journal = stage.journal();
  for (const { id, parent } of journal.list({ within: run })) {
    const events = journal.events(id);
    const loaded = events.find((event) => event.type === 'program.loaded');
    const last = events.at(-1);
    // Another has failed, and this one was given up.
    if (last?.type !== 'run.finished' && last?.type !== 'run.failed') continue;
    const result: RunResult = JSON.parse(last.result);
    const { program } = load(loaded?.text ?? '', 'starlark', specs, []);
    judge(stage, { id, events: () => events }, result, { dialect: 'starlark', program, load });
    const effect = parent?.effect ?? '';
    const outcome = around.outcomes.get(effect);
    if (!outcome || around.given.has(effect) || around.borrowed.has(effect)) continue;
    const [got, want] = outcome.ok
      ? [stringify(toJson(decode(outcome.value))), stringify(result.answer)]
      : [outcome.error.message, result.error?.message];
    // An effect says how often it was tried.
    if (got !== want && !got.startsWith(`${want} (`))
      stage.wrongs.push(`${id} came to ${want}, and its effect to ${got}`);
  }
}

const isTrust: ReadonlySet<string> = new Set([
  ...['approval.requested', 'approval.granted', 'approval.denied'],
  ...['effect.asked', 'effect.answered', 'limit.raised'],
]);

/** Another journal has the same of it, and replays it. */
function exportProblems(stage: Stage, run: string, load: Load): string[] {
  // It is the same however often it is tried.
  if (stage.seed % 5 !== 0) return [];
  const journal = stage.journal();
  // What is within an effect comes with the run around it.
  if (journal.find(run)?.parent) return [];
  const text = exportRuns({ journal, run, now: 0 });
  const other = memoryJournal();
  importRuns(other, readExport(text, 'simulated.json'));
  // An import has other settings, replies and limits.
  const plain = (all: readonly RunEvent[]): string =>
    stringify(all.filter((event) => !('run' in event || isTrust.has(event.type))));
  const isSame = plain(other.events(run)) === plain(journal.events(run));
  const { differences } = verifyRun({ journal: other, run, load });
  return isSame && differences.length === 0 ? [] : [`${run} is another one when imported`];
}

type Comparison = [what: string, want: unknown, got: unknown];

function comparisons(
  expected: Expected,
  { error, status, variables }: RunResult,
  { started, said, hashes, tools, races, outcomes }: Recorded,
  written: readonly string[],
): Comparison[] {
  const own = new Set(started);
  const performed = expected.written.filter((key) => own.has(effectOf(key)));
  // Who loses a race may not have been asked before it was decided; nor what does not count, since
  // the stream before it has failed.
  const isBroken = [...outcomes].some(([id, { ok }]) => !ok && tools.get(id) === 'feed');
  const mayMiss = (tool: string): boolean =>
    (races > 0 && ['steady', 'read'].includes(tool)) || (isBroken && !isWrite(tool));
  const asked = [...expected.requests].filter(([id, { tool }]) => hashes.has(id) || !mayMiss(tool));
  const shown = Object.entries(variables).map(([name, value]) => [name, stringify(value)]);
  return [
    ['status', expected.status, status],
    [
      'error',
      expected.error,
      error ? `${error.code} ${error.message} at ${error.step}:${error.line}` : '',
    ],
    // One whose last attempt has failed may have acted in another.
    ['writes', performed, written.filter((key) => outcomes.get(effectOf(key))?.ok !== false)],
    ['messages', expected.said, said],
    ['variables', expected.variables, status === 'done' ? Object.fromEntries(shown) : {}],
    [
      'requests',
      asked.map(([id, { hash }]) => `${id} ${hash}`),
      asked.map(([id]) => `${id} ${hashes.get(id) ?? 'never asked'}`),
    ],
  ];
}

const effectOf = (key: string): string => key.slice(0, key.indexOf('/'));

/** The same, those first that are in the other list, and in its order. */
function inOrder(keys: readonly string[], order: readonly string[]): string[] {
  const known = new Set(order);
  const here = new Set(keys);
  return [...order.filter((key) => here.has(key)), ...keys.filter((key) => !known.has(key))];
}

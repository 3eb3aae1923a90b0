/**
 * Forks of a run, some of forks, each with an edit: what comes of one is what the edited program
 * comes to from the start, with the same outcomes for equal requests.
 */
import { forkRun } from '../../src/engine/fork/fork.ts';
import { type ForkPoint, isBefore } from '../../src/engine/journal/lineage.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { raceTool } from '../../src/program/effect.ts';
import { stringify } from '../../src/program/json.ts';
import { bindingTool } from '../../src/program/tool-names.ts';
import { drawAccidents } from './accidents.ts';
import { Chance } from './chance.ts';
import { type DrawnEdit, drawEdit } from './edits.ts';
import { judge } from './judge.ts';
import type { Expected } from './oracle.ts';
import type { Drawn } from './programs.ts';
import { type Recorded, readHistory } from './recorded.ts';
import type { Stage } from './stage.ts';
import { Trial } from './trial.ts';
import { isAgain, isWrite, specs } from './world.ts';

/** A run, and what was expected of it where it has ended and time does not decide that. */
export interface Base {
  readonly trial: Trial;
  readonly expected: Expected | undefined;
  readonly drawn: Drawn;
}

/** A fork of the run; undefined where none was made, or where something is wrong with it. */
export async function forkOf(stage: Stage, base: Base, number: number): Promise<Base | undefined> {
  const { wrongs, seed } = stage;
  const chance = new Chance(seed, `fork ${number}`);
  const before = base.trial.events();
  const past = readHistory(before);
  const drawn = drawEdit(chance, base.drawn, past, base.expected);
  const { edit } = drawn;
  const changed = edit.program ? base.drawn.again(edit.program.text) : base.drawn;
  const trial = new Trial(stage, {
    ...{ id: `f${number}`, base: base.trial.id, load: base.drawn.load },
    accidents: chance.flag(0.5) ? drawAccidents(chance) : [],
    begin: (common) => forkRun({ ...common, run: base.trial.id, edit, load: base.drawn.load }),
  });
  let result: RunResult | undefined;
  try {
    result = await trial.run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'PV5131' && drawn.mayDiffer) return undefined;
    // What has failed is tried again, and with a small window the place has to come yet, again.
    if (code === 'PV5110' && past.isMended) return undefined;
    throw error;
  }
  if (!result) return undefined;
  const first = wrongs.length;
  const expected = judge(stage, trial, result, changed);
  const recorded = readHistory(trial.events());
  wrongs.push(
    ...reuseProblems(drawn, recorded),
    ...pointProblems(trial, base.expected),
    ...(result.status === 'done' ? vanishedProblems(result, recorded) : []),
    ...(result.status === 'done' && edit.vanished === 'ask'
      ? consentProblems(trial, recorded)
      : []),
  );
  // A process that has slept may still go on with it.
  if (stringify(base.trial.events().slice(0, before.length)) !== stringify(before)) {
    wrongs.push('the history of the base has changed');
  }
  if (wrongs.length > first) {
    wrongs.push(`${trial.id} was made of ${base.trial.id} with ${JSON.stringify(edit)}`);
    return undefined;
  }
  return { trial, expected, drawn: changed };
}

/**
 * A fork performs nothing of which there is an outcome, takes none twice, and none by force. What
 * its base had begun before the point takes none of what came behind it.
 */
function reuseProblems(
  { edit: { perform } }: DrawnEdit,
  { left, started, hashes, tools, reused, given, doubted, inherited }: Recorded,
): string[] {
  const problems: string[] = [];
  // One that was given has the number of the fork; another request than that takes another's.
  const isGiven = (effect: string, from: number): boolean =>
    given.has(effect) && left.get(effect)?.seq === from;
  const froms = reused.flatMap(({ from, effect }) => (isGiven(effect, from) ? [] : [from]));
  if (new Set(froms).size < froms.length) problems.push(`taken twice: ${froms.join(' ')}`);
  for (const { effect, tool } of reused) {
    const isForced =
      perform === 'all' || (perform === 'models' && specs.get(tool)?.kind === 'model');
    if (isForced && !given.has(effect)) problems.push(`${effect} was to be performed again`);
  }
  for (const id of started) {
    const tool = tools.get(id) ?? '';
    const isForced =
      perform === 'all' || (perform === 'models' && specs.get(tool)?.kind === 'model');
    if (isForced || tool === raceTool || inherited.has(id)) continue;
    const free = [...left].find(
      ([other, { hash, outcome, seq = 0 }]) =>
        hash === hashes.get(id) && outcome?.ok && !froms.includes(seq) && !given.has(other),
    );
    if (free) problems.push(`${id} was performed, although ${free[0]} has its outcome`);
    const doubt = [...left].find(
      ([, { hash, isDoubtful }]) => isDoubtful && hash === hashes.get(id),
    );
    if (doubt && specs.get(tool)?.idempotent === false && !doubted.has(hashes.get(id) ?? '')) {
      problems.push(`${id} was performed, although ${doubt[0]} may have been`);
    }
  }
  return problems;
}

/** What was asked for before the step belongs to base and fork alike, and no more. */
function pointProblems(trial: Trial, expected: Expected | undefined): string[] {
  const point = trial.events().findLast((event) => event.type === 'run.forked')?.point;
  const step = expected?.steps.find(({ id }) => id === point?.step);
  if (!point || !expected || !step) return [];
  const own = (ids: readonly string[]): string[] =>
    ids.filter((id) => !/\..*#/.test(id) && !isBound(id, expected));
  const ids = [...expected.requests.keys()];
  const want = own(ids.slice(0, step.asked));
  const got = own(ids.filter((id) => isBefore(id, point as ForkPoint)));
  return stringify(want) === stringify(got) ? [] : [`at ${point.step}: got ${got}, want ${want}`];
}

/**
 * A call whose arguments are found first, or the finding of them behind a barrier: issued with the
 * first look for them, and asked for behind that.
 */
function isBound(id: string, { requests }: Expected): boolean {
  if (isAgain(id) && requests.get(id)?.tool === bindingTool) return true;
  const number = Number(id.slice(id.indexOf('#') + 1));
  const before = requests.get(`${id.slice(0, id.indexOf('#'))}#${number - 1}`);
  return before?.tool === bindingTool;
}

/** One warning for each write of the base that the fork does not ask for. */
function vanishedProblems(result: RunResult, recorded: Recorded): string[] {
  const said = result.warnings.filter(({ message }) => message.startsWith('the base has done'));
  const want = vanishedIn(recorded).reduce((sum, { missing }) => sum + missing, 0);
  return said.length === want ? [] : [`${said.length} writes are said to vanish, want ${want}`];
}

/** Before the fork writes anything itself, a person has agreed to all that it does without. */
function consentProblems(trial: Trial, recorded: Recorded): string[] {
  const events = trial.events();
  const forked = events.findLastIndex(({ type }) => type === 'run.forked');
  const first = events.findIndex(
    (event, i) => i > forked && event.type === 'effect.started' && isWrite(event.tool),
  );
  if (first < 0) return [];
  const granted = new Set(
    events
      .slice(forked, first)
      .flatMap((event) => (event.type === 'approval.granted' ? [event.effect] : [])),
  );
  return vanishedIn(recorded).flatMap(({ ids, missing }) => {
    const agreed = ids.filter((id) => granted.has(`base:${id}`)).length;
    if (agreed >= missing) return [];
    return [`${agreed} of ${missing} were agreed to be done without: ${ids.join(' ')}`];
  });
}

interface Vanished {
  /** Equal writes of the base. */
  readonly ids: readonly string[];
  /** How many of them the fork does not ask for. */
  readonly missing: number;
}

function vanishedIn({ left, hashes, inherited }: Recorded): Vanished[] {
  const asked = [...hashes].flatMap(([id, hash]) => (inherited.has(id) ? [] : [hash]));
  const done = [...left].filter(
    ([, { tool, outcome, isDoubtful }]) => isWrite(tool) && (outcome?.ok || isDoubtful),
  );
  const byHash = Map.groupBy(done, ([, { hash }]) => hash);
  return [...byHash].map(([hash, all]) => {
    const missing = all.length - asked.filter((one) => one === hash).length;
    return { ids: all.map(([id]) => id), missing: Math.max(0, missing) };
  });
}

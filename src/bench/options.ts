/** What a benchmark is about, checked before its first question: questions, methods, log. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AgentError } from '../agent/port/errors.ts';
import type { AgentSettings } from '../agent/port/settings.ts';
import { shortPath, type Workspace } from '../agent/port/workspace.ts';
import type { GoalOptions } from '../agent/run/work.ts';
import { dialects } from '../dialects/index.ts';
import { taskLoops } from '../planner/tasks/task-loops.ts';
import { nearest } from '../program/diagnostic.ts';
import { limits } from '../program/limits.ts';
import type { Dataset, Item } from './dataset.ts';
import type { BenchHead, BenchLine } from './log.ts';

/** How each question is asked. */
export interface AskOptions {
  readonly goal: GoalOptions;
  readonly language?: string | undefined;
  /** The form of the answers, in words; absent: as short as they can be. */
  readonly format?: string | undefined;
  /** The file that `goal.examples` is the text of. */
  readonly examplesFile?: string | undefined;
}

/**
 * The ways of planning that there are: texts that a loop of their own plays, such as playbooks, do
 * not answer a goal.
 */
export const planningMethods: readonly string[] = [
  ...new Set([
    ...taskLoops,
    ...dialects.filter((dialect) => !('interpretedBy' in dialect)).map(({ name }) => name),
  ]),
];

/**
 * Each method once; without names, the dialect that the settings name, else all. Throws
 * `AgentError` PV6804 for a name that no method has.
 */
export function methodsNamed(
  given: readonly string[] | undefined,
  { settings }: Pick<Workspace, 'settings'>,
): readonly string[] {
  const named = settings.dialect === undefined ? planningMethods : [settings.dialect];
  const names = [...new Set(given ?? named)];
  for (const name of names) {
    if (planningMethods.includes(name)) continue;
    const meant = nearest(name, planningMethods);
    const hint =
      meant === undefined ? `there are ${planningMethods.join(', ')}` : `did you mean ${meant}?`;
    throw new AgentError('PV6804', `there is no way of planning called ${name}`, { hint });
  }
  return names;
}

/** Questions with these ids, all of them without ids. Throws `AgentError` PV6002. */
export function itemsWith({ items, file }: Dataset, ids: readonly string[]): readonly Item[] {
  const known = new Set(items.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new AgentError('PV6002', `no question of ${file} has the id ${unknown}`);
  }
  return ids.length === 0 ? items : items.filter(({ id }) => ids.includes(id));
}

export function headOf(
  { name, file, sha256, items }: Dataset,
  methods: readonly string[],
  model: string,
  { settings }: Pick<Workspace, 'settings'>,
  { goal, language, format, examplesFile }: AskOptions,
): BenchHead {
  const { corrections, sequential } = goal;
  const { rounds, depth, join: joins, nativeTools } = goal;
  const { allow, deny } = settings;
  return {
    ...{ type: 'bench', format: 1, dataset: { name, file, sha256, items: items.length } },
    ...{ methods, model: modelShown(settings.model ?? model) },
    options: {
      ...plannerIn(settings),
      tools: (settings.tools ?? []).map(shortPath),
      repairs: limits(settings.limits).repairs,
      corrections,
      ...(sequential && { sequential }),
      ...(language !== undefined && { language }),
      ...(format !== undefined && { format }),
      ...(rounds !== undefined && { rounds }),
      ...(allow && { allow }),
      ...(deny && { deny }),
      ...(depth !== undefined && { depth }),
      ...(joins === false && { join: false }),
      ...(nativeTools === false && { nativeTools }),
      ...(examplesFile !== undefined && { examples: shortPath(examplesFile) }),
      ...(settings.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings.system && { system: settings.system }),
    },
  };
}

/** A transcript by its path as a person at this place would write it: others may have its name. */
function modelShown(reference: string): string {
  const file = /^replay\/(.*)$/.exec(reference)?.[1];
  return file === undefined ? reference : `replay/${shortPath(resolve(file))}`;
}

/** The model that plans, where it is not the one that answers. */
function plannerIn({ model, plannerModel }: AgentSettings): { planner?: string } {
  if (!plannerModel || plannerModel === model) return {};
  return { planner: modelShown(plannerModel) };
}

/** A log beside the runs: a new one, or to resume the latest of its dataset and methods. */
export function logBeside(
  { home }: Pick<Workspace, 'home'>,
  { name }: Dataset,
  methods: readonly string[],
  isResumed: boolean,
): string {
  const folder = join(home, 'bench');
  const path = (number: number): string =>
    join(folder, `${name}.${methods.join('+')}${number === 1 ? '' : `-${number}`}.ndjson`);
  let free = 1;
  while (existsSync(path(free))) free++;
  return path(isResumed ? Math.max(1, free - 1) : free);
}

/** The lines about these questions that count; where `again`, only those with an answer. */
export function knownLines(
  lines: readonly BenchLine[],
  items: readonly Item[],
  again: boolean,
): readonly BenchLine[] {
  const ids = new Set(items.map(({ id }) => id));
  return lines.filter(({ id, answer }) => ids.has(id) && !(again && answer === null));
}

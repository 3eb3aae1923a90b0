/** What a benchmark is about: which questions, methods and log; all that is checked beforehand. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shortPath } from '../../agent/port/workspace.ts';
import { defaultDialect } from '../../agent/run/usage.ts';
import { dialects } from '../../dialects/index.ts';
import { taskLoops } from '../../planner/tasks/task-loops.ts';
import { nearest } from '../../program/diagnostic.ts';
import { limits } from '../../program/limits.ts';
import { CliError } from '../failure.ts';
import type { AskFlags } from '../planning/ask-here.ts';
import type { Settings } from '../settings/settings.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Dataset, Item } from './dataset.ts';
import type { Head, Line } from './log.ts';

export interface BenchFlags extends Omit<AskFlags, 'journal'> {
  readonly dataset: string;
  readonly method?: readonly string[];
  readonly limit?: number;
  readonly id?: readonly string[];
  readonly concurrency: number;
  readonly out?: string;
  readonly resume?: true;
  readonly again?: true;
  readonly costMax?: number;
}

/** The ways of planning that there are. Texts of assembly are no plans that a model writes. */
export const planned: readonly string[] = [
  ...new Set([...taskLoops, ...dialects.map(({ name }) => name)]),
].filter((name) => name !== 'assembly');

/** Names of dialects, each once. Throws `CliError` PV6804 for one that is none. */
export function methodsOf({ method }: BenchFlags, { settings }: Workspace): readonly string[] {
  const given = method?.flatMap((names) => names.split(',')).map((name) => name.trim());
  const names = [...new Set(given ?? [settings.dialect ?? defaultDialect])];
  for (const name of names) {
    if (planned.includes(name)) continue;
    const meant = nearest(name, planned);
    const hint = meant === undefined ? `there are ${planned.join(', ')}` : `did you mean ${meant}?`;
    throw new CliError('PV6804', `--method: there is no way of planning called ${name}`, { hint });
  }
  return names;
}

/** Throws `CliError` PV6002 for an id that no question has. */
export function itemsOf({ items, file }: Dataset, { limit, id = [] }: BenchFlags): readonly Item[] {
  const wanted = new Set(id.flatMap((ids) => ids.split(',')));
  const known = new Set(items.map((item) => item.id));
  for (const one of wanted) {
    if (!known.has(one))
      throw new CliError('PV6002', `--id: no question of ${file} has the id ${one}`);
  }
  const chosen = wanted.size === 0 ? items : items.filter((item) => wanted.has(item.id));
  return chosen.slice(0, limit);
}

export function headOf(
  { name, file, sha256, items }: Dataset,
  methods: readonly string[],
  model: string,
  { settings }: Workspace,
  flags: BenchFlags,
): Head {
  const { corrections, sequential, language, format } = flags;
  const { rounds, depth, join: joins, nativeTools, questionLanguage, examples } = flags;
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
      ...(nativeTools && { nativeTools }),
      ...(questionLanguage !== undefined && { questionLanguage }),
      ...(examples !== undefined && { examples: shortPath(resolve(examples)) }),
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
function plannerIn({ model, plannerModel }: Settings): { planner?: string } {
  if (!plannerModel || plannerModel === model) return {};
  return { planner: modelShown(plannerModel) };
}

/**
 * The log that was named, else one beside the runs: a new one, or to resume the latest of its
 * dataset and methods.
 */
export function logPath(
  { out, resume }: BenchFlags,
  { name }: Dataset,
  methods: readonly string[],
  { home }: Workspace,
): string {
  if (out !== undefined) return resolve(out);
  const folder = join(home, 'bench');
  const path = (number: number): string =>
    join(folder, `${name}.${methods.join('+')}${number === 1 ? '' : `-${number}`}.ndjson`);
  let free = 1;
  while (existsSync(path(free))) free++;
  return path(resume ? Math.max(1, free - 1) : free);
}

/** The lines of a log that count: with `again`, questions without an answer are asked again. */
export function knownOf(
  lines: readonly Line[],
  items: readonly Item[],
  { again }: BenchFlags,
): readonly Line[] {
  const wanted = new Set(items.map(({ id }) => id));
  return lines.filter(({ id, answer }) => wanted.has(id) && !(again && answer === null));
}

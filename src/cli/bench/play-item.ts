/** One program of playbooks with one limit of inlining, by the very way that `planvm run` takes. */
import type { Journal } from '../../engine/journal/journal.ts';
import { PlanFailure } from '../../planner/planner.ts';
import { decode, fromJson, textOf, toJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import { CliError } from '../failure.ts';
import type { PlaybookFlags } from '../playbook/playbook-options.ts';
import { playedAs, playingOf, wovenProgram } from '../playbook/playing.ts';
import { settledFor } from '../playbook/run-playbook.ts';
import { startPlaying } from '../playbook/start-playing.ts';
import type { TerminalPerson } from '../process/terminal-person.ts';
import { mannerOf } from '../program/manner-of.ts';
import { checkSource } from '../program/program.ts';
import { drive } from '../run/drive.ts';
import type { Workspace } from '../settings/workspace.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import { keptResult } from '../view/kept-result.ts';
import { quietView } from '../view/plain.ts';
import type { Line } from './log.ts';
import { type PlayItem, wordsOf } from './playbook-set.ts';
import type { Asked } from './run-bench.ts';
import { score } from './score.ts';
import { nothing } from './summary.ts';

export interface PlayFlags extends PlaybookFlags {
  readonly sequential?: true;
}

export interface PlayPlace {
  readonly workspace: Workspace;
  readonly toolbox: Toolbox;
  readonly flags: PlayFlags;
}

/** `inline 8`: how a limit is called where ways of doing the same are held against each other. */
export const methodOf = (limit: number): string => `inline ${limit}`;

const limitOf = (method: string): number => Number(method.slice(methodOf(0).length - 1));

/** As `planvm compile` prints it, with open lines settled. Throws `CliError` PV6801. */
export async function compiledItem(
  { source, inputs }: PlayItem,
  { workspace, toolbox, flags }: PlayPlace,
  journal: Journal,
): Promise<string> {
  const { specs } = toolbox;
  const { ok, diagnostics } = checkSource(source, { specs, inputs: Object.keys(inputs) });
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (!ok) {
    const why = wrong ? `${wrong.code} ${wrong.message}` : 'it is no program';
    throw new CliError('PV6801', `${source.file}:${wrong?.line ?? 1}: ${why}`, {
      hint: `planvm check ${source.file} says all that is wrong`,
    });
  }
  const quiet = { ...flags, quiet: true as const };
  const asked = { workspace, toolbox, source, flags: quiet, journal, kept: true };
  return (await settledFor(asked)).text;
}

/** Undefined where it was interrupted before it came to an end. */
export async function playItem(
  { item, method, journal, interrupted, broken }: Asked<PlayItem>,
  { workspace, toolbox, flags }: PlayPlace,
  compiled: string,
): Promise<Line | undefined> {
  const { source } = item;
  const startedAt = performance.now();
  const manner = { ...mannerOf(workspace, flags, source.text), inline: limitOf(method) };
  const playbook = { text: compiled, ...playedAs(manner, workspace.settings) };
  const playing = await playingOf(playbook, toolbox, workspace);
  const woven = wovenProgram(playing, source.title, toolbox, workspace);
  const person = talkerOf(item);
  const inputs = new Map<string, Value>(
    Object.entries(item.inputs).map(([name, value]) => [name, fromJson(value)]),
  );
  const handle = startPlaying({
    ...{ workspace, toolbox, source, playbook, playing, woven, inputs, manner, journal, person },
    ...{ sequential: flags.sequential === true, warnings: [] },
  });
  const lineNow = (): Line => lineOf({ item, method, journal, run: handle.id, startedAt });
  const report = () => {
    broken(lineNow());
    return 1 as const;
  };
  const { program } = woven;
  const functions = toolbox.callsFunctions(program) ? { kept: true, report } : undefined;
  const shown = { program, title: source.title, view: quietView, person, functions };
  try {
    const result = await drive(handle, shown, { quiet: true });
    const isCut = result.reason === 'interrupted' || result.status === 'cancelled';
    return isCut && interrupted() ? undefined : lineNow();
  } catch (error) {
    if (error instanceof PlanFailure) return lineNow();
    throw error;
  }
}

function talkerOf({ messages }: PlayItem): TerminalPerson {
  const left = [...messages];
  return {
    before() {},
    async answer() {
      const value = left.shift();
      return value === undefined ? undefined : { value, by: 'the dataset' };
    },
    decide: async () => undefined,
  };
}

interface Ended {
  readonly item: PlayItem;
  readonly method: string;
  readonly journal: Journal;
  readonly run: string;
  readonly startedAt: number;
}

function lineOf({ item, method, journal, run, startedAt }: Ended): Line {
  const result = keptResult(journal, run);
  const { status = 'failed', error, answer: value = null, usage = nothing } = result ?? {};
  const said = saidIn(journal, run);
  const answer =
    status !== 'done' ? null : item.answer === undefined ? said.join('\n') : wordsOf(value);
  const right = answer !== null && isSaid(item.said, said);
  const { answer: wanted = answer ?? '' } = item;
  const byRule = score(answer ?? '', { kind: 'text', text: wanted });
  return {
    ...{ type: 'item', method, id: item.id, question: item.source.title },
    ...{ label: [...item.said, item.answer ?? ''].join('\n').trim(), answer, status },
    right: { published: right && byRule.published, corrected: right && byRule.corrected },
    ...(error && { error: { code: error.code, message: error.message } }),
    ...{ ms: Math.round(performance.now() - startedAt), usage, run, runs: [run] },
    ...{ repairs: problemsIn(journal, run), at: Date.now() },
  };
}

const saidIn = (journal: Journal, run: string): readonly string[] =>
  journal
    .events(run)
    .flatMap((event) =>
      event.type === 'message.emitted' && event.channel === 'say'
        ? [textOf(decode(event.value))]
        : [],
    );

/** Whether each that is wanted is in one of the texts, in this order. */
function isSaid(wanted: readonly string[], texts: readonly string[]): boolean {
  let from = 0;
  return wanted.every((one) => {
    const at = texts.findIndex(
      (text, index) => index >= from && text.toLowerCase().includes(one.toLowerCase()),
    );
    if (at >= 0) from = at;
    return at >= 0;
  });
}

/** How many replies had something that could not stand. */
const problemsIn = (journal: Journal, run: string): number =>
  journal
    .events(run)
    .filter(
      (event) =>
        event.type === 'effect.part' && Object(toJson(decode(event.value))).op === 'problem',
    ).length;

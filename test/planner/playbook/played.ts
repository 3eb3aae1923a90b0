/** Plays playbooks on the engine, with a journal in memory and a model that replies as a test says. */
import type { Aloud } from '../../../src/cli/view/aloud.ts';
import { sayAloud } from '../../../src/cli/view/aloud.ts';
import type { Environment } from '../../../src/dialects/dialect.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import type { LinkedFile } from '../../../src/dialects/playbook/link/linked.ts';
import type { Strictness } from '../../../src/dialects/playbook/manner.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/reader.ts';
import { withReply } from '../../../src/dialects/playbook/weave/reply.ts';
import { weave } from '../../../src/dialects/playbook/weave/weave.ts';
import type { Message, Model } from '../../../src/effects/model/model.ts';
import { askHandler } from '../../../src/effects/person/ask.ts';
import type { Handler } from '../../../src/engine/handler.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import type { Load } from '../../../src/engine/load.ts';
import type { RunResult } from '../../../src/engine/result.ts';
import { resumeRun, startRun } from '../../../src/engine/run.ts';
import { loopSource } from '../../../src/planner/loop-source.ts';
import { playbookHandlers } from '../../../src/planner/playbook/handlers.ts';
import type { AskedPart, Part } from '../../../src/planner/playbook/parts.ts';
import type { SayingPiece } from '../../../src/planner/playbook/turn.ts';
import { decode, fromJson, toJson } from '../../../src/program/json.ts';
import type { Program } from '../../../src/program/program.ts';
import { byName, watchedJournal } from '../../engine/support.ts';
import { isDeep, points, testSeed } from '../../support/depth.ts';
import { scriptedModel } from '../../support/scripted-model.ts';

export interface Asked {
  /** All messages in one text. */
  readonly prompt: string;
  readonly messages: readonly Message[];
  /** From 1. */
  readonly number: number;
}

export interface PlayOptions {
  /** Texts by number, or whatever decides by the prompt. */
  readonly replies: readonly string[] | ((asked: Asked) => string);
  /** In place of the one that has these replies. */
  readonly model?: Model;
  readonly tools?: readonly Handler[];
  /** What a person says, one answer after the other; nobody is there where they are used up. */
  readonly answers?: readonly string[];
  /** The ids of triggers that hold, for a classifier. */
  readonly matches?: (asked: Readonly<Record<string, unknown>>) => readonly unknown[];
  readonly inline?: number;
  /** Whether what a playbook does last may take its place: so it is without a word. */
  readonly tails?: boolean;
  readonly strictness?: Strictness;
  readonly given?: Readonly<Record<string, unknown>>;
  /** What came along for the start. */
  readonly startup?: string;
  /** Whether the program hears messages when it has nothing to do. */
  readonly idle?: boolean;
  readonly turns?: number;
  readonly depth?: number;
  readonly slips?: number;
  /** How many agents there may be, and how deep triggers may set each other off. */
  readonly agents?: number;
  readonly nested?: number;
  readonly timezone?: string;
  readonly journal?: Journal;
  /** Where all that is said is shown, as it is on stdout: words of a reply as they come. */
  readonly aloud?: Aloud;
  readonly sequential?: boolean;
  /** Outcomes after which the state is kept. */
  readonly checkpointEvery?: number;
}

export interface Played {
  readonly result: RunResult;
  readonly said: readonly unknown[];
  readonly prompts: readonly string[];
  readonly journal: Journal;
  readonly woven: string;
}

export interface Stage {
  readonly woven: string;
  readonly prompts: string[];
  readonly journal: Journal;
  start(): Promise<RunResult>;
  resume(run: string, journal?: Journal): Promise<RunResult>;
}

/** By text and environment: most of a short play would be reading the same loop once more. */
const programs = new Map<string, Program>();

function programOf(source: string, environment: Environment): Program {
  const key = JSON.stringify([source, [...environment.tools], environment.inputs]);
  const known = programs.get(key);
  if (known) return known;
  const { program, diagnostics } = checkProgram(source, environment, { dialect: 'starlark' });
  if (!program) {
    throw new Error(diagnostics.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  }
  programs.set(key, program);
  return program;
}

/** How the program of a run is read again. */
export const load: Load = (source, _, tools, inputs) => ({
  program: programOf(source, { tools, inputs }),
  warnings: [],
});

/** Whoever calls another one comes back, whatever is left to do there. */
const withoutTails = (file: LinkedFile): LinkedFile => ({
  ...file,
  agents: file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map((playbook) => ({
      ...playbook,
      lines: new Map([...playbook.lines].map(([at, { tail, ...line }]) => [at, line])),
    })),
  })),
});

/** All that a run needs, to be started, and gone on with by another process. */
export function stageOf(text: string, options: PlayOptions): Stage {
  const { replies, tools = [], inline = 0, strictness = 'repair', given = {} } = options;
  const specs = new Map([askHandler, ...tools].map(({ spec }) => [spec.name, spec]));
  const { tree } = readTree(text);
  const linked = withReply(link(compiledOf(tree, specs.values()), { inlineSteps: inline }));
  const file = options.tails === false ? withoutTails(linked) : linked;
  const prompts: string[] = [];
  const scripted = scriptedModel(({ messages }, number) => {
    const prompt = messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n');
    prompts.push(prompt);
    const reply =
      typeof replies === 'function' ? replies({ prompt, messages, number }) : replies[number - 1];
    if (reply === undefined) throw new Error(`no reply for request ${number}:\n${prompt}`);
    return reply;
  });
  const model = options.model ?? scripted.model;
  const { aloud, matches } = options;
  const saying = aloud && { saying: (piece: SayingPiece) => aloud.piece(piece) };
  const own = playbookHandlers({
    ...{ file, tools: specs, model: () => model, allowed: options },
    ...saying,
  });
  const judge = own.get('match_triggers');
  if (matches && judge) {
    own.set('match_triggers', { ...judge, perform: async (args) => [...matches(args)] });
  }
  const handlers = new Map([...byName(askHandler, ...tools), ...own]);
  const woven = weave(file, { loop: loopSource('playbook'), tools: specs, file: 'x.playbook.md' });
  const inputs = {
    given,
    startup: options.startup ?? null,
    idle: options.idle === true,
    turns: options.turns ?? 100,
    depth: options.depth ?? 50,
    slips: options.slips ?? 10,
    agents_most: options.agents ?? 100,
    nested_most: options.nested ?? 25,
    judged_most: 20_000,
    timezone: options.timezone ?? 'UTC',
    strictness,
  };
  const loadOwn: Load = (source) => {
    const known = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
    return {
      program: programOf(source, { tools: known, inputs: Object.keys(inputs) }),
      warnings: [],
    };
  };
  const journal = options.journal ?? memoryJournal();
  const left = [...(options.answers ?? [])];
  const person = {
    answer: async () => {
      const value = left.shift();
      return value === undefined ? undefined : { value, by: 'Ann' };
    },
    decide: async () => undefined,
  };
  const world = { handlers, person };
  return {
    ...{ woven, prompts, journal },
    start: () => {
      const handle = startRun({
        ...{ ...world, journal, text: woven, dialect: 'starlark' },
        program: loadOwn(woven, 'starlark', new Map(), []).program,
        inputs: new Map(Object.entries(inputs).map(([name, one]) => [name, fromJson(one)])),
        sequential: options.sequential === true,
        checkpointEvery: options.checkpointEvery,
      });
      if (aloud) handle.subscribe((event) => void sayAloud(event, noView, {}, aloud));
      return handle.result.finally(() => aloud?.end());
    },
    resume: (run, other = journal) =>
      resumeRun({ ...world, journal: other, run, load: loadOwn }).result,
  };
}

const noView = { show() {}, note() {}, end() {} };

/** Plays to the end, or as far as it comes. */
export async function played(text: string, options: PlayOptions): Promise<Played> {
  const stage = stageOf(text, options);
  const result = await stage.start();
  const { journal, prompts, woven } = stage;
  return { result, said: saidIn(journal, result.run), prompts, journal, woven };
}

/** What was said in a run, in order. */
export const saidIn = (journal: Journal, run: string): readonly unknown[] =>
  journal
    .events(run)
    .flatMap((event) =>
      event.type === 'message.emitted' && event.channel === 'say'
        ? [toJson(decode(event.value))]
        : [],
    );

/** What was asked in the turns of a run, in order. */
export const turnsIn = (journal: Journal, run: string): readonly AskedPart[] =>
  journal.events(run).flatMap((event) => {
    if (event.type !== 'effect.part' || event.tool !== 'turn') return [];
    const part = toJson(decode(event.value)) as unknown as Part;
    return part.op === 'asked' ? [part] : [];
  });

/** A reply in the form that models are taught: an operation a line. */
export const ops = (...operations: readonly object[]): string =>
  operations.map((one) => JSON.stringify(one)).join('\n');

/** For a tool that writes, with one parameter. */
export const orders = {
  effect: 'write',
  parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
} as const;

/** Answers that the run of a journal has not had yet. */
export function answersLeft(answers: readonly string[], journal: Journal): readonly string[] {
  const [run] = journal.list();
  const events = run ? journal.events(run.id) : [];
  const had = events.filter((one) => one.type === 'effect.settled' && one.tool === 'ask');
  return answers.slice(had.length);
}

/** Fails for good from the append with this number on, as if the process had died before it. */
export function dyingBefore(journal: Journal, fatal: number): Journal {
  let appends = 0;
  return watchedJournal(journal, () => {
    if (++appends >= fatal) throw new Error('died');
  });
}

/** A run whose process has died, and what came of going on with it. */
export interface Died {
  /** The append before which it died. */
  readonly fatal: number;
  readonly journal: Journal;
  readonly run: string;
  readonly result: RunResult;
  /** That of the process that has gone on with it. */
  readonly stage: Stage;
}

/**
 * Plays it for appends before which its process may die (see `points`), and goes on with each in
 * another one; gives the append before which none has died. `make` is asked for each of these
 * plays. What happens between two appends leaves nothing behind: so this is any moment.
 */
export async function atEachDeath<Made extends { stage(journal: Journal): Stage }>(
  make: () => Made,
  see: (died: Died, made: Made) => void,
  stride = 3,
): Promise<number> {
  for (const fatal of points(2, stride)) {
    const made = make();
    const died = await diedBefore(fatal, made);
    if (!died) return fatal;
    see({ fatal, ...(await goneOnWith(died, made)) }, made);
  }
  throw new Error('it never came to its end');
}

/**
 * The same where the process that goes on with it dies, too: before each append of its own, or each
 * so many, others for each of the first. Gives how often that was seen.
 */
export async function atEachTwoDeaths<Made extends { stage(journal: Journal): Stage }>(
  make: () => Made,
  see: (died: Died & { readonly again: number }, made: Made) => void,
  stride: number,
): Promise<number> {
  let seen = 0;
  const step = isDeep ? 1 : stride;
  for (let fatal = 2; ; fatal++) {
    for (let again = 1 + ((fatal + testSeed) % step); ; again += step) {
      const made = make();
      const died = await diedBefore(fatal, made);
      if (!died) return seen;
      const lived = await made
        .stage(dyingBefore(died.journal, again))
        .resume(died.run)
        .catch(() => undefined);
      if (lived) break;
      see({ fatal, again, ...(await goneOnWith(died, made)) }, made);
      seen++;
    }
  }
}

/** A run whose process has died before an append; undefined where it had come to its end. */
async function diedBefore(fatal: number, made: { stage(journal: Journal): Stage }) {
  const journal = memoryJournal();
  const lived = await made
    .stage(dyingBefore(journal, fatal))
    .start()
    .catch(() => undefined);
  if (lived) return undefined;
  const [died] = journal.list();
  if (!died) throw new Error('no run');
  return { journal, run: died.id };
}

async function goneOnWith(
  { journal, run }: Pick<Died, 'journal' | 'run'>,
  made: { stage(journal: Journal): Stage },
) {
  const stage = made.stage(journal);
  return { journal, run, stage, result: await stage.resume(run) };
}

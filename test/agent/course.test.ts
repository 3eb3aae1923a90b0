/**
 * The course of an ask: where a process stops after any of its commands, another one that takes up
 * the last run comes to the same end as a process that never stopped.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answerGoal } from '../../src/agent/goal/ask.ts';
import type { Workspace } from '../../src/agent/port/workspace.ts';
import { keptOf } from '../../src/agent/record/kept.ts';
import { readyToGoOn } from '../../src/agent/resume/go-on.ts';
import type { GoalOptions, PursuitEnd, Work } from '../../src/agent/run/work.ts';
import { openToolbox, type Toolbox } from '../../src/agent/tools/toolbox.ts';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import type { Journal, RunSummary } from '../../src/engine/journal/journal.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { readPast } from '../../src/engine/past/read-past.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const process = vi.hoisted(() => ({ performed: [] as string[], stopsAfter: Infinity }));

class Stopped extends Error {}

vi.mock(import('../../src/agent/goal/perform.ts'), async (original) => {
  const actual = await original();
  const stop = (): void => {
    if (process.performed.length === process.stopsAfter) throw new Stopped();
  };
  return {
    ...actual,
    async perform(pursuit, command) {
      stop();
      const done = await actual.perform(pursuit, command);
      process.performed.push(command.next);
      stop();
      return done;
    },
  };
});

beforeEach(() => {
  process.performed = [];
  process.stopsAfter = Infinity;
});

interface Story {
  readonly options?: GoalOptions;
  readonly dialect?: string;
  /** What a model replies to the messages of a request: always the same. */
  readonly reply: (said: string, replies: number) => string;
  /** What is performed, and what it comes to. */
  readonly performed: readonly string[];
  readonly end: { readonly status: string; readonly answer: unknown; readonly modelCalls: number };
}

const fenced = (program: string): string => `\`\`\`starlark\n${program}\n\`\`\``;
const finding = (place: string): string => fenced(`answer(look(place = "${place}"))`);
const verdict = (accept: boolean, more: Readonly<Record<string, string>> = {}): string =>
  JSON.stringify({ reason: 'Since.', accept, suggestion: 'Look in the hall.', ...more });
const isJudged = (said: string): boolean => said.includes('You judge whether');
const program = { route: 'program' } as const;

const stories: Readonly<Record<string, Story>> = {
  'a program is repaired, rejected, and revised': {
    options: { ...program, revisions: 1 },
    reply(said) {
      if (isJudged(said)) return verdict(said.includes('a box in the hall'));
      if (said.includes('was rejected')) return `PLAN\n${finding('hall')}`;
      return said.includes('the shed is locked') ? `PLAN\n${finding('yard')}` : finding('shed');
    },
    performed: [...['plan', 'review', 'run', 'change', 'fork', 'judge', 'change', 'fork', 'judge']],
    end: { status: 'done', answer: 'a box in the hall', modelCalls: 5 },
  },
  'no revision is left for an answer that stays rejected': {
    options: { ...program, revisions: 2 },
    reply(said) {
      if (isJudged(said)) return verdict(false);
      const places = ['yard', 'hall', 'barn'].filter((place) => !said.includes(`"${place}"`));
      return said.includes('was rejected') ? `PLAN\n${finding(places[0] ?? '')}` : finding('yard');
    },
    performed: [
      ...['plan', 'review', 'run', 'judge', 'change', 'fork', 'judge', 'change', 'fork', 'judge'],
    ],
    end: { status: 'done', answer: 'a box in the barn', modelCalls: 6 },
  },
  'no repair is left for a program that always fails': {
    options: program,
    reply(said) {
      const shed = ['shed', 'shed 2', 'shed 3', 'shed 4'];
      const place = shed.find((name) => !said.includes(`"${name}"`)) ?? 'shed';
      return said.includes('is locked') ? `PLAN\n${finding(place)}` : finding('shed');
    },
    performed: [...['plan', 'review', 'run', 'change', 'fork', 'change', 'fork', 'change', 'fork']],
    end: { status: 'failed', answer: null, modelCalls: 4 },
  },
  'a program without an answer is repaired': {
    options: program,
    reply(said) {
      const silent = 'if look(place = "yard") == "nothing":\n    answer("never")';
      return said.includes('PV7005') ? `PLAN\n${finding('hall')}` : fenced(silent);
    },
    performed: ['plan', 'review', 'run', 'change', 'fork'],
    end: { status: 'done', answer: 'a box in the hall', modelCalls: 2 },
  },
  'an answer is put in other words': {
    options: { ...program, revisions: 1 },
    reply(said) {
      const rewritten = { outcome: 'rewrite answer', rewritten: 'In the hall.' };
      if (!isJudged(said)) return finding('yard');
      return said.includes('In the hall.') ? verdict(true) : verdict(false, rewritten);
    },
    performed: ['plan', 'review', 'run', 'judge', 'fork', 'judge'],
    end: { status: 'done', answer: 'In the hall.', modelCalls: 3 },
  },
  'a judge that gives no verdict leaves the answer': {
    options: { ...program, revisions: 1 },
    reply: (said) => (isJudged(said) ? 'Hm.' : finding('yard')),
    performed: ['plan', 'review', 'run', 'judge'],
    end: { status: 'done', answer: 'a box in the yard', modelCalls: 1 },
  },
  'a model that writes no repair leaves the failure': {
    options: program,
    reply: (said) => (said.includes('is locked') ? 'I cannot.' : finding('shed')),
    performed: ['plan', 'review', 'run', 'change'],
    end: { status: 'failed', answer: null, modelCalls: 1 },
  },
  'a model answers in words': {
    options: { route: 'auto', revisions: 0 },
    reply: (said) => (isJudged(said) ? verdict(true) : '<answer>At home.</answer>'),
    performed: ['plan', 'review', 'run', 'judge'],
    end: { status: 'done', answer: 'At home.', modelCalls: 2 },
  },
  'a model writes a program where words would do': {
    options: { route: 'auto' },
    reply: () => finding('hall'),
    performed: ['plan', 'review', 'run'],
    end: { status: 'done', answer: 'a box in the hall', modelCalls: 1 },
  },
  'turns fail, give something, and answer': {
    options: { ...program, turns: 4, revisions: 1 },
    reply(said, replies) {
      if (isJudged(said)) return verdict(said.includes('hall'));
      if (said.includes('was rejected')) return `PLAN\n${finding('hall')}`;
      const blocks = ['found = look(place = "shed")', 'found = look(place = "yard")'];
      return fenced(blocks[replies] ?? 'answer(found)');
    },
    performed: [
      ...['turn', 'run', 'turn', 'fork', 'turn', 'fork', 'judge', 'change', 'fork', 'judge'],
    ],
    end: { status: 'done', answer: 'a box in the hall', modelCalls: 6 },
  },
  'turns give no answer': {
    options: { ...program, turns: 2 },
    reply: (_, replies) => fenced(`x${replies} = ${replies}`),
    performed: ['turn', 'run', 'turn', 'fork'],
    end: { status: 'failed', answer: null, modelCalls: 2 },
  },
  'a model that writes no second turn leaves the first one': {
    options: { ...program, turns: 4 },
    reply: (_, replies) => (replies > 0 ? fenced('x = (') : fenced('x = 1')),
    performed: ['turn', 'run', 'turn'],
    end: { status: 'failed', answer: null, modelCalls: 1 },
  },
  'a loop over tasks goes on with a note': {
    options: { revisions: 1 },
    dialect: 'react',
    reply(said) {
      if (isJudged(said)) return verdict(said.includes('Finish[hall]') || said.includes('\nhall'));
      if (said.includes('Look in the hall')) return 'Thought: so\nAction: Finish[hall]';
      return 'Thought: so\nAction: Finish[yard]';
    },
    performed: ['judge', 'note', 'judge'],
    end: { status: 'done', answer: 'hall', modelCalls: 4 },
  },
};

/** Which run another process takes up. */
const takenUp = {
  'the last run': (run: RunSummary): string => run.id,
  'the run that was judged': (run: RunSummary): string => keptOf(run).judging?.run ?? run.id,
};

const never = { first: Infinity, later: Infinity };

describe.each(Object.entries(takenUp))('stopped anywhere, and gone on with by %s', (_, pick) => {
  test.each(Object.entries(stories))('%s', async (_, story) => {
    const { performed, ...end } = await lived(story, never);
    expect(performed).toEqual(story.performed);
    expect(end).toMatchObject(story.end);
    for (let first = 0; first <= performed.length; first++) {
      const stopped = await lived(story, { ...never, first }, pick);
      expect(stopped, `stopped after ${first}`).toMatchObject(end);
    }
  });
});

// One command alone may leave nothing in the journal: a person has seen a program.
test.each(Object.entries(stories))('stopped after every two commands: %s', async (_, story) => {
  const { performed: _performed, ...end } = await lived(story, never);
  expect(await lived(story, { first: 2, later: 2 })).toMatchObject(end);
});

test('a plan that fails ends an ask, whichever process writes it', async () => {
  const story: Story = {
    options: { route: 'auto' },
    reply: () => fenced('x = ('),
    performed: [],
    end: { status: 'failed', answer: null, modelCalls: 0 },
  };
  for (const first of [Infinity, 0]) {
    await expect(lived(story, { ...never, first })).rejects.toMatchObject({ code: 'PV7002' });
    expect(process.performed).toEqual([]);
  }
});

/** What a person and a journal see of an ask. */
interface Life {
  readonly status: string;
  readonly answer: unknown;
  readonly modelCalls: number;
  readonly planningCalls: number;
  readonly verdicts: readonly unknown[];
  readonly programs: readonly string[];
  readonly requests: number;
  readonly performed: readonly string[];
}

/** Where processes stop: one of them after so many commands, or each after so many. */
interface Stops {
  readonly first: number;
  readonly later: number;
}

/** Asks; whenever a process stops, the next one goes on with a run, where there is one. */
async function lived(
  { options = {}, dialect, reply }: Story,
  stops: Stops,
  pick: (run: RunSummary) => string = takenUp['the last run'],
): Promise<Life> {
  const { model, requests } = scriptedModel(({ messages }) => {
    const replies = messages.filter(({ role }) => role === 'assistant').length;
    return reply(messages.map(({ content }) => content).join('\n'), replies);
  });
  let now = 0;
  const journal = openJournal(':memory:', { now: () => ++now });
  const workspace = workspaceFor(dialect);
  const toolbox = await toolboxWith(workspace, model);
  const work: Work = { workspace, toolbox, journal, isDurable: true, host: {} };
  process.performed = [];
  process.stopsAfter = stops.first;
  const goOn = async (): Promise<PursuitEnd> => {
    const [last] = journal.list();
    const summary = last && journal.find(pick(last));
    if (summary) return await (await readyToGoOn({ ...work, summary })).go();
    return await answerGoal({ ...work, goal: { text: 'Where?' }, inputs: new Map(), options });
  };
  let end: PursuitEnd | undefined;
  while (!end) {
    try {
      end = await goOn();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      process.stopsAfter = process.performed.length + stops.later;
    }
  }
  const { status, answer, answers, usage } = end.result;
  return {
    ...{ status, answer, modelCalls: usage.modelCalls },
    planningCalls: end.planning.modelCalls,
    verdicts: answers.map((given) => given.verdict?.accept),
    programs: programsIn(journal),
    requests: requests.length,
    performed: process.performed,
  };
}

const programsIn = (journal: Journal): string[] =>
  journal.list().map(({ id, status }) => {
    const { program: loaded } = readPast(journal.events(id));
    return `${status}: ${loaded?.text}`;
  });

const workspaceFor = (dialect: string | undefined): Workspace => ({
  settings: { limits: {}, ...(dialect !== undefined && { dialect }) },
  ...{ origins: {}, env: {}, home: '/nowhere', servers: () => [], hasServers: false },
  unread: undefined,
});

/** A tool that fails in the shed, and a model for direct answers. */
async function toolboxWith(
  workspace: Workspace,
  model: ReturnType<Toolbox['model']>,
): Promise<Toolbox> {
  const opened = await openToolbox(workspace);
  const look: Handler = {
    spec: toolSpec({
      ...{ name: 'look', description: 'Looks.', effect: 'read' },
      parameters: { type: 'object', properties: { place: {} }, required: ['place'] },
    }),
    async perform({ place }) {
      if (!String(place).startsWith('shed')) return `a box in the ${place}`;
      throw new EffectFailure('PV4203', `the ${place} is locked`, { answered: true });
    },
  };
  const generate = opened.handlers.get('llm_call') ?? opened.handlers.get('llm_generate');
  if (!generate) throw new Error('there is a tool for direct answers');
  const told: Handler = { spec: generate.spec, perform: async () => 'At home.' };
  const handlers = new Map([
    ...opened.handlers,
    ...[look, told].map((handler) => [handler.spec.name, handler] as const),
  ]);
  const opens = (): typeof model => model;
  return {
    ...{ ...opened, handlers, model: opens, prepare: () => [] },
    specs: new Map([...opened.specs, [look.spec.name, look.spec]]),
    models: { planner: opens, worker: opens, judge: opens },
  };
}

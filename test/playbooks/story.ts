/**
 * A program with what a model does in it, and what must come of that: in every form of replies, after
 * bad replies, and killed at any point. Owns how those are tried; programs stand in `programs/`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Handler } from '../../src/engine/handler.ts';
import type { Journal, RunEvent } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { decode, toJson } from '../../src/program/json.ts';
import {
  dyingBefore,
  type PlayOptions,
  played,
  saidIn,
  stageOf,
} from '../planner/playbook/played.ts';
import { points } from '../support/depth.ts';
import { forms, jsonLines, type Op, type Turn } from './forms.ts';

export interface Story {
  /** Of a file in `programs/`, without its ending. */
  readonly program: string;
  readonly turns: readonly Turn[];
  /** Tools that note each call of theirs. */
  readonly tools?: (calls: unknown[]) => readonly Handler[];
  readonly answers?: readonly string[];
  readonly matches?: PlayOptions['matches'];
  /** How often a classifier is asked: once for all that has changed together. */
  readonly judged?: number;
  readonly said: readonly unknown[];
  readonly answer?: unknown;
  readonly calls?: readonly unknown[];
  /** A turn that leaves something out. */
  readonly skip: { readonly turn: number; readonly ops: readonly Op[] };
}

export const programOf = (name: string): string =>
  readFileSync(new URL(`programs/${name}.playbook.md`, import.meta.url), 'utf8');

const optionsOf = (story: Story, calls: unknown[]): Omit<PlayOptions, 'replies'> => ({
  tools: story.tools?.(calls) ?? [],
  answers: story.answers ?? [],
  matches: story.matches ?? (() => []),
});

async function play(
  story: Story,
  replies: PlayOptions['replies'],
  more: Pick<PlayOptions, 'strictness' | 'sequential'> = {},
) {
  const calls: unknown[] = [];
  const options = { ...optionsOf(story, calls), ...more, replies };
  const ended = await played(programOf(story.program), options);
  return { ...ended, calls };
}

/** Whether the model is told that its last reply cannot stand. */
function isMending(prompt: string): boolean {
  const last = prompt.slice(Math.max(0, prompt.lastIndexOf('\n\nassistant: ')));
  return last.includes('could not be taken further');
}

/** A turn that cannot stand, then the whole of it; what it has called already is played between. */
function spoiling(at: number, spoilt: string, written: readonly string[]): PlayOptions['replies'] {
  const left = written.toSpliced(at, 1, spoilt);
  return ({ prompt }) => (isMending(prompt) ? written[at] : left.shift()) ?? '';
}

/** The same, and it is no better when it is told. */
function failing(at: number, spoilt: string, written: readonly string[]): PlayOptions['replies'] {
  const left = written.toSpliced(at, 1, spoilt);
  return ({ prompt }) => (isMending(prompt) ? spoilt : left.shift()) ?? '';
}

/** It came to what it must, with no reply left over and none asked for besides. */
function expectIts(story: Story, ended: Awaited<ReturnType<typeof play>>, replies: number): void {
  expect(ended.result.error).toBeUndefined();
  expect(ended.result.status).toBe('done');
  expect(ended.said.slice(0, story.said.length)).toEqual(story.said);
  if (story.answer !== undefined) expect(ended.result.answer).toEqual(story.answer);
  expect(ended.calls).toEqual(story.calls ?? []);
  expect(ended.prompts).toHaveLength(replies);
  expectNoMoreThanNeeded(ended.journal, ended.result.run);
}

/** Whether a playbook starts, or an agent has been spoken to. */
function hasCause(request = 'null'): boolean {
  const { kind, session = [] } = Object(toJson(decode(request)));
  return kind === 'start' || session.at(-1)?.is === 'agent';
}

/**
 * No reply is asked for but where a playbook starts, of an agent that is spoken to, behind a yield,
 * behind what a trigger has cut off, and once behind a problem; no condition is asked about but
 * with a message, or once for all that a turn has changed.
 */
export function expectNoMoreThanNeeded(journal: Journal, run: string): void {
  const events = journal.events(run);
  const started = events.flatMap((event) => (event.type === 'effect.started' ? [event] : []));
  const turns = started.filter(({ tool }) => tool === 'turn');
  const caused = turns.filter(({ request }) => hasCause(request));
  const parts = events.flatMap((event) =>
    event.type === 'effect.part' && event.tool === 'turn'
      ? [toJson(decode(event.value)) as { readonly op: string }]
      : [],
  );
  const count = (op: string): number => parts.filter((part) => part.op === op).length;
  const cuts = turns.length - count('end');
  const reasons = caused.length + count('yield') + cuts + count('problem');
  expect(turns.length).toBeLessThanOrEqual(reasons);
  const messages = started.filter(({ tool }) => tool === 'ask').length;
  const judged = started.filter(({ tool }) => tool === 'match_triggers').length;
  expect(judged).toBeLessThanOrEqual(messages + turns.length);
}

const bad: Readonly<Record<string, readonly [code: string, (turn: Turn) => string | undefined]>> = {
  'a line that there is not': [
    'PV7302',
    ({ ops, ...turn }) => jsonLines({ ...turn, ops: [...ops.slice(0, -1), { step: '99' }] }, ''),
  ],
  'an invented playbook': [
    'PV7304',
    ({ ops, ...turn }) =>
      jsonLines({ ...turn, ops: [...ops.slice(0, -1), { call: 'Oracle' }] }, ''),
  ],
  'a call that is made twice': [
    'PV7305',
    ({ ops, ...turn }) => {
      const at = ops.findIndex(({ call }) => call !== undefined);
      const call = ops[at];
      if (!call) return undefined;
      return jsonLines({ ...turn, ops: [...ops.slice(0, at + 1), call, ...ops.slice(at + 1)] }, '');
    },
  ],
  'the middle of an operation': ['PV7308', (turn) => jsonLines(turn, '').slice(0, -4)],
  'a line that was only named': [
    'PV7308',
    ({ ops, ...turn }) => {
      const at = ops.findLastIndex(({ step }) => step !== undefined);
      const isCut = at > 0 && ops[0]?.step !== undefined && ops[at + 1]?.yield === undefined;
      return isCut ? `${jsonLines({ ...turn, ops: ops.slice(0, at + 1) }, '')}\n{"se` : undefined;
    },
  ],
  'words alone': ['PV7301', () => 'I am sorry, but I cannot help with that.'],
};

export function tell(story: Story): void {
  const text = programOf(story.program);
  const written = story.turns.map((turn) => jsonLines(turn, text));

  test.each(Object.entries(forms))('in the form of %s', async (_, form) => {
    const replies = story.turns.map((turn) => form(turn, text));
    const ended = await play(story, replies);
    expectIts(story, ended, replies.length);
    expect(ended.prompts.filter(isMending)).toEqual([]);
  });

  test.each(['advise', 'enforce'] as const)(
    'the same, with all that is %sd',
    async (strictness) => {
      expectIts(story, await play(story, written, { strictness }), written.length);
    },
  );

  test('one effect at a time, it comes to the same', async () => {
    const beside = await play(story, written);
    const alone = await play(story, written, { sequential: true });
    expectIts(story, alone, written.length);
    expect(alone.said).toEqual(beside.said);
    expect(alone.prompts).toEqual(beside.prompts);
    // Of what runs beside each other, what comes first is written first.
    expect(logOf(alone.journal, alone.result.run).toSorted()).toEqual(
      logOf(beside.journal, beside.result.run).toSorted(),
    );
  });

  test('asks a model once per wait, and about triggers once per change', async () => {
    const { journal, result } = await play(story, written);
    expect(countOf(journal, result.run, 'turn')).toBe(written.length);
    expect(countOf(journal, result.run, 'match_triggers')).toBe(story.judged ?? 0);
  });

  describe('mends', () => {
    const mendable = story.turns.flatMap((turn, at) =>
      turn.isCutByTrigger || turn.isFree || turn.isLast ? [] : [[at, turn] as const],
    );

    const possible = Object.entries(bad).filter(([, [, spoil]]) =>
      mendable.some(([, turn]) => spoil(turn) !== undefined),
    );

    test.each(possible)('%s, in any turn, once', async (_, [code, spoil]) => {
      const spoilt = mendable.flatMap(([at, turn]) => {
        const reply = spoil(turn);
        return reply === undefined ? [] : [[at, reply] as const];
      });
      for (const [at, reply] of spoilt) {
        const mended = await play(story, spoiling(at, reply, written));
        expectIts(story, mended, written.length + 1);
      }
      const [[at, reply] = [0, '']] = spoilt;
      const { result } = await play(story, failing(at, reply, written));
      expect(result.error).toMatchObject({ code });
      expect(result.error?.message).toContain('Its last reply');
    });

    test('a line that is left out', async () => {
      const { turn, ops } = story.skip;
      const [one] = story.turns.slice(turn, turn + 1);
      if (!one) throw new Error(`there is no turn ${turn}`);
      const spoilt = jsonLines({ ...one, ops }, text);
      const mended = await play(story, spoiling(turn, spoilt, written));
      expectIts(story, mended, written.length + 1);
      const twice = await play(story, failing(turn, spoilt, written));
      expect(twice.result.error).toMatchObject({ code: 'PV7303' });
    });
  });

  test('killed before any append, it goes on to the same log, and asks a model nothing else', () =>
    survives(story, text, written));
}

/** How often a run has asked for an effect. */
const countOf = (journal: Journal, run: string, tool: string): number =>
  journal.events(run).filter((event) => event.type === 'effect.started' && event.tool === tool)
    .length;

async function survives(story: Story, text: string, written: readonly string[]): Promise<void> {
  const whole = await play(story, written);
  const log = logOf(whole.journal, whole.result.run);
  const replyTo = new Map(whole.prompts.map((prompt, at) => [prompt, written[at] ?? '']));
  const replies = ({ prompt }: { readonly prompt: string }): string => {
    const known = replyTo.get(prompt);
    if (known === undefined) throw new Error(`nobody asked this before:\n${prompt}`);
    return known;
  };
  for (const fatal of points(2, 7)) {
    const calls: unknown[] = [];
    const journal = memoryJournal();
    const options = optionsOf(story, calls);
    const dying = stageOf(text, { ...options, replies, journal: dyingBefore(journal, fatal) });
    const ended = await dying.start().then(
      () => true,
      () => false,
    );
    if (ended) {
      // At least before and behind each turn.
      expect(fatal).toBeGreaterThan(written.length);
      return;
    }
    const [run] = journal.list();
    if (!run) throw new Error('there is no run');
    const answers = (story.answers ?? []).slice(answeredIn(journal, run.id));
    const result = await stageOf(text, { ...options, answers, replies, journal }).resume(run.id);
    expect(result.error).toBeUndefined();
    expect(result.status).toBe('done');
    expect(logOf(journal, run.id)).toEqual(log);
    expect(saidIn(journal, run.id)).toEqual(whole.said);
  }
}

/** What has happened, in order, without what only tells attempts apart. */
export const logOf = (journal: Journal, run: string): readonly string[] =>
  journal.events(run).flatMap((event) => {
    const line = lineOf(event);
    return line === undefined ? [] : [line];
  });

function lineOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'effect.part':
      return `${event.tool} ${event.index}: ${event.value}`;
    case 'effect.settled':
      return `${event.tool} ${JSON.stringify(event.outcome)}`;
    case 'message.emitted':
      return `${event.channel}: ${event.value}`;
    default:
      return undefined;
  }
}

export const answeredIn = (journal: Journal, run: string): number =>
  journal.events(run).filter((event) => event.type === 'effect.settled' && event.tool === 'ask')
    .length;

/**
 * A program with what a model replies at its lines, and what must come of that: once as it is, once
 * one effect at a time, and killed before appends to the journal. Programs stand in `programs/`.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Handler } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import {
  answersLeft,
  atEachDeath,
  ops,
  type PlayOptions,
  played,
  saidIn,
  stageOf,
} from '../planner/playbook/played.ts';

export type Op = Readonly<Record<string, unknown>>;

/** Of replies at one line the first counts whose words are in what the model is told last. */
export type Reply = readonly Op[] | readonly (readonly [words: string, reply: readonly Op[]])[];

export interface Story extends Omit<PlayOptions, 'replies' | 'tools'> {
  /** Of a file in `programs/`, without its ending; or the text itself. */
  readonly program: string;
  /** By playbook and line: `Main:02`; of playbooks without lines, by their name. */
  readonly replies: Readonly<Record<string, Reply>>;
  readonly tools?: (calls: unknown[]) => readonly Handler[];
  readonly said: readonly unknown[];
  readonly answer: unknown;
  /** What tools were called with, in order. */
  readonly calls?: readonly unknown[];
}

export const programOf = (name: string): string =>
  name.includes('\n')
    ? name
    : readFileSync(new URL(`./programs/${name}.playbook.md`, import.meta.url), 'utf8');

/** A model that replies by where it is. */
export const replying =
  (replies: Story['replies']) =>
  ({ messages }: { readonly messages: readonly { readonly content: string }[] }): string => {
    const last = messages.at(-1)?.content ?? '';
    const all = messages.map(({ content }) => content).join('\n');
    const [, name = ''] = [...all.matchAll(/^## (\w+)\(/gm)].at(-1) ?? [];
    const [, line] = [...last.matchAll(/You are (?:at|before) ([\d.]*\d)/g)].at(-1) ?? [];
    const key = line === undefined ? name : `${name}:${line}`;
    const reply = replies[key];
    const own = reply?.every((one): one is readonly [string, readonly Op[]] => Array.isArray(one))
      ? reply.find(([words]) => last.includes(words))?.[1]
      : (reply as readonly Op[] | undefined);
    if (!own) throw new Error(`no reply at ${key}:\n${last}`);
    const done = last.includes('was cut off') ? (messages.at(-2)?.content.split('\n') ?? []) : [];
    return ops(...own.filter((op) => !done.includes(JSON.stringify(op)) || 'at' in op));
  };

export function tell(name: string, story: Story): void {
  const text = programOf(story.program);
  const stage = (calls: unknown[], journal?: Journal, more: Partial<PlayOptions> = {}) => {
    const { answers = [], replies, tools } = story;
    const left = journal ? answersLeft(answers, journal) : answers;
    const options = { ...story, ...more, answers: left, tools: tools?.(calls) ?? [] };
    return { ...options, replies: replying(replies), ...(journal && { journal }) };
  };
  test(`${name}: as it is`, async () => {
    const calls: unknown[] = [];
    const { result, said } = await played(text, stage(calls));
    expect(result.error).toBeUndefined();
    expect({ said, answer: result.answer }).toEqual({ said: story.said, answer: story.answer });
    if (story.calls) expect(calls).toEqual(story.calls);
  });
  test(`${name}: one effect at a time`, async () => {
    const { result, said } = await played(text, stage([], undefined, { sequential: true }));
    expect({ said, answer: result.answer }).toEqual({ said: story.said, answer: story.answer });
  });
  test(`${name}: killed anywhere`, async () => {
    const make = () => {
      const calls: unknown[] = [];
      return { calls, stage: (journal: Journal) => stageOf(text, stage(calls, journal)) };
    };
    await atEachDeath(make, ({ fatal, journal, run, result }) => {
      expect({ fatal, error: result.error, answer: result.answer }).toEqual({
        ...{ fatal, error: undefined, answer: story.answer },
      });
      expect(saidIn(journal, run)).toEqual(story.said);
    });
  });
}

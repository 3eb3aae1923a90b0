/**
 * What models write instead of what they were asked for, in each prompt that leads from a goal to
 * an answer: what can be read is read, what cannot is asked for again, and none of it is run.
 */
import { describe, expect, test } from 'vitest';
import { builtInTools } from '../../src/effects/built-in.ts';
import type { Model } from '../../src/effects/model/model.ts';
import { conversingHandlers } from '../../src/planner/converse.ts';
import { delegateHandler } from '../../src/planner/delegate.ts';
import { judgingHandlers } from '../../src/planner/judge.ts';
import { planningHandlers } from '../../src/planner/planner.ts';
import { revisingHandlers } from '../../src/planner/revise.ts';
import { loopRunner } from '../../src/planner/run-loop.ts';
import { byName, quickTool } from '../engine/support.ts';
import { runLoop } from './run-loop.ts';
import { runText } from './run-text.ts';
import { named, scripted } from './scripted.ts';

interface Prompt {
  /** A reply as it should be, and what becomes of it. */
  readonly good: string;
  readonly answer: unknown;
  /** Runs what asks for it, once. */
  readonly go: (model: Model) => Promise<{ readonly status: string; readonly answer: unknown }>;
}

const calls = loopRunner({ ready: (handlers) => handlers });
const environment = { tools: new Map([named('lookup', 'key')]), inputs: [] };
const goal = { text: 'Where are the tides?' };

/** A program of one call, with the tools that every run has. */
const calling =
  (text: string, settings = {}) =>
  (model: Model) => {
    const world = { openModel: () => model, settings, runLoop: calls };
    const { handlers } = builtInTools({
      ...world,
      openKnowledge: () => {
        throw new Error('there is none');
      },
    });
    return runText(text, byName(...handlers, shelf));
  };

const schema = {
  type: 'object',
  properties: { key: { type: 'string' } },
  required: ['key'],
} as const;
const shelf = quickTool('shelf', ({ key }) => `shelf of ${key}`, { parameters: schema });
const long = 'The moon pulls at the sea. '.repeat(400);

const objects: Readonly<Record<string, Prompt>> = {
  llm_bind: {
    good: '{"args": {"key": "tides"}, "missing": []}',
    answer: 'shelf of tides',
    go: calling('answer(llm_bind("the tides", "shelf(key)"))\n'),
  },
  llm_list_bind: {
    good: '{"items": ["tides", "moons"]}',
    answer: ['tides', 'moons'],
    go: calling('answer(llm_list_bind("tides and moons", "the words"))\n'),
  },
  coerce: {
    good: '{"value": 305000000000, "reason": ""}',
    answer: 305_000_000_000,
    go: calling('answer(coerce("305 billion", "int"))\n'),
  },
  digest: {
    good: '{"all": false, "why": "It is about one thing."}',
    answer: 'It pulls.',
    go: (model) => {
      // What is asked behind the decision is answered in words.
      const both: Model = {
        ...model,
        complete: (request, context) =>
          request.prompt?.startsWith('needed:')
            ? model.complete(request, context)
            : scripted('It pulls.').model.complete(request, context),
      };
      const text = `answer(llm_call([${JSON.stringify(long)}], "What does the moon do?"))\n`;
      return calling(text, { contextWindow: 2000 })(both);
    },
  },
  judge: {
    good: '{"reason": "It is there.", "outcome": "satisfies", "suggestion": "", "rewritten": ""}',
    answer: expect.objectContaining({ accept: true, reason: 'It is there.' }),
    go: (model) =>
      runLoop(
        'judge',
        judgingHandlers(() => model),
        {
          case: { goal, answer: 'Shelf 12.', basis: [], omitted: 0, about: 'x' },
          rounds: 3,
        },
      ),
  },
};

const program = 'answer(lookup(key = "tides"))';

const programs: Readonly<Record<string, Prompt>> = {
  plan: {
    good: program,
    answer: program,
    go: (model) =>
      runLoop('plan', planningHandlers({ dialect: 'starlark', environment, model: () => model }), {
        ...{ goal, rounds: 3 },
      }),
  },
  converse: {
    good: program,
    answer: { program, block: program, kind: 'statements' },
    go: (model) =>
      runLoop('converse', conversingHandlers({ environment, model: () => model }), {
        task: { goal, program: '', turns: [], left: 3, isLast: false, about: 'x' },
        rounds: 3,
      }),
  },
  revise: {
    good: program,
    answer: { program, scope: 'plan' },
    go: (model) =>
      runLoop(
        'revise',
        revisingHandlers({
          ...{ dialect: 'starlark', look: () => '', environment, model: () => model },
        }),
        {
          task: {
            ...{ goal, dialect: 'starlark', program: 'answer(lookup(key = ""))\n' },
            ...{ scopes: ['plan'], states: {}, variables: [], writes: [], refused: [], about: 'x' },
          },
          ...{ rounds: 3, looks: 0 },
        },
      ),
  },
  delegate: {
    good: program,
    answer: 'found tides',
    go: (model) => {
      const found = quickTool('lookup', ({ key }) => `found ${key}`, { parameters: schema });
      const tools = byName(found);
      const delegate = delegateHandler({
        ...{ runLoop: calls, model: () => model, tools: () => tools, effect: 'read' },
      });
      return runText('answer(delegate(task = "Find the tides."))\n', byName(delegate, found));
    },
  },
};

const fence = '```';
/** The same reply as models dress it up: read at once. */
const dressed: readonly (readonly [string, (good: string) => string])[] = [
  ['as it is', (good) => good],
  ['in a fence', (good) => `${fence}\n${good}\n${fence}`],
  [
    'with prose around',
    (good) => `Sure! Here it is:\n\n${fence}\n${good}\n${fence}\nHope it helps.`,
  ],
  ['with an apology', (good) => `I apologise for my mistake.\n\n${fence}\n${good}\n${fence}`],
  [
    'behind thoughts',
    (good) => `<think>Is it {"x": 1}?\n${fence}\nfail("x")\n${fence}</think>\n${good}`,
  ],
  ['in answer tags', (good) => `<answer>\n${fence}\n${good}\n${fence}\n</answer>`],
  ['in a fence that is not closed', (good) => `${fence}\n${good}`],
  [
    'behind what looks like a result',
    (good) => `Observation: done, call nothing.\n${fence}\n${good}\n${fence}`,
  ],
];

/** No program and no object: models that write programs say so in such words. */
const words: readonly (readonly [string, (good: string) => string])[] = [
  ['cut in its first word', (good) => good.slice(0, 4)],
  ['of other keys', () => '{"result": "ok", "ignore": "all rules"}'],
];

/** What nobody may run: the next reply has to be better. */
const wrong: readonly (readonly [string, string])[] = [
  ['an import of the host', '__import__("os").system("touch /tmp/x")'],
  ['eval', 'eval("1")'],
  ['a thousand million of something', '["x"] * 10 ** 9 + nothing'],
];

describe.each(Object.entries({ ...objects, ...programs }))('%s', (name, { good, answer, go }) => {
  test.each(dressed)('reads a reply %s', async (_how, dress) => {
    const { model, requests } = scripted(dress(good));
    const done = await go(model);
    expect({ ...done, answer: withoutEnd(done.answer) }).toMatchObject({ status: 'done', answer });
    expect(requests).toHaveLength(1);
  });

  test.each(words)('does not take for it what is %s', async (_what, make) => {
    const { model, requests } = scripted(make(good), good);
    const done = await go(model);
    if (name === 'converse') expect(done.answer).toMatchObject({ kind: 'words' });
    else
      expect({ ...done, answer: withoutEnd(done.answer) }).toMatchObject({
        status: 'done',
        answer,
      });
    expect(requests).toHaveLength(name === 'converse' ? 1 : 2);
  });

  test.each(wrong)('does not run, and does not take for it: %s', async (_what, text) => {
    const { model, requests } = scripted(`${fence}\n${text}\n${fence}`, good);
    const done = await go(model);
    expect(done.status).toBe('done');
    expect(withoutEnd(done.answer)).toEqual(answer);
    expect(requests).toHaveLength(2);
  });

  test('ends with a code where nothing else comes', async () => {
    const { model } = scripted(...Array.from({ length: 5 }, () => '__import__("os")'));
    const done = await go(model);
    expect(done).toMatchObject({ status: 'failed', error: coded });
  });
});

const coded = { code: expect.stringMatching(/^PV\d{4}$/) };

/** Whether a program ends with the end of its line is all the same. */
function withoutEnd(answer: unknown): unknown {
  if (typeof answer === 'string') return answer.trimEnd();
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).map(([key, one]) => [key, withoutEnd(one)]));
}

/** One action at a time, for a model that has tool calls and for one that has not. */
import { expect, test } from 'vitest';
import type { Model, ModelReply, ModelRequest } from '../../../src/effects/model/model.ts';
import { withoutDay } from '../../../src/effects/model/replay.ts';
import { taskLoopHandlers } from '../../../src/planner/tasks/handlers.ts';
import type { ToolSpec } from '../../../src/program/effect.ts';
import { quickTool } from '../../engine/support.ts';
import { runLoop } from '../run-loop.ts';
import { named } from '../scripted.ts';

const search = quickTool('Search', ({ entity }) => `${entity} is 8848 meters high`, {
  parameters: { type: 'object', properties: { entity: { type: 'string' } }, required: ['entity'] },
});

type Reply = Pick<ModelReply, 'text' | 'calls' | 'native'>;

const calling = (id: string, entity: string): Reply => ({
  ...{ text: '', native: true },
  calls: [{ id, name: 'Search', args: { entity } }],
});

interface Asking {
  readonly native?: boolean;
  readonly examples?: string;
  /** Tools that there are besides. */
  readonly others?: readonly (readonly [string, ToolSpec])[];
}

async function ran(
  replies: readonly Reply[],
  { native = true, examples, others = [] }: Asking = {},
) {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: 'scripted',
    async complete(request, context) {
      requests.push(request);
      const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1 };
      context.use(usage);
      const reply = replies[requests.length - 1] ?? { text: 'nothing more' };
      return { finishReason: 'stop', usage, ...reply };
    },
  };
  const tools = new Map([[search.spec.name, search.spec], ...others]);
  const handlers = taskLoopHandlers({
    ...{ loop: 'react', language: 'en', tools, native, examples },
    model: () => model,
  });
  const inputs = { goal: { text: 'How high is it?' }, rounds: 5, remarks: [] };
  const all = new Map([[search.spec.name, search], ...handlers]);
  const { status, answer } = await runLoop('react', all, inputs);
  return { requests, end: [status, answer] };
}

const shown = ({ messages = [] }: Partial<ModelRequest> = {}): string =>
  messages
    .map(({ role, content, calls, answers }) => {
      const called = calls?.map(({ name, args }) => `\n${name} ${JSON.stringify(args)}`) ?? [];
      const heading = answers ? `${role} ${answers.name}` : role;
      return `--- ${heading} ---\n${content}${called.join('')}`;
    })
    .join('\n\n');

test('a model with tool calls is asked for them, and needs no form', async () => {
  const { requests, end } = await ran([calling('a', 'Everest'), { text: '8848 m', native: true }]);
  expect(end).toEqual(['done', '8848 m']);
  const [, second] = requests;
  expect(second?.native?.tools?.map(({ name }) => name)).toEqual(['Search']);
  expect(second?.native?.stop).toBeUndefined();
  expect(shown(second?.native).length).toBeLessThan(shown(second).length);
  const text = withoutDay(`${shown(second?.native)}\n`);
  await expect(text).toMatchFileSnapshot('../../golden/prompts/act-native.md');
});

test('turns of either form are told in the form that is asked for', async () => {
  const action = { text: 'Thought: t\nAction: Search["K2"]' };
  const done = { text: 'Thought: t\nAction: Finish[8848]' };
  const { requests, end } = await ran([calling('a', 'Everest'), action, done]);
  expect(end).toEqual(['done', '8848']);
  expect(shown(requests[2])).toContain('Action: Search[entity="Everest"]');
  expect(shown(requests[2])).toContain('Observation: K2 is 8848 meters high');
  expect(shown(requests[2]?.native)).toContain('Search {"entity":"Everest"}');
  expect(shown(requests[2]?.native)).toContain('Action: Search["K2"]');
});

test('calls are asked for in text alone where a person wants that', async () => {
  const { requests, end } = await ran([{ text: 'Thought: t\nAction: Finish[8848]' }], {
    native: false,
  });
  expect(end).toEqual(['done', '8848']);
  expect(requests[0]).not.toHaveProperty('native');
});

test('examples that somebody gave are shown in either form', async () => {
  const examples = 'Question: How high is K2?\nAction: Search["K2"]';
  const { requests } = await ran([{ text: '8848 m', native: true }], { examples });
  expect(shown(requests[0])).toContain(examples);
  expect(shown(requests[0]?.native)).toContain(examples);
});

test('calls are asked for in text where not all tools can be shown; more of them are on request', async () => {
  const others = Array.from({ length: 500 }, (_, number) => named(`tool_${number}`, 'parameter'));
  const replies = [{ text: 'TOOLS tool_7' }, { text: 'Thought: t\nAction: Finish[1]' }];
  const { requests, end } = await ran(replies, { others });
  expect(end).toEqual(['done', '1']);
  const first = shown(requests[0]);
  expect(first).toMatch(/There are \d+ more tools\. .*reply with nothing but lines of `TOOLS`/);
  expect(first).not.toContain('`tool_7(');
  expect(first).not.toContain('There are no tools');
  expect(shown(requests[1])).toMatch(
    /Action: TOOLS tool_7\n[\s\S]*Observation: These fit best:\n- `tool_7\(/,
  );
  expect(requests[0]).not.toHaveProperty('native');
});

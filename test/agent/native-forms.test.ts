/**
 * An agent with a model of OpenAI's wire format: plans, playbooks, bindings and actions are asked
 * for as structured outputs and tool calls, and in text where the server refuses those.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Agent, openAgent } from '../../src/agent/agent.ts';
import { defineTool } from '../../src/effects/tool/tool.ts';
import type { Answer, ServedReply } from '../support/model-server.ts';
import { servedModels } from '../support/served-models.ts';

const models = servedModels();

const price = defineTool({
  name: 'price',
  description: 'The price of an article.',
  parameters: {
    type: 'object',
    properties: { article: { type: 'string' } },
    required: ['article'],
  },
  effect: 'read',
  run: ({ article }) => (article === 'bread' ? 3 : 2),
});

const trip = defineTool({
  name: 'trip',
  description: 'Plans a trip.',
  parameters: {
    type: 'object',
    properties: { from: { type: 'string' }, days: { type: 'integer' } },
    required: ['from', 'days'],
  },
  effect: 'read',
  run: ({ from, days }) => `${days} days from ${from}`,
});

async function opened(): Promise<Agent> {
  const { openai } = models.server.env;
  const agent = await openAgent({ model: 'openai/m', env: openai, tools: [price, trip] });
  onTestFinished(() => agent.close());
  return agent;
}

type Body = Readonly<Record<string, unknown>>;

const isNative = (body: Body): boolean => 'response_format' in body || 'tools' in body;

/** Of each request, whether it was native. */
const forms = (): boolean[] => models.server.requests.map(({ body }) => isNative(body as Body));

interface BothForms {
  readonly native: readonly (string | Answer)[];
  readonly text: readonly string[];
}

describe.each([
  ['takes native forms', false],
  ['refuses native forms', true],
] as const)('a server that %s', (_, refuses) => {
  /** Answers in the form that it is asked for, each reply once. */
  const serve = ({ native, text }: BothForms): void => {
    let answered = 0;
    models.script = ({ body }): ServedReply => {
      if (refuses && isNative(body as Body)) {
        return { status: 400, message: 'response_format and tools are not supported' };
      }
      const replies = isNative(body as Body) ? native : text;
      return replies[answered++] ?? { status: 500 };
    };
  };
  const expected = refuses ? [true, false, false] : [true, true];

  test('gives a plan in JSON', async () => {
    const program = [
      {
        ...{ seq_no: 0, type: 'calling', execution_objective: 'Look it up.' },
        parameters: { tool: 'price', params: { article: 'bread' }, output_vars: 'final_answer' },
      },
    ];
    const wrong = JSON.stringify(program).replace('"price"', '"prize"');
    serve({
      native: [
        `{"reasoning": "A price.", "program": ${wrong}}`,
        JSON.stringify({ reasoning: 'A price.', program }),
      ],
      text: [`\`\`\`json\n${wrong}\n\`\`\``, `\`\`\`json\n${JSON.stringify(program)}\n\`\`\``],
    });
    const agent = await opened();
    const end = await agent.ask('What does bread cost?', { dialect: 'stackvm-2' }).end;
    expect(end).toMatchObject({ status: 'done', answer: 3 });
    expect(forms()).toEqual(expected);
  });

  test('plays a playbook', async () => {
    const desk = [
      '# Desk',
      '## Main',
      '### Triggers',
      '- At the beginning',
      '### Steps',
      '- Ask user for $day',
      '- Return $day',
    ].join('\n');
    serve({
      native: [
        '{"operations": [{"say": "Which day?"}]}',
        '{"operations": [{"set": {"day": "Sunday"}}]}',
      ],
      text: ['{"say": "Which day?"}', '{"set": {"day": "Sunday"}}'],
    });
    const agent = await opened();
    const first = await agent.play(desk).end;
    expect(first).toMatchObject({ status: 'waiting', waits: [{ kind: 'question' }] });
    const reply = { answer: 'Sunday', by: 'kim' };
    const { status, answer } = await agent.resume(first.run, { reply }).end;
    expect([status, answer]).toEqual(['done', 'Sunday']);
    // A session that goes on opens its model again.
    expect(forms()).toEqual(refuses ? [true, false, true, false] : [true, true]);
    // Nothing has to be put before it for providers that want JSON to be named.
    const [system] = models.server.requests[0]?.messages ?? [];
    expect(system?.content).toContain('You and a machine carry out');
    const earlier = (models.server.requests.at(-1)?.messages ?? []).find(
      ({ role }) => role === 'assistant',
    );
    expect(earlier?.content.startsWith('{"operations":')).toBe(!refuses);
  });

  test('binds the arguments of a call', async () => {
    const found = '{"args": {"from": "Bonn", "days": 2}, "missing": []}';
    serve({ native: [found], text: [found] });
    const agent = await opened();
    const end = await agent.run('answer(llm_bind("Bonn, a weekend", "trip(from, days)"))').end;
    expect(end).toMatchObject({ status: 'done', answer: '2 days from Bonn' });
    expect(forms().at(-1)).toBe(!refuses);
    const asked = JSON.stringify(models.server.requests[0]?.body);
    expect(asked).toContain('"json_schema":{"schema":{"type":"object","properties":{"args"');
  });

  test('takes one action at a time', async () => {
    serve({
      native: [
        { text: '', pieces: [], calls: [{ name: 'price', args: { article: 'bread' } }] },
        'It costs 3.',
      ],
      text: ['Thought: t\nAction: price["bread"]', 'Thought: t\nAction: Finish[It costs 3.]'],
    });
    const agent = await opened();
    const end = await agent.react('What does bread cost?').end;
    expect(end).toMatchObject({ status: 'done', answer: 'It costs 3.' });
    expect(forms()).toEqual(expected);
  });
});

test('a person can have actions asked for in text', async () => {
  models.script = () => 'Thought: t\nAction: Finish[3]';
  const agent = await opened();
  const end = await agent.react('What does bread cost?', { nativeTools: false }).end;
  expect(end).toMatchObject({ status: 'done', answer: '3' });
  expect(forms()).toEqual([false]);
});

test('an action in words is taken from a model that was offered calls', async () => {
  const replies = ['Thought: t\nAction: price["bread"]', 'It costs 3.'];
  models.script = ({ index }) => replies[index] ?? { status: 500 };
  const agent = await opened();
  const end = await agent.react('What does bread cost?').end;
  expect(end).toMatchObject({ status: 'done', answer: 'It costs 3.' });
  expect(models.server.requests[1]?.prompt).toContain('Observation: 3');
});

/** A reply that a trigger cuts off has been asked for and paid: it is counted, its line is done. */
import { expect, test } from 'vitest';
import { load } from '../../../src/cli/record/load.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import { showRun } from '../../../src/engine/views/show.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { ops, played } from './played.ts';

const shop = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- $n = 50
- Say("{$n}")
- Return $n
## Big
### Triggers
- When $n > 10
### Steps
- Say("big")
`;

test('a reply that a trigger cuts off is counted as a call of the model', async () => {
  const first = `${ops({ step: '01' }, { set: { n: 50 } })}\n`;
  await using server = await startModelServer(
    inOrder(
      // The rest never comes: only who goes on with what is there gets further.
      { text: '', pieces: [first, '{"step":"02"}\n'], gate: new Promise(() => {}) },
      ops({ step: '01' }, { say: 'big' }),
      ops({ step: '02' }, { say: '{$n}' }, { step: '03' }, { return: '$n' }),
    ),
  );
  const model = openModel('openai/gpt-x', { env: server.env.openai });
  const { result, said, journal } = await played(shop, { replies: [], model });
  expect([result.status, said]).toEqual(['done', ['big', '50']]);
  expect(server.requests).toHaveLength(3);
  expect(result.usage).toMatchObject({ modelCalls: 3, estimated: 1 });
  const { effects, steps } = showRun({ journal, run: result.run, load });
  const [cut, ...others] = effects.filter(({ name }) => name === 'turn');
  expect(cut).toMatchObject({ status: 'cancelled', usage: { modelCalls: 1, estimated: 1 } });
  expect(cut?.usage?.inputTokens).toBeGreaterThan(500);
  expect(cut?.usage?.outputTokens).toBe(Math.ceil(first.length / 4));
  expect(others.map(({ usage }) => usage)).toEqual([
    { modelCalls: 1, inputTokens: 10, outputTokens: 5 },
    { modelCalls: 1, inputTokens: 10, outputTokens: 5 },
  ]);
  expect(steps.map(({ id, status }) => `${id} ${status}`)).toContain('Main:01 done');
});

test('its lines are done, whether or not the rest of it had come by then', async () => {
  const first = ops({ step: '01' }, { set: { n: 5 } }, { step: '02' }, { say: 'a' });
  const fires = `${first}\n${ops({ step: '03' }, { set: { n: 50 } })}\n`;
  const rest = `${ops({ step: '04' }, { say: '{$n}' })}\n`;
  const text = shop.replace('- $n = 50', '- $n = 5\n- Say("a")\n- $n = 50');
  const shown = async (reply: ServedReply): Promise<readonly string[]> => {
    const big = ops({ step: '01' }, { say: 'big' });
    const end = ops({ step: '04' }, { say: '{$n}' }, { step: '05' }, { return: '$n' });
    await using server = await startModelServer(inOrder(reply, big, end));
    const model = openModel('openai/gpt-x', { env: server.env.openai });
    const { result, journal } = await played(text, { replies: [], model });
    expect(server.requests).toHaveLength(3);
    const { steps } = showRun({ journal, run: result.run, load });
    return steps.map(({ id, status }) => `${id} ${status}`);
  };
  const lines = ['Main:01', 'Main:02', 'Main:03', 'Big:01', 'Main:04', 'Main:05'];
  const done = lines.map((line) => `${line} done`);
  expect(await shown(fires + rest)).toEqual(done);
  const gate = new Promise<void>(() => {});
  expect(await shown({ text: '', pieces: [fires, rest], gate })).toEqual(done);
});

/** Typed values of free ones on the command line: what is plain costs nothing. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const run = ['run', 'p.star', '--model', 'openai/m', '--json'];

test('values of types, by a model where they are not plainly that', async () => {
  const items = ['1 thousand', '12'];
  await using server = await startModelServer(
    inOrder(
      'Here they are: 1 thousand and 12.',
      JSON.stringify({ items }),
      JSON.stringify({ value: 1000 }),
    ),
  );
  using folder = new Folder({
    'p.star':
      'found = llm_loop_bind("1 thousand here, 12 there", "the amounts", count = 2)\n' +
      'answer([coerce(amount, "int") for amount in found])\n',
  });
  const { code, stdout } = await folder.planvm(run, { env: server.env.openai });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ answer: [1000, 12], usage: { modelCalls: 3 } });
  expect(server.requests[1]?.prompt).toContain('Your answer could not be used');
});

test('what is none is an error at its place, and nothing is answered', async () => {
  await using server = await startModelServer(() => '{"value": null, "reason": "no number"}');
  using folder = new Folder({ 'p.star': 'x = "plenty"\nanswer(coerce(x, "int"))\n' });
  const { code, stdout } = await folder.planvm(run, { env: server.env.openai });
  expect(code).not.toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'failed',
    error: { code: 'PV4183', message: '"plenty" is no int: no number', line: 2 },
  });
});

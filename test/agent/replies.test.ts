/** Replies that are left with a run by whoever goes on with it. */

import { expect, onTestFinished, test } from 'vitest';
import { openAgent } from '../../src/agent/agent.ts';
import type { Reply } from '../../src/agent/port/reply.ts';

const secret = 'sk-0123456789abcdef0123';

async function opened() {
  const agent = await openAgent({ env: { OPENAI_API_KEY: secret } });
  onTestFinished(() => agent.close());
  return agent;
}

test('the first that fits is left, and those that do not fit are told', async () => {
  const agent = await opened();
  const program = 'answer(ask("How many?", schema = {"type": "integer"}))\n';
  const { run, waits: [wait] = [] } = await agent.run(program).end;
  const told: unknown[] = [];
  const done = await agent.resume(run, {
    reply: [
      { by: 'ann', answer: 'lots' },
      { by: 'bo', answer: 3 },
    ],
    refused: ({ by }, { code }) => told.push([by, code]),
  }).end;
  expect(wait).toMatchObject({ kind: 'question' });
  expect(told).toEqual([['ann', 'PV5144']]);
  expect(done).toMatchObject({ status: 'done', answer: 3 });
});

test('where none fits, the run waits as before; unheard, the session rejects', async () => {
  const agent = await opened();
  const { run, waits } = await agent.run('answer(ask("Who?"))\n').end;
  const reply = { by: 'ann', answer: `it is ${secret}` };
  const told: string[] = [];
  const refused = (_: Reply, { code }: { code: string }) => told.push(code);
  const waiting = await agent.resume(run, { reply, refused }).end;
  expect(told).toEqual(['PV6025']);
  expect(waiting).toMatchObject({ status: 'waiting', waits });
  await expect(agent.resume(run, { reply }).end).rejects.toThrow('holds the secret');
  await expect(agent.reply(run, reply)).rejects.toThrow('holds the secret');
});

test('a run that has ended refuses them', async () => {
  const agent = await opened();
  const { run } = await agent.run('answer(1)\n').end;
  const reply = { by: 'ann', answer: 'late' };
  await expect(agent.resume(run, { reply }).end).rejects.toMatchObject({ code: 'PV5142' });
  expect(await agent.resume(run).end).toMatchObject({ status: 'done', answer: 1 });
});

test('a reply is taken back while no process has taken it, and another one counts', async () => {
  const agent = await opened();
  const { run, waits = [] } = await agent.run('answer(ask("Who?"))\n').end;
  const effect = waits[0]?.effect ?? '';
  await agent.reply(run, { by: 'ann', answer: 'Ann' });
  const left = await agent.runs.result(run);
  expect(left?.waits).toMatchObject([{ reply: { kind: 'answer', by: 'ann' } }]);
  agent.withdraw(run, effect);
  expect((await agent.runs.result(run))?.waits?.[0]).not.toHaveProperty('reply');
  expect(() => agent.withdraw(run, effect)).toThrow(expect.objectContaining({ code: 'PV5142' }));
  const done = await agent.resume(run, { reply: { by: 'bo', answer: 'Bo' } }).end;
  expect(done).toMatchObject({ status: 'done', answer: 'Bo' });
  expect(() => agent.withdraw(run, effect)).toThrow('is left to withdraw');
});

/**
 * A program of several agents whose process is killed whenever it asks its model: taken up again, it
 * asks nothing else, and comes to the same log.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Ended, Folder } from '../../support/cli.ts';
import { isPoint } from '../../support/depth.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { logIn } from './logged.ts';
import { ops } from './ops.ts';

const program = readFileSync(
  new URL('../../playbooks/programs/branch-offices.playbook.md', import.meta.url),
  'utf8',
);

/** What is asked for next, by the playbook and the line that it goes on at. */
function replyTo({ prompt, messages }: ServedRequest): string {
  const all = messages.map(({ content }) => content).join('\n');
  const [, playbook] = /^## (\w+)\(/m.exec(all) ?? [];
  const count = Number(/\$count = (\d+)/.exec(all)?.[1] ?? 0) + 1;
  if (playbook === 'Begin') return ops({ set: { count: 0 } }, { say: 'a branch begins' });
  if (playbook === 'Open') return ops({ say: 'the archive begins' });
  if (playbook === 'Greet') {
    return ops({ set: { count } }, { return: '{who} is number {$count}' });
  }
  switch (/[Bb]egin at line (\d+)|Go on at line (\d+)/.exec(prompt)?.slice(1).join('')) {
    case '01':
      return ops(
        { say: 'the office begins' },
        { call: 'CreateAgent', args: { like: 'Branch', name: 'North' }, into: 'north' },
        { yield: 'call' },
      );
    case '04':
      return ops(
        { say: '{$north} is there' },
        { call: 'CreateAgent', args: { like: 'Branch' }, into: 'east' },
        { call: '$north.Greet', args: { who: 'Ann' }, into: 'first' },
        ...[{ say: 'Who is next?' }, { yield: 'user' }],
      );
    case '09':
      return ops(
        { set: { name: 'Ben' } },
        { call: '$north.Greet', args: { who: '$name' }, into: 'second' },
        { call: '$east.Greet', args: { who: '$name' }, into: 'third' },
        { yield: 'call' },
      );
    default:
      return ops({ say: '{$first}, {$second}, {$third}' }, { return: '$third' });
  }
}

const start = ['run', 'x.playbook.md', '--model', 'openai/m', '--json'];

/** Of requests; see `points`. */
const stride = 3;

test('killed at every request to a model, it comes to the same log', async () => {
  let die: (() => void) | undefined;
  const heard = new Set<string>();
  await using server = await startModelServer((request) => {
    const body = JSON.stringify(request.body);
    const isNew = !heard.has(body);
    heard.add(body);
    if (!isNew || !die || !isPoint(heard.size, stride)) return replyTo(request);
    die();
    return { hang: true };
  });
  const env = server.env.openai;
  using whole = new Folder({ 'x.playbook.md': program });
  expect(await whole.planvm(start, { env })).toMatchObject({ code: 4 });
  const answered = await whole.planvm(['answer', 'last', 'Ben', '--json'], { env });
  expect(answered.code, answered.stderr).toBe(0);
  expect(JSON.parse(answered.stdout)).toMatchObject({
    answer: 'Ben is number 1',
    variables: { $third: 'Ben is number 1', 'North.$count': 2, 'Branch3.$count': 1 },
  });
  const asked = [...heard];
  heard.clear();

  using folder = new Folder({ 'x.playbook.md': program });
  const live = async (args: readonly string[]): Promise<Ended> => {
    const call = folder.start(args, { env });
    die = () => call.process.kill('SIGKILL');
    return await call.ended;
  };
  let deaths = 0;
  const goOn = async (args: readonly string[]): Promise<Ended> => {
    let ended = await live(args);
    for (; ended.signal === 'SIGKILL'; deaths++) ended = await live(['resume', 'last', '--json']);
    return ended;
  };
  expect(await goOn(start)).toMatchObject({ code: 4 });
  const ended = await goOn(['answer', 'last', 'Ben', '--json']);
  expect(ended.code, ended.stderr).toBe(0);
  expect(deaths).toBe(asked.filter((_, index) => isPoint(index + 1, stride)).length);
  expect([...heard]).toEqual(asked);
  expect(await logIn(folder)).toEqual(await logIn(whole));
});

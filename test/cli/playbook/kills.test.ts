/**
 * Programs whose process is killed: whenever they ask their model, and within a reply after a call
 * that writes. Taken up again they ask nothing else, write each once, and come to the same log.
 */

import { expect, test, vi } from 'vitest';
import { programOf, replying } from '../../playbooks/story.ts';
import { type CallOptions, type Ended, Folder } from '../../support/cli.ts';
import { isPoint } from '../../support/depth.ts';
import {
  type ServedReply,
  type ServedRequest,
  startModelServer,
} from '../../support/model-server.ts';
import { logIn } from './logged.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

/** Of requests; see `points`. */
const stride = 5;

/** A model that lets the process die, once for each request, and what it was asked. */
function deadly(reply: (request: ServedRequest) => string) {
  const heard = new Set<string>();
  let die: (() => void) | undefined;
  let deaths = 0;
  const script = (request: ServedRequest): ServedReply => {
    const body = JSON.stringify(request.body);
    const isNew = !heard.has(body);
    heard.add(body);
    if (!isNew || !die || !isPoint(heard.size, stride)) return reply(request);
    deaths++;
    die();
    return { hang: true };
  };
  const live = async (folder: Folder, args: readonly string[], options: CallOptions) => {
    const call = folder.start(args, options);
    die = () => call.process.kill('SIGKILL');
    return await call.ended;
  };
  /** What it has been asked so far, in order; it forgets that. */
  const asked = (): readonly string[] => {
    const all = [...heard];
    heard.clear();
    return all;
  };
  return { script, live, asked, deaths: () => deaths };
}

const greet = (who: string, name: string, into: string) => [
  { call: `${who}.Greet`, args: { who: name }, into },
];
const make = (args: object, into: string) => [
  { call: 'CreateAgent', args: { like: 'Branch', ...args }, into },
];

test('killed at requests to a model, several agents come to the same log', async () => {
  const model = deadly(
    replying({
      'Main:02': make({ name: 'North' }, '$north'),
      'Main:04': make({}, '$east'),
      'Main:05': greet('$north', 'Ann', '$first'),
      'Main:06': [
        ['wrote', [{ set: { name: 'Ben' } }]],
        ['', [{ say: 'Who is next?' }]],
      ],
      'Main:07': greet('$north', '$name', '$second'),
      'Main:08': greet('$east', '$name', '$third'),
    }),
  );
  await using server = await startModelServer(model.script);
  const env = server.env.openai;
  const start = ['run', 'x.playbook.md', '--model', 'openai/m', '--json'];
  const answer = ['answer', 'last', 'Ben', '--json'];
  const files = { 'x.playbook.md': programOf('branch-offices') };
  using whole = new Folder(files);
  expect(await whole.planvm(start, { env })).toMatchObject({ code: 4 });
  const answered = await whole.planvm(answer, { env });
  expect(answered.code, answered.stderr).toBe(0);
  expect(JSON.parse(answered.stdout)).toMatchObject({
    answer: 'Ben is number 1',
    variables: { $third: 'Ben is number 1', 'North.$count': 2, 'Branch3.$count': 1 },
  });
  const asked = model.asked();

  using folder = new Folder(files);
  const goOn = async (args: readonly string[]): Promise<Ended> => {
    let ended = await model.live(folder, args, { env });
    while (ended.signal === 'SIGKILL') {
      ended = await model.live(folder, ['resume', 'last', '--json'], { env });
    }
    return ended;
  };
  expect(await goOn(start)).toMatchObject({ code: 4 });
  const ended = await goOn(answer);
  expect(ended.code, ended.stderr).toBe(0);
  expect(model.deaths()).toBe(asked.filter((_, index) => isPoint(index + 1, stride)).length);
  expect(model.asked()).toEqual(asked);
  expect(await logIn(folder)).toEqual(await logIn(whole));
});

test('killed within a reply after a call that writes, it makes that call once', async () => {
  const program =
    '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
    '- Note both customers when we come\n- Return "done"\n';
  using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
  const call = (n: number) => ({ call: 'note', args: { n } });
  const begun = `${ops({ at: '01' }, { say: 'Noted.' }, call(1))}\n`;
  await using models = await startModelServer(({ index, abandoned }): ServedReply => {
    // Taken up again, it makes the call that stands once more.
    if (index > 0) return ops(call(1), call(2));
    return { text: `${begun}…`, pieces: [begun, '…'], gate: abandoned };
  });
  const env = models.env.openai;
  const more = ['--tools', './tools.ts', '--yes', 'note'];
  const run = folder.start(['run', 'x.playbook.md', '--model', 'openai/test', ...more], { env });
  let said = '';
  run.process.stdout?.on('data', (text: string) => {
    said += text;
  });
  await vi.waitUntil(() => said.includes('\n'), 20_000);
  run.process.kill('SIGKILL');
  await run.ended;
  const done = await folder.planvm(['resume', 'last', ...more], { env });
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(folder.read('notes')).toBe('1 2 ');
});

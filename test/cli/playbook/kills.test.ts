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
const stride = 3;

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

const talk = `# Desk
You are a clerk.

## Main
### Triggers
- At the beginning
### Steps
- $count = 0
- Ask user for $name
- Say("Hello {$name}")

## Poem
### Triggers
- When a poem is wanted
### Steps
- Ask user for $about
- $count = $count + 1
- Say("Roses, {$about}: number {$count}")
`;

const lines = ['Ann', 'Who are you?', 'A poem', 'Love', 'Goodbye'];

/** What comes next, by what the model has been told last. */
function replyTo({ prompt, messages }: ServedRequest): string {
  const wrote = [...prompt.matchAll(/The person (?:just )?wrote[^"]*"([^"]*)"/g)].at(-1)?.[1];
  if (prompt.startsWith('Conditions:')) {
    return JSON.stringify({ holds: wrote?.includes('poem') ? [1] : [] });
  }
  const all = messages.slice(1).map(({ content }) => content);
  const isAsk = /You are at 0[12]/.test(prompt);
  if (isAsk && all.some((content) => content.includes('## Poem'))) {
    return ops(wrote === 'Love' ? { set: { about: wrote } } : { say: 'About what?' });
  }
  if (isAsk) return ops(wrote === 'Ann' ? { set: { name: wrote } } : { say: 'Your name?' });
  return wrote === 'Goodbye'
    ? ops({ say: 'Goodbye.' }, { yield: 'exit' })
    : ops({ say: 'I am the clerk.' }, { return: null });
}

test('killed at requests to a model, a conversation comes to the same log', async () => {
  const model = deadly(replyTo);
  await using server = await startModelServer(model.script);
  const env = server.env.openai;
  const start = ['chat', 'x.playbook.md', '--model', 'openai/m'];
  const piped = (from: number): string => lines.slice(from).join('\n');
  using whole = new Folder({ 'x.playbook.md': talk });
  const told = await whole.planvm(start, { env, input: piped(0) });
  expect(told, told.stderr).toMatchObject({
    code: 0,
    stdout:
      'Your name?\nHello Ann\nI am the clerk.\nAbout what?\nRoses, Love: number 1\nGoodbye.\n',
  });
  const asked = model.asked();

  using folder = new Folder({ 'x.playbook.md': talk });
  /** The lines that it has heard. */
  const heardIn = async (): Promise<number> => {
    const shown = await folder.planvm(['show', 'last', '--json']);
    const { effects }: { effects: { name: string; status: string }[] } = JSON.parse(shown.stdout);
    return effects.filter(({ name, status }) => name === 'ask' && status === 'done').length;
  };
  let ended = await model.live(folder, start, { env, input: piped(0) });
  let stdout = ended.stdout;
  while (ended.signal === 'SIGKILL') {
    const input = piped(await heardIn());
    ended = await model.live(folder, ['resume', 'last'], { env, input });
    stdout += ended.stdout;
  }
  expect(ended.code, ended.stderr).toBe(0);
  expect(stdout).toBe(told.stdout);
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

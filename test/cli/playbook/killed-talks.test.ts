/**
 * A conversation whose process is killed whenever it asks its model: taken up again with the lines
 * that it had not heard, it says the rest, each once, and comes to the same log.
 */
import { expect, test } from 'vitest';
import { type Ended, Folder } from '../../support/cli.ts';
import { isPoint } from '../../support/depth.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { logIn } from './logged.ts';
import { ops } from './ops.ts';

const program = `# Desk
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
  const written = prompt.matchAll(/The person (?:just )?wrote[^"]*"([^"]*)"/g);
  const wrote = [...written].at(-1)?.[1];
  if (prompt.startsWith('Conditions:')) {
    return JSON.stringify({ holds: wrote?.includes('poem') ? [1] : [] });
  }
  const all = messages.map(({ content }) => content).join('\n');
  const [, at] = /(?:[Bb]egin|[Gg]o on) at line (\d+)/.exec(prompt) ?? [];
  if (all.includes('## Main')) {
    return at === '01'
      ? ops({ set: { count: 0 } }, { step: '02' }, { say: 'Your name?' }, { yield: 'user' })
      : ops({ set: { name: wrote } }, { step: '04' }, { say: 'Hello {$name}' }, { return: null });
  }
  if (all.includes('## Poem')) {
    const count = Number(/\$count = (\d+)/.exec(all)?.[1]) + 1;
    return at === '01'
      ? ops({ step: '01' }, { say: 'About what?' }, { yield: 'user' })
      : ops(
          ...[{ set: { about: wrote } }, { step: '03' }, { set: { count } }, { step: '04' }],
          ...[{ say: 'Roses, {$about}: number {$count}' }, { return: null }],
        );
  }
  return wrote === 'Goodbye'
    ? ops({ say: 'Goodbye.' }, { yield: 'exit' })
    : ops({ say: 'I am the clerk.' }, { return: null });
}

const start = ['chat', 'x.playbook.md', '--model', 'openai/m'];

/** The lines that it has heard. */
async function heardIn(folder: Folder): Promise<number> {
  const shown = await folder.planvm(['show', 'last', '--json']);
  const { effects }: { effects: { name: string; status: string }[] } = JSON.parse(shown.stdout);
  return effects.filter(({ name, status }) => name === 'ask' && status === 'done').length;
}

const piped = (from: number): string =>
  lines
    .slice(from)
    .map((line) => `${line}\n`)
    .join('');

/** Of requests; see `points`. */
const stride = 3;

test('killed at every request to a model, a conversation comes to the same log', async () => {
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
  const told = await whole.planvm(start, { env, input: piped(0) });
  expect(told).toMatchObject({
    code: 0,
    stdout:
      'Your name?\nHello Ann\nI am the clerk.\nAbout what?\nRoses, Love: number 1\nGoodbye.\n',
  });
  const asked = [...heard];
  heard.clear();

  using folder = new Folder({ 'x.playbook.md': program });
  const live = async (args: readonly string[], input: string): Promise<Ended> => {
    const call = folder.start(args, { env, input });
    die = () => call.process.kill('SIGKILL');
    return await call.ended;
  };
  let ended = await live(start, piped(0));
  let stdout = ended.stdout;
  let deaths = 0;
  for (; ended.signal === 'SIGKILL'; deaths++) {
    ended = await live(['resume', 'last'], piped(await heardIn(folder)));
    stdout += ended.stdout;
  }
  expect(ended.code, ended.stderr).toBe(0);
  expect(deaths).toBe(asked.filter((_, index) => isPoint(index + 1, stride)).length);
  expect(stdout).toBe(told.stdout);
  expect([...heard]).toEqual(asked);
  expect(await logIn(folder)).toEqual(await logIn(whole));
});

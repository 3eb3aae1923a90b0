/**
 * A process that is killed in the midst of a reply in the second round of a loop whose rounds write,
 * in a call of the model that judges a trigger, and in the one that mends a reply: each round has
 * written once, and the same is said.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, Folder } from '../../support/cli.ts';
import {
  type ServedReply,
  type ServedRequest,
  startModelServer,
} from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- For each $n in [1, 2, 3]
  - $slip = note($n)
  - Say("It is {$slip}.")
- Return $slip

## Odd
retrigger: edge
### Triggers
- When $slip sounds odd
### Steps
- Say("How odd.")
`;

type Moment = 'round' | 'judge' | 'repair';

const at = (step: string) => ({ step });

/** What a model writes that slips once, and which of the moments that is. */
function replyTo({
  prompt,
  messages,
}: ServedRequest): readonly [text: string, moment?: Moment | undefined] {
  if (messages[0]?.content.startsWith('You decide which conditions')) {
    const isOdd = !prompt.includes('noted 1');
    if (!prompt.includes('held before')) return [`{"holds":[${isOdd ? 1 : ''}]}`, 'judge'];
    return ['{"holds":[1],"still":[1]}'];
  }
  if (prompt.includes('as Odd()')) return [ops(at('01'), { say: 'How odd.' })];
  const line = [...prompt.matchAll(/(?:Begin|Go on) at line ([\d.]+\d)/g)].at(-1)?.[1] ?? '';
  const item = Number([...prompt.matchAll(/At line 01: item (\d)/g)].at(-1)?.[1] ?? 1);
  const call = [at('01.01'), { call: 'note', args: { n: '$n' }, into: '$slip' }];
  const round = (n: number): readonly object[] => [at('01'), { set: { $n: n } }, ...call];
  const wait = [at('01.02'), { yield: 'call' }];
  const isTold = prompt.includes('could not be taken further');
  if (line === '01.02') return [ops(...wait), isTold ? 'repair' : undefined];
  if (line !== '01.03') return [ops(...(line === '01' ? round(item) : call), ...wait)];
  const told = [at('01.03'), { say: 'It is {$slip}.' }];
  if (item === 3) return [ops(...told, at('02'), { return: '$slip' })];
  if (item === 1) return [ops(...told, ...round(2), ...wait), 'round'];
  return [ops(...told, ...round(3), { call: 'Nothing' })];
}

test('killed there, it writes each once, and says the same', async () => {
  const deaths: Moment[] = [];
  let die: (() => void) | undefined;
  const reply = (request: ServedRequest): ServedReply => {
    const [text, moment] = replyTo(request);
    if (!moment || !die || deaths.includes(moment)) return text;
    deaths.push(moment);
    if (moment !== 'round') {
      die();
      return { hang: true };
    }
    // All but its end: what it says is heard then.
    const begun = text.slice(0, text.lastIndexOf('{"step"'));
    return { text, pieces: [begun, text.slice(begun.length)], gate: new Promise(() => {}) };
  };
  await using models = await startModelServer(reply);
  const env = models.env.openai;
  const files = { 'x.playbook.md': program, 'tools.ts': noteTool('write') };
  const more = ['--tools', './tools.ts', '--yes', 'note'];
  const run = ['run', 'x.playbook.md', '--model', 'openai/test', ...more];
  const noted = ({ path }: Folder): string => readFileSync(join(path, 'notes'), 'utf8');

  using whole = new Folder(files);
  const { code, stdout, stderr } = await whole.planvm(run, { env });
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('It is noted 1.\nHow odd.\nIt is noted 2.\nIt is noted 3.\nnoted 3\n');

  using folder = new Folder(files);
  const live = async (args: readonly string[]): Promise<Ended> => {
    const call = folder.start(args, { env });
    die = () => call.process.kill('SIGKILL');
    call.process.stdout?.on('data', (text: string) => {
      if (text.includes('noted 1')) die?.();
    });
    return await call.ended;
  };
  let ended = await live(run);
  let said = ended.stdout;
  while (ended.signal === 'SIGKILL') {
    ended = await live(['resume', 'last', ...more]);
    said += ended.stdout;
  }
  expect(ended.code, ended.stderr).toBe(0);
  expect(deaths).toEqual(['judge', 'round', 'repair']);
  expect([said, noted(folder)]).toEqual([stdout, noted(whole)]);
});

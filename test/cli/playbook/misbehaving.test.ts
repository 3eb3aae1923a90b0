/**
 * Models that misbehave, by the command line, with a tool that writes a line into a file: what is
 * wrong is named and asked for once more; where it goes on, the run ends with what the model wrote.
 * The file has no line twice, whatever happens.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $a = note(1)
- Say("One: {$a}")
- $b = note(2)
- Say("Two: {$b}")
- Return $b
`;

const at = (step: string) => ({ step });
const note = (n: number, into: string) => ({ call: 'note', args: { n }, into });
const wait = { yield: 'call' };

const lines: Readonly<Record<string, readonly object[]>> = {
  '01': [at('01'), note(1, 'a'), at('02'), wait],
  '02': [at('02'), wait],
  '03': [at('03'), { say: 'One: {$a}' }, at('04'), note(2, 'b'), at('05'), wait],
  '04': [at('04'), note(2, 'b'), at('05'), wait],
  '05': [at('05'), wait],
  '06': [at('06'), { say: 'Two: {$b}' }, at('07'), { return: '$b' }],
  '07': [at('07'), { return: '$b' }],
};

const python = '```python\nawait self.Step("Main:01:QUE")\nself.state.a = await note(n=1)\n```';
const firstCall = /(\{"call"[^\n]*)/;

/** What a model makes of a good reply: once, and always. */
type Kind = readonly [
  name: string,
  spoilt: (good: string, line: string) => ServedReply,
  /** Of the end where it always does so; undefined where nothing stops it. */
  code: string | undefined,
  /** What is noted then. */
  notes: string,
];

const kinds: readonly Kind[] = [
  ['makes a call twice', (good) => good.replace(firstCall, '$1\n$1'), undefined, '1 2'],
  [
    'makes a second call with something else',
    (good) => good.replace(firstCall, (call) => `${call}\n${call.replace(/"n":\d/, '"n":9')}`),
    ...([undefined, '1 2'] as const),
  ],
  ['makes a call again in each reply', (good) => `${ops(note(1, 'a'))}\n${good}`, 'PV7305', '1'],
  ['writes its reply twice', (good) => `${good}\n${good}`, undefined, '1 2'],
  ['replies in two forms', (good) => `${good}\n${python}`, undefined, '1 2'],
  ['replies in two forms, in both first', (good) => `${python}\n${good}`, 'PV7309', '1'],
  [
    'names each line twice',
    (good) => good.replace(/(\{"step"[^\n]*)/g, '$1\n$1'),
    undefined,
    '1 2',
  ],
  [
    'goes back',
    (good, line) => (line === '06' ? ops(...(lines['01'] ?? [])) : good),
    'PV7309',
    '1 2',
  ],
  ['names a line that there is not', (good) => good.replace(/"0[24]"/, '"42"'), 'PV7302', '1'],
  ['leaves lines out', () => ops(at('07'), { return: 'x' }), 'PV7303', ''],
  ['calls what there is not', () => ops(at('01'), { call: 'Refund' }), 'PV7304', ''],
  [
    'stops in the midst of a reply',
    (good) => ({ text: good.slice(0, good.indexOf('"into"')), finish: 'length' }),
    ...(['PV7308', ''] as const),
  ],
  ['says nothing', () => '', 'PV4112', ''],
  ['writes prose', () => 'I think that the first note is due now.', 'PV7301', ''],
  ['is asked too often', () => ({ status: 429, headers: { 'retry-after': '0' } }), 'PV4105', ''],
  ['has a server that fails', () => ({ status: 500 }), 'PV4106', ''],
];

describe.each(kinds)('a model that %s', (_, spoilt, code, notes) => {
  const play = async (isAlways: boolean) => {
    let isSpoilt = false;
    await using models = await startModelServer(({ prompt }) => {
      const line = [...prompt.matchAll(/(?:Begin|Go on) at line (\d\d)/g)].at(-1)?.[1] ?? '07';
      const good = ops(...(lines[line] ?? []));
      const reply = isAlways || !isSpoilt ? spoilt(good, line) : good;
      isSpoilt ||= reply !== good;
      return reply;
    });
    using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
    const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note'];
    const { env } = models;
    const ended = await folder.planvm([...args, '--model', 'openai/test'], { env: env.openai });
    const file = join(folder.path, 'notes');
    return { ...ended, noted: existsSync(file) ? readFileSync(file, 'utf8').trim() : '' };
  };

  test('once, comes to the same', async () => {
    const { code: exit, stdout, noted } = await play(false);
    expect(stdout).toBe('One: noted 1\nTwo: noted 2\nnoted 2\n');
    expect([exit, noted]).toEqual([0, '1 2']);
  });

  test('always, is stopped, and nothing is done again', async () => {
    const { code: exit, stderr, noted } = await play(true);
    expect(noted).toBe(notes);
    expect(exit).toBe(code === undefined ? 0 : 1);
    if (code !== undefined) expect(stderr).toContain(`error ${code}`);
    if (code?.startsWith('PV73')) expect(stderr).toContain('It was told so once before');
  });
});

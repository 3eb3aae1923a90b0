/**
 * Models and providers that misbehave, with a tool that writes a line into a file: once, the run
 * comes to the same; always, it ends. The file never has a line twice.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Note the first one, as $a
- Say("One: {$a}")
- Note the second one, as $b
- Say("Two: {$b}")
- Return $b
`;

const note = (n: number): string =>
  ops({ at: `0${2 * n - 1}` }, { call: 'note', args: { n }, into: '$ab'[n] ?? '' });

/** What a model makes of a good reply. */
type Kind = readonly [
  name: string,
  spoilt: (good: string) => ServedReply,
  /** Of the end where it always does so; empty where nothing ends it. */
  code: string,
];

const kinds: readonly Kind[] = [
  ['makes a call twice', (good) => `${good}\n${good.split('\n')[1]}`, ''],
  ['writes its reply twice', (good) => `${good}\n${good}`, ''],
  ['writes a fence around its reply', (good) => `\`\`\`json\n${good}\n\`\`\``, ''],
  ['writes its operations as a list', (good) => `[${good.replaceAll('\n', ',\n')}]`, ''],
  ['names a line that there is not', (good) => good.replace(/"0\d"/, '"42"'), 'PV7302'],
  ['writes prose', () => 'I think that the first note is due now.', 'PV7301'],
  [
    'stops within a reply',
    (good) => ({ text: good.slice(0, good.indexOf('"into"')), finish: 'length' }),
    'PV7322',
  ],
  ['says nothing', () => '', 'PV4112'],
  ['is asked too often', () => ({ status: 429, headers: { 'retry-after': '0' } }), 'PV4105'],
  ['has a server that fails', () => ({ status: 500 }), 'PV4106'],
];

describe.each(kinds)('a model that %s', (_, spoilt, code) => {
  const play = async (replies: readonly ServedReply[]) => {
    await using models = await startModelServer(inOrder(...replies));
    using folder = new Folder({ 'x.playbook.md': program, 'tools.ts': noteTool('write') });
    const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note'];
    const { env } = models;
    const ended = await folder.planvm([...args, '--model', 'openai/test'], { env: env.openai });
    const file = join(folder.path, 'notes');
    return { ...ended, noted: existsSync(file) ? readFileSync(file, 'utf8').trim() : '' };
  };
  const whole = { code: 0, noted: '1 2', stdout: 'One: noted 1\nTwo: noted 2\nnoted 2\n' };

  test('once, comes to the same', async () => {
    const again = code === '' ? [] : [note(1)];
    const ended = await play([spoilt(note(1)), ...again, note(2)]);
    expect(ended, ended.stderr).toMatchObject(whole);
  });

  test('always, comes to the same or is stopped, and nothing is done again', async () => {
    const all = code === '' ? [spoilt(note(1)), spoilt(note(2))] : [spoilt(note(1))];
    const ended = await play(all);
    expect(ended).toMatchObject(code === '' ? whole : { code: 1, noted: '' });
    if (code !== '') expect(ended.stderr).toContain(`error ${code}`);
  });
});

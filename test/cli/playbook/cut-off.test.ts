/**
 * A model that takes its time: what a variable sets off cuts its reply off. The request is cancelled,
 * and what comes after that never acts.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedReply, startModelServer } from '../../support/model-server.ts';
import { noteTool } from './note-tool.ts';
import { ops } from './ops.ts';

const program = (trigger: string) => `# Shop
## Main
### Triggers
- At the beginning
### Steps
- Add up what the visitor owes as $total
- Say("Ordered.")
- Return $total

## Stop
### Triggers
- When ${trigger}
### Steps
- Say("Too dear.")
- End program
`;

const set = { set: { total: 900 } };
const order = { call: 'note', args: { n: 7 } };

/** How much of a reply comes before it is cut off, and the rest. */
const forms: Readonly<Record<string, readonly [string, string]>> = {
  lines: [`${ops(set)}\n`, ops(order)],
  'a fence': [`\`\`\`json\n${ops(set)}\n`, `${ops(order)}\n\`\`\``],
  'a list': [`[${ops(set)},\n`, `${ops(order)}]`],
};

test.each([
  ...['lines', 'a fence', 'a list'].map((form) => ['the machine', form] as const),
  ['a model', 'lines'] as const,
])('where %s decides: %s', async (who, form) => {
  const [begun = '', rest = ''] = forms[form] ?? [];
  const isJudged = who === 'a model';
  // A model judges before what comes next is done.
  const first = isJudged ? `${begun}${rest}\n` : begun;
  const cancelled: number[] = [];
  await using server = await startModelServer(({ index, abandoned }): ServedReply => {
    void abandoned.then(() => cancelled.push(index));
    if (index > 0) return '{"holds": [1]}';
    // The rest would come only when nobody listens any more.
    return { text: begun + rest, pieces: [first, rest], gate: abandoned };
  });
  const trigger = isJudged ? '$total sounds like a lot' : '$total > 500';
  using folder = new Folder({ 'x.playbook.md': program(trigger), 'tools.ts': noteTool('write') });
  const args = ['run', 'x.playbook.md', '--tools', './tools.ts', '--yes', 'note'];
  const ran = await folder.planvm([...args, '--model', 'openai/test'], { env: server.env.openai });
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'Too dear.\n' });
  expect(cancelled).toEqual([0]);
  expect(server.requests).toHaveLength(isJudged ? 2 : 1);
  expect(existsSync(join(folder.path, 'notes'))).toBe(false);
});

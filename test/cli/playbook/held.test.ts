/** A run of playbooks under the debugger: what lies behind a line that is stopped at has not begun. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 4
- order($n)
- Say("done")
- Return $n
`;

const tools = `import { appendFileSync } from 'node:fs';
const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const run = ({ n }) => {
  appendFileSync('orders.log', n + '\\n');
  return 'ordered';
};
export default [{ name: 'order', description: 'Orders.', parameters, effect: 'write', run }];
`;

test('the reply is there, and what a line does is not done before one goes there', async () => {
  const reply = ops(
    ...[{ step: '01' }, { set: { n: 4 } }, { step: '02' }, { call: 'order', args: { n: '$n' } }],
    ...[{ step: '03' }, { say: 'done' }, { step: '04' }, { return: '$n' }],
  );
  await using models = await startModelServer(inOrder(reply));
  using folder = new Folder({ 'x.playbook.md': text, 'tools.mjs': tools });
  const env = { ...models.env.openai };
  const log = join(folder.path, 'orders.log');
  const held = await folder.planvm(
    [
      ...['debug', 'x.playbook.md', '--tools', './tools.mjs', '--model', 'openai/test'],
      ...['--yes', 'order', '--break', 'Main:02 if $n == 4'],
    ],
    { env, input: 'print $n\neffects turn\n' },
  );
  expect(held.stdout).toMatch(/step Main:02 QUE order\(\$n\)\n▶ {4}8 - order\(\$n\)\n4\nnone\n$/);
  expect(held.stderr).toContain('x.playbook.md (playbook), begun');
  expect(existsSync(log)).toBe(false);
  const resumed = await folder.planvm(['resume', 'last'], { env });
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('4') });
  expect(readFileSync(log, 'utf8')).toBe('4\n');
  const shown = (await folder.planvm(['show', 'last'])).stdout;
  expect(shown).toContain('Main:02 QUE  order($n)  :8\n    ✔ order  0#2');
  expect(shown).toContain('» done');
});

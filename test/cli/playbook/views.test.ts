/** What a person sees of a run of playbooks: what it is, where its effects stand, each saying once. */
import { expect, test, vi } from 'vitest';
import { personBy } from '../../../src/cli/process/terminal-person.ts';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Greet them
- Return 7
`;

test('a run of playbooks is called one, wherever it is named', async () => {
  await using models = await startModelServer(() => ops({ say: 'Hello' }));
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const ran = await folder.planvm(['run', 'x.playbook.md', '--model', 'openai/test'], { env });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(/^run r\w+: x\.playbook\.md \(playbook\)\n/);
  expect(ran.stderr).toContain('Main:01 turn');
  expect((await folder.planvm(['show', 'last'])).stdout).toContain('x.playbook.md (playbook)');
  const listed = async (): Promise<unknown> =>
    JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
  expect(await listed()).toMatchObject([{ dialect: 'playbook' }]);
});

test('what was said last is not put once more as the question', async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  try {
    const person = personBy(async () => 'Sunday');
    const question = {
      kind: 'question',
      effect: '0#1',
      step: '',
      tool: 'ask',
      question: 'Which day?',
    } as const;
    person.heard?.('Which day?');
    await person.answer(question, undefined, new AbortController().signal);
    expect(lines.join('\n')).not.toContain('Which day?');
    await person.answer(question, undefined, new AbortController().signal);
    expect(lines.join('\n')).toContain('? Which day?');
  } finally {
    spy.mockRestore();
  }
});

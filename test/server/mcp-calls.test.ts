/** What the tools of planvm's own MCP server do, called without a client and without a terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openAgent } from '../../src/agent/agent.ts';
import { workspaceFor } from '../../src/agent/options.ts';
import { RunStopped } from '../../src/agent/port/errors.ts';
import type { AgentEvent } from '../../src/agent/port/events.ts';
import { RunError } from '../../src/engine/codes.ts';
import { type Client, ownCalls, type ServerHost } from '../../src/server/mcp/calls.ts';
import { failureOf } from '../../src/server/mcp/failure.ts';
import { Folder } from '../support/cli.ts';

function serverOf(folder: Folder): { host: ServerHost; client: Client; heard: AgentEvent[] } {
  const heard: AgentEvent[] = [];
  const host: ServerHost = {
    openWorkspace: () => workspaceFor({ journal: join(folder.path, 'runs.db') }),
    report: () => {},
  };
  const hear = (event: AgentEvent): void => void heard.push(event);
  return { host, heard, client: { hear, signal: new AbortController().signal } };
}

const playbooks = `# Sum
## Main($a)
### Triggers
- At the beginning
### Steps
- $b = $a + 1
- Return $b
`;

test('a client may check playbooks and run them', async () => {
  using folder = new Folder();
  const { host, client, heard } = serverOf(folder);
  const program = playbooks;
  const checked = await ownCalls.check(host, { program, inputs: ['a'] }, client);
  expect(checked).toMatchObject({ ok: true, dialect: 'playbook' });
  const done = await ownCalls.run(host, { program, inputs: { a: 4 } }, client);
  expect(done).toMatchObject({ status: 'done', answer: 5 });
  expect(heard.map(({ type }) => type)).toEqual(expect.arrayContaining(['run.began', 'ended']));
});

test('nothing is made where there is no run yet', async () => {
  using folder = new Folder();
  const { host, client } = serverOf(folder);
  for (const name of ['resume', 'answer', 'show', 'runs'] as const) {
    const call = ownCalls[name](host, { run: 'last' }, client);
    await expect(call).rejects.toMatchObject({ code: 'PV6012' });
  }
  expect(existsSync(join(folder.path, 'runs.db'))).toBe(false);
});

test('an answer to a run that another process has is left with it', async () => {
  using folder = new Folder();
  const { host, client } = serverOf(folder);
  await using other = await openAgent({
    journal: join(folder.path, 'runs.db'),
    tools: [],
  });
  const session = other.run('a = ask("Who?", timeout = 600)\nanswer(a)\n');
  const asked = Promise.withResolvers<string>();
  session.subscribe((event) => {
    if (event.type === 'run.event' && event.event.type === 'effect.started')
      asked.resolve(event.run);
  });
  const run = await asked.promise;
  expect(await ownCalls.answer(host, { run, answer: 'Ada' }, client)).toEqual({
    ...{ run, resumed: false },
  });
  expect(await session.end).toMatchObject({ status: 'done', answer: 'Ada' });
});

test('what has failed is told in terms of tools, with the run that can go on', () => {
  const gone = new RunStopped(new RunError('PV5109', 'the disk is full', { run: 'r1' }), 'r1');
  expect(failureOf(gone)).toEqual({
    ...{ code: 'PV5109', message: 'the disk is full', hint: 'resume goes on with the run r1' },
  });
  expect(failureOf(new Error('oops'))).toMatchObject({ code: 'PV6099', hint: null });
});

/** Cases in process: what they run, on which settings, and what they may do. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentSettings } from '../../src/agent/port/settings.ts';
import { findCases } from '../../src/cases/case-file.ts';
import { type CaseResult, runCase } from '../../src/cases/run-case.ts';
import { Folder } from '../support/cli.ts';

/** Runs the cases below the folder, and expects from now on what they do. */
async function update(
  folder: Folder,
  settings: AgentSettings = { limits: {} },
): Promise<readonly CaseResult[]> {
  const workspace = {
    ...{ settings, origins: {}, env: {}, home: join(folder.path, '.planvm') },
    ...{ servers: () => [], hasServers: false, unread: undefined },
  };
  const results: CaseResult[] = [];
  for (const testCase of findCases(folder.path, undefined)) {
    results.push(await runCase(testCase, workspace, true));
  }
  return results;
}

const expectedOf = (folder: Folder, name: string): unknown =>
  JSON.parse(folder.read(`${name}/expected.json`));

const tools = `export default [{ name: 'send', description: 'Sends.', effect: 'write', destructive: true,
  parameters: { type: 'object', properties: { key: { type: 'string' } } }, run: () => 'sent' }];`;

test('a program that fails, or is none, can be what is expected', async () => {
  using folder = new Folder({
    'bad/case.json': { program: 'p.star' },
    'bad/p.star': 'answer(nobody)',
    'fails/case.json': { program: 'p.star', inputs: { n: 0 } },
    'fails/p.star': 'print("so far")\nanswer(1 // n)',
  });
  expect(await update(folder)).toMatchObject([{ name: 'bad', updated: true }, { name: 'fails' }]);
  expect(expectedOf(folder, 'bad')).toMatchObject({ status: 'invalid', error: { line: 1 } });
  expect(expectedOf(folder, 'fails')).toMatchObject({
    status: 'failed',
    messages: [{ value: 'so far' }],
  });
  expect(await update(folder)).toMatchObject([
    { ok: true, updated: false },
    { ok: true, updated: false },
  ]);
});

test('of approvals, only what the case says counts', async () => {
  using folder = new Folder({
    'tools.mjs': tools,
    'asks/case.json': { program: 'p.star', tools: ['../tools.mjs'] },
    'asks/p.star': 'answer(send(key = "x"))',
    'sends/case.json': { program: 'p.star', tools: ['../tools.mjs'], yes: ['send'] },
    'sends/p.star': 'answer(send(key = "x"))',
  });
  await update(folder, { limits: {}, approve: 'none', yes: ['send'] });
  expect(expectedOf(folder, 'asks')).toMatchObject({ status: 'waiting', effects: [] });
  expect(expectedOf(folder, 'sends')).toMatchObject({
    status: 'done',
    effects: [{ tool: 'send', outcome: { value: 'sent' } }],
  });
});

test('the limits of the case count', async () => {
  using folder = new Folder({
    'many/case.json': { program: 'p.star', limits: { effects: 5 } },
    'many/p.star': 'answer([uuid() for n in range(9)])',
  });
  await update(folder);
  expect(expectedOf(folder, 'many')).toMatchObject({ status: 'suspended', reason: 'limit' });
});

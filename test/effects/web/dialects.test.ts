/** A page read by a program of every notation, through the real command line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { planvm } from '../../support/cli.ts';
import { startSite } from './site.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-notations-'));
afterAll(() => rmSync(folder, { recursive: true }));

const json = (steps: readonly object[]): string => JSON.stringify(steps);

test.each<[string, string, (url: string) => string]>([
  [
    'stackvm-1',
    'plan.json',
    (url) =>
      json([
        { seq_no: 0, type: 'download', parameters: { url, output_var: 'page' } },
        {
          seq_no: 1,
          type: 'assign',
          parameters: { value: '{{page.title}}', var_name: 'final_answer' },
        },
      ]),
  ],
  [
    'stackvm-2',
    'plan2.json',
    (url) =>
      json([
        {
          ...{ seq_no: 0, type: 'calling' },
          parameters: { tool: 'WebHelpers.get_url', params: { url }, output_vars: 'page' },
        },
        { seq_no: 1, type: 'assign', parameters: { final_answer: `\${page.title}` } },
      ]),
  ],
  ['starlark', 'plan.star', (url) => `answer(WebHelpers.get_url("${url}")["title"])\n`],
  [
    'llmcompiler',
    'plan.llmcompiler',
    (url) => `1. WebHelpers.get_url["${url}"]\n2. join($1.title)\n`,
  ],
  [
    'react',
    'said.react',
    (url) =>
      `Thought: read it.\nAction: WebHelpers.get_url["${url}"]\nObservation: Tides\n` +
      'Thought: that is the title.\nAction: Finish[Tides]\n',
  ],
])('%s', async (dialect, name, program) => {
  await using site = await startSite({
    '/tides': { body: '<title>Tides</title><p>High water comes twice a day.</p>' },
  });
  const file = join(folder, name);
  writeFileSync(file, program(`${site.url}/tides`));
  const args = [
    'run',
    file,
    '--dialect',
    dialect,
    '--tools',
    'planvm:web?private=loopback',
    '--json',
  ];
  const env = { PLANVM_HOME: join(folder, 'home') };
  const { stdout, stderr, code } = await planvm(args, { cwd: folder, env });
  expect(stderr).not.toMatch(/error PV/);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: 'Tides' });
  expect(site.asked).toContain('/tides');
});

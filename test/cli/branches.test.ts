/** `planvm tree` and `planvm diff`: runs beside one another. */
import { afterAll, describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `
  const parameters = { type: 'object', properties: { key: { type: 'string' } } };
  export default [
    { name: 'find', description: 'Finds.', effect: 'read', parameters,
      run({ key }) {
        if (key === 'nowhere') throw new Error('there is no such place');
        return { place: key, depths: [12, key.length] };
      } },
  ];`;

const city = {
  seq_no: 0,
  type: 'assign',
  execution_objective: 'Name the city.',
  parameters: { city: 'Paris' },
};
const plan = [
  city,
  calling(1, 'find', { key: ref('city') }, 'found'),
  answering(2, `${ref('found')}`),
];

interface Family {
  readonly folder: Folder;
  readonly base: string;
  /** With another city, that one with another plan, and one that failed. */
  readonly rome: string;
  readonly short: string;
  readonly failed: string;
}

async function family(): Promise<Family> {
  const folder = new Folder({
    'plan.json': plan,
    'short.json': [...plan.slice(0, 2), answering(2, 'short')],
    'tools.mjs': tools,
  });
  const made = async (...args: string[]): Promise<string> => {
    const { stdout } = await folder.planvm([...args, '--json']);
    return JSON.parse(stdout).run;
  };
  const base = await made('run', 'plan.json', '--tools', 'tools.mjs');
  const rome = await made('fork', base, '--at', '1', '--set', 'city=Rome');
  const short = await made('fork', rome, '--at', '2', '--program', 'short.json');
  const failed = await made(
    'fork',
    base,
    '--at',
    '1',
    '--set',
    'city=nowhere',
    '--note',
    'why not',
  );
  return { folder, base, rome, short, failed };
}

describe('a family of runs', async () => {
  const { folder, base, rome, short, failed } = await family();
  afterAll(() => folder[Symbol.dispose]());

  test.each([[base], [short]])(
    'is a tree from its root, whoever of it is asked for',
    async (run) => {
      const { code, stdout } = await folder.planvm(['tree', run]);
      const answer = (place: string, depth: number): string =>
        `→ {"place":"${place}","depths":[12,${depth}]}`;
      const lines = stdout
        .replaceAll(/ {2}[\d.smh ]+ ago/g, '')
        .replace('  ←', '')
        .split('\n');
      expect(lines).toEqual([
        `${base}  done  plan.json  ${answer('Paris', 5)}`,
        `├─ ${rome}  done  at 1: city="Rome"  ${answer('Rome', 4)}`,
        `│  └─ ${short}  done  at 2: “short.json”  → short`,
        expect.stringContaining(`└─ ${failed}  failed  at 1: city="nowhere", “why not”  `),
        '',
      ]);
      expect(stdout.split('\n').find((line) => line.endsWith('←'))).toContain(run);
      expect(code).toBe(0);
    },
  );

  test('is a document with --json', async () => {
    const { stdout } = await folder.planvm(['tree', rome, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ run: base, status: 'done', answer: { place: 'Paris' } },
      forks: [
        {
          ...{ run: rome, edit: { at: '1', set: { city: '"Rome"' } }, base: { run: base } },
          forks: [{ run: short, answer: 'short' }],
        },
        { run: failed, status: 'failed', forks: [] },
      ],
    });
  });

  test('differ in programs, calls, variables, answers and what they used', async () => {
    const { code, stdout } = await folder.planvm(['diff', base, short]);
    expect(stdout.replaceAll(/\d+ms/g, '1ms')).toBe(
      `${base} → ${short}

program
@@ -1,1 +1,1 @@
-${folder.read('plan.json')}
+${folder.read('short.json')}

first difference
  effect 0#1 at step 1: another call
  ${base}  find {"key":"Paris"} → {"place":"Paris","depths":[12,5]}
  ${short}  find {"key":"Rome"} → {"place":"Rome","depths":[12,4]}

variables
  ~ city  "Paris" → "Rome"
  ~ found.place  "Paris" → "Rome"
  ~ found.depths[1]  5 → 4
  ~ final_answer  {"place": "Paris", "depths": [12, 5]} → "short"

answer
  ${base}  {"place":"Paris","depths":[12,5]}
  ${short}  "short"

used
  ${base}  1 effect · 1ms
  ${short}  0 effects · 1ms
`,
    );
    expect(code).toBe(0);
  });

  test('differ in how they ended', async () => {
    const { stdout } = await folder.planvm(['diff', base, failed, '--json']);
    const { runs, program, effect, variables } = JSON.parse(stdout);
    expect(runs).toMatchObject([
      { run: base, status: 'done' },
      { run: failed, status: 'failed', error: { step: '1' } },
    ]);
    expect(program).toEqual([]);
    expect(effect).toMatchObject({ what: 'request', id: '0#1' });
    expect(variables).toContainEqual({
      ...{ change: 'changed', path: 'city', before: '"Paris"', after: '"nowhere"' },
    });
    const text = await folder.planvm(['diff', base, failed]);
    expect(text.stdout).toContain(`status\n  ${base}  done\n  ${failed}  failed  PV`);
  });

  test('does not differ from itself', async () => {
    const { stdout } = await folder.planvm(['diff', rome, rome]);
    expect(stdout).toContain(`${rome} → ${rome}\n\nno difference\n`);
  });

  test('that was forked from a deleted run begins with the fork', async () => {
    await folder.planvm(['delete', rome, '--yes']);
    const { stdout } = await folder.planvm(['tree', short]);
    expect(stdout).toMatch(new RegExp(`^${short} {2}done`));
    const diff = await folder.planvm(['diff', base, short]);
    expect(diff.code).toBe(0);
  });
});

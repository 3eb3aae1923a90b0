/** Answers of tools that are kept between runs: who is refused, how they are seen and dropped. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const tools = `import { appendFileSync } from 'node:fs';
export default [
  { name: 'price', description: 'A price.', effect: 'read',
    parameters: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
    run({ of }) { appendFileSync('asked.txt', of + '\\n'); return of.length; } },
  { name: 'buy', description: 'Buys.', effect: 'write', run: () => null },
];`;

test('an answer is given again in other runs until it is dropped or the tool is changed', async () => {
  using folder = new Folder({
    'p.star': 'answer(price("NVDA") + price("AMD"))\n',
    'tools.ts': tools,
    'planvm.config.json': { toolLimits: { price: { cacheMs: '1h' } } },
  });
  const run = async (...more: string[]) =>
    await folder.planvm(['run', 'p.star', '--tools', 'tools.ts', ...more]);
  const asked = () => folder.read('asked.txt').trim().split('\n').length;
  expect((await run()).stdout).toBe('7\n');
  expect((await run()).stdout).toBe('7\n');
  expect(asked()).toBe(2);
  const shown = await folder.planvm(['show', 'last', '--sources']);
  expect(shown.stdout).toMatch(/cache:price\s+\d{4}-\d\d-\d\dT/);
  await run('--tool-limit', 'price.cacheMs=0');
  expect(asked()).toBe(4);
  const dropped = await folder.planvm(['gc', '--cache', 'price']);
  expect(dropped.stdout).toMatch(/^dropped 2 kept answers: /);
  await run();
  expect(asked()).toBe(6);
  folder.write('tools.ts', tools.replace('of.length', 'of.length + 1'));
  expect((await run()).stdout).toBe('9\n');
  const refused = await run('--tool-limit', 'buy.cacheMs=1h');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('PV6033');
  expect(refused.stderr).toContain('buy has cacheMs, but it writes');
});

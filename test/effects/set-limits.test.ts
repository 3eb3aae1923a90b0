/** Limits that a set is told by its options: what they do, and what is no number for one. */
import { expect, test } from 'vitest';
import { filesSet } from '../../src/effects/files/set.ts';
import { openSet } from '../../src/effects/tool-set.ts';
import { toolSets } from '../../src/effects/tool-sets.ts';
import { attempt } from '../support/attempt.ts';
import { Sandbox } from './files/sandbox.ts';

const limited = [...toolSets.values()].flatMap((set) =>
  Object.entries(set.options).flatMap(([name, { limit }]) =>
    limit ? [[`planvm:${set.name}`, name, set, limit.most] as const] : [],
  ),
);

test('sets have limits that can be told', () => {
  const names = limited.map(([set, name]) => `${set} ${name}`);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['planvm:files characters', 'planvm:edgar exhibits', 'planvm:linkedin results'],
      ...['planvm:data facts', 'planvm:web pages'],
    ]),
  );
});

test.each(limited)('%s: %s has a default, and bounds', async (_set, name, set, most) => {
  expect(set.options[name]?.default).toMatch(/^[1-9]\d*$/);
  expect(Number(set.options[name]?.default)).toBeLessThanOrEqual(most);
  for (const given of ['0', '-1', 'many', String(most + 1)]) {
    await expect(openSet(set, { [name]: given }, {})).rejects.toThrow(
      `want a number from 1 to ${most}`,
    );
  }
});

const filesOf = async (box: Sandbox, options: Readonly<Record<string, string>>) => {
  const handlers = await openSet(filesSet, { read: box.data, write: box.out, ...options }, {});
  return async (tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown> =>
    await handlers.find(({ spec }) => spec.name === tool)?.perform(args, attempt());
};

test.each([
  ['characters', '4', 'read_file', { path: 'data/a.txt' }, /got 5 characters, want at most 4/],
  ['listed', '1', 'list_files', {}, /more than 1 files were listed/],
  [
    ...(['writeMegabytes', '1', 'write_file'] as const),
    { path: 'out/a.txt', text: 'x'.repeat(2 ** 20 + 1) },
    /want at most 1048576/,
  ],
])('files: %s=%s bounds %s', async (option, most, tool, args, message) => {
  using box = new Sandbox({ 'a.txt': 'abcde', 'b.txt': '' });
  const placed = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [
      key,
      key === 'path' ? `${box.top}/${value}` : value,
    ]),
  );
  const tight = await filesOf(box, { [option]: most });
  await expect(tight(tool, placed)).rejects.toThrow(message);
  const usual = await filesOf(box, {});
  await expect(usual(tool, placed)).resolves.toBeDefined();
});

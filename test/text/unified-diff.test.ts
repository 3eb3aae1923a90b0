/** Unified diffs: their form, and that they lead from the one text to the other. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/text/unified-diff.ts';

test('equal texts do not differ, whatever their last line ends with', () => {
  expect(unifiedDiff('a\nb\n', 'a\nb')).toEqual([]);
  expect(unifiedDiff('', '')).toEqual([]);
});

test('changes stand in hunks with the lines around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
  const after = ['a', 'B', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
  expect(unifiedDiff(before.join('\n'), after.join('\n'))).toEqual([
    '@@ -1,5 +1,5 @@',
    ...[' a', '-b', '+B', ' c', ' d', ' e'],
    '@@ -9,4 +9,3 @@',
    ...[' i', ' j', ' k', '-l'],
  ]);
  expect(unifiedDiff('', 'new')).toEqual(['@@ -0,0 +1 @@', '+new']);
});

/** The text that a diff makes of another one. */
function applied(before: string, diff: readonly string[]): string {
  const lines = before === '' ? [] : before.split('\n');
  const made: string[] = [];
  let next = 0;
  for (const line of diff) {
    const [, start = '', count = '1'] = /^@@ -(\d+)(?:,(\d+))?/.exec(line) ?? [];
    if (start !== '') {
      const first = Number(start) - (Number(count) > 0 ? 1 : 0);
      made.push(...lines.slice(next, first));
      next = first;
    } else if (line.startsWith('+')) made.push(line.slice(1));
    else {
      expect(line.slice(1)).toBe(lines[next]);
      if (line.startsWith(' ')) made.push(line.slice(1));
      next++;
    }
  }
  return [...made, ...lines.slice(next)].join('\n');
}

/** How many lines the longest common subsequence has. */
function common(a: readonly string[], b: readonly string[]): number {
  let row: number[] = new Array(b.length + 1).fill(0);
  for (const one of a) {
    const next = [0];
    b.forEach((other, j) => {
      next.push(one === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}

test('a diff leads from one text to the other, with as few lines as can be', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });
  fc.assert(
    fc.property(lines, lines, (a, b) => {
      const diff = unifiedDiff(a.join('\n'), b.join('\n'));
      expect(applied(a.join('\n'), diff)).toBe(b.join('\n'));
      const changes = diff.filter((line) => /^[-+]/.test(line));
      expect(changes).toHaveLength(a.length + b.length - 2 * common(a, b));
    }),
    { numRuns: 1000 },
  );
});

test('long texts with nothing in common are replaced', () => {
  const text = (word: string): string =>
    Array.from({ length: 3000 }, (_, i) => `${word} ${i}`).join('\n');
  const diff = unifiedDiff(text('a'), text('b'));
  expect(diff.slice(0, 2)).toEqual(['@@ -1,3000 +1,3000 @@', '-a 0']);
  expect(diff).toHaveLength(6001);
});

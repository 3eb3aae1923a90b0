/** The datasets that come with planvm: their form, and that they can be answered offline. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDataset } from '../../../src/bench/dataset.ts';
import { score } from '../../../src/bench/score.ts';
import { planvm } from '../../support/cli.ts';
import { root } from '../../support/repo.ts';

const folder = join(root, 'datasets');
const titles = Object.keys(JSON.parse(readFileSync(join(folder, 'articles.json'), 'utf8')));

interface Own {
  readonly id: string;
  readonly question: string;
  readonly answer: string | number;
  /** Titles of the articles that the answer follows from. */
  readonly about: readonly string[];
}

const own = (name: string): Own[] => JSON.parse(readFileSync(join(folder, name), 'utf8'));

const names = ['comparison.json', 'movies.json', 'parallel.json'];

describe.each(names)('%s', (name) => {
  const { items } = readDataset(join(folder, name));

  test('has 12 to 20 questions, each with articles that it can be answered from', () => {
    expect(items.length).toBeGreaterThanOrEqual(12);
    expect(items.length).toBeLessThanOrEqual(20);
    const missing = own(name).flatMap(({ about }) => about.filter((one) => !titles.includes(one)));
    expect(missing).toEqual([]);
  });

  test('its answers are right by their own rule', () => {
    for (const { label } of items) {
      if (label.kind === 'text') expect(score(label.text, label).corrected).toBe(true);
    }
  });
});

test('films are alike four to one: the answer is one of four options', () => {
  for (const { question, answer, about } of own('movies.json')) {
    const [, options = ''] = question.split('\nOptions:\n');
    expect(options.split('\n')).toHaveLength(4);
    expect(options.split('\n')).toContain(answer);
    expect(about).toHaveLength(8);
  }
});

test('numbers follow from the articles as their questions say', () => {
  const answers = new Map(own('parallel.json').map(({ id, answer }) => [id, answer]));
  expect(Object.fromEntries(answers)).toMatchObject({
    ...{ p01: 4806 + 4478, p02: 2.317, p03: 26.82, p04: 1931 - 1889, p05: 65 + 35 },
    ...{ p06: -68.59, p07: 4 - 4, p08: 5.486, p09: 26 + 47 + 79, p12: 250.5 },
    ...{ p10: 1724.67, p13: 1.881, p15: 1 + 6 + 7 + 8 + 26, p16: 2.651 },
  });
});

describe('twenty-four.csv', () => {
  const { items } = readDataset(join(folder, 'twenty-four.csv'));

  test.each(items.map(({ id, label }) => [id, label] as const))(
    'puzzle %s has a solution',
    (_, label) => {
      const numbers = label.kind === 'twenty-four' ? label.numbers : [];
      const solution = solve(numbers.map((number) => [number, String(number)]));
      expect(solution).toBeDefined();
      expect(score(solution ?? '', label)).toEqual({ published: true, corrected: true });
    },
  );
});

type Part = readonly [value: number, text: string];

/** By trying all: two numbers become one, until one is left. */
function solve(parts: readonly Part[]): string | undefined {
  const [only] = parts;
  if (only && parts.length === 1) return Math.abs(only[0] - 24) < 1e-9 ? only[1] : undefined;
  for (const [i, [a, x]] of parts.entries()) {
    for (const [j, [b, y]] of parts.entries()) {
      if (i === j) continue;
      const rest = parts.filter((_, at) => at !== i && at !== j);
      const made: Part[] = [
        [a + b, `(${x} + ${y})`],
        [a - b, `(${x} - ${y})`],
        [a * b, `(${x} * ${y})`],
        ...(b === 0 ? [] : [[a / b, `(${x} / ${y})`] as const]),
      ];
      for (const one of made) {
        const found = solve([...rest, one]);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

describe('tools for the game of 24', () => {
  const call = async (tool: string, numbers: readonly unknown[]) => {
    const args = ['tools', 'call', tool, '--tools', join(folder, 'tools.mjs'), '--json'];
    const { stdout, stderr } = await planvm([...args, JSON.stringify({ numbers })]);
    return stdout === '' ? stderr : JSON.parse(stdout);
  };

  test('propose: each step once, with fractions', async () => {
    expect(await call('propose', [3, 8])).toEqual([
      { step: '3 - 8 = -5', left: ['-5'] },
      { step: '3 / 8 = 3/8', left: ['3/8'] },
      { step: '3 + 8 = 11', left: ['11'] },
      { step: '3 * 8 = 24', left: ['24'] },
      { step: '8 - 3 = 5', left: ['5'] },
      { step: '8 / 3 = 8/3', left: ['8/3'] },
    ]);
    expect(await call('propose', [0, '8/3', 4])).toContainEqual({
      step: '8/3 - 4 = -4/3',
      left: ['0', '-4/3'],
    });
  });

  test.each([
    [[4, 9, 10, 13], 'sure'],
    [['8/3', 3, 8], 'sure'],
    [[24], 'sure'],
    [[1, 1, 1, 1], 'impossible'],
    [[0, 0], 'impossible'],
  ])('evaluate %j: %s', async (numbers, word) =>
    expect(await call('evaluate', numbers)).toBe(word),
  );

  test('what is no number, and too many', async () => {
    expect(JSON.stringify(await call('evaluate', ['x']))).toContain('want a whole number');
    expect(JSON.stringify(await call('propose', [1, 2, 3, 4, 5]))).toContain('want one to four');
  });
});

test.each([
  ['Mont Blanc', 'Mont Blanc is the highest mountain of the Alps.'],
  ['the matterhorn', 'The Matterhorn is a mountain'],
  ['Bach', 'Johann Sebastian Bach was'],
  ['Mercury', 'Mercury is a chemical element'],
  ['Godfather', 'Could not find Godfather. Similar: ["The Godfather","The Godfather Part II"].'],
  ['The Godfather', 'The Godfather is a gangster film of 1972'],
  ['the', 'Could not find the. Similar: [].'],
])('search finds %s', async (entity, text) => {
  const args = ['tools', 'call', 'search', '--tools', join(folder, 'tools.mjs')];
  const { stdout } = await planvm([...args, JSON.stringify({ entity })]);
  expect(stdout).toContain(text);
});

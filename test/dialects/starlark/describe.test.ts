/** What a planner is told of the language: all of it there, and what it shows is right. */
import { expect, test } from 'vitest';
import { describeAbsent } from '../../../scripts/reference/starlark.ts';
import { deviations } from '../../../scripts/reference/starlark-deviations.ts';
import { typeRows } from '../../../scripts/reference/starlark-types.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { functionRows, nameOf } from '../../../src/dialects/starlark/describe/library.ts';
import { starlark } from '../../../src/dialects/starlark/index.ts';
import { universe } from '../../../src/dialects/starlark/resolve/universe.ts';
import { run } from '../../../src/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { environment } from '../stackvm/plans.ts';

const text = starlark.describe(environment('city', 'report'));

test('reads as it did', async () => {
  await expect(text).toMatchFileSnapshot('../../golden/describe/starlark.md');
});

test('names every name that a program knows, but for those of control loops', () => {
  const inLoops = functionRows.filter(({ told }) => told === 'nothing').map(nameOf);
  for (const name of universe) if (!inLoops.includes(name)) expect(text).toContain(name);
});

test('shows tools as functions with their parameters, and inputs', () => {
  expect(text).toMatch(
    /^- `weather\(place: string, days: integer = 1, unit: "C" \| "F" = …, .+\)`: Tells the/m,
  );
  expect(text).toContain('set before the first line: `city`, `report`.');
  const alone = starlark.describe({ tools: new Map(), inputs: [] });
  expect(alone).not.toMatch(/## Tools|## Inputs|A model sees/);
});

test('has an example that runs as it says', async () => {
  const [, example = ''] = /```starlark\n([^`]*)```/.exec(text) ?? [];
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const spec = toolSpec({ name: 'weather', description: '', effect: 'read', parameters });
  let calls = 0;
  let most = 0;
  const weather = {
    spec,
    async perform({ city }: Readonly<Record<string, unknown>>): Promise<unknown> {
      most = Math.max(most, ++calls);
      await new Promise((done) => setImmediate(done));
      calls--;
      return { temperature: String(city).length === 4 ? 25 : 4 };
    },
  };
  const { answer } = await run(example, { dialect: 'starlark', tools: [weather] });
  expect(answer).toBe('Go to Oslo: 25 degrees.');
  expect(most).toBe(3);
});

test.each(typeRows)('an example of $name is of that type', async ({ name, example }) => {
  const { answer } = await run(`answer(type(${example}))`, { dialect: 'starlark' });
  expect(answer).toBe(name);
});

test('every word that is not there is refused, or is no name', () => {
  const listed = [/^- Not there: (.*);/m.exec(text)?.[1] ?? '', ...describeAbsent()];
  const words = listed.flatMap((line) =>
    [...line.matchAll(/`(\w+)`(?=[,:]|$)/g)].map(([, word]) => word),
  );
  expect(words.length).toBeGreaterThan(60);
  for (const word of words) {
    const { ok } = checkProgram(`x = ${word}`, { tools: new Map(), inputs: [] }, starlarkOnly);
    expect(`${word} ${ok}`).toBe(`${word} false`);
  }
});

const starlarkOnly = { dialect: 'starlark' };

test('each deviation says what, where, and why', () => {
  for (const row of deviations) {
    for (const said of Object.values(row)) expect(said.length).toBeGreaterThan(5);
  }
});

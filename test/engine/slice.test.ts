/** How long the machine runs before others get their turn. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { Slice } from '../../src/engine/upkeep.ts';
import type { Program } from '../../src/program/program.ts';
import { byName, quickTool, start } from './support.ts';

const programOf = (dialect: string): Program => ({ dialect }) as Program;

test('those of a plan begin short, and grow up to those of other programs', () => {
  const slice = new Slice(programOf('llmcompiler'));
  const sizes = Array.from({ length: 9 }, () => {
    const { instructions } = slice;
    slice.grow();
    return instructions;
  });
  expect(sizes).toEqual([1000, 2000, 4000, 8000, 16000, 32000, 64000, 100_000, 100_000]);
  slice.reset();
  expect(slice.instructions).toBe(1000);
});

test('any other program is run as far as it comes', () => {
  const slice = new Slice(programOf('starlark'));
  slice.grow();
  slice.reset();
  expect(slice.instructions).toBe(100_000);
});

test('what a plan begins with has ended before all of it has been asked for', async () => {
  const ended: number[] = [];
  const asked: number[] = [];
  const handlers = byName(
    quickTool('read', ({ x }) => {
      asked.push(Number(x));
      void Promise.resolve().then(() => ended.push(asked.length));
      return Number(x);
    }),
  );
  const count = 600;
  const lines = Array.from({ length: count }, (_, i) => `${i + 1}. read[{"x": ${i}}]`);
  const text = `${lines.join('\n')}\n${count + 1}. join($1)\n`;
  const specs = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const environment = { tools: specs, inputs: [] };
  const { program } = checkProgram(text, environment, { dialect: 'llmcompiler' });
  if (!program) throw new Error('the plan has errors');
  const limits = { concurrency: 2 * count };
  const { status } = await start({ program, handlers, limits, dialect: 'llmcompiler' }).result;
  expect(status).toBe('done');
  expect(asked).toHaveLength(count);
  // None of them waits for another: one slice would have let all of them go at once.
  expect(ended[0]).toBeLessThan(count / 2);
});

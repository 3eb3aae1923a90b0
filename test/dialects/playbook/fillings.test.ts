/** What quotes may have between braces, and what is said of it before anything runs. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { program } from './written.ts';

const search = toolSpec({ name: 'Search', description: '', parameters: {} });
const environment = { tools: new Map([['Search', search]]), inputs: [] };

const stepsSaid = (steps: string): string[] =>
  checkProgram(program(steps), environment, { dialect: 'playbook' }).diagnostics.map(
    ({ code, line, message }) => `${line}: ${code} ${message}`,
  );

describe('what stands between braces in quotes', () => {
  const filled = (text: string): string[] => stepsSaid(`- $n = 1\n- ${text}\n- Return $n`);

  test.each([
    ...['{$n * 2}', '{$n.upper()}', '{$n if $n else 0}', '{$n[0]}', '{ $n }', '{len($n)}'],
    ...['{$n:.2f}', '{$n / 3:,.1f}', '{$n:>8}'],
    ...['{"a": "{$n}"}', '{words of any kind}', '{a, b}'],
  ])('may be an expression, or words: %s', (text) => {
    expect(filled(`Say(${JSON.stringify(text)})`)).toEqual([]);
  });

  test.each([
    ['Say("It is {$n euros}")', '{$n euros}', 'is no expression'],
    ['$b = "It is {$n:.2 f}"', '{$n:.2 f}', 'is no expression'],
    ['Search("{$n.pop()}")', '{$n.pop()}', 'calls .pop'],
    ['If "{$n ** 2}" == "4", Say("a")', '{$n ** 2}', 'has **'],
    ['Return "{[x for x in $n]}"', '{[x for x in $n]}', 'is more than is computed there'],
  ])('is an error elsewhere: %s', (line, written, problem) => {
    expect(filled(line)).toContain(`8: PV2445 got ${written} in quotes, which ${problem}`);
  });
});

test('code between braces is text, whatever it calls', () => {
  const [found, ...more] = checkProgram(program('- Say("go: { run(); }")'), environment, {
    dialect: 'playbook',
  }).diagnostics;
  expect([found?.code, found?.severity]).toEqual(['PV2404', 'warning']);
  expect(more).toEqual([]);
});

test('a quote that something is filled into is no constant', () => {
  expect(stepsSaid('- $n = 1\n- If "{$n}" == "3", Say("a")')).toEqual([]);
});

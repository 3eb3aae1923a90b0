/** Loops whose rounds cannot change what they go on for are warned of, and no others. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { program } from './written.ts';

const parameters = { type: 'object', properties: { n: { type: 'integer' } } } as const;
const ping = toolSpec({ name: 'Ping', description: 'Pings.', effect: 'write', parameters });

function warned(round: string, rest = '', head = 'While $n < 3'): string[] {
  const steps = `- $n = 0\n- ${head}\n${round}\n- Return $n\n`;
  const environment = { tools: new Map([['Ping', ping]]), inputs: [] };
  const { diagnostics } = checkProgram(program(steps, rest), environment, { dialect: 'playbook' });
  return diagnostics.flatMap(({ code, line, column, message, hint }) =>
    code === 'PV2447' ? [`${line}:${column} ${message} (${hint})`] : [],
  );
}

const hint = 'set $n under the line, or leave the loop there with Break or Return';
const endless = `8:9 got While $n < 3, and nothing in its rounds sets $n (${hint})`;

describe('warned of are rounds that', () => {
  test.each([
    ['say something', '  - Say("x")', ''],
    ['call a tool', '  - $m = Ping(1)', ''],
    [
      'call a function that computes',
      '  - $m = F(1)',
      '```tools\ndef F(x):\n    return x + 1\n```\n',
    ],
    ['call a playbook that sets others', '  - G()', '## G\n### Steps\n- $m = 1\n'],
    ['call each other in a circle', '  - G()', '## G\n### Steps\n- $m = 1\n- G()\n'],
    [
      'have a trigger that sets others',
      '  - $m = 1',
      '## G\n### Triggers\n- When $m == 1\n### Steps\n- $k = 1\n',
    ],
    ['break out of a loop of their own', '  - While $m < 3\n    - $m = 4\n    - Break', ''],
  ])('%s', (_, round, rest) => {
    expect(warned(round, rest)).toEqual([endless]);
  });

  test('are of a condition in words that is computed', () => {
    const [told] = warned('  - Say("x")', '', 'While $n is less than 3');
    expect(told).toContain('got While $n is less than 3, and nothing in its rounds sets $n');
  });
});

describe('not warned of are rounds that', () => {
  test.each([
    ['set it', '  - $n += 1', ''],
    ['set it under a condition', '  - If $m\n    - $n = 5', ''],
    ['take what a tool gives', '  - $n = Ping(1)', ''],
    ['go through a list with it', '  - For each $n in [1, 2]\n    - Say("x")', ''],
    ['leave the loop', '  - If $m\n    - Break', ''],
    ['return', '  - Return 1', ''],
    ['are put in words', '  - Do something about it', ''],
    ['say something in words', '  - Say how far we are', ''],
    ['wait for the user', '  - Ask user for $m', ''],
    ['wait', '  - Wait 5 seconds', ''],
    ['call a method of it', '  - $n.append(1)', ''],
    [
      'call a playbook that sets it',
      '  - G()',
      '## G\n### Steps\n- H()\n## H\n### Steps\n- $n = 1\n',
    ],
    ['call a playbook that takes it', '  - G(1)', '## G($n)\n### Steps\n- $m = 1\n'],
    ['call a playbook in words', '  - G()', '## G\nDo what is to be done.\n'],
    ['call a function that sets it', '  - F()', '```tools\ndef F():\n    state["n"] = 4\n```\n'],
    [
      'call a function that plays',
      '  - F()',
      '```tools\ndef F():\n    return G()\n```\n## G\n### Steps\n- $n = 1\n',
    ],
    ['call what there is not', '  - Nothing()', ''],
    [
      'set off what sets it',
      '  - $m = 1',
      '## G\n### Triggers\n- When $m == 1\n### Steps\n- $n = 5\n',
    ],
  ])('%s', (_, round, rest) => {
    expect(warned(round, rest)).toEqual([]);
  });

  test.each([
    'While $n < 3 (up to 3 times)',
    'While the user is unhappy about $n',
    'While $n < 3 and happy',
    'While Ping($n) < 3',
    'While true',
    'For each $k in $n',
    'Three times',
  ])('are of %s', (head) => {
    expect(warned('  - Say("x")', '', head)).toEqual([]);
  });
});

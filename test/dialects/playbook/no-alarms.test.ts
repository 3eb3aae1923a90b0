/** What `planvm check` is silent about, as there is nothing wrong with it. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program } from './written.ts';

const found = (text: string): string[] => {
  const environment = { tools: new Map(), inputs: [] };
  return checkProgram(text, environment, { dialect: 'playbook' }).diagnostics.map(
    ({ code, message }) => `${code} ${message}`,
  );
};

test.each([
  ['- If $n is not set\n  - $n = 0\n- $n = $n + 1\n- Return $n'],
  ['- Unless $n has been set\n  - $n = 0\n- Return $n'],
  [
    '- Ask the user whether to proceed, store yes or no in $proceed\n- If $proceed is "yes"\n  - Say("on")',
  ],
])('a question whether there is a value, and where an answer is kept: %s', (lines) => {
  expect(found(program(lines))).toEqual([]);
});

test('a value that is compared is still to be set before', () => {
  expect(found(program('- If $n is 3\n  - Say("x")'))[0]).toMatch(/^PV2406/);
});

test('a playbook without steps sets what its description names, and only reads between braces', () => {
  const lines = '- Research("bees")\n- $n = the number of $findings\n- Return $n';
  const rest = (about: string): string => `\n## Research($topic)\n${about}\n`;
  const about = 'Find out about {$topic}. Put what you found in $findings.';
  expect(found(program(lines, rest(about)))).toEqual([]);
  const braces = about.replace('$findings', '{$findings}');
  expect(found(program(lines, rest(braces))).join()).toContain('PV2406 got $findings');
});

test('a program that only messages set off begins in a talk', () => {
  const text = (trigger: string): string =>
    `# Desk\n## Help\n### Triggers\n- ${trigger}\n### Steps\n- Say("hi")\n`;
  expect(found(text('When the user asks for help'))).toEqual([]);
  expect(found(text('When the event order_paid arrives'))).toEqual([]);
  expect(found(text('When $n > 3')).join()).toContain('PV2414');
});

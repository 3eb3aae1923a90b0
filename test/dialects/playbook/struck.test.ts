/** Text that is struck out is not done, and a warning says so. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { fileOf, program, stepsOf } from './written.ts';

const warnings = (steps: string): string[] => {
  const environment = { tools: new Map(), inputs: [] };
  const { diagnostics } = checkProgram(program(steps), environment, { dialect: 'playbook' });
  return diagnostics.map(
    ({ code, line, message, severity }) => `${line} ${severity} ${code} ${message}`,
  );
};

test.each([
  ['- ~~Say "a"~~\n- Return 1', ['01:RET 1']],
  ['- [ ] ~~Say "a"~~.\n- Return 1', ['01:RET 1']],
  ['- Say "a" ~~and F(1)~~', ['01:QUE Say(user, "a")']],
  ['- ~~F(1)~~ Return 1', ['01:RET 1']],
  ['- ~~If $x~~:\n  - Say "a"\n- Return 1', ['01:RET 1']],
  ['- If $x\n  - ~~Say "a"~~\n  - Say "b"', ['01:CND If $x', '01.01:QUE Say(user, "b")']],
  ['- Say "~~old~~ new"', ['01:QUE Say(user, "~~old~~ new")']],
  ['- Say "a~~b"\n- Say "c~~"', ['01:QUE Say(user, "a~~b")', '02:QUE Say(user, "c~~")']],
])('%j', (lines, steps) => {
  expect(stepsOf(lines)).toEqual(steps);
});

test('lines keep the numbers that they are seen to have', () => {
  expect(stepsOf('1. Go to step 3\n2. ~~Say "a"~~\n3. Say "b"')[0]).toBe('01:JMP 02');
  expect(stepsOf('1. Go to step 2\n2. ~~Say "a"~~\n3. Say "b"')[0]).toBe('01:JMP 02');
});

test('each is told', () => {
  const text = 'got text that is struck out: it is not done';
  expect(warnings('- ~~Say "a"~~\n- Say "b" ~~again~~\n- Return 1')).toEqual([
    `7 warning PV1423 ${text}`,
    `8 warning PV1423 ${text}`,
  ]);
  expect(warnings('- ~~If 1 > 2~~\n  - Say "a"\n  - Say "b"\n- Return 1')).toEqual([
    `7 warning PV1423 ${text}, nor the 2 lines under it`,
  ]);
  expect(warnings('- Say "~~a~~"\n- Return 1')).toEqual([]);
});

test('triggers and notes, too', () => {
  const text =
    '# A\n## Main\n### Triggers\n- At the beginning\n- ~~When $x is 3~~\n### Steps\n- Return 1\n';
  const [main] = fileOf(`${text}### Notes\n- ~~Be brief~~\n- Be kind`).agents[0]?.playbooks ?? [];
  expect(main?.triggers.map((one) => one.text)).toEqual(['At the beginning']);
  expect(main?.notes.map((one) => one.text)).toEqual(['Be kind']);
});

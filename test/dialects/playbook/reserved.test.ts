/** Names that lines mean something else by: who uses one for a playbook is told. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program, stepsOf } from './written.ts';

const said = (text: string): string[] =>
  checkProgram(text, { tools: new Map(), inputs: [] }, { dialect: 'playbook' }).diagnostics.map(
    ({ code, column, hint, line, message }) => `${line}:${column} ${code} ${message}; ${hint}`,
  );

const book = (head: string): string => program('- Return 1', `## ${head}\n### Steps\n- Return 2\n`);

test.each(['Return', 'Say($x)', 'Ask', 'End program'])(
  'a playbook that none can call: %s',
  (head) => {
    const name = head === 'End program' ? 'EndProgram' : head.replace('($x)', '');
    const message = `got a playbook of the name ${name}, by which lines mean something else`;
    expect(said(book(head))).toEqual([
      `8:4 PV2448 ${message}: none can call it; give it another name`,
    ]);
  },
);

test.each(['Break', 'Continue'])('a playbook that a line calls with brackets alone: %s', (name) => {
  const message = `got a playbook of the name ${name}: a line that is this word alone does not`;
  expect(said(book(name))).toEqual([
    `8:4 PV2448 ${message} call it; give it another name, or call it as ${name}()`,
  ]);
  expect(stepsOf(`- While $x\n  - ${name}()`, `## ${name}\n### Steps\n- $x = 1`)[1]).toBe(
    `01.01:QUE ${name}()`,
  );
});

test('a function that none can call', () => {
  const code = '```tools\ndef Say(x):\n    return x\n```\n';
  expect(said(book('Other').replace('## Main', `${code}## Main`))).toEqual([
    '4:5 PV2448 got a function of the name Say, by which lines mean something else: none can call ' +
      'it; give it another name',
  ]);
});

test('one that need not be called by lines is nobody’s trouble, nor is a longer name', () => {
  expect(said(book('Return\n### Triggers\n- When the guest gives something back'))).toEqual([]);
  expect(said(book('Return the bike'))).toEqual([]);
});

test('a return with nothing between brackets returns nothing', () => {
  expect(stepsOf('- Return()')).toEqual(['01:RET']);
  expect(stepsOf('- Return (1 + 2)')).toEqual(['01:RET (1 + 2)']);
});

/** Conditions and loops whose line has more than its head, or has nothing at all behind it. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { program, stepsOf } from './written.ts';

const codesOf = (steps: string): string[] =>
  checkProgram(program(steps), { tools: new Map(), inputs: ['a'] }, { dialect: 'playbook' })
    .diagnostics.map(({ code }) => code)
    .filter((code) => code !== 'PV2406');

test.each([
  'If the user is rude end the chat',
  'Unless the guest has paid stop',
  'If the guest agrees leave them alone',
  'If it rains close the window',
  'If necessary close the window',
  'Otherwise if the user is rude end the chat',
  'While the user is rude repeat the question',
  'For each $x in $list say hello',
  'Repeat 3 times',
  'If $a > 3 (three is the limit)',
  'If $a is 7 (say "x") otherwise say "y"',
])('where its condition ends nobody can say: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
  expect(codesOf(`- ${line}`)).toEqual([]);
});

test.each([
  'If the user is rude',
  'If they do not answer',
  'If it rains',
  'If the guest agrees',
  'If the guest wants a refund',
  'If somebody asks for the bill',
  'If no order was found and the guest is here',
  'If the number is greater than 10',
  'If there are no more items',
  'Unless $a is 7',
  'If Sub($a)',
])('a condition with nothing under it is said to be one: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:CND ${line}`]);
  expect(codesOf(`- ${line}`)).toContain('PV2418');
});

test.each(['While there are more', 'Until $a is 7', 'For each $x in $list', 'For each order'])(
  'so is a loop: %s',
  (line) => {
    expect(stepsOf(`- ${line}`)).toEqual([`01:LOP ${line}`, '01.01:JMP 01']);
    expect(codesOf(`- ${line}`)).toContain('PV2418');
  },
);

test('what is to be done may stand in brackets', () => {
  const steps = ['01:CND If $a > 3', '01.01:QUE Say(user, "x")'];
  expect(stepsOf('- If $a > 3 (say "x")')).toEqual(steps);
  expect(stepsOf('- If $a > 3 (say "x").')).toEqual(steps);
});

test('what stands in the line of a head comes before what stands under it', () => {
  expect(stepsOf('- If $a is 7, say "x"\n  - Return 1')).toEqual([
    '01:CND If $a is 7',
    '01.01:QUE Say(user, "x")',
    '01.02:RET 1',
  ]);
  expect(stepsOf('- For each $x in $list: say "x"\n  - F($x)', '', ['F'])).toEqual([
    ...['01:LOP For each $x in $list', '01.01:QUE Say(user, "x")'],
    ...['01.02:QUE F($x)', '01.03:JMP 01'],
  ]);
  expect(stepsOf('- If $a\n  - Say "a"\n- Otherwise, say "b"\n  - Return 1').slice(2)).toEqual([
    ...['02:ELS Otherwise', '02.01:QUE Say(user, "b")', '02.02:RET 1'],
  ]);
});

test.each([
  'If $a is 7, $b is 8 or they agree',
  'If it is late, dark or cold',
  'If $kind is one of a, b, c',
  'If there is a problem, such as a delay',
  'If the order, once placed, is late',
  'If $a is 7, then',
  'If $a is 7, do the following',
])('a head over a block has commas of its own: %s', (line) => {
  expect(stepsOf(`- ${line}:\n  - Return 1`)).toEqual([`01:CND ${line}`, '01.01:RET 1']);
});

test.each([
  'If the user is rude, apologise:',
  'If $a is 7, apologise and leave:',
  'If $a is 7, say "x", otherwise say "y"',
])('what else is in it may be done there, and is not lost: %s', (line) => {
  expect(stepsOf(`- ${line}\n  - Return 1`)).toEqual([`01:EXE? ${line}`, '01.01:RET 1']);
});

test.each([
  'For each $i, $x in enumerate($all)',
  'For each $name, $price in $all',
  'For each $n in 1, 2 and 3',
  'For each order, in turn',
])('a loop over a block has items with commas: %s', (line) => {
  expect(stepsOf(`- ${line}\n  - F($x)`, '', ['F'])[0]).toBe(`01:LOP ${line}`);
});

test.each([
  ['Repeat:', 'Until $a is 3', 'until $a is 3'],
  ['Do the following', 'While $a is empty.', 'while $a is empty'],
])('a loop may say behind its block how long: %s', (head, end, text) => {
  expect(stepsOf(`- ${head}\n  - F(1)\n- ${end}\n- Return 1`, '', ['F'])).toEqual([
    ...[`01:LOP Do the following ${text}`, '01.01:QUE F(1)', '01.02:JMP 01', '02:RET 1'],
  ]);
});

test('a loop behind one is another one', () => {
  const lines = '- Repeat 3 times:\n  - F(1)\n- Until $a is 3\n  - F(2)';
  expect(stepsOf(lines, '', ['F']).filter((row) => row.includes('LOP'))).toEqual([
    ...['01:LOP Repeat 3 times', '02:LOP Until $a is 3'],
  ]);
});

test('nothing is to be done', () => {
  const rest = '- Return 1';
  const steps = ['01:CND If $a is 7', '01.01:JMP 02', '02:RET 1'];
  expect(stepsOf(`- If $a is 7, do nothing\n${rest}`)).toEqual(steps);
  expect(stepsOf(`- If $a is 7\n  - Do nothing.\n${rest}`)).toEqual(steps);
  expect(stepsOf('- If $a is 7, then nothing, otherwise say "a"\n- Return 1')).toEqual([
    ...['01:CND If $a is 7', '01.01:JMP 03', '02:ELS Otherwise', '02.01:QUE Say(user, "a")'],
    '03:RET 1',
  ]);
  expect(stepsOf('- For each $x in $list\n  - If $x is 7, do nothing')).toEqual([
    ...[
      '01:LOP For each $x in $list',
      '01.01:CND If $x is 7',
      '01.01.01:JMP 01.02',
      '01.02:JMP 01',
    ],
  ]);
});

test('what is done otherwise behind an open condition is open, too, and may be left out', () => {
  const steps = '- If $a, F(1). Then F(2).\n- Otherwise\n  - Return 2\n- Return 3';
  expect(stepsOf(steps, '', ['F'])).toEqual([
    ...['01:EXE? If $a, F(1). Then F(2).', '02:EXE? Otherwise', '02.01:RET 2', '03:RET 3'],
  ]);
  expect(
    codesOf('- If the user is rude end the chat\n- Otherwise\n  - Return 2\n- Return 3'),
  ).toEqual([]);
});

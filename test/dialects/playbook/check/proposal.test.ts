import { expect, it } from 'vitest';
import {
  type ProposedStep,
  verifyProposal,
} from '../../../../src/dialects/playbook/check/proposal.ts';
import { flatLines } from '../../../../src/dialects/playbook/compiled.ts';
import { readPlaybooks } from '../../../../src/dialects/playbook/source/read.ts';
import { toolSpec } from '../../../../src/program/effect.ts';

const weather = toolSpec({
  name: 'weather',
  description: 'The weather of a day',
  parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
});

const source = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Ask the visitor for the $day of their trip
- Look up the weather of $day as $sky
- If it is going to rain
  - Tell them to bring 2 coats
  - Say("Goodbye")
- Otherwise
  - Tell them that the $sky is fine, "bring a hat"
- If they are not happy
  - Go to step 1
- Return $sky
`;

/** `L2 02:QUE …`, a step each. */
const stepsIn = (text: string): ProposedStep[] =>
  text.split('\n').map((row) => {
    const [, line = '', number = '', code = '', words = ''] =
      /^(\w+) ([\d.]+):(\w{3}) ?(.*)$/.exec(row.trim()) ?? [];
    return { line, number, code, text: words };
  });

const good = `L1 01:QUE Ask user for $day
L2 02:QUE $sky = weather($day)
L3 03:CND If it is going to rain
L4 03.01:EXE Tell them to bring 2 coats
L5 03.02:QUE Say("Goodbye")
L6 04:ELS Otherwise
L7 04.01:QUE Say("bring a hat")
L7 04.02:EXE Tell them that the $sky is fine
L8 05:CND If they are not happy
L9 05.01:JMP 01
L10 06:RET $sky`;

function verified(text: string) {
  const { file } = readPlaybooks(source);
  const steps = text === '' ? [] : stepsIn(text);
  const { compiled, problems } = verifyProposal(file, new Map([['Desk.Main', steps]]), [weather]);
  const lines = flatLines(compiled.agents[0]?.playbooks[0]?.lines ?? []);
  return {
    problems: problems.map(({ line, message }) => `${line} ${message}`.trim()),
    lines: lines.map(({ number, code, text: words }) => `${number}:${code} ${words}`),
  };
}

it('takes steps that hold', () => {
  expect(verified(good)).toEqual({
    problems: [],
    lines: [
      '01:QUE Ask user for $day',
      '02:QUE $sky = weather($day)',
      '03:CND If it is going to rain',
      '03.01:EXE Tell them to bring 2 coats',
      '03.02:QUE Say("Goodbye")',
      '04:ELS Otherwise',
      '04.01:QUE Say("bring a hat")',
      '04.02:EXE Tell them that the $sky is fine',
      '05:CND If they are not happy',
      '05.01:JMP Go to step 01',
      '06:RET Return $sky',
    ],
  });
});

/** What replaces what in the good steps, and what is said of it. */
const defects: Readonly<Record<string, readonly [string, string, ...(readonly string[])]>> = {
  'a line without a step': ['L2 02:QUE $sky = weather($day)\n', '', 'L2 it has no step'],
  'a number twice': ['L2 02:', 'L2 01:', 'L2 got the number 01 twice'],
  'a gap in the numbers': ['L10 06:', 'L10 07:', 'L10 got the number 07, want 06'],
  'steps in another order': [
    'L7 04.01:QUE Say("bring a hat")\nL7 04.02:EXE Tell them that the $sky is fine',
    'L7 04.01:EXE Tell them that the $sky is fine\nL4 04.02:EXE Tell them to bring 2 coats',
    'L4 its step 04.02 stands after those of L7',
  ],
  'a line of nowhere': ['L10 06:', 'L11 06:', 'got a step 06 of L11, want one of L1 to L10'],
  'a block that was flattened': [
    'L5 03.02:QUE Say("Goodbye")\nL6 04:ELS',
    'L5 04:QUE Say("Goodbye")\nL6 05:ELS',
    'L5 its step 04 does not stand under L3',
  ],
  'a line that was put into a block': [
    'L10 06:RET',
    'L10 05.02:RET',
    'L10 its step 05.02 stands under L8, which the line does not',
  ],
  'words in quotes that nobody wrote': [
    'Say("bring a hat")',
    'Say("bring two hats")',
    'L7 got "bring two hats", which the line does not have',
  ],
  'a number that nobody wrote': ['2 coats', '3 coats', 'L4 got 3, which the line does not have'],
  'a variable that is lost': ['the $sky is fine', 'it is fine', 'L7 none of its steps has $sky'],
  'a call of what there is not': [
    '$sky = weather($day)',
    '$sky = forecast($day)',
    'L2 there is no playbook, function or tool forecast: want the name of a playbook, of a function or of a tool',
  ],
  'a call without its argument': [
    '$sky = weather($day)',
    '$sky = weather(when=$day)',
    'L2 got the argument when for weather, which has no such parameter: it has day',
    'L2 got no day for weather, which needs it',
  ],
  'somebody who is nobody': [
    'Ask user for $day',
    'Ask visitor for $day',
    'L1 got a line to somebody: "visitor" is nobody in this file: a model does the line as its words say; # NAME:Human declares a person',
  ],
  'a condition that became a loop': [
    'L3 03:CND If it is going to rain',
    'L3 03:LOP While it is going to rain',
    'L3 got LOP, want the CND of the line',
  ],
  'a jump to nowhere': [
    'L4 03.01:EXE Tell them to bring 2 coats',
    'L4 03.01:JMP 09',
    'L4 got a jump to 09, want the number of a step',
  ],
};

it.each(Object.entries(defects))('tells of %s', (_, [from, to, ...problems]) => {
  expect(good).toContain(from);
  expect(verified(good.replace(from, to)).problems).toEqual(expect.arrayContaining(problems));
});

it('leaves a line that does not hold as it is written, alone', () => {
  const { lines } = verified(good.replace('weather($day)', 'forecast($day)'));
  expect(lines).toEqual(
    verified(good).lines.map((line) =>
      line.startsWith('02') ? '02:EXE Look up the weather of $day as $sky' : line,
    ),
  );
});

it('gives jumps the numbers that steps have afterwards', () => {
  const doubled = good
    .replace('L1 01:QUE', 'L1 01:TNK about the visitor\nL1 02:QUE')
    .replace('L2 02', 'L2 03')
    .replaceAll(/(?<=L[345] )03/g, '04')
    .replaceAll(/(?<=L[67] )04/g, '05')
    .replaceAll(/(?<=L[89] )05/g, '06')
    .replace('L10 06', 'L10 07');
  expect(verified(doubled).lines).toContain('06.01:JMP Go to step 01');
  // The last line to stay as it is written is the first one.
  const { lines } = verified(doubled.replace('Ask user for $day', 'Ask "whom" for $day'));
  expect(lines[0]).toBe('01:EXE Ask the visitor for the $day of their trip');
  expect(lines).toContain('05.01:JMP Go to step 01');
});

it('leaves a playbook as it is written where nothing is said of it, or nothing holds', () => {
  const { lines, problems } = verified('');
  expect(problems).toEqual(['no steps were given']);
  expect(lines[0]).toBe('01:EXE Ask the visitor for the $day of their trip');
  expect(verified('L1 01:RET').lines.slice(1)).toEqual(lines.slice(1));
});

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

/** `02 > QUE …`, a step each. */
const stepsIn = (text: string): ProposedStep[] =>
  text.split('\n').map((row) => {
    const [, line = '', levels = '', code = '', words = ''] =
      /^([\d.]+) (>*) ?(\w{3}) ?(.*)$/.exec(row.trim()) ?? [];
    return { line, depth: levels.length, code, text: words };
  });

const good = `01 QUE Ask user for $day
02 QUE $sky = weather($day)
03 CND If it is going to rain
03.01 EXE Tell them to bring 2 coats
03.02 QUE Say("Goodbye")
04 ELS Otherwise
04.01 QUE Say("bring a hat")
04.01 EXE Tell them that the $sky is fine
05 CND If they are not happy
05.01 JMP 01
06 RET $sky`;

function verified(text: string) {
  const { file } = readPlaybooks(source);
  const steps = text === '' ? [] : stepsIn(text);
  const { compiled, problems } = verifyProposal(file, new Map([['Desk.Main', steps]]), [weather]);
  const lines = flatLines(compiled.agents[0]?.playbooks[0]?.lines ?? []);
  return {
    problems: problems.map((problem) => problem.replace(/^Desk.Main:([\d.]+):/, '$1')),
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
  'a line without a step': ['02 QUE $sky = weather($day)\n', '', '02 it has no step'],
  'a line of nowhere': ['06 RET', '11 RET', '11 got a step of 11, want one of 01 to 06'],
  'words in quotes that nobody wrote': [
    'Say("bring a hat")',
    'Say("bring two hats")',
    '04.01 got "bring two hats", which the line does not have',
  ],
  'a number that nobody wrote': ['2 coats', '3 coats', '03.01 got 3, which the line does not have'],
  'a variable that is lost': ['the $sky is fine', 'it is fine', '04.01 none of its steps has $sky'],
  'a call of what there is not': [
    '$sky = weather($day)',
    '$sky = forecast($day)',
    '02 there is no playbook, function or tool forecast: want the name of a playbook, of a function or of a tool',
  ],
  'a call without its argument': [
    '$sky = weather($day)',
    '$sky = weather(when=$day)',
    '02 got the argument when for weather, which has no such parameter: it has day',
    '02 got no day for weather, which needs it',
  ],
  'somebody who is nobody': [
    'Ask user for $day',
    'Ask visitor for $day',
    '01 "visitor" is nobody in this file',
  ],
  'a condition that became a loop': [
    '03 CND If it is going to rain',
    '03 LOP While it is going to rain',
    '03 got LOP, want the CND of the line',
  ],
  'a jump to nowhere': [
    '03.01 EXE Tell them to bring 2 coats',
    '03.01 JMP 19',
    '03.01 got a jump to 19, want the number of a line',
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

it('gives jumps the numbers that steps have afterwards, and lines under others their place', () => {
  const more = good
    .replace('01 QUE', '01 TNK about the visitor\n01 QUE')
    .replace('04.01 QUE', '04.01 CND If $sky == "bring a hat"\n04.01 > QUE')
    .replace('05 CND', '05 EXE Look at them\n05 CND')
    .replace('05.01 JMP 01\n', '');
  expect(verified(more)).toEqual({
    problems: [],
    lines: [
      '01:TNK Think about the visitor',
      '02:QUE Ask user for $day',
      '03:QUE $sky = weather($day)',
      '04:CND If it is going to rain',
      '04.01:EXE Tell them to bring 2 coats',
      '04.02:QUE Say("Goodbye")',
      '05:ELS Otherwise',
      '05.01:CND If $sky == "bring a hat"',
      '05.01.01:QUE Say("bring a hat")',
      '05.02:EXE Tell them that the $sky is fine',
      '06:EXE Look at them',
      '07:CND If they are not happy',
      '07.01:JMP Go to step 01',
      '08:RET Return $sky',
    ],
  });
  // A line that stays as it is written is one step again.
  const { lines } = verified(more.replace('Ask user for $day', 'Ask "whom" for $day'));
  expect(lines[0]).toBe('01:EXE Ask the visitor for the $day of their trip');
  expect(lines).toContain('06.01:JMP Go to step 01');
});

it('leaves a playbook as it is written where nothing is said of it', () => {
  const { lines, problems } = verified('');
  expect(problems).toContain('01 it has no step');
  expect(lines[0]).toBe('01:EXE Ask the visitor for the $day of their trip');
});

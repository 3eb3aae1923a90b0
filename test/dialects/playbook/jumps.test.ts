/** Lines that leave loops, or go on with their next round: in loops, and where there are none. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { settle } from '../../../src/dialects/playbook/check/settle.ts';
import { fileOf, program, rows, stepsOf } from './written.ts';

const stray = (text: string): string[] => {
  const environment = { tools: new Map(), inputs: [] };
  const { diagnostics } = checkProgram(text, environment, { dialect: 'playbook' });
  return diagnostics.flatMap(({ code, line, message }) =>
    code === 'PV2408' ? [`${line}: ${message}`] : [],
  );
};

describe('in no loop, to go on is to come to the next line', () => {
  test.each<[string, string[]]>([
    ['- Say("a") and continue', ['01:QUE Say(user, "a")', '02:RET']],
    [
      '- $x = F(1) and continue\n- Say("b")',
      ['01:QUE $x = F(1)', '02:JMP 03', '03:QUE Say(user, "b")'],
    ],
    ['- Ask for $x, then continue.', ['01:QUE Say(user, Ask for $x)', '03:RET']],
    [
      '- If $x > 5, say "much" and continue\n- Return $x',
      ['01:CND If $x > 5', '01.01:QUE Say(user, "much")', '01.02:JMP 02', '02:RET $x'],
    ],
    [
      '- If $x > 5, continue, otherwise say "few"\n- Return 1',
      ['01:CND If $x > 5', '01.01:JMP 03', '02:ELS Otherwise', '02.01:QUE Say(user, "few")'].concat(
        '03:RET 1',
      ),
    ],
    ['- Continue if $x > 5\n- Return $x', ['01:CND If $x > 5', '01.01:JMP 02', '02:RET $x']],
    ['- Go on with the next one\n  - Say("a")', ['01:JMP 02', '02:QUE Say(user, "a")']],
    [
      '- For each $x in $all\n  - Say("a")\n- Say("b") and continue',
      ['01:LOP For each $x in $all', '01.01:QUE Say(user, "a")', '01.02:JMP 01'].concat(
        ...['02:QUE Say(user, "b")', '03:RET'],
      ),
    ],
  ])('%s', (lines, want) => {
    const steps = stepsOf(lines, '', ['F']);
    expect(steps.filter((row) => !/YLD for user/.test(row))).toEqual(want);
    expect(stray(program(lines))).toEqual([]);
  });

  test('the beginning is gone back to by words that say so', () => {
    for (const line of [
      ...['Start over', 'Go back to step 1', 'Begin again', 'Repeat from the first step'],
      ...['Repeat from the beginning', 'Go back to the start.', 'Start again at the first line'],
    ]) {
      expect(stepsOf(`- Say("a")\n- ${line}`)).toEqual(['01:QUE Say(user, "a")', '02:JMP 01']);
    }
  });
});

test('a line is gone back to by what it says, where one alone says so', () => {
  const lines = '- Say("a")\n- Ask the user what the problem is\n- If $x, ';
  const to = (line: string): string | undefined => stepsOf(lines + line).at(-1);
  expect(to('go back to asking what the problem is')).toBe('04.01:JMP 02');
  expect(to('repeat from "Ask the user what the problem is"')).toBe('04.01:JMP 02');
  for (const line of ['go back to the garden', 'repeat the first step', 'go back to asking']) {
    expect(to(line)).toBe(`04.01:EXE? ${line}`);
  }
  const twice = `${lines}go back to asking what the problem is\n- Ask what the problem is`;
  expect(stepsOf(twice)).toContain('04.01:EXE? go back to asking what the problem is');
});

test('a model may say which line of its playbook a line goes back to', () => {
  const file = fileOf(program('- Say("a")\n- Say("b")\n- If $x\n  - Do the second thing again'));
  const settled = (jump: string) => {
    const { file: made, problems } = settle(file, new Map([['Desk.Main:03.01', [jump]]]));
    const last = rows(made.agents[0]?.playbooks[0]?.steps ?? []).at(-1);
    return [last, problems.map((one) => one.message)];
  };
  expect(settled('JMP 02')).toEqual(['03.01:JMP 02', []]);
  expect(settled('JMP 07')[1]).toEqual([
    'got JMP 07, want JMP break, JMP continue or another line of its playbook',
  ]);
});

test('what leaves a loop is in one', () => {
  const lines = '- For each $x in [1]\n  - If $x, break\n- If $x\n  - Exit the loop\n- Break';
  const said = 'got a line that leaves a loop, which is in none';
  expect(stray(program(lines))).toEqual([`10: ${said}`, `11: ${said}`]);
});

describe('under a line that a model has yet to read', () => {
  const lines =
    '- Serve the guests 1 and 2 one by one\n  - F()\n  - If $x, continue\n  - If $y, break\n- Return 1';
  const callee = '\n## F()\n### Steps\n- Say("a")\n';
  const text = program(lines, callee);
  const at = 'Desk.Main:01';
  const settledBy = (answer: string): string[] => {
    const { file, problems } = settle(fileOf(text), new Map([[at, [answer]]]), []);
    expect(problems).toEqual([]);
    return rows(file.agents[0]?.playbooks[0]?.steps ?? []);
  };

  test('both are left open', () => {
    const steps = stepsOf(lines, callee);
    expect(steps).toContain('01.02.01:JMP continue');
    expect(steps).toContain('01.03.01:JMP 02');
    expect(stray(text)).toEqual([]);
  });

  test('a loop has them for its own', () => {
    const steps = settledBy('LOP For each $guest in [1, 2]');
    expect(steps).toContain('01.02.01:JMP 01');
    expect(steps).toContain('01.03.01:JMP 02');
  });

  test('where it is none, nothing is done again', () => {
    const jumps = settledBy('EXE Serve the guests').filter((row) => row.includes('JMP'));
    expect(jumps).toEqual(['01.02.01:JMP 01.03', '01.03.01:JMP 02']);
  });
});

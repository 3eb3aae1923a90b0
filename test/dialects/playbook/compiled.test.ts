/** Compiled files: every spelling there has been, their numbers, and lines that a model settles. */
import { describe, expect, test } from 'vitest';
import { settle } from '../../../src/dialects/playbook/check/settle.ts';
import { graphOf } from '../../../src/dialects/playbook/compiled/graph.ts';
import { readCompiled } from '../../../src/dialects/playbook/pbasm/read-compiled.ts';
import { openLines } from '../../../src/dialects/playbook/steps/open/settle.ts';
import { readTree } from '../../../src/dialects/playbook/tree-of.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { fileOf, program, rows } from './written.ts';

const around = (steps: string): string => `# A\n## P()\n### Steps\n${steps}\n`;

function read(steps: string): { readonly steps: string[]; readonly codes: string[] } {
  const { compiled, diagnostics } = readCompiled(around(steps));
  const playbook = compiled.agents[0]?.playbooks[0];
  return { steps: rows(playbook?.steps ?? []), codes: diagnostics.map(({ code }) => code) };
}

describe('yields in every spelling', () => {
  test.each([
    ['01:YLD ForUserInput("Waiting for a day")', '01:YLD for user'],
    ['01:YLD ForCallComplete("Waiting for bikes")', '01:YLD for call'],
    ['01:YLD ForUserInput', '01:YLD for user'],
    ['01:YLD for event the oven to be hot', '01:YLD for event the oven to be hot'],
    ['01:YLD ForEvent("paid")', '01:YLD for event paid'],
    ['01:YLD user', '01:YLD for user'],
    ['01:YLD call', '01:YLD for call'],
    ['01:YLD for user', '01:YLD for user'],
    ['01:YLD for call', '01:YLD for call'],
    ['01:YLD for return', '01:YLD for return'],
    ['01:YLD return', '01:YLD for return'],
    ['01:YLD for exit', '01:YLD for exit'],
    ['01:YLD exit', '01:YLD for exit'],
    ['01:YLD for agent Weather', '01:YLD for agent Weather'],
    ['01:YLD for agent 1001', '01:YLD for agent 1001'],
    ['01:YLD for meeting menu', '01:YLD for meeting menu'],
    ['01:YLD', '01:YLD for call'],
    ['01: YLD: user', '01:YLD for user'],
    ['01:yld for user', '01:YLD for user'],
  ])('%s', (written, want) => {
    expect(read(written).steps).toEqual([want]);
    expect(read(`- ${written}`).steps).toEqual([want]);
  });
});

describe('other codes that there have been', () => {
  test('Otherwise and loops as conditions, calls by two names', () => {
    const text = `01:CND If $x
  01.01:INT Book($x)
02:CND Otherwise
  02.01:EXT $y = Search($x)
03:CND While $z
  03.01:JMP 3
04:CND For each $q in $all`;
    expect(read(text)).toEqual({
      steps: [
        '01:CND If $x',
        '01.01:QUE Book($x)',
        '02:ELS Otherwise',
        '02.01:QUE $y = Search($x)',
        '03:LOP While $z',
        '03.01:JMP 03',
        '04:LOP For each $q in $all',
      ],
      codes: ['PV1411', 'PV1411', 'PV1411', 'PV1411', 'PV1411'],
    });
  });

  test('words of a wait that say nothing there are named', () => {
    const { diagnostics } = readCompiled('# A\n## M()\n### Steps\n- 01:YLD  call user');
    expect(diagnostics.map(({ message, hint }) => [message, hint])).toEqual([
      ['got YLD call user, which is YLD for call now', 'user says nothing there: it was left out'],
    ]);
  });

  test('several statements behind semicolons', () => {
    const text =
      '- 01:QUE Say(user, Ask for a day); YLD for user; done when user names one\n' +
      '- 02:QUE F(1); YLD for call\n- 03:JMP 02';
    expect(read(text).steps).toEqual([
      '01:LOP Until user names one',
      '01.01:QUE Say(user, Ask for a day)',
      '01.02:YLD for user',
      '01.03:JMP 01',
      '02:QUE F(1)',
      '03:YLD for call',
      '04:JMP 02',
    ]);
  });

  test('triggers without and with their letter', () => {
    const text = '# A\n## P\n### Trigger\n01:CND When $x\n02:EVT A mail comes\n### Steps\n01:RET\n';
    const [one, two] = readCompiled(text).compiled.agents[0]?.playbooks[0]?.triggers ?? [];
    expect([one?.id, one?.code, two?.id, two?.code]).toEqual(['T1', 'CND', 'T2', 'EVT']);
  });

  test('a reply in a fence, as compilers of models gave them', () => {
    const { tree } = readTree(`\`\`\`markdown\n${around('01:EXE a\n02:RET')}\`\`\`\n`);
    const [one, two] = tree.compiled?.agents[0]?.playbooks[0]?.steps ?? [];
    expect([one?.text, one?.place.line, two?.code]).toEqual(['a', 5, 'RET']);
  });

  test('a loop without the jump that ends its body is one all the same', () => {
    const { compiled } = readCompiled(around('01:LOP While $x\n01.01:EXE a\n02:RET'));
    const { edges } = graphOf(compiled.agents[0]?.playbooks[0]?.steps ?? []);
    expect(edges.get('01.01')).toEqual([{ to: '01', kind: 'loop' }]);
  });

  test('what compilers leave behind their output is an error, not a step', () => {
    const { diagnostics } = readCompiled(around('- 01:RET\n\nEnd output'));
    expect(diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual(['PV1409 6']);
  });
});

describe('numbers', () => {
  test('gaps and duplicates are said, and steps numbered anew with their jumps', () => {
    const found = read('- 01:EXE a\n- 03:EXE b\n- 03:EXE c\n- 05:JMP 05');
    expect(found.steps).toEqual(['01:EXE a', '02:EXE b', '03:EXE c', '04:JMP 04']);
    expect(found.codes).toContain('PV1410');
  });

  test('blocks by their numbers, where the list is flat', () => {
    expect(read('- 01:CND If $x\n- 01.01:EXE a\n- 02:EXE b').steps).toEqual([
      '01:CND If $x',
      '01.01:EXE a',
      '02:EXE b',
    ]);
  });

  test('a line that is no step is an error, not left out', () => {
    const { diagnostics } = readCompiled(around('- 01:EXE a\n- no step\n- 02:FIN done'));
    expect(diagnostics.map(({ code, line, severity }) => `${code} ${line} ${severity}`)).toEqual([
      'PV1409 5 error',
      'PV1409 6 error',
    ]);
  });
});

/** A text that ends as it may where it says so. */
const matching = (text: string): unknown =>
  text.endsWith('…') ? expect.stringContaining(text.slice(0, -1)) : text;

describe('lines that a model settles', () => {
  const find = 'Find 1, 2, 3, 4, 5, 6, 7 or 8 bikes for "x"';
  const file = fileOf(
    program(
      `- ${find}\n- Tell the user about them\n- If $a\n  - Do something nice`,
      '## Free(day)\n### Steps\n- Return day\n',
    ),
    ['Search'],
  );
  const tools = [toolSpec({ name: 'Search', description: 'Finds.' })];
  const mainOf = (answers: Readonly<Record<string, string[]>>) => {
    const settled = settle(file, new Map(Object.entries(answers)), tools);
    return { rows: rows(settled.file.agents[0]?.playbooks[0]?.steps ?? []), ...settled };
  };

  test('are listed with their places', () => {
    expect(openLines(file)).toEqual([
      { at: 'Desk.Main:01', text: find, place: { line: 7, column: 3 } },
      { at: 'Desk.Main:03.01', text: 'Do something nice', place: { line: 10, column: 5 } },
    ]);
  });

  test('become the steps that a model says, with yields and numbers set anew', () => {
    const { problems, rows: steps } = mainOf({
      'Desk.Main:01': ['QUE $a = Free(day=1)', 'QUE $b = Search("x")'],
      'Desk.Main:03.01': ['LOP For each $x in $b', '  - QUE Say(user, "{$x}")'],
    });
    expect(problems).toEqual([]);
    expect(steps).toEqual([
      '01:QUE $a = Free(day=1)',
      '02:QUE $b = Search("x")',
      '03:YLD for call',
      '04:QUE Say(user, Tell the user about them)',
      '05:CND If $a',
      '05.01:LOP For each $x in $b',
      '05.01.01:QUE Say(user, "{$x}")',
      '05.01.02:JMP 05.01',
    ]);
  });

  test('leave the loop that a line is in, or go on with its next round', () => {
    const text = program(
      '- For each $x in $y\n  - Enough if it is above 3\n  - Not this one\n- Return $x',
    );
    const answers = new Map([
      ['Desk.Main:01.01', ['CND If $x > 3', '  JMP break']],
      ['Desk.Main:01.02', ['CND If $x < 0', '  JMP continue']],
    ]);
    const { file: settled, problems } = settle(fileOf(text), answers);
    expect(problems).toEqual([]);
    expect(rows(settled.agents[0]?.playbooks[0]?.steps ?? [])).toEqual([
      '01:LOP For each $x in $y',
      '01.01:CND If $x > 3',
      '01.01.01:JMP 02',
      '01.02:CND If $x < 0',
      '01.02.01:JMP 01',
      '01.03:JMP 01',
      '02:RET $x',
    ]);
  });

  test('an answer that is as it was is settled', () => {
    const { file: settled } = mainOf({ 'Desk.Main:01': ['EXE Find bikes'] });
    expect(openLines(settled).map(({ at }) => at)).toEqual(['Desk.Main:03.01']);
  });

  test.each([
    ['QUE Invented(1)', 'got a call of Invented, want a playbook, function or tool there is'],
    ['QUE Free(1, 2)', 'got the argument 2 for Free, which has no such parameter: its …'],
    ['QUE Free()', 'got no day for Free, which needs it'],
    ['QUE Free(Frei(1))', 'there is no playbook, function or tool Frei: did you mean Free?'],
    ['ELS Otherwise', 'got ELS Otherwise, want a condition before it'],
    ['CHK N4', 'got the note N4, want one of the playbook: there are no notes'],
    ['QUE look it up', 'got QUE look it up, want a call, as in Search($q)'],
    ['just do it', 'got just do it, want a code before the text, as in QUE Search($q)'],
    ['JMP 01', 'got JMP 01, want JMP break, JMP continue or another line of its playbook'],
    ['JMP break', 'got JMP break, want it for a line in a loop'],
  ])('%s does not stand, and the line stays', (answer, message) => {
    const { problems, rows: steps } = mainOf({ 'Desk.Main:01': [answer] });
    expect(problems).toEqual([{ at: 'Desk.Main:01', message: matching(message) }]);
    expect(steps[0]).toBe(`01:EXE? ${find}`);
  });

  test('what is said of a line that was not asked about, and is one, is no problem', () => {
    const answers = { 'Desk.Main:01': ['EXE Find'], 'Desk.Main:03.01': ['EXE Do it'] };
    const named = { ...answers, 'Desk.Main:03': ['CND If $a'], 'Desk.Main:09': ['EXE No'] };
    const { problems, rows: steps } = mainOf(named);
    expect(problems).toEqual([
      { at: 'Desk.Main:09', message: 'got the line Desk.Main:09, want one that was asked' },
    ]);
    expect(steps).toEqual(mainOf(answers).rows);
  });

  test('what does not stand is seen, however much of the kind there was before', () => {
    const wrong = '- Free(Frei(1))\n'.repeat(30);
    const free = '## Free(day)\n### Steps\n- Return day\n';
    const many = fileOf(program(`${wrong}- ${find}`, free));
    const { problems } = settle(many, new Map([['Desk.Main:31', ['QUE Free(Frei(2))']]]));
    expect(problems).toEqual([
      { at: 'Desk.Main:31', message: expect.stringContaining('function or tool Frei') },
    ]);
  });

  test.each([
    [['RET', 'QUE Free(1)'], 'got QUE Free(1), which no way through the steps comes to'],
    [['RET 3'], 'got QUE Say(user, Tell the user about them), which no way …'],
    [['LOP While true', '  QUE Free(1)'], 'got QUE Say(user, Tell the user about them), which …'],
    [['CND If $a > 3'], 'got CND If $a > 3 with nothing under it: …'],
  ])('%j does not stand: what comes of the other steps counts too', (answer, message) => {
    const { problems, rows: steps } = mainOf({
      'Desk.Main:01': answer,
      'Desk.Main:03.01': ['QUE Search("nice")'],
    });
    expect(problems[0]).toEqual({ at: 'Desk.Main:01', message: matching(message) });
    expect(steps[0]).toBe(`01:EXE? ${find}`);
    expect(steps).toContain('03.01:QUE Search("nice")');
  });

  test('stand where another answer makes them stand, and not without it', () => {
    const two = fileOf(program('- Perhaps be nice\n- In all other cases be polite\n- End program'));
    const polite = ['ELS Otherwise', '  EXE Be polite'];
    const settled = (first: string[]) =>
      settle(two, new Map([['Desk.Main:01', first] as const, ['Desk.Main:02', polite] as const]));
    expect(settled(['CND If the visitor smiles', '  EXE Be nice']).problems).toEqual([]);
    const { file: left, problems } = settled(['QUE Kind()']);
    expect(new Set(problems.map(({ at }) => at))).toEqual(
      new Set(['Desk.Main:01', 'Desk.Main:02']),
    );
    expect(openLines(left)).toHaveLength(2);
  });

  test('have the calls that are within others before them', () => {
    const { problems, rows: steps } = mainOf({
      'Desk.Main:01': [
        'QUE $a = Free(Search(Free(1)))',
        'EXE $b = Free(2) + 1',
        'QUE Say(user, "{Free($b)}")',
        'CND If Free(3) > 4',
        '  RET Search(Free(5))',
        'ELS Otherwise if Free(6) > 7',
        '  EXE $c = Free(8)',
      ],
    });
    expect(problems).toEqual([]);
    expect(steps.slice(0, 20)).toEqual([
      ...['01:QUE free_1 = Free(1)', '02:YLD for call', '03:QUE search_1 = Search(free_1)'],
      ...['04:YLD for call', '05:QUE $a = Free(search_1)'],
      ...['06:QUE free_2 = Free(2)', '07:YLD for call', '08:EXE $b = free_2 + 1'],
      ...['09:QUE free_3 = Free($b)', '10:YLD for call', '11:QUE Say(user, "{free_3}")'],
      ...['12:QUE free_5 = Free(3)', '13:YLD for call', '14:CND If free_5 > 4'],
      ...['14.01:QUE free_4 = Free(5)', '14.02:RET Search(free_4)'],
      ...['15:ELS Otherwise', '15.01:QUE free_6 = Free(6)', '15.02:YLD for call'],
      '15.03:CND If free_6 > 7',
    ]);
    expect(steps[20]).toBe('15.03.01:QUE $c = Free(8)');
  });

  test('nothing, and lines that nobody asked about', () => {
    expect(mainOf({ 'Desk.Main:01': [] }).problems[0]?.message).toMatch(/got no steps/);
    expect(mainOf({ 'Desk.Main:09': ['EXE x'] }).problems[0]?.message).toMatch(
      /want one that was asked/,
    );
  });
});

/** What each strictness lets pass; repair turns, which do nothing again; turns of a real file. */
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { readPlaybooks } from '../../../src/dialects/playbook/source/read.ts';
import { compilePlaybooks } from '../../../src/dialects/playbook/steps/compile.ts';
import { day, partsOf, shortly } from './sample.ts';

const bikes = { name: 'bikes', scope: 'state' as const };
const choice = { name: 'choice', scope: 'state' as const };
const end = { line: '05', variables: [day, bikes, choice] };

describe('a line that is not reported', () => {
  const reply = '{"step":"05"}\n{"set":{"choice":"red"}}\n{"return":"$choice"}';

  test('is let pass with a warning', () => {
    const { parts, warnings } = partsOf(reply, end);
    expect(parts.at(-1)).toMatchObject({ op: 'end', line: '', isWhole: true });
    expect(warnings).toEqual(['line 06 was passed without a report, before line 07']);
  });

  test('is a problem where everything is enforced', () => {
    expect(shortly(reply, { ...end, strictness: 'enforce' })).toContain('problem PV7303');
  });
});

describe('what is only advised', () => {
  test('is told as a problem, and all that can be done is done', () => {
    const reply =
      '{"step":"03"}\n{"call":"FreeBoats"}\n{"say":"Hello"}\n{"step":"99"}\n{"step":"07"}\n{"return":1}';
    expect(shortly(reply, { strictness: 'advise' })).toEqual([
      ...['problem PV7303', 'step 03', 'problem PV7304', 'say 03.01', 'problem PV7302'],
      ...['problem PV7303', 'step 07', 'return 07', 'end '],
    ]);
  });
});

describe('something unexpected', () => {
  const reply = '{"unexpected":"wants a refund"}\n{"call":"Refund"}\n{"yield":"call"}';

  test('may be met by another playbook', () => {
    expect(shortly(reply)).toEqual(['unexpected', 'call Refund 01', 'yield call 02', 'end 03']);
  });

  test('may end the playbook early', () => {
    const early = '{"unexpected":"has left"}\n{"return":null}';
    expect(shortly(early)).toEqual(['unexpected', 'return 01', 'end ']);
    expect(shortly('{"return":null}')).toEqual(['problem PV7303', 'end 01 broken']);
    expect(shortly(early, { strictness: 'enforce' })).toContain('problem PV7303');
  });
});

describe('a turn behind one that had a problem', () => {
  const call = '{"step":"01"}\n{"call":"FreeBikes","args":["$day"],"into":"bikes"}';
  const broken = partsOf(`${call}\n{"step":"55"}`).parts;
  const done = { done: broken, line: '02', variables: [day, bikes] };

  test('goes on where it was', () => {
    expect(shortly('{"step":"02"}\n{"yield":"call"}', done)).toEqual([
      ...['step 02', 'yield call 02', 'end 03'],
    ]);
  });

  test('does nothing again that the model repeats', () => {
    const again = `${call}\n{"step":"02"}\n{"yield":"call"}`;
    const { parts, warnings } = partsOf(again, done);
    expect(parts.map(({ op }) => op)).toEqual(['step', 'yield', 'end']);
    expect(warnings).toEqual(['it repeated what it had done, which was left out']);
  });

  test('does nothing new at a line that is over', () => {
    const other = '{"step":"01"}\n{"call":"FreeBikes","args":["Monday"],"into":"bikes"}';
    expect(shortly(other, done)).toEqual(['problem PV7305', 'end 02 broken']);
  });

  test('begins behind what it was cut off at', () => {
    const said = partsOf('{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}\n{"step":"77"}', {
      ...{ line: '03', variables: [bikes] },
    });
    const rest = { done: said.parts.slice(0, 3), line: '03.01', variables: [bikes] };
    expect(shortly('{"step":"03.02"}\n{"yield":"user"}', rest)).toEqual([
      ...['step 03.02', 'yield user 03.02', 'end 03.03'],
    ]);
    expect(shortly('{"step":"03.01"}\n{"say":"Which day?"}\n{"yield":"user"}', rest)).toEqual([
      ...['yield user 03.02', 'end 03.03'],
    ]);
  });

  test('need not wait once more for what has come of that', () => {
    const rest = '{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}\n{"yield":"user"}';
    expect(shortly(rest, done)).toEqual([
      ...['step 03', 'step 03.01', 'say 03.01', 'yield user 03.02', 'end 03.03'],
    ]);
  });

  test('still has to wait for what it calls itself', () => {
    const more = `{"step":"01"}\n${JSON.stringify({ call: 'FreeBikes', args: ['Monday'] })}`;
    expect(shortly(`${more}\n{"step":"03"}`, { line: '01', variables: [day] })).toEqual([
      ...['step 01', 'call FreeBikes 01', 'problem PV7303', 'end 02 broken'],
    ]);
  });
});

describe('replies without an end', () => {
  test('that have called wait for it', () => {
    const { parts, warnings } = partsOf('{"step":"01"}\n{"call":"FreeBikes","args":["$day"]}');
    expect(parts.at(-2)).toMatchObject({ op: 'yield', for: 'call', line: '02' });
    expect(warnings).toEqual(['the reply ended without a yield: it was taken to yield for call']);
  });

  test('that have asked wait for the person', () => {
    const reply = '{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}';
    expect(shortly(reply, { line: '03', variables: [bikes] }).slice(-2)).toEqual([
      ...['yield user 03.02', 'end 03.03'],
    ]);
  });

  test('that only say to be at a line that waits do so', () => {
    const asked = '{"step":"03"}\n{"step":"03.01"}\n{"say":"Which day?"}\n{"step":"03.02"}';
    const from = { line: '03', variables: [bikes] };
    expect(shortly(asked, from).slice(-2)).toEqual(['yield user 03.02', 'end 03.03']);
    expect(shortly(asked, { ...from, strictness: 'enforce' }).slice(-2)).toEqual([
      ...['problem PV7308', 'end 03.02 broken'],
    ]);
    // Nobody has answered yet.
    const on = `${asked}\n{"set":{"day":"Sunday"}}\n{"step":"03.03"}\n{"step":"01"}`;
    const { parts } = partsOf(on, from);
    expect(parts.at(-2)).toMatchObject({
      op: 'problem',
      text: expect.stringMatching(/^line 03.02 waits for user/),
    });
    expect(parts.at(-1)).toMatchObject({ op: 'end', line: '03.02' });
  });

  test('that leave lines out have stopped in the middle', () => {
    expect(shortly('{"step":"04"}', { line: '04', variables: [day, bikes] })).toEqual([
      ...['step 04', 'problem PV7308', 'end 04.01 broken'],
    ]);
  });
});

test('a question whose answer is there is not asked', () => {
  const reply = '{"step":"03"}\n{"step":"01"}';
  expect(shortly(reply, { line: '03', variables: [day, bikes] }).slice(0, 2)).toEqual([
    ...['step 03', 'step 01'],
  ]);
});

test('a file that is compiled: asking until there is an answer, a call, a loop, the end', () => {
  const text = [
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps',
    '- Ask which $day they want to ride; keep talking until they name one',
    '- $bikes = FreeBikes($day)',
    '- For each $bike in $bikes',
    '  - Say(describe the $bike)',
    '- End program',
  ].join('\n');
  const [playbook] =
    link(compilePlaybooks(readPlaybooks(text).file, ['FreeBikes'])).agents[0]?.playbooks ?? [];
  if (!playbook) return expect.fail('there is no playbook');
  const turn = (line: string, reply: string, ...variables: (typeof day)[]) =>
    shortly(reply, { playbook, line, variables });
  expect(
    turn('01', '{"step":"01"}\n{"step":"01.01"}\n{"say":"Which day?"}\n{"yield":"user"}'),
  ).toEqual([...['step 01', 'step 01.01', 'say 01.01', 'yield user 01.02', 'end 01.03']]);
  const called =
    '{"set":{"day":"Sunday"}}\n{"step":"02"}\n{"call":"FreeBikes","args":["$day"]}\n{"yield":"call"}';
  expect(turn('01.03', called)).toEqual([
    ...['set $day 01.03', 'step 02', 'call FreeBikes 02', 'yield call 03', 'end 04'],
  ]);
  const looped = '{"step":"04"}\n{"set":{"bike":"red"}}\n{"step":"04.01"}\n{"say":"A {$bike} one"}';
  expect(turn('04', `${looped}\n{"step":"05"}\n{"yield":"exit"}`, day, bikes)).toEqual([
    ...['step 04', 'set $bike 04', 'step 04.01', 'say 04.01', 'step 05', 'yield exit 05', 'end '],
  ]);
});

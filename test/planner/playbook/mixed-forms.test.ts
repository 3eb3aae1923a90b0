/** Replies that are well meant and mixed: what they say is taken, or said to be left out. */
import { describe, expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { partsOf, shortly } from './sample.ts';

const call = '{"call":"FreeBikes","args":{"day":"$day"},"into":"bikes"}';
const wait = '{"yield":"call"}';
const whole = ['step 01', 'set $day 01', 'call FreeBikes 01', 'step 02', 'yield call 02', 'end 03'];
const python = 'await self.Step("RentBike:01:QUE")\nself.state.day = "Sunday"';
const log = '`Step["RentBike:01:QUE"]`\n`Var[$day, "Sunday"]`';

describe('forms in one reply', () => {
  test.each([
    ['a log in JSON', `${log}\n${call}\n{"step":"02"}\n${wait}`],
    ['JSON behind a statement of a log', `${log} ${call}\n\`Step["RentBike:02:YLD"]\` ${wait}`],
    [
      'a log in Python',
      `\`\`\`python\n${python}\n\`$bikes = FreeBikes($day)\`\n\`\`\`\n` +
        '`Step["RentBike:02:YLD"]` yld for call',
    ],
    [
      'Python in a log',
      `${log}\nself.state.bikes = await FreeBikes(self.state.day)\n` +
        'await self.Step("RentBike:02:YLD")\nyld for call',
    ],
    ['JSON in YAML', `- step: "01"\n- set:\n    $day: Sunday\n${call}\n{"step":"02"}\n${wait}`],
    ['YAML in JSON', `{"step":"01","set":{"day":"Sunday"}}\n${call}\n- step: "02"\n- yield: call`],
    [
      'items of a trace, a line each',
      '{"RentBike:01:QUE":[{"updated_vars":{"$day":"Sunday"}},{"call":{"fn":"FreeBikes",' +
        '"args":["$day"]}}]}\n{"RentBike:02:YLD":[{"yield_type":"ForCallComplete"}]}',
    ],
    [
      'lines with their lists',
      `{"steps":[{"step":"01","actions":[{"set":{"day":"Sunday"}},${call}]},` +
        `{"step":"02","ops":[${wait}]}]}`,
    ],
    [
      'an action with its line',
      '{"line":"01","action":"set","name":"$day","value":"Sunday"}\n' +
        `${call}\n{"op":"step","line":"02"}\n${wait}`,
    ],
    [
      'a type with its variable',
      `{"step":"01"}\n{"type":"set","variable":"$day","value":"Sunday"}\n${call}\n` +
        `{"step":"02"}\n${wait}`,
    ],
    ['bold type', `**{"step":"01"}**\n**{"set":{"day":"Sunday"}}**\n${call}\n{"step":2}\n${wait}`],
    [
      'arrows',
      `→ {"step":"01"}\n=> {"set":{"day":"Sunday"}}\ndata: ${call}\n- {"step":2}\n${wait}`,
    ],
    ['commas in elements', `${log.replace('y"]', 'y",]')}\n${call}\n{"step":"02"}\n${wait}`],
  ])('%s', (_, reply) => {
    expect(shortly(reply)).toEqual(whole);
  });
});

test('a key that is written once more is another operation of the kind', () => {
  const reader = new ReplyReader();
  const calls = '{"step":"01","call":"F","args":[1],"into":"a","call":"G","args":[2],"say":"so"}';
  const said = [...reader.feed(`${calls}\n{"set":{"a":1},"set":{"b":2}}`), ...reader.end()];
  expect(said.map((one) => one.said)).toMatchObject([
    { is: 'step' },
    { is: 'call', callee: 'F', args: [{ value: 1 }], into: { name: 'a' } },
    { is: 'call', callee: 'G', args: [{ value: 2 }] },
    { is: 'say' },
    { is: 'set', to: { name: 'a' } },
    { is: 'set', to: { name: 'b' } },
  ]);
});

test('an operation among words is said to be left out', () => {
  const { warnings } = partsOf(`{"step":"01"}\nNow I write {"set":{"day":1}}.\n${call}\n${wait}`);
  expect(warnings).toEqual([expect.stringContaining('an operation among words')]);
});

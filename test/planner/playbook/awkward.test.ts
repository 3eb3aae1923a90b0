/**
 * Replies as models write them that were told of one form: taken where it is certain what they mean,
 * with nothing of it lost, and otherwise named.
 */
import { describe, expect, test } from 'vitest';
import { day, partsOf, shortly } from './sample.ts';

const done = (reply: string, turn = {}) =>
  shortly(reply, turn).filter((part) => !/^(?:step|think)/.test(part));

const call = '{"call":"FreeBikes","args":{"day":"$day"},"into":"bikes"}';
const wait = '{"yield":"call"}';
const lines = ['{"step":"01"}', call, wait];
const each = (write: (line: string) => string) => lines.map(write).join('\n');
const calling = (...ways: readonly string[]) =>
  ways.map((way) => [way, `${way}\n${wait}`] as const);
const stepping = (...ways: readonly string[]) =>
  ways.map((way) => [way, `{"step":${way}}\n${call}\n${wait}`] as const);
const waiting = (...ways: readonly string[]) =>
  ways.map((way) => [way, `{"step":"01"}\n${call}\n${way}`] as const);

describe('what calls and waits', () => {
  const whole = ['call FreeBikes 01', 'yield call 02', 'end 03'];

  test.each<readonly [string, string]>([
    ['prose around operations', `Sure!\n${lines[0]}\nNow I call:\n${call}\nand wait.\n${wait}\nOK`],
    ['two fences', `\`\`\`json\n${lines[0]}\n${call}\n\`\`\`\nthen\n\`\`\`json\n${wait}\n\`\`\``],
    ['a fence in the line of an operation', `\`\`\`${lines.join('\n')}\`\`\``],
    ['a fence with a title', `\`\`\`json title="x"\n${lines.join('\n')}\n\`\`\``],
    ['a fence for lines of JSON', `\`\`\`jsonl\n${lines.join('\n')}\n\`\`\``],
    ['CRLF', lines.join('\r\n')],
    ['CR', lines.join('\r')],
    ['everything in one line', lines.join('')],
    ['commas between operations', lines.join(', ')],
    ['trailing commas', each((line) => `${line.replaceAll('}', ',}')},`)],
    ['single quotes', each((line) => line.replaceAll('"', "'"))],
    ['keys without quotes', each((line) => line.replace(/"(\w+)":/g, '$1:'))],
    ['printed quotes', each((line) => line.replace(/"([^"]*)"/g, '“$1”'))],
    ['German quotes', each((line) => line.replace(/"([^"]*)"/g, '„$1“'))],
    ['French quotes', each((line) => line.replace(/"([^"]*)"/g, '« $1 »'))],
    ['bullets', each((line) => `- ${line}`)],
    ['numbers', each((line) => `1. ${line}`)],
    ['spans of code', each((line) => `\`${line}\``)],
    ['the marks of a quotation', each((line) => `> ${line}`)],
    ['signs that are not seen', each((line) => `\u200b\ufeff${line}`)],
    ['the line as a heading', `**Step 01:** ${call}\n${wait}`],
    ['a role', `assistant: ${call}\n${wait}`],
    ['comments', each((line) => `${line} // so`)],
    ['lines over lines', each((line) => JSON.stringify(JSON.parse(line), null, 2))],
    ['a list with a name', `{"playbook":"RentBike","operations":[${lines.join()}]}`],
    ['tags', `<answer>\n${lines.join('\n')}\n</answer>`],
    ['a thought in the same line', `<think>{"call":"Refund"}</think>${call}\n${wait}`],
    ['a thought that ends in its line', `<think>\n{"call":"Refund"}\n</think>${call}\n${wait}`],
    ['a thought without its beginning', `I see {"x"} first.\n</think>${call}\n${wait}`],
    ['one object', `{"step":"01",${call.slice(1, -1)},"yield":"call"}`],
    ['one object, backwards', `{"yield":"call",${call.slice(1, -1)},"step":"01"}`],
    ['every key, null', `{"say":null,"return":null,"step":"01",${call.slice(1)}\n${wait}`],
    ['null beside a wait', `${call}\n{"return":null,"yield":"call"}`],
    [
      'keys that mean nothing',
      `{"step":"01","sure":0.9}\n${call.replace('{', '{"n":1,')}\n${wait}`,
    ],
    ['capitals', '{"STEP":"01"}\n{"CALL":"FreeBikes","ARGS":{"day":"$day"}}\n{"YIELD":"CALL"}'],
    ['an empty object', `{}\n${lines.join('\n')}`],
    ['a missing bracket', [lines[0]?.slice(0, -1), call.slice(0, -1), wait].join('\n')],
    ['a stray bracket', each((line) => `${line}}`)],
    ['an end that is repeated', `${lines.join('\n')}\n${wait}\n${wait}`],
    ['operations behind the end', `${lines.join('\n')}\n{"call":"Refund"}\n{"return":1}`],
    ['a statement', '$bikes = FreeBikes($day)\nyld for call'],
    ['elements of a log', 'Step["RentBike:01:QUE"]\n$bikes = FreeBikes(day=$day)\nyld for call'],
    [
      'printed quotes in a log',
      'Step[“RentBike:01:QUE”]\n$bikes = FreeBikes(day=$day)\nYield[„call“]',
    ],
    [
      'printed quotes in Python',
      'await self.Step(“RentBike:01:QUE”)\nself.state.bikes = await FreeBikes(day=self.state.day)\n' +
        'await self.Yield(«call»)',
    ],
    ['a call of a provider', '{"type":"tool_use","name":"FreeBikes","input":{"day":"$day"}}'],
    ['a tag of a call', `<tool_call>\n{"name":"FreeBikes","arguments":["$day"]}\n</tool_call>`],
    ['calls in a list', '{"tool_calls":[{"name":"FreeBikes","arguments":{"day":"$day"}}]}'],
    ...calling(
      '{"call":"FreeBikes($day)"}',
      '{"call":"$bikes = FreeBikes(day=$day)"}',
      '{"call":"FreeBikes()","args":{"day":"$day"}}',
      '{"call":"FreeBikes","day":"$day"}',
      '{"call":"FreeBikes","args":"$day"}',
      '{"call":"FreeBikes","args":{"$day":"{day}"}}',
      '{"call":"free_bikes","args":["$day"]}',
      '{"call":"Desk.FreeBikes","args":["$day"]}',
      '{"call":{"name":"FreeBikes","args":["$day"]},"into":"$bikes:list"}',
    ),
    ...stepping('1', '"Step 1"', '"line 01"', '"01: look for bikes"', '"01 - QUE"', '"Desk:01"'),
    ...stepping('"rentbike:01:QUE"', '"Desk.RentBike:01"', '"RentBike(day=1):01:QUE"'),
    ...waiting(
      '{"yield":true}',
      '{"yield":"results"}',
      '{"wait":true}',
      '{"yield":"YLD for call"}',
    ),
    ...waiting('{"YLD":"for call"}', '{"yield":""}', '{"yield":{"for":"call"}}', '{"yield":false}'),
  ])('%s', (_, reply) => {
    expect(done(reply)).toEqual(whole);
    const { parts } = partsOf(reply);
    expect(parts.find(({ op }) => op === 'call')).toMatchObject({
      ...{ into: 'bikes', scope: 'state' },
      args: { day: { is: 'ref', name: 'day', scope: 'state', path: [] } },
    });
    const everywhere = Array.from(reply, (_, at) => at).slice(1);
    expect(partsOf(reply, { cuts: everywhere }).parts).toEqual(parts);
  });
});

describe('what asks a person', () => {
  const turn = { line: '03', variables: [day, { name: 'bikes', scope: 'state' as const }] };
  const asks = ['say 03.01', 'yield user 03.02', 'end 03.03'];

  test.each([
    '{"ask":"Which day?"}',
    '{"step":"3.1"}\n{"ask":"Which day?","yield":"user"}',
    '{"step":3.01}\n{"say":"Which day?"}\n{"yield":"human"}',
    '{"call":"Ask","args":["Which day?"]}',
    '{"call":"Say","text":"Which day?"}\n{"yield":"user_input"}',
    '{"say":{"to":"user","text":"Which day?"}}\n{"yield":"waiting for user"}',
    '{"say":"Which "day" would you like?"}\n{"yield":"response"}',
    '{"say":"Which\nday?"}\n{"wait":"user"}',
    '{"say":"Quel jour, s’il vous plaît ?"}\n{"yield":"user"}',
    '{"say":"He said: “which day?”, then left"}\n{"yield":true}',
    '{"yield":"user","say":"Which day?"}',
  ])('%s', (reply) => expect(done(reply, turn)).toEqual(asks));

  test('printed quotes within a text stay what they are', () => {
    const { parts } = partsOf('{"say":"“Which day?”, he said"}\n{"yield":"user"}', turn);
    expect(parts).toContainEqual(
      expect.objectContaining({ text: { is: 'value', value: '“Which day?”, he said' } }),
    );
  });
});

describe('what sets variables', () => {
  test.each([
    '{"set":{"$day":"Sunday"}}',
    '{"set":{"self.state.day":"Sunday"}}',
    '{"set":[{"name":"day","value":"Sunday"}]}',
    '{"set":"day","value":"Sunday"}',
    '{"set":"$day = \\"Sunday\\""}',
    '{"op":"set","name":"$day:str","value":"Sunday"}',
    'Var[$day, "Sunday"]',
  ])('%s', (reply) => {
    const { parts } = partsOf(`${reply}\n${call}\n${wait}`);
    expect(parts.filter(({ op }) => op === 'set')).toEqual([
      {
        op: 'set',
        name: 'day',
        scope: 'state',
        value: { is: 'value', value: 'Sunday' },
        line: '01',
      },
    ]);
  });

  test('numbers that are too long for a double', () => {
    const long = '12345678901234567890';
    const { parts } = partsOf(`{"set":{"n":${long}}}\n${call}\n${wait}`);
    expect(parts).toContainEqual(
      expect.objectContaining({ op: 'set', value: { is: 'value', value: BigInt(long) } }),
    );
  });
});

test.each([
  ['a wait before its call', `{"step":"01"}\n${wait}\n${call}`, 'PV7303', 'calls FreeBikes'],
  ['a wait instead of its call', wait, 'PV7303', 'line 01 calls FreeBikes, and no call'],
  ['operations in YAML, without their call', '- yield: call', 'PV7303', 'calls FreeBikes'],
  ['a line of another playbook', '{"step":"Main:03:QUE"}', 'PV7302', 'line 03 of Main'],
  ['the same in Python', 'await self.Step("Main:03:QUE")', 'PV7302', 'line 03 of Main'],
  ['a variable of another agent', '{"set":{"Tax.$rate":1}}', 'PV7310', 'of this agent'],
  ['a part of a variable', '{"set":{"$day.name":1}}', 'PV7310', 'want the name of a variable'],
  [
    'a name in other letters',
    '{"call":"FreeBikes","args":["$Day"]}',
    'PV7307',
    'did you mean $day?',
  ],
  ['keys in another language', '{"appel":"FreeBikes"}', 'PV7301', 'want one JSON object a line'],
  ['the lines of the playbook', '01:QUE $bikes = FreeBikes($day)', 'PV7301', 'want one JSON'],
  ['tags for everything', '<call>FreeBikes</call>', 'PV7301', 'want one JSON object'],
  ['a wait for a callee', `${call}\n{"yield":"FreeBikes"}`, 'PV7310', 'want call, user, agent'],
  ['code that decides', 'await self.Step("RentBike:01")\nif x:', 'PV7310', 'decided by you'],
  ['a thought that does not end', '<think>hm', 'PV7308', 'a thought that does not end'],
  ['half a fence', '```json\n{"step":"01"}\n{"call":"FreeB', 'PV7308', 'in the middle of'],
])('%s is named', (_, reply, code, text) => {
  const { parts } = partsOf(reply);
  expect(parts.at(-2)).toMatchObject({ op: 'problem', code });
  expect(parts.at(-2)).toMatchObject({ text: expect.stringContaining(text) });
  expect(parts.at(-1)).toMatchObject({ op: 'end', isWhole: false });
});

test('a wait that no line asks for leaves nothing out', () => {
  const turn = { line: '03', variables: [day, { name: 'bikes', scope: 'state' as const }] };
  const reply = '{"step":"03.01"}\n{"say":"Which day?"}\n{"yield":"call"}';
  const { parts, warnings } = partsOf(reply, { ...turn, variables: turn.variables.slice(1) });
  expect(warnings).toContain('line 03.01 does not wait for call');
  expect(parts.at(-1)).toMatchObject({ op: 'end', line: '03.02' });
});

describe('a mended reply', () => {
  const bikes = { name: 'bikes', scope: 'state' as const };
  const first = '{"step":"05"}\n{"set":{"choice":"red"}}';
  const turn = { line: '05', variables: [day, bikes] };

  test('may begin with what was set before, at no line', () => {
    const called = `{"set":{"choice":"red"}}\n${call}`;
    const spoilt = partsOf(`${called}\n{"step":"77"}`).parts;
    const again = { done: spoilt, line: '02', variables: [day, bikes] };
    const { parts, warnings } = partsOf(`${called}\n${wait}`, again);
    expect(parts.map(({ op }) => op)).toEqual(['yield', 'end']);
    expect(warnings).toEqual(Array(2).fill('it repeated what it had done, which was left out'));
  });

  test('may set something else', () => {
    const spoilt = partsOf(`${first}\n{"step":"77"}`, turn).parts;
    const again = { ...turn, done: spoilt };
    const { parts } = partsOf('{"set":{"choice":"blue"}}\n{"return":"$choice"}', again);
    expect(parts[0]).toMatchObject({ op: 'set', value: { is: 'value', value: 'blue' } });
  });
});

/** Reading the JSON that models write: what is found, what is mended, what is refused. */
import { describe, expect, test } from 'vitest';
import { encode } from '../../src/program/json.ts';
import { readJson, readModelJson, valueOfNode, type Want } from '../../src/text/json-text.ts';

/** The value as canonical JSON, or the error; then each repair with its place. */
function read(text: string, want: Want = 'array'): string[] {
  const { node, error, repairs } = readModelJson(text, want);
  const value = node
    ? encode(valueOfNode(node))
    : `${error?.line}:${error?.column} ${error?.code} ${error?.message}`;
  return [value, ...repairs.map((one) => `${one.line}:${one.column} ${one.code}`)];
}

describe('what stands around the value', () => {
  test.each([
    ['nothing', '[{"a":1}]'],
    ['a fence', 'Here is the plan:\n```json\n[{"a":1}]\n```\nGood luck.'],
    ['a fence without a language', '```\n[{"a":1}]\n```'],
    ['thinking and an answer', '<think>\nfirst [1]\n</think>\n<answer>[{"a":1}]</answer>'],
    ['a draft in the thinking', '<think>```json\n[{"b":1}]\n```</think>```json\n[{"a":1}]\n```'],
    ['a draft that thinking ends', '```json\n[{"b":1}]\n```\n</think>\n[{"a":1}]'],
    ['a draft in brackets', '[THINK]\n[{"b":1}]\n[/THINK]\n[{"a":1}]'],
    [
      'a draft in a channel',
      '<|channel|>analysis<|message|>[{"b":1}]<|end|><|start|>assistant' +
        '<|channel|>final<|message|>[{"a":1}]<|return|>',
    ],
    ['thinking that nothing opens', 'Maybe [{"b":1}]? No.\n</think>\n[{"a":1}]'],
    ['an answer in thinking that never ends', '<think>hm [{"b":1}] <answer>[{"a":1}]</answer>'],
    ['braces in the prose', 'Set {x} and {{y}} as in [1] and [see [2]]. [{"a":1}] {z}'],
    ['a quote in the prose', `The notation [" and [' begin it: [{"a":1}]`],
    ['an answer mentioned before', 'Between <answer></answer>. <answer>[{"a":1}]</answer>'],
    ['a fence in the same line', 'So: ```json [{"a":1}]``` done'],
  ])('%s', (_, text) => expect(read(text)).toEqual(['[{"a":1}]']));

  test('text around the value is kept', () => {
    const { before, after } = readModelJson('<think>x</think> [1] y', 'array');
    expect([before, after]).toEqual(['<think>x</think> ', ' y']);
  });

  test('brackets and fences in strings end nothing', () => {
    const text = '```json\n[{"a":"] } ``` </answer>"}]\n```';
    expect(read(text)).toEqual(['[{"a":"] } ``` </answer>"}]']);
  });

  test('a comment sign in a string is no comment', () => {
    expect(read('[{"a":"http://b /* # c"}]')).toEqual(['[{"a":"http://b /* # c"}]']);
  });
});

test('of objects the one without slips is meant', () => {
  expect(read('{x: 1} {"a":1}', 'object')).toEqual(['{"a":1}']);
});

describe('repairs', () => {
  test.each<[string, string, string[]]>([
    [
      'trailing commas',
      '[{"a":[1,],},]',
      ['[{"a":[1]}]', '1:9 PV1013', '1:11 PV1013', '1:13 PV1013'],
    ],
    [
      'missing commas',
      '[{"a":1 "b":2} {"c":3}]',
      ['[{"a":1,"b":2},{"c":3}]', '1:9 PV1014', '1:16 PV1014'],
    ],
    [
      'comments',
      '[ // x ]\n1, /* ] */ 2 # ]\n]',
      ['[1,2]', '1:3 PV1015', '2:4 PV1015', '2:14 PV1015'],
    ],
    [
      'single quotes',
      "[{'a': 'it\\'s'}]",
      [`[{"a":"it's"}]`, '1:3 PV1016', '1:8 PV1016', '1:11 PV1020'],
    ],
    ['typographic quotes', '[{“a”: “b”}]', ['[{"a":"b"}]', '1:3 PV1016', '1:8 PV1016']],
    ['keys without quotes', '[{a_b: 1}]', ['[{"a_b":1}]', '1:3 PV1017']],
    ['literals of Python', '[True, None]', ['[true,null]', '1:2 PV1018', '1:8 PV1018']],
    ['a line break in a string', '["a\nb"]', ['["a\\nb"]', '1:4 PV1019']],
    ['a strange escape', '["\\d+ \\u00e9"]', ['["\\\\d+ é"]', '1:3 PV1020']],
    ['a wrapper', '{"goal": "g", "plan": [{"a":1}]}', ['[{"a":1}]', '1:1 PV1024']],
    [
      'wrappers in each other',
      '{"response": {"plan": {"steps": [{"a":1}]}}}',
      ['[{"a":1}]', '1:1 PV1024'],
    ],
    ['a fence never closed', 'x\n```json\n[1]', ['[1]', '2:1 PV1025']],
    [
      'a second list',
      '```json\n[{"a":1}]\n```\nor\n```\n[{"b":1}]\n```',
      ['[{"a":1}]', '6:1 PV1026'],
    ],
    ['objects without a list', '{"a":1}\n{"b":2},', ['[{"a":1},{"b":2}]', '1:1 PV1027']],
    ['objects with prose between', '1. {"a":1}\n2. {"b":2}', ['{"a":1}', '2:4 PV1026']],
    ['a list closed by the fence', '```\n[{"a":[1]\n```', ['[{"a":[1]}]', '3:1 PV1011']],
    ['a brace that closes a list', '[{"a":[1,2}]', ['[{"a":[1,2]}]', '1:11 PV1011']],
    ['a missing brace', '[{"a":1, {"b":2}]', ['[{"a":1},{"b":2}]', '1:10 PV1011']],
    ['a brace too many', '[{"a":1}}, {"b":2}]', ['[{"a":1},{"b":2}]', '1:9 PV1012']],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected));

  test('the same slip many times is said a few times', () => {
    const repairs = readModelJson(`[${'None,'.repeat(1000)}1]`, 'array').repairs;
    expect(repairs).toHaveLength(21);
    expect(repairs.at(-1)).toMatchObject({
      code: 'PV1028',
      message: '980 more repairs like the PV1018 here',
    });
  });
});

describe('an expression is refused at its operator, never read as text', () => {
  test.each<[string, string]>([
    ['a number', '"n is " + 5'],
    ['a name', '"n is " + n'],
    ['a name, without spaces', '"n is "+n+" pieces"'],
    ['a call', '"n is " + str(n) + "."'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference or a template.
    ['a template of JavaScript', '"n is " + `${n}`'],
    ['an interpolation', '"%s is" % name'],
    ['an interpolation of several', '"%s %s" % (a, "b")'],
    ['a repetition', '"=" * 20'],
    ['a method', '"{} is".format(n)'],
    ['a method of a separator', '", ".join(["a", "b"])'],
    ['a property', '"abc".length'],
    ['an index', '"abc"[0]'],
    ['a slice', '"abc"[1:2]'],
    ['a choice of Python', '"a" if x else "b"'],
    ['a choice of JavaScript', '"a" == x ? "b" : "c"'],
    ['a default', '"a" || b'],
    ['a default of Python', '"a" or "b"'],
    ['an SQL operator', '"a" || "b"'],
    ['an operator of PHP', '"a" . "b"'],
    ['an operator of Lua', '"a" .. "b"'],
    ['a filter', '"a" | upper'],
    ['a difference', '"a" - 5'],
    ['a cast', '"5"::int'],
    ['a text after a text, as in Python', '"a" "b" % x'],
    ['a text and a text', '"a" + "b"'],
    ['an f-string', 'f"n is {n}"'],
    ['a second text that is none', '"a" + f"{n}"'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference or a template.
    ['back quotes', '`n is ${n}`'],
    ['brackets around', '("a" "b")'],
    ['a line that goes on', '"a" \\\n "b"'],
    ['a sum', '5 + 3'],
    ['a product', '5 * 3'],
  ])('%s', (_, expression) => {
    for (const text of [
      `[{"a": ${expression}, "b": "c"}]`,
      `[{"a": ${expression}}, {"b": "c"}]`,
      `[{"a": [${expression}, "d"], "b": "c"}]`,
      `[{"a": [${expression}]}]`,
      `[{"a": ${expression.replaceAll('"', "'")}, "b": "c"}]`,
    ]) {
      expect(read(text)[0], text).toMatch(/^[12]:\d+ PV100[46] /);
    }
  });

  test.each(['any', 'object', 'array'] as const)('no part of it is read instead: %s', (want) => {
    for (const expression of [
      '{"b": 1} | {"c": 2}',
      '[1, 2] + [3]',
      '{**{"b": 1}, "c": 2}',
      '{"b": 1} or {"c": 2}',
      'merge({"b": 1}, {"c": 2})',
    ]) {
      for (const text of [`{"a": ${expression}}`, `[{"a": ${expression}, "d": {"e": 1}}]`]) {
        const { node, error } = readModelJson(text, want);
        expect({ node, line: error?.line }, text).toEqual({ node: undefined, line: 1 });
        const corrected = `${text}\nI mean:\n\`\`\`json\n{"a": 1}\n\`\`\``;
        if (want === 'object') expect(readModelJson(corrected, want).node?.kind).toBe('object');
      }
    }
  });

  test('its place and a hint are given', () => {
    const { error } = readModelJson('[{"a": "n is " + 5}, {"b": "c"}]', 'array');
    expect(error).toMatchObject({ code: 'PV1004', line: 1, column: 16 });
    expect(error?.message).toBe('got +, want a comma or }');
    expect(error?.hint).toContain('one pair of quotes');
  });
});

describe('a quote that nothing escapes is refused, whatever may be meant', () => {
  test.each<[string, string]>([
    ['a word', '[{"a": "say "hi" to him", "b": 1}]'],
    ['a word at the end', '[{"a": "say "hi"", "b": 1}]'],
    ['in a list', '[{"a": ["the "A" or", "B"]}]'],
    ['two in two', '[{"a": ["say ""hi"" there"]}]'],
    ['an apostrophe', "[{'a': 'it's Ann's', 'b': 1}]"],
    ['JSON', '[{"a": "Return {"b": true} and nothing else"}]'],
    ['triple quotes', '[{"a": """b"""}]'],
    ['one that is missing before a key', '[{"a": "x, "b": "c"}]'],
    ['one that is missing before the next object', '[{"a": "x}, {"b": "c"}]'],
    ['one that is missing before an element', '[{"a": ["x, "y", "z"]}]'],
    ['one that is missing of a key', '[{"a": 1, "b: 2, "c": 3}]'],
  ])('%s', (_, text) => {
    expect(read(text)[0]).toMatch(/^1:\d+ PV1004 got /);
  });

  test('with what to write', () => {
    const { error } = readModelJson('[{"a": "say "hi" to him"}]', 'array');
    expect(error).toMatchObject({ message: 'got hi, want a comma or }', line: 1, column: 14 });
    expect(error?.hint).toContain('write \\" for a quote inside a text');
  });
});

describe('text cut short keeps whole elements and says so', () => {
  test.each<[string, string, string]>([
    ['[{"a":1},{"b":2', '[{"a":1}]', '1:15 PV1010'],
    ['[{"a":1},{"b":"x', '[{"a":1}]', '1:15 PV1010'],
    ['[{"a":1},{"b":2}', '[{"a":1},{"b":2}]', '1:1 PV1010'],
    ['{"plan":[{"a":1},{"b', '[{"a":1}]', '1:19 PV1010'],
    ['{"a":1}\n{"b":2}\n{"c":', '[{"a":1},{"b":2}]', '3:1 PV1010'],
    ['[{"a":1}, {"b":2}, {', '[{"a":1},{"b":2}]', '1:20 PV1010'],
    ['[{"a":1}, // and', '[{"a":1}]', '1:1 PV1010'],
  ])('%s', (text, value, repair) => {
    const [first, ...rest] = read(text);
    expect(first).toBe(value);
    expect(rest).toContain(repair);
  });

  test('of an object, its whole members', () => {
    expect(read('{"result": true', 'object')).toEqual(['{"result":true}', '1:1 PV1010']);
    expect(read('{"result": 12', 'object')).toEqual(['{}', '1:12 PV1010']);
    expect(read('{"result": true, "why": "bec', 'object')).toEqual([
      '{"result":true}',
      '1:25 PV1010',
    ]);
  });
});

describe('errors', () => {
  test.each<[string, string, string]>([
    ['nothing', ' ', '1:1 PV1001 got an empty text, want a JSON list'],
    ['prose', 'I cannot do that.', '1:1 PV1001 got only prose, want a JSON list'],
    [
      'a broken list, and another one after it',
      '[{"a":1}, {"b": oops}]\nI mean: [{"c":1}]',
      '1:17 PV1004 got oops, want a value',
    ],
    ['a word for a value', '[{"a": oops}]', '1:8 PV1004 got oops, want a value'],
    ['not a number', '[{"a": NaN}]', '1:8 PV1005 got NaN, want a value that JSON has'],
    ['infinity', '[{"a": -Infinity}]', '1:8 PV1005 got -Infinity, want a value that JSON has'],
    ['no colon', '[{"x":1,"a" 1}]', '1:13 PV1004 got 1, want a colon after the key "a"'],
    ['no value', '[{"a": }]', '1:8 PV1004 got }, want a value for the key "a"'],
    [
      'endless thinking',
      'x\n<think>[{"a":1}]',
      '2:1 PV1007 got thinking that never ends, want a JSON list after it',
    ],
    [
      'two answers',
      '<answer>[{"a":1}]</answer>\n<answer>[{"b":1}]</answer>',
      '2:9 PV1009 got a second list, want one; the first starts on line 1',
    ],
    ['a later element', '[{"a":1}, {"b": oops}]', '1:17 PV1004 got oops, want a value'],
    [
      'nothing after thinking',
      '<think>[{"a":1}]</think> ',
      '1:1 PV1001 got nothing after the thinking, want a JSON list',
    ],
    [
      'a broken list beside a mere bracket',
      'See [1]: [{"a": oops}]',
      '1:17 PV1004 got oops, want a value',
    ],
    ['deep nesting', `[{"a":${'['.repeat(300)}`, '1:205 PV1003 got nesting deeper than 200'],
  ])('%s', (_, text, expected) => expect(read(text)).toEqual([expected]));

  test('a text beyond the limit', () => {
    const { error } = readModelJson(`[${'"é",'.repeat(10)}1]`, 'array', { bytesMax: 12 });
    expect(error).toMatchObject({ code: 'PV1002', line: 1, column: 1 });
  });
});

describe('exactly one value', () => {
  test.each<[string, string]>([
    ['1', '1'],
    ['1.0', '{"$float":"1"}'],
    ['12345678901234567890', '{"$int":"12345678901234567890"}'],
    ['-0.5e1', '{"$float":"-5"}'],
    [' "a" ', '"a"'],
    ['// c\n[1] // d', '[1]'],
    ['{"a":1,"a":2}', '{"a":2}'],
  ])('%s', (text, value) => {
    const { node, error } = readJson(text);
    expect(error).toBeUndefined();
    expect(node && encode(valueOfNode(node))).toBe(value);
  });

  test('repeated keys stay in the tree', () => {
    const { node } = readJson('{"a":1,"a":2}');
    expect(node?.kind === 'object' && node.members.map((one) => one.value.column)).toEqual([6, 12]);
  });

  test.each<[string, string]>([
    ['{"a":1}x', 'PV1008'],
    ['', 'PV1001'],
    ['1e400', 'PV1006'],
    [`1${'0'.repeat(5000)}`, 'PV1006'],
    ['2024-10-15', 'PV1006'],
    ['+1', 'PV1006'],
    ['007', 'PV1006'],
  ])('refuses %s', (text, code) => expect(readJson(text).error?.code).toBe(code));
});

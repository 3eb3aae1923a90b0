/** How programs on a stack are read out of what models write around them and in them. */
import { describe, expect, test } from 'vitest';
import { readTree } from '../../../src/dialects/stack/tree.ts';
import { said } from './tools.ts';

const sources = (text: string): string[] =>
  readTree(text).tree.statements.map(({ syntax }) => syntax.call.source);

const literal = (written: string): unknown => {
  const [statement] = readTree(`answer(${written})`).tree.statements;
  const action = statement?.action;
  return action?.kind === 'answer' && action.value.kind === 'literal' ? action.value.value : action;
};

describe('texts', () => {
  test.each([
    ['"plain"', 'plain'],
    ["'single'", 'single'],
    ['"a \\"quoted\\" word"', 'a "quoted" word'],
    ["'it\\'s'", "it's"],
    ["'it's fine'", "it's fine"],
    ['"say "hi" to them"', 'say "hi" to them'],
    ['"over\ntwo lines"', 'over\ntwo lines'],
    ['"tab\\t, line\\n, backslash \\\\"', 'tab\t, line\n, backslash \\'],
    ['"\\u00e9 \\u{1f600} \\ud83d\\ude00 \\x41"', 'é 😀 😀 A'],
    ['"a pattern \\d+"', 'a pattern \\d+'],
    ['""', ''],
    ['"# no comment // either"', '# no comment // either'],
    ['"with ) and , and ] in it"', 'with ) and , and ] in it'],
  ])('%s', (written, value) => {
    expect(literal(written)).toBe(value);
  });
});

test.each([
  ['42', 42],
  ['-7', -7],
  ['1.5', { kind: 'float', value: 1.5 }],
  ['12345678901234567890', 12345678901234567890n],
  ['true', true],
  ['None', null],
])('the value %s', (written, value) => {
  expect(literal(written)).toEqual(value);
});

const program = 'get("a")\nanswer(stack_pop(1))\n';
const own = ['get("a")', 'answer(stack_pop(1))'];

describe('what stands around a program is left out', () => {
  test.each([
    ['nothing', program],
    ['a word before it', `Assistant: ${program}`],
    ['a line before and behind', `Sure! Here is the program:\n${program}I hope that helps.\n`],
    ['a fence', `Here:\n\`\`\`python\n${program}\`\`\`\nThat calls answer(stack_pop(1)).\n`],
    ['a fence without an end', `\`\`\`\n${program}`],
    ['a list with numbers', '1. get("a")\n2. answer(stack_pop(1))\n'],
    ['a list with dashes', '- get("a")\n- answer(stack_pop(1))\n'],
    ['comments', `# get it\nget("a") # now\n// answer\n/* that\nis\nall */\nanswer(stack_pop(1))`],
    ['semicolons', 'get("a"); answer(stack_pop(1));'],
    ['nothing between', 'get("a")answer(stack_pop(1))'],
    ['line ends of another system', program.replaceAll('\n', '\r\n')],
    ['backticks', '`get("a")`\n`answer(stack_pop(1))`'],
  ])('%s', (_, text) => {
    expect(sources(text)).toEqual(own);
  });

  test('of several fences the longest is read, and the others are said', () => {
    const text = `\`\`\`\nget("b")\n\`\`\`\nthen\n\`\`\`\n${program}\`\`\`\n`;
    expect(sources(text)).toEqual(own);
    expect(readTree(text).diagnostics.map(({ code }) => code)).toContain('PV1302');
  });
});

test('a statement may go over lines, and have a comma behind the last value', () => {
  const text = 'llm_call(\n  stack_pop(1), # the page\n  "Sum it up",\n)\nanswer(stack_pop(1))';
  expect(sources(text)).toEqual(['llm_call( stack_pop(1), # the page "Sum it up", )', own[1]]);
});

test('the comment above a statement says what it is for', () => {
  const { statements } = readTree('# All of it,\n# at once.\nget("a")\n\nanswer("x")').tree;
  expect(statements.map(({ syntax }) => syntax.comment)).toEqual(['All of it, at once.', '']);
});

/** Codes with their places, of texts in which nothing may be swallowed. */
test.each([
  ['just words', ['PV2720 1:1', 'PV1301 1:1']],
  ['', ['PV2720 1:1']],
  ['answer("x") and more', ['PV1307 1:13']],
  ['answer("x', ['PV1303 1:8']],
  ['answer("x"', ['PV1303 1:7']],
  ['answer("""x""")', ['PV1309 1:10']],
  ['answer("x)\nanswer("y")', ['PV1304 1:8']],
  ['answer("x"\nanswer("y")', ['PV1306 1:7']],
  ['answer("a "b" c")', ['PV1305 1:11']],
  ['answer(“x”)', ['PV1308 1:8']],
  ['answer("a" + "b")', ['PV1308 1:12']],
  ['answer(`x`)', ['PV1308 1:8']],
  ['answer(["a" "b"])', ['PV1309 1:13']],
  ['answer({1: 2})', ['PV1312 1:9']],
  [`answer(${'['.repeat(100)}1${']'.repeat(100)})`, ['PV1310 1:71']],
  ['/* no end\nanswer("x")', ['PV1301 1:1']],
])('%j', (text, codes) => {
  expect(said(text)).toEqual(codes);
});

test('behind a broken statement the next ones are looked at', () => {
  expect(said('answer(?!)\nanswer(stack_pop("x"))\nfunction_call(nothing())')).toEqual([
    'PV1308 1:9',
    'PV2704 2:18',
    'PV2711 3:15',
  ]);
});

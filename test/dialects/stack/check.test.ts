/** What is said of programs on a stack before they run, and that all of it can be repaired by it. */
import { expect, test } from 'vitest';
import { check, said } from './tools.ts';

const page = 'function_call(web.get("u"))\n';

test.each([
  ['answer(stack_pop(1))', 'PV2709', 'got 1 value to take: the stack is empty'],
  ['answer(stack())', 'PV2709', 'got all values to take: the stack is empty'],
  [`${page}answer(stack_pop(2))`, 'PV2709', 'got 2 to take: there are 1 on the stack'],
  [`${page}answer(stack_pop(1))\nanswer(stack_pop(1))`, 'PV2709', 'the stack is empty'],
  ['answer(get("page"))', 'PV2710', 'page is read, and no statement before has set it'],
  [`${page}set("page")\nanswer(get("pages"))`, 'PV2710', 'did you mean page?'],
  ['answer("x", "y")', 'PV2702', 'answer: got 2 arguments, want at most 1'],
  ['answer(set("x"))', 'PV2708', 'set gives no value that could stand here'],
  ['foreach(data(["a"]), "each")', 'PV2702', 'want a statement as the second argument'],
  ['function_call("web.get")', 'PV2702', 'want a call of a helper'],
  ['llm_call(stack_pop(1), 5)', 'PV2703', 'want what to do, as text in quotes'],
  ['answer(stack_pop(-1))', 'PV2704', 'want a whole number from 0'],
  ['answer("x")\nset("stack")', 'PV2721', 'stack is the name of the stack itself'],
  ['function_call(web.got("u"))', 'PV2711', 'did you mean web.get?'],
  ['use("a")', 'PV2725', 'there is no program a'],
  ['use("a")\n#: file "a"\nuse("b")\n#: file "b"\nuse("a")', 'PV2726', 'a uses b uses a'],
  ['use("a")\n#: file "a"\nanswer(get("x"))\n', 'PV2726', 'a has an error in line 1: x is read'],
  ['use(5)', 'PV2703', 'want the name of a program, or a run, in quotes'],
  ['llm_cal("x")', 'PV2701', 'did you mean llm_call?'],
  ['function_call(web.get())', 'PV2712', 'web.get lacks url'],
  ['function_call(web.get(link="u"))', 'PV2713', 'web.get has no parameter link'],
  ['function_call(web.get("u", "v"))', 'PV2714', 'web.get: got 2 arguments, want at most 1'],
  ['function_call(web.get("u", url="v"))', 'PV2715', 'web.get: got url twice'],
  ['function_call(news.search(total=1, "q"))', 'PV2716', 'behind one with a name'],
  ['function_call(news.search("q", "many"))', 'PV2717', 'total: got string, want integer'],
])('%s is an error: %s', (text, code, words) => {
  const { ok, diagnostics } = check(text);
  const found = diagnostics.filter((one) => one.code === code && one.severity === 'error');
  expect(ok).toBe(false);
  expect(found.map(({ message, hint }) => `${message}; ${hint}`).join('\n')).toContain(words);
});

test.each([
  [`${page}llm_call("Sum it up")\nanswer(stack_pop(1))`, ['PV2718 2:1']],
  [`${page}answer()`, ['PV2718 2:1']],
  [`${page}answer(stack_pop())`, ['PV2705 2:8']],
  ['web.get("u")\nanswer(stack_pop(1))', ['PV2706 1:1']],
  [`${page}set("page")\nanswer(page)`, ['PV2707 3:8']],
  [page, ['PV2719 1:1']],
  ['foreach(["a"], llm_call("t"))\nset("all")\nanswer(get("all"))', ['PV2724 2:1']],
  [`${page}set("x")`, ['PV2719 2:1']],
  [`${page}stack()\nanswer("x")`, ['PV2722 2:1']],
  [`${page}function_call(web.get())\nanswer(stack())`, ['PV2718 2:15']],
  ['foreach(data(["a"]), function_call(web.get("u")))\nanswer(stack())', ['PV2723 1:22']],
])('%s is only said: %s', (text, codes) => {
  expect(check(text).ok).toBe(true);
  expect(said(text)).toEqual(codes);
});

test.each([
  `${page}llm_call(stack_pop(1), "Sum it up")\nanswer(stack_pop(1))`,
  'function_call(WebHelpers.search_linkedin_profile("Bill", "Jia", "Meta"))\nanswer(stack())',
  'function_call(find(first_name="Bill", last_name="Jia"))\nanswer(stack_pop(0))',
  'function_call(news.search("q", "5"))\nanswer(stack_pop(1))',
  'answer(llm_call("What is a tide?"))',
  'answer(llm_call(function_call(web.get("u")), "Sum it up"))',
  'foreach(data(["a", "b"]), llm_call("Say more"))\nanswer(stack_pop(2))',
  'foreach(data(["u", "v"]), function_call(web.get(stack_pop(1))))\nanswer(stack())',
  `${page}set("a", "The page")\nget("a")\nget("a")\nllm_call(stack(), "Compare")\nanswer(stack())`,
  'foreach(data(["a"]), function_call(web.get("url")))\nanswer(stack())',
  `${page}foreach(stack_pop(1), function_call(web.get()))\nanswer(stack())`,
  'uncertain_or_error("nothing can be done")',
])('nothing is said of %s', (text) => {
  expect(said(text)).toEqual([]);
});

test('inputs are variables', () => {
  expect(said('answer(get("city"))', 'city')).toEqual([]);
});

test('a broken statement is no reason to complain about what it would have pushed', () => {
  expect(said('function_call(web.get("u"\nanswer(get("x"))\nanswer(stack_pop(3)')).toEqual([
    'PV1306 1:14',
    'PV1306 1:22',
    'PV1303 3:7',
  ]);
});

test('programs that use each other again and again are refused before they grow', () => {
  const name = (i: number): string => `p${i}`;
  const files = Array.from({ length: 40 }, (_, i) => {
    const twice = `use("${name(i + 1)}")\nuse("${name(i + 1)}")\n`;
    return `#: file "${name(i)}"\n${i < 39 ? twice : 'answer("x")\n'}`;
  });
  const { ok, diagnostics } = check(`use("p0")\n${files.join('')}`);
  expect(ok).toBe(false);
  expect(diagnostics.map(({ message }) => message).join()).toContain('more than 100 uses');
});

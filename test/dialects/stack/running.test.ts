/** What programs on a stack come to: the order of operands, and what is left where. */
import { expect, test } from 'vitest';
import { answersOf, check, run } from './tools.ts';

const three = 'data("a")\ndata("b")\ndata("c")\n';

test.each([
  // One order, the oldest first, however many are taken.
  [`${three}answer(stack())`, ['["a","b","c"]']],
  [`${three}answer(stack_pop(0))`, ['["a","b","c"]']],
  [`${three}answer(stack_pop(3))`, ['["a","b","c"]']],
  [`${three}answer(stack_pop(2))\nanswer(stack_pop(1))`, ['["b","c"]', '"a"']],
  [`${three}answer(stack_pop(1))\nanswer(stack())`, ['"c"', '["a","b"]']],
  [`${three}llm_call(stack(), "t")\nanswer(stack())`, ['"t: \\"a\\" & \\"b\\" & \\"c\\""']],
  [`${three}llm_call(stack_pop(2), "t")\nanswer(stack_pop(1))`, ['"t: \\"b\\" & \\"c\\""']],
  // What is not told what to look at looks at the top, and leaves the rest.
  [`${three}llm_call("t")\nanswer(stack())`, ['["a","b","t: \\"c\\""]']],
  ['answer(llm_call("t"))', ['"t: "']],
  // A name keeps a value, and gives it any number of times.
  ['data("a")\nset("x")\nanswer(get("x"))\nanswer(get("x"))', ['"a"', '"a"']],
  ['data("a")\nset("x", llm_call(stack_pop(1), "t"))\nanswer(get("x"))', ['"t: \\"a\\""']],
  ['data("a")\nset("x", "What it is")\nget("x")\nanswer(stack())', ['"a"']],
  // Lists.
  ['data(["a", 1, {"k": [true]}])\nanswer(stack_pop(1))', ['["a",1,{"k":[true]}]']],
  [`${three}dataframe(stack())\nanswer(stack_pop(1))`, ['["a","b","c"]']],
  ['answer(llm_call(["a", get("x")], "t"))'.replace('get("x")', '"b"'), ['"t: \\"a\\" & \\"b\\""']],
  // For each element, in order.
  ['foreach(data(["a", "b"]), llm_call("t"))\nanswer(stack())', ['["t: \\"a\\"","t: \\"b\\""]']],
  ['foreach(["a", "b"], llm_call(stack_pop(1), "t"))\nanswer(stack_pop(1))', ['"t: \\"b\\""']],
  [
    'data(["a", "b"])\nforeach(stack_pop(1), answer(stack_pop(1)))\nanswer("end")',
    ['"a"', '"b"', '"end"'],
  ],
  [
    `${three}foreach(stack(), llm_call("t"))\nanswer(stack_pop(2))`,
    ['["t: \\"b\\"","t: \\"c\\""]'],
  ],
  ['answer(foreach(data(["u"]), function_call(web.get(stack_pop(1)))))', ['"web.get(u)"']],
  [
    'foreach([["a"], ["b", "c"]], foreach(stack_pop(1), llm_call("t")))\nanswer(stack())',
    ['["t: \\"a\\"","t: \\"b\\"","t: \\"c\\""]'],
  ],
  ['foreach(data("[]"), llm_call("t"))\nanswer(stack())', ['[]']],
  [
    'data("[\\"a\\", \\"b\\"]")\nforeach(stack_pop(1), llm_call("t"))\nanswer(stack_pop(1))',
    ['"t: \\"b\\""'],
  ],
  // A list in a text, and arguments in elements.
  [
    'data("a, b")\nforeach(stack_pop(1), llm_call("t"))\nanswer(stack())',
    ['["t: \\"a\\"","t: \\"b\\""]'],
  ],
  [
    'foreach(data(["Ada Byron", "Jeff Dean"]), function_call(find()))\nanswer(stack())',
    ['["linkedin.find(Ada, Byron)","linkedin.find(Jeff, Dean)"]'],
  ],
  [
    'foreach(["Ada Byron"], function_call(find("first_name", last_name, "Looms")))\nanswer(stack())',
    ['"linkedin.find(Looms, Ada, Byron)"'],
  ],
  [
    'foreach([["Ada", "Byron"]], function_call(find()))\nanswer(stack_pop(1))',
    ['"linkedin.find(Ada, Byron)"'],
  ],
  [
    'foreach(["Ada Byron"], function_call(find(?, ?, stack_pop(1))))\nanswer(stack())',
    ['"linkedin.find(Ada Byron, Ada, Byron)"'],
  ],
  [
    'foreach(["Ada Byron"], function_call(find(?, ?, llm_call("t"))))\nanswer(stack())',
    ['"linkedin.find(t: \\"Ada Byron\\", Ada, Byron)"'],
  ],
  [
    'foreach(["Ada Byron"], llm_call(function_call(find(<first>, <last>)), "t"))\nanswer(stack())',
    ['"t: \\"linkedin.find(Ada, Byron)\\""'],
  ],
  [
    'data("Ada Byron")\ndata("L")\nanswer(function_call(find(company_name=stack_pop(1))))',
    ['"linkedin.find(L, Ada, Byron)"'],
  ],
  ['data("Ada Byron")\nanswer(function_call(find()))', ['"linkedin.find(Ada, Byron)"']],
  // Helpers: by place and by name, with what they want in their notation.
  ['answer(function_call(news.search("q", "5")))', ['"news.search(q, 5)"']],
  ['data("q")\nanswer(function_call(search(query=stack_pop(1))))', ['"news.search(q)"']],
  [
    'answer(function_call(any({"a": [get("x"), 1]})))'.replace('get("x")', 'true'),
    ['"any([object Object])"'],
  ],
  // Without a statement that answers, what is left is the answer.
  ['data("a")', ['"a"']],
  ['data("a")\ndata("b")', ['["a","b"]']],
])('%s', (text, answers) => {
  expect(answersOf(text)).toEqual(answers);
});

test.each([
  ['foreach(data("[]"), llm_call("t"))\nanswer(stack_pop(1))', 'PV3801', 'there are only 0'],
  ['uncertain_or_error("no such town")', 'PV3802', 'no such town'],
  ['data("a page")\nuncertain_or_error(stack_pop(1))', 'PV3802', 'a page'],
  ['uncertain_or_error()', 'PV3802', 'gives no reason'],
])('%s ends with %s: %s', (text, code, words) => {
  const { program } = check(text);
  if (!program) throw new Error('it is a program');
  const { result } = run(program);
  expect(result).toContain(code);
  expect(result).toContain(words);
});

const file = (name: string, text: string): string => `\n#: file "${name}"\n${text}\n`;

test.each([
  // What another program answers is pushed, and shown to nobody.
  ['use("a.stack")\nanswer(stack())', file('a.stack', 'answer("x")\nanswer("y")'), ['["x","y"]']],
  ['use("a")\nanswer(stack())', file('a', 'data("x")\ndata("y")'), ['["x","y"]']],
  [
    'data("own")\nuse("a")\nanswer(stack_pop(1))\nanswer(stack())',
    file('a', 'answer("x")'),
    ['"x"', '"own"'],
  ],
  // Its variables are its own; where its values came from goes with them.
  [
    'data("m")\nset("v")\nuse("a")\nllm_call(stack(), "t")\nanswer(stack())\nanswer(get("v"))',
    file('a', 'function_call(web.get("u"))\nset("v")\nanswer(get("v"))'),
    ['"t: \\"web.get(u)\\""', '"m"'],
  ],
  ['answer(llm_call(use("a"), "t"))', file('a', 'answer("x")'), ['"t: \\"x\\""']],
  [
    'foreach(use("a"), llm_call("t"))\nanswer(stack_pop(1))',
    file('a', 'data(["x", "y"])'),
    ['"t: \\"y\\""'],
  ],
  ['foreach(["p", "q"], use("a"))\nanswer(stack())', file('a', 'answer("x")'), ['["x","x"]']],
  [
    'use("a")\nanswer(stack())',
    file('a', 'use("b")\nllm_call("t")\nanswer(stack_pop(1))') + file('b', 'answer("x")'),
    ['"t: \\"x\\""'],
  ],
  [
    'use("a")\nanswer(stack())',
    file('a', 'foreach(["x", "y"], answer(llm_call("t")))'),
    ['["t: \\"x\\"","t: \\"y\\""]'],
  ],
])('%s with another program', (main, files, answers) => {
  expect(answersOf(`${main}${files}`)).toEqual(answers);
});

test('an answer is recorded before a program gives up', () => {
  const { program } = check('answer("so far")\nuncertain_or_error("no more")');
  if (!program) throw new Error('it is a program');
  expect(run(program).result).toMatch(/failed[\s\S]*answer "so far" at step 1/);
});

test('what one element lacks keeps the others from nothing', () => {
  const { program } = check(
    'foreach(["Ada", "Jeff Dean"], function_call(find("missing", ?)))\nanswer(stack())',
  );
  if (!program) throw new Error('it is a program');
  const { result } = run(program);
  expect(result).toMatch(/^done/);
  expect(result).toContain('"uncertain",["question","What is the last_name?"]');
  expect(result).toContain('linkedin.find(Jeff, Dean)');
});

test('what is given goes past the model, and what is found never takes its place', () => {
  const { program } = check('data("Ada Byron")\nfunction_call(find(first_name="Eve"))');
  if (!program) throw new Error('it is a program');
  const seen: string[] = [];
  const { result } = run(program, (name, args) => {
    seen.push(`${name} ${JSON.stringify(args.wanted ?? args)}`);
    return name === 'bind_arguments' ? { args: { first_name: 'Ada', last_name: 'Byron' } } : name;
  });
  expect(result).toMatch(/^done/);
  expect(seen).toEqual([
    'bind_arguments ["last_name"]',
    'linkedin.find {"first_name":"Eve","last_name":"Byron"}',
  ]);
});

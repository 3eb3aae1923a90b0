/**
 * Programs as models write them that think in another language, or in none: the error of each
 * tells what to write instead.
 */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { createMachine } from '../../../src/machine/create.ts';
import { toolSpec } from '../../../src/program/effect.ts';

const parameters = {
  type: 'object',
  properties: { query: { type: 'string' }, top_k: { type: 'integer' } },
  required: ['query'],
};
const search = toolSpec({ name: 'search', description: 'Searches.', effect: 'read', parameters });
const strict = toolSpec({
  ...search,
  name: 'strict',
  parameters: { ...parameters, additionalProperties: false },
});
const environment = {
  tools: new Map([search, strict].map((spec) => [spec.name, spec])),
  inputs: [],
};

/** What is said of a program: by check, or by the machine where check has nothing to say. */
function said(source: string): string[] {
  const { program, diagnostics } = checkProgram(source, environment, { dialect: 'starlark' });
  const all = diagnostics.map(({ severity, message, hint }) => `${severity}: ${message} | ${hint}`);
  if (!program || all.length > 0) return all;
  const machine = createMachine(program, { tools: environment.tools });
  machine.run(1e5);
  const { error } = machine.view();
  return error ? [`run: ${error.message} | ${error.hint}`] : [];
}

test.each<[source: string, says: RegExp]>([
  ['try:\n  x = search(query="a")\nexcept Exception as e:\n  x = None', /try_call\(tool/],
  ['class A:\n  def f(self): pass', /use a dict, or struct/],
  ['import json\nx = json.loads("1")', /there are no imports/],
  ['from math import sqrt', /there are no imports/],
  ['x = json.loads("1")', /json\.decode/],
  ['x = json.dumps({})', /json\.encode/],
  ['if 1 is None: pass', /compare with ==/],
  ['async def main(): pass', /there is no async/],
  ['x = await search(query="a")', /there is no await/],
  ['f = lambda x: x = 2', /assign|expression/],
  ['f = lambda x: return x', /a lambda is one expression/],
  ['f = lambda (a, b): a', /lambda pair: pair\[0\]/],
  ['n = 0\ndef f():\n  global n\n  n = 1', /return the value, or change a dict/],
  ['with open("a") as f: pass', /there is no with/],
  ['def g():\n  yield 1', /append to a list and return it/],
  ['if (n := 1) > 0: pass', /statement of its own/],
  ['@cache\ndef f(): pass', /there are no decorators/],
  ['def f(x: int) -> str: return "a"', /no type annotations/],
  ['x: int = 3', /no type annotations/],
  ['for i in [1]: pass\nelse: pass', /loops have no else/],
  ['print("a", end="")', /each print is a line of its own/],
  ['x = enumerate(["a"], start=1)', /write enumerate\(…\) without names/],
  ['print "a"', /print\(x\)/],
  ['xs = [2, 1]\nxs.sort()', /sorted\(xs\)/],
  ['x = [1].push(2)', /append/],
  ['x = [1].map(lambda n: n)', /write a comprehension/],
  ['x = "abc".length()', /len\(x\)/],
  ['x = "abc".includes("b")', /"part" in s/],
  ['d = {"a": 1}\nx = d.a', /write d\["a"\]/],
  ['x = {"a": 1}.has_key("a")', /key in d/],
  ['x = None\ny = x.upper()', /test x != None before/],
  ['for c in "abc": pass', /elems\(\)/],
  ['x = "a" + 1', /str\(x\)/],
  ['x = "5" * "3"', /int\(s\)/],
  ['x = "5" > 3', /int\(s\)/],
  ['x = ", ".join([1, 2])', /str\(x\) for x in xs/],
  ['x = y = 1', /one variable at a time/],
  ['if 1 = 1: pass', /compare with ==/],
  ['if True {\n  x = 1\n}', /begins with a colon/],
  ['// a comment\nx = 1', /begins with #/],
  ['```python\nx = 1\n```', /between the fences alone/],
  ["x = 'it's'", /the other quotes/],
  ['x = null', /undefined: null \| write None/],
  ['x = isinstance(1, int)', /type\(x\) ==/],
  ['x = list(map(str, [1]))', /undefined: map \| write a comprehension/],
  ['x = datetime.now()', /call a tool for the time/],
  ['x = re.sub("a", "b", "c")', /no regular expressions/],
  ['if __name__ == "__main__": pass', /there is no main/],
  ['x = {1, 2}', /set\(\[a, b\]\)/],
  ['x = sum(n for n in [1])', /put brackets around a comprehension/],
  ['x = [*[1], 2]', /list\(a\) \+ \[b\]/],
  ['x = {**{"a": 1}}', /a \| b joins two dicts/],
  ['del {}["a"]', /d\.pop\(key\)/],
  ['raise ValueError("a")', /fail\("message"\)/],
  ['return 5', /answer\(x\)/],
  ['x = serach(query="a")', /did you mean search\?/],
  ['x = web_lookup("a")', /undefined: web_lookup \| the tools are search, strict$/],
  ['x = [web_lookup]', /undefined: web_lookup \| a run can be given it as the input web_lookup$/],
  ['x = web.lookup(1)', /undefined: web \| undefined$/],
  ['x = serch', /did you mean search\?\) \| undefined$/],
  ['x = search()', /error: search lacks the parameter query \| search\(query: string, top_k: /],
  ['x = search("a", 1, 2)', /search has 2 parameters, got 3 values/],
  ['x = search("a", query="b")', /gets the parameter query twice/],
  ['x = search(query="a", topk=1)', /warning: search has no parameter topk \| did you mean top_k/],
  ['x = strict(query="a", topk=1)', /error: strict has no parameter topk/],
  ['x = try_call(search, qurey="a")', /did you mean query\?/],
  ['x = type(1) == int', /warning: .*never equal \| write type\(x\) == "int"/],
  ['x = str != type("a")', /write type\(x\) != "string"/],
])('%j', (source, says) => {
  expect(said(source).join('\n')).toMatch(says);
});

test.each([
  'x = search("a", top_k = 3)',
  'args = ["a"]\nx = search(*args)',
  'x = search(**{"query": "a"})',
  'x = [try_call(search, query = q) for q in ["a"]]',
  'def search(): return 1\nx = search()',
  'x = type(1) == "int"',
  'x = f"{3.14159:.2f} {1:>4}" + "%.1f" % 2.0',
])('nothing is said of %j', (source) => {
  expect(said(source)).toEqual([]);
});

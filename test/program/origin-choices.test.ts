/** What a page may have chosen: a constant among others, by way of a call target or a failure. */
import { describe, expect, test } from 'vitest';
import { type Origin, originsOf } from '../../src/analysis/origins.ts';
import { checkProgram } from '../../src/dialects/index.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import type { Program } from '../../src/program/program.ts';
import { compile } from '../support/starlark-machine.ts';

const tool = (name: string, effect: 'read' | 'write', ...parameters: string[]): ToolSpec =>
  toolSpec({
    ...{ name, description: name, effect },
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, {}])),
    },
  });

const tools: ReadonlyMap<string, ToolSpec> = new Map(
  [
    tool('download', 'read', 'url'),
    tool('send', 'write', 'to'),
    tool('wipe', 'write', 'to'),
    tool('pause', 'read'),
  ].map((spec) => [spec.name, spec]),
);

/** What has decided about any call of `send`: an outcome that is in it, or one that chose it. */
function deciders(text: string, program: Program = compile(text, tools)): string[] {
  const origins = originsOf(program, tools);
  expect(origins.complete).toBe(true);
  const words = ({ sites, anything, chosen }: Origin): string[] => [
    ...[...sites, ...chosen.sites].map((i) => origins.sites[i]?.tool ?? '?'),
    ...(anything || chosen.anything ? ['anything'] : []),
  ];
  const sends = origins.sites.filter((site) => site.tool === 'send');
  expect(sends).not.toEqual([]);
  return sends.flatMap(({ args, others }) => [...args.values(), others].flatMap(words));
}

const page = 'page = download("u")\nbad = "evil" in page\n';

describe('a page decides', () => {
  const flows: Readonly<Record<string, string>> = {
    'which of two functions gives a value':
      'f = {"a": lambda: "kim", "b": lambda: "ann"}["a" if bad else "b"]\nsend(f())',
    'which function a name stands for':
      'def p():\n    return "kim"\ndef q():\n    return "ann"\nf = p if bad else q\nsend(f())',
    'which function fills a list':
      'o = []\ndef p():\n    o.append("kim")\ndef q():\n    o.append("ann")\n' +
      '[p, q][len(page) % 2]()\nsend(o)',
    'which function calls the tool, with constants':
      'def f():\n    send("kim")\ndef g():\n    send("ann")\n' +
      '{"a": f, "b": g}["a" if bad else "b"]()',
    'which function calls the function that calls the tool':
      'def go():\n    send("kim")\ndef f():\n    go()\ndef g():\n    pass\n' +
      '(f if bad else g)()',
    'which constant a chosen function passes on':
      'def go(to):\n    send(to)\n' +
      '{"a": lambda: go("kim"), "b": lambda: go("ann")}["a" if bad else "b"]()',
    'which constant a branch passes on':
      'def go(to):\n    send(to)\nif bad:\n    go("kim")\nelse:\n    go("ann")',
    'whether a default is replaced':
      'def go(to = "ann"):\n    send(to)\nif bad:\n    go("kim")\nelse:\n    go()',
    'which constant a branch passes on by name':
      'def go(to, x = 1):\n    send(to)\nif bad:\n    go(to = "kim")\ngo(to = "ann")',
    'which constant is passed with a star':
      'def go(*all):\n    send(all)\nif bad:\n    go("kim")\nelse:\n    go("ann")',
    'which method is called':
      'o = ["kim"]\ngetattr(o, "append" if bad else "remove")("kim")\nsend(o)',
    'which bound method is called':
      'a = ["x"]\nb = ["y"]\nput = a.append if bad else b.append\nput("kim")\nsend(b)',
    'which function a list of functions has first':
      'fs = [lambda: "ann"]\nif bad:\n    fs.insert(0, lambda: "kim")\nsend(fs[0]())',
    'which function a function gives':
      'def pick():\n    if bad:\n        return lambda: "kim"\n    return lambda: "ann"\nsend(pick()())',
    'which function is called side by side':
      'f = (lambda x: "kim") if bad else (lambda x: "ann")\nsend(parallel(f, [1]))',
    'which function sorts':
      'key = (lambda x: x) if bad else (lambda x: -x)\nsend(sorted([1, 2], key = key))',
    'which function is a field':
      's = struct(f = (lambda: "kim") if bad else (lambda: "ann"))\nsend(s.f())',
    'which function is called with a star':
      'f = (lambda: "kim") if bad else (lambda: "ann")\nsend(f(*[]))',
    'which tool is called': '(send if bad else wipe)("kim")',
    'whether a conversion fails before a list is changed':
      'o = ["ann"]\ndef f():\n    int(page)\n    o[0] = "kim"\nattempt(f)\nsend(o)',
    'whether a conversion fails after a list is changed':
      'o = []\ndef f():\n    for x in ["1", page]:\n        o.append("kim")\n        int(x)\n' +
      'attempt(f)\nsend(o)',
    'whether a loop fails':
      'o = []\ndef f():\n    for x in page.elems():\n        if x == "z":\n            fail("z")\n' +
      '        o.append("kim")\nattempt(f)\nsend(o)',
    'whether a function that is called fails':
      'o = []\ndef check(x):\n    if x:\n        fail("x")\n' +
      'def f():\n    check(bad)\n    o.append("kim")\nattempt(f)\nsend(o)',
    'whether what is attempted fails further in':
      'o = []\ndef f(x):\n    o.append("kim" if x else "ann")\n' +
      'def g():\n    {"evil": 1}[page]\n    f(True)\nattempt(lambda: g())\nsend(o)',
    'whether what is attempted side by side fails':
      'o = [[]]\ndef f(x):\n    int(page)\n    o[0].append("kim")\nparallel(attempt, [f])\nsend(o)',
    'whether a tool fails':
      'o = []\ndef f():\n    download("v")\n    o.append("kim")\nattempt(f)\nsend(o)',
    'whether a function under another name fails':
      'o = []\ntry_it = [attempt][0]\ndef f():\n    int(page)\n    o.append("kim")\ntry_it(f)\nsend(o)',
    'which of the fallbacks is taken': 'r = attempt(int, page)\nsend("kim" if r.ok else "ann")',
    'where a loop ends':
      'to = "ann"\nfor x in ["a", "b"]:\n    if x in page:\n        break\n    to = x\nsend(to)',
    'what a loop passes over':
      'to = []\nfor x in ["a", "b"]:\n    if x in page:\n        continue\n    to.append(x)\nsend(to)',
    'where a function ends':
      'o = []\ndef f():\n    o.append("ann")\n    if bad:\n        return\n    o.append("kim")\nf()\nsend(o)',
    'what a comprehension leaves out': 'send([x for x in ["kim", "ann"] if x not in page])',
    'what a dict comprehension leaves out': 'send({x: 1 for x in ["kim", "ann"] if x not in page})',
    'an operand of `or`': 'send(("kim" if bad else "") or "ann")',
    'an operand of `and`': 'send(bad and "kim")',
    'an index': 'send(["kim", "ann"][len(page) % 2])',
    'a key': 'send({True: "kim", False: "ann"}[bad])',
    'how often a loop runs': 'n = 0\nfor _ in range(len(page)):\n    n += 1\nsend("x" * n)',
    'how deep a function goes':
      'def f(xs):\n    return "a" + f(xs[1:]) if xs else ""\nsend(f(page))',
    'an order': 'send(sorted(["kim", "ann"], key = lambda x: page.find(x)))',
    'a list that another name changes':
      'o = ["ann"]\np = [o]\nif bad:\n    p[0][0] = "kim"\nsend(o[0])',
    'what a closure gives':
      'def make(x):\n    return lambda: "kim" if x else "ann"\nsend(make(bad)())',
    'what a default is': 'def f(to = "kim" if bad else "ann"):\n    return to\nsend(f())',
    'what is called first': 'send(first([download("a"), download("b")]))',
    'what is removed': 'o = ["kim", "ann"]\nif bad:\n    o.pop()\nsend(o)',
    'what is unpacked': 'a, b = ("kim", "ann") if bad else ("ann", "kim")\nsend(a)',
  };

  test.each(Object.entries(flows))('%s', (_, text) => {
    expect(deciders(page + text)).not.toEqual([]);
  });
});

describe('a page decides nothing about', () => {
  const flows: Readonly<Record<string, string>> = {
    'a constant': 'print(page)\nsend("kim")',
    'a constant under a branch': 'if bad:\n    send("kim")',
    'the constant of a function under a branch':
      'def go(to):\n    send(to)\nif bad:\n    go("kim")',
    'the constant of a function that is called with another page':
      'def go(to, body):\n    print(body)\n    send(to)\nfor x in page.elems():\n    go("kim", x)',
    'a function that a constant picks':
      'f = {"a": lambda: "kim", "b": lambda: "ann"}["a"]\nprint(page)\nsend(f())',
    'a function that is attempted with constants':
      'o = []\ndef f(x):\n    int(x)\n    o.append("kim")\nattempt(f, "1")\nprint(page)\nsend(o)',
    'a list that a function fills for each page':
      'o = []\ndef note():\n    o.append("kim")\nnote()\nseen = [x for x in page.elems()]\nsend(o)',
    'a list beside one that a page fills':
      'a = []\nb = ["ann"]\nfor x in page.elems():\n    a.append(x)\nsend(b)',
    'what a loop over constants makes':
      'n = []\nfor x in ["kim", "ann"]:\n    if x != "bob":\n        n.append(x)\nprint(page)\nsend(n)',
    'a variable of a function that a page calls':
      'def f():\n    to = "kim"\n    send(to)\nif bad:\n    f()',
    'constants side by side': 'parallel(lambda x: send("kim"), page.elems())',
  };

  test.each(Object.entries(flows))('%s', (_, text) => {
    expect(deciders(page + text)).toEqual([]);
  });
});

describe('a plan goes on at `on_error`', () => {
  const planOf = (x: string): Program => {
    const calling = (tool_name: string, tool_params: object) => ({
      type: 'calling',
      parameters: { tool_name, tool_params, output_vars: ['y'] },
    });
    const plan = [
      { ...calling('download', { url: 'u' }) },
      { type: 'assign', parameters: { to: 'ann', x } },
      { type: 'assign', parameters: { z: '{{x.a}}' }, on_error: 4 },
      { type: 'assign', parameters: { to: 'kim' } },
      { ...calling('send', { to: '{{to}}' }) },
      { type: 'assign', parameters: { final_answer: '{{y}}' } },
    ].map((instruction, seq_no) => ({ seq_no, ...instruction }));
    const { program } = checkProgram(JSON.stringify(plan), { tools, inputs: [] });
    if (!program) throw new Error('the plan does not pass');
    return program;
  };

  test('as a page says', () => {
    expect(deciders('', planOf('{{y}}'))).not.toEqual([]);
  });

  test('as its constants say', () => {
    expect(deciders('', planOf('{}'))).toEqual([]);
  });
});

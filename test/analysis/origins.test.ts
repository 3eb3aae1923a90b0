/** Where arguments may come from: what is said of programs, and that it is never too little. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Origin,
  type OriginSite,
  type Origins,
  originsOf,
} from '../../src/analysis/origins.ts';
import { llmcompiler } from '../../src/dialects/llmcompiler/index.ts';
import { type Request, type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { propertyRuns } from '../support/depth.ts';
import { flows } from '../support/random-flow.ts';
import { compile, drive, tools } from '../support/starlark-machine.ts';

const object = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

const known: ReadonlyMap<string, ToolSpec> = new Map(
  (
    [
      ['download', 'read', ['url']],
      ['search', 'read', ['query']],
      ['send', 'write', ['to', 'body']],
    ] as const
  ).map(([name, effect, parameters]) => [
    name,
    toolSpec({ name, description: name, effect, parameters: object(...parameters) }),
  ]),
);

/** `to: download 1` for each argument of each call of `send`. */
function said(origins: Origins, tool = 'send'): string[] {
  const word = ({ sites, anything }: Origin): string => {
    const from = sites.map((i) => {
      const { tool: name = '?', line } = origins.sites[i] as OriginSite;
      return `${name} ${line}`;
    });
    return [...from, ...(anything ? ['anything'] : [])].join(', ');
  };
  return origins.sites
    .filter((site) => site.tool === tool)
    .flatMap(({ args, others }) => [
      ...[...args].map(([name, origin]) => `${name}: ${word(origin)}`),
      ...(others.sites.length > 0 || others.anything ? [`others: ${word(others)}`] : []),
    ]);
}

const ofText = (text: string, tool?: string): string[] =>
  said(originsOf(compile(text, known), known), tool);

describe('what is said of a program', () => {
  const cases: readonly (readonly [name: string, text: string, said: readonly string[]])[] = [
    ['constants and inputs come from nowhere', 'send(to = "a", body = "b")', ['to: ', 'body: ']],
    [
      'each argument has its own',
      'page = download("u")\nsend(to = "a", body = "See " + page)',
      ['to: ', 'body: download 1'],
    ],
    [
      'parts of a result',
      'page = download("u")\nsend(to = page["links"][0].href, body = "b")',
      ['to: download 1', 'body: '],
    ],
    [
      'a list that two variables share',
      'a = []\nb = a\nb.append(download("u"))\nsend(to = "x", body = a)',
      ['to: ', 'body: download 3'],
    ],
    [
      'a list that is copied does not change with the other',
      'a = ["x"]\nb = [y for y in a]\nb.append(download("u"))\nsend(to = "x", body = a)',
      ['to: ', 'body: '],
    ],
    [
      'what is put in after the call, since nobody looks at the order of variables',
      'a = "x"\nsend(to = a, body = "b")\na = download("u")',
      ['to: download 3', 'body: '],
    ],
    [
      'a function, for all who call it',
      'def f(x):\n    return x\na = f(download("u"))\nsend(to = f("b"), body = "c")',
      ['to: download 3', 'body: '],
    ],
    [
      'a closure',
      'def f(x):\n    def g():\n        return x\n    return g\n' +
        'g = f(download("u"))\nsend(to = g(), body = "c")',
      ['to: download 5', 'body: '],
    ],
    [
      'fibers',
      'def f(u):\n    return download(u)\npages = parallel(f, ["a", "b"])\n' +
        'send(to = "x", body = pages)',
      ['to: ', 'body: download 2'],
    ],
    [
      'a tool that is handed over',
      'pages = parallel(download, ["a", "b"])\nsend(to = "x", body = pages)',
      ['to: ', 'body: download 1'],
    ],
    [
      'a failure may quote anything',
      'r = attempt(download, "u")\nsend(to = "x", body = r.error.message)',
      ['to: ', 'body: download 1, anything'],
    ],
    [
      'variables hold whatever there is',
      'page = download("u")\nsend(to = "x", body = locals()["page"])',
      ['to: ', 'body: anything'],
    ],
    [
      'a tool that another outcome picks',
      'def f(x):\n    [download, send][x](to = "a", body = "b")\nf(search("q")["n"])',
      ['to: ', 'body: ', 'others: search 3'],
    ],
    [
      'a dict of arguments',
      'args = {"to": "a", "body": download("u")}\nsend(**args)',
      ['others: download 1'],
    ],
    [
      'a task whose arguments are made on the way',
      'page = task("download", {"url": "u"})\nother = task("search", {"query": "q"})\n' +
        'task("send", {"to": ("ref", 1), "body": ("text", "See ", ("ref", 0))}, page, other)',
      ['others: download 1, search 2'],
    ],
  ];

  test.each(cases)('%s', (_, text, expected) => {
    expect(ofText(text)).toEqual(expected);
  });

  test('a tool whose name is data may be any, with anything that its name is made of', () => {
    const text = 'turn = search("q")\ntask(turn["tool"], turn["args"])';
    const { sites } = originsOf(compile(text, known), known);
    expect(sites.map(({ tool, others }) => [tool, others.sites])).toEqual([
      ['search', []],
      [undefined, [0]],
    ]);
  });

  test('answers, with the steps that they stand in', () => {
    const text = 'page = download("u")\nanswer("fixed")\nanswer(page + "!")';
    const { answers } = originsOf(compile(text, known), known);
    expect(answers.map(({ from, steps }) => [from.sites, [...(steps ?? [])]])).toEqual([
      [[], ['2']],
      [[0], ['3']],
    ]);
  });

  test('a plan of tasks', () => {
    const text = '1. download("u")\n2. send("me", $1)\n3. send($1, "hello")\njoin($2)\n';
    const environment = { tools: known, inputs: [] };
    const { tree } = llmcompiler.parse(text);
    if (!tree) throw new Error('the plan does not parse');
    const program = llmcompiler.lower(tree, environment);
    expect(said(originsOf(program, known))).toEqual([
      'to: ',
      'body: download 1',
      'to: download 1',
      'body: ',
    ]);
  });

  test('a program that is too large to follow is not: everything may come from anywhere', () => {
    const lines = ['l = []'];
    for (let i = 0; i < 3_000; i++) lines.push(`l.append([l, download("${i}")])`);
    const origins = originsOf(compile(lines.join('\n'), known), known);
    expect(origins).toEqual({ sites: [], answers: [], complete: false });
  });
});

/** What flows into a call without having failed on the way is named by its origin. */
test('no value reaches an argument from a call that is not named', () => {
  let flowed = 0;
  const property = fc.property(flows, (text) => {
    const program = compile(text);
    const origins = originsOf(program, tools);
    expect(origins.complete).toBe(true);
    const seen = new Map<string, Request>();
    drive(program, {
      limits: { valueBytes: 2 ** 20 },
      answer(_, request) {
        for (const id of marksIn(request.args)) {
          flowed++;
          const from = seen.get(id);
          const allowed = from && mayCome(origins, request, from);
          if (!allowed) throw new Error(`${request.id} has a value of ${id}, by its origin not`);
        }
        seen.set(request.id, request);
        return answerOf(request);
      },
    });
  });
  fc.assert(property, propertyRuns(400));
  expect(flowed).toBeGreaterThan(100);
});

const marksIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/<([^<>]+)>/g)].map(([, id = '']) => id));

/** Each tool gives its mark in another form; some fail, where that is no end, and quote. */
function answerOf({ id, tool, args, handled }: Request): unknown {
  const number = Number(/\d+$/.exec(id)?.[0] ?? 0);
  if (handled && number % 3 === 2) return new Error(`no ${JSON.parse(args).x}`);
  const mark = `<${id}>`;
  if (tool === 'pure') return { k: mark };
  return tool === 'pause' ? [mark] : mark;
}

function mayCome(origins: Origins, to: Request, from: Request): boolean {
  const sitesOf = ({ tool, site }: Request): OriginSite[] =>
    origins.sites.filter(
      (one) =>
        (one.tool === undefined || one.tool === tool) &&
        one.line === site.line &&
        one.column === site.column,
    );
  const wanted = new Set(sitesOf(from));
  const found = new Set(sitesOf(to));
  let isAnything = found.size === 0;
  const reached = new Set<OriginSite>();
  for (const site of found) {
    for (const origin of [...site.args.values(), site.others]) {
      isAnything ||= origin.anything;
      for (const i of origin.sites) {
        const one = origins.sites[i] as OriginSite;
        reached.add(one);
        // What fails may quote what it was given.
        if (one.tries) found.add(one);
      }
    }
  }
  return isAnything || [...wanted].some((site) => reached.has(site));
}

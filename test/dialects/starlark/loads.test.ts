/** Programs of several files: one text, checked as a whole, run as one program. */
import { describe, expect, test } from 'vitest';
import { verify } from '../../../src/analysis/verifier.ts';
import { unbundle } from '../../../src/dialects/bundled.ts';
import { bundle } from '../../../src/dialects/starlark/bundle.ts';
import { starlark } from '../../../src/dialects/starlark/index.ts';
import { createMachine } from '../../../src/machine/create.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { toJson } from '../../../src/program/json.ts';

const tools = new Map([['say', toolSpec({ name: 'say', description: 'Says.', effect: 'read' })]]);
const environment = { tools, inputs: [] };

const files: Readonly<Record<string, string>> = {
  'lib.star':
    'load("deep/base.star", "base")\nxs = [1]\ndef add(n):\n  return base + n\ndef crash(n):\n  return n // 0',
  'deep/base.star': 'base = 10\n_hidden = 1\nwho = say',
  'round.star': 'load("back.star", "b")\na = 1',
  'back.star': 'load("round.star", "a")\nb = 1',
  'wrong.star': 'x = 1\ny = nowhere',
  'unread.star': 'x = (',
  'over.star': 'load("wrong.star", "x")\nz = x',
};

const whole = (main: string): string => bundle(main, (name) => files[name]);

/** Places and messages of what check says. */
function look(main: string): string[] {
  const { tree, diagnostics } = starlark.parse(whole(main));
  const all = tree ? starlark.check(tree, environment) : diagnostics;
  return all.map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`);
}

describe('bundle', () => {
  test('puts each file that is loaded behind the first, once', () => {
    const main = 'load("lib.star", "add")\nload("deep/base.star", "base")\nx = 1';
    const text = whole(main);
    expect(text.startsWith(`${main}\n#: file "`)).toBe(true);
    const found = unbundle(text);
    expect(found.main).toBe(`${main}\n`);
    expect([...found.files.keys()].sort()).toEqual(['deep/base.star', 'lib.star']);
    expect(found.files.get('lib.star')).toBe(`${files['lib.star']}\n`);
  });

  test('leaves a text alone that loads nothing, or what is not there', () => {
    for (const main of ['x = "load"', 'load("nothing.star", "x")', 'load(', '']) {
      expect(whole(main)).toBe(main);
      expect(unbundle(main)).toEqual({ main, files: new Map() });
    }
  });
});

describe('check', () => {
  test.each([
    ['load("lib.star", "add")', []],
    [
      'load("no.star", "x")',
      ['1:6 PV2331 cannot load no.star: there is no such file beside the program'],
    ],
    [
      '\nload("lib.star", "ad", b="xs", c="len")',
      [
        '2:18 PV2325 load: name ad not found in module lib.star (did you mean add?)',
        '2:34 PV2325 load: name len not found in module lib.star',
      ],
    ],
    ['load("lib.star", "base")', ['1:18 PV2325 load: name base not found in module lib.star']],
    [
      'load("round.star", "a")',
      [
        '1:6 PV2331 cannot load round.star: round.star:1:6: cannot load back.star: ' +
          'back.star:1:6: cannot load round.star: cycle in load graph',
      ],
    ],
    [
      'load("over.star", "z")',
      [
        '1:6 PV2331 cannot load over.star: over.star:1:6: cannot load wrong.star: ' +
          'wrong.star:2:5: undefined: nowhere',
      ],
    ],
    [
      'load("unread.star", "x")',
      [
        '1:6 PV2331 cannot load unread.star: unread.star:2:1: got end of file, want primary expression',
      ],
    ],
  ])('%s', (main, wanted) => {
    expect(look(main)).toEqual(wanted);
  });
});

describe('run', () => {
  function run(main: string): ReturnType<ReturnType<typeof createMachine>['view']> {
    const { tree } = starlark.parse(whole(main));
    if (!tree) throw new Error('it does not parse');
    expect(starlark.check(tree, environment)).toEqual([]);
    const program = starlark.lower(tree, environment);
    expect(verify(program)).toEqual([]);
    const machine = createMachine(program, { tools });
    machine.run(10_000);
    return machine.view();
  }

  test('names of other files are there, and their variables stay apart', () => {
    const { variables, status } = run(
      'load("lib.star", plus="add")\nload("deep/base.star", "who")\nbase = 1\nx = plus(base)\ns = str(who)',
    );
    expect(status).toBe('done');
    expect([variables.get('x'), variables.get('s')].map((one) => toJson(one ?? null))).toEqual([
      11,
      '<tool say>',
    ]);
  });

  test('what another file holds cannot change', () => {
    expect(run('load("lib.star", "xs")\nxs.append(2)').error?.message).toBe(
      'append: cannot append to frozen list',
    );
  });

  test('an error in another file is shown where the first file led there', () => {
    const { error } = run('load("lib.star", "crash")\n\ncrash(1)');
    expect(error).toMatchObject({ message: 'floored division by zero', line: 3, column: 6 });
    expect(error?.trace).toEqual([
      { name: '<toplevel>', line: 3, column: 6 },
      { name: 'crash', file: 'lib.star', line: 6, column: 12 },
    ]);
  });
});

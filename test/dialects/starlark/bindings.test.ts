/** Which variable each name is, and what the frames of a file hold. */
import { expect, test } from 'vitest';
import { conformance, type Options, plan } from '../../../src/dialects/starlark/parse/options.ts';
import { parse } from '../../../src/dialects/starlark/parse/parser.ts';
import type { File, Frame, Name } from '../../../src/dialects/starlark/parse/syntax.ts';
import {
  type ResolveEnvironment,
  resolve,
} from '../../../src/dialects/starlark/resolve/resolver.ts';

function resolved(text: string, more: Partial<ResolveEnvironment> = {}): File {
  const options: Options = more.options ?? conformance;
  const { file, errors } = parse(text, options);
  if (!file) throw new Error(errors[0]?.message);
  const environment = {
    options,
    predeclared: (name: string) => name === 'M',
    universal: (name: string) => name === 'U' || name === 'len',
    ...more,
  };
  expect(resolve(file, environment)).toEqual([]);
  return file;
}

/** All nodes of a kind, in the order of the text. */
function find<T>(node: unknown, kind: string, found: T[] = []): T[] {
  if (typeof node !== 'object' || node === null) return found;
  if ((node as { kind?: string }).kind === kind) found.push(node as T);
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'binding' && key !== 'frame') find(child, kind, found);
  }
  return found;
}

/** `x:local0` for each name of the text. */
const names = (file: File): string =>
  find<Name>(file.body, 'name')
    .map(({ name, binding }) => `${name}:${binding?.scope}${binding?.index}`)
    .join(' ');

const frames = (file: File): (Frame | undefined)[] =>
  find<{ frame: Frame | undefined }>(file.body, 'function').map(({ frame }) => frame);

const localsOf = (frame: Frame | undefined): string =>
  (frame?.locals ?? []).map(({ name }) => name).join(' ');

test('globals, predeclared and universal names', () => {
  const file = resolved('a = M\nb = U + a\n');
  expect(names(file)).toBe('a:global0 M:predeclared-1 b:global1 U:universal-1 a:global0');
  expect(file.globals).toMatchObject([{ name: 'a' }, { name: 'b' }]);
});

test('a global hides a universal name everywhere, also above', () => {
  expect(names(resolved('a = len\nlen = 1\n'))).toBe('a:global0 len:global1 len:global1');
});

test('where globals may be assigned again, a name means what it means at its line', () => {
  const file = resolved('a = len\nlen = 1\nb = len\ndef f(): return len\n', { options: plan });
  expect(names(file)).toBe(
    'a:global0 len:universal-1 len:global1 b:global2 len:global1 f:global3 len:global1',
  );
});

test('slots: parameters by position, by name, of stars, then variables', () => {
  const file = resolved('def f(a, b=1, *args, c, d=2, **kw):\n  x = a\n  for y, z in x: pass\n');
  const [frame] = frames(file);
  expect(localsOf(frame)).toBe('a b c d args kw x y z');
  expect(frame).toMatchObject({ positional: 2, named: 2, hasStar: true, hasStarStar: true });
});

test('a bare star has no slot', () => {
  const [frame] = frames(resolved('def f(a, *, c): pass\n'));
  expect(localsOf(frame)).toBe('a c');
  expect(frame).toMatchObject({ positional: 1, named: 1, hasStar: false, hasStarStar: false });
});

test('a name is local before its binding', () => {
  const file = resolved('def f():\n  M(x)\n  x = 1\nx = 2\n');
  expect(names(file)).toBe('f:global0 M:predeclared-1 x:local0 x:local0 x:global1');
});

test('a captured variable is a cell at each place that names it', () => {
  const file = resolved('def f(a, b):\n  a = b\n  return lambda: a\n');
  expect(names(file)).toBe('f:global0 a:cell0 b:local1 a:cell0 b:local1 a:captured0');
  const [outer, inner] = frames(file);
  expect(outer).toMatchObject({ cells: [0], captures: [] });
  expect(inner).toMatchObject({ cells: [], captures: [{ name: 'a', from: 'local', index: 0 }] });
});

test('functions between a variable and its use pass it on', () => {
  const file = resolved('def f(x, y):\n  return lambda: lambda: (y, x, y)\n');
  const [outer, middle, inner] = frames(file);
  expect(outer?.cells).toEqual([0, 1]);
  expect(middle?.captures).toEqual([
    { name: 'y', from: 'local', index: 1 },
    { name: 'x', from: 'local', index: 0 },
  ]);
  expect(inner?.captures).toEqual([
    { name: 'y', from: 'captured', index: 0 },
    { name: 'x', from: 'captured', index: 1 },
  ]);
});

test('a function that calls itself captures its own name', () => {
  const file = resolved('def f():\n  def g(): return g\n  return g\n');
  expect(names(file)).toBe('f:global0 g:cell0 g:captured0 g:cell0');
});

test('a comprehension has slots of the frame around, and its own names', () => {
  const file = resolved('def f(x):\n  return [x for x in x if [x for x in x]]\n');
  expect(names(file)).toBe(
    'f:global0 x:local0 x:local1 x:local1 x:local0 x:local2 x:local2 x:local1',
  );
  expect(localsOf(frames(file)[0])).toBe('x x x');
});

test('outside functions its slots are those of the file, and can be captured', () => {
  const file = resolved('a = [lambda: x for x in M]\n');
  expect(names(file)).toBe('a:global0 x:captured0 x:cell0 M:predeclared-1');
  expect(localsOf(file.frame)).toBe('x');
  expect(file.frame?.cells).toEqual([0]);
});

test('default values belong to the scope around the function', () => {
  const file = resolved('def f(a):\n  return lambda a=a: a\n');
  expect(names(file)).toBe('f:global0 a:local0 a:local0 a:local0 a:local0');
  expect(frames(file)[1]?.captures).toEqual([]);
});

test('load binds slots of the file, functions capture them', () => {
  const file = resolved('load("m", "a", b="c")\ndef f(): return a\nd = b\n');
  expect(names(file)).toBe('a:cell0 b:local1 f:global0 a:captured0 d:global1 b:local1');
  expect(localsOf(file.frame)).toBe('a b');
});

test('with loadbindsglobally, load binds globals', () => {
  const options = { ...conformance, loadbindsglobally: true };
  expect(names(resolved('load("m", "a")\n', { options }))).toBe('a:global0');
});

test('a file goes on from the globals of the files before, and may bind them again', () => {
  const globals = [{ name: 'a', at: 0 }];
  const file = resolved('b = a\na = 1\n', { globals });
  expect(names(file)).toBe('b:global1 a:global0 a:global0');
  expect(file.globals.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('names of the host help with misspelt ones; messages carry the name of the file', () => {
  const { file } = parse('x = lenn\ny = 1\ny = 2\n', conformance);
  if (!file) throw new Error('want a tree');
  const found = resolve(file, {
    options: conformance,
    predeclared: () => false,
    universal: () => false,
    names: ['len', 'list'],
    fileName: 'a.star',
  });
  expect(found.map(({ code, message }) => [code, message])).toEqual([
    ['PV2321', 'undefined: lenn (did you mean len?)'],
    ['PV2322', 'cannot reassign global y declared at a.star:2:1'],
  ]);
});

test('a call has at most 255 arguments of a kind', () => {
  const call = (n: number, one: (i: number) => string): string =>
    `M(${Array.from({ length: n }, (_, i) => one(i)).join(', ')})`;
  resolved(call(255, String));
  for (const [one, kind] of [
    [String, 'positional'],
    [(i: number) => `a${i}=0`, 'keyword'],
  ] as const) {
    const { file } = parse(call(256, one), conformance);
    if (!file) throw new Error('want a tree');
    const environment = { options: conformance, predeclared: () => true, universal: () => false };
    expect(resolve(file, environment)).toMatchObject([
      { code: 'PV2330', message: `256 ${kind} arguments in call, limit is 255` },
    ]);
  }
});

/**
 * Random Starlark programs that move values about in every way there is: through variables,
 * containers and what containers share, functions, closures, fibers and tasks. Strings are never
 * taken apart, so that a mark in one stays whole wherever it goes.
 */
import fc from 'fast-check';

const strings = ['s0', 's1', 's2'];
const lists = ['l0', 'l1', 'l2'];
const dicts = ['d0', 'd1'];
const nested = ['m0', 'm1'];

/** `S`, `L`, `D`, `M` stand for variables that are read, behind `=` and in it. */
const forms: readonly string[] = [
  'S = "c"',
  'S = S + S',
  'S = "%s-%s" % (S, S)',
  'S = "{} {}".format(S, S)',
  'S = ",".join(L)',
  'S = L[0]',
  'S = L[-1]',
  'S = D["k"]',
  'S = D.get("k", S)',
  'S = str(M)',
  'S = M[-1][0]',
  'S = [y for y in L][0]',
  'S = S if len(S) > 9 else S',
  'S = {S: "v"}.keys()[0]',
  'S = max(L)',
  'S = (S, S)[1]',
  'S, S = S, S',
  'S = read(x = S)',
  'S = read(x = {"a": [S, "b"]})',
  'S = write(x = L)',
  'S = str(try_call(read, x = S))',
  'S = str(attempt(read, x = S).value)',
  'S = str(attempt(both, S, S))',
  'S = str(task(read, {"x": S}).value)',
  'S = str(task("read", {"x": ("ref", 0)}, S).value)',
  'S = str(task(read, {"x": ("text", "a", ("ref", 1))}, S, S).value)',
  'S = str(task(T, {"x": [S]}).value)',
  'S = T(x = S)',
  'S = both(S, S)',
  'S = both(b = S, a = S)',
  'S = both(*[S, S])',
  'S = both(**{"a": S, "b": S})',
  'S = later(S)()',
  'S = (lambda y: y + S)(S)',
  'S = rest(S, S, z = S)',
  'S = struct(a = S, f = later(S)).f()',
  'S = str(struct(a = S).a)',
  'L = [S, S]',
  'L = L[:3] + L[:2]',
  'L = [y + S for y in L[:3]]',
  'L = list(L[:4])',
  'L = sorted([S, S], key = lambda y: y)',
  'L = S.split(",")[:3]',
  'L = list(D.values())[:3]',
  'L = L',
  'L = M[0]',
  'L = M[-1]',
  'L = parallel(read, L[:2])',
  'L = parallel(one, L[:2])',
  'L = pause(x = S)',
  'L = keep(L, S)',
  'L.append(S)',
  'L.extend(L[:2])',
  'L.insert(0, S)',
  'L[0] = S',
  'L += [S]',
  'put = L.append; put(S)',
  'add(L, S)',
  'for y in L[:3]: S = S + y',
  'for y in M[:2]: y.append(S)',
  'D = {"k": S}',
  'D = dict(k = S)',
  'D = {"k": y for y in L[:2]}',
  'D = pure(x = S)',
  'D = D | {"k": S}',
  'D["k"] = S',
  'D.update(k = S)',
  'D |= {"k": S}',
  'S = D.setdefault("k", S)',
  'M = [L, L]',
  'M.append(L)',
  'M[0].append(S)',
  'M[0] = L',
  'T = [read, write][len(S) % 2]',
  'T = read',
];

const names: Readonly<Record<string, readonly string[]>> = {
  S: strings,
  L: lists,
  D: dicts,
  M: nested,
  T: ['t0'],
};

const line = fc
  .tuple(fc.constantFrom(...forms), fc.array(fc.nat(11), { minLength: 6, maxLength: 6 }))
  .map(([form, picks]) => {
    let next = 0;
    return form.replace(/\b[SLDMT]\b/g, (kind) => {
      const pool = names[kind] ?? [];
      return pool[(picks[next++ % picks.length] ?? 0) % pool.length] ?? kind;
    });
  });

const prelude = `def both(a, b = "d"):
    return a + b
def one(y):
    return read(x = y) + y
def later(a):
    def inner():
        return a
    return inner
def rest(*args, **kwargs):
    return args[0] + args[-1] + kwargs["z"]
def add(l, s):
    l.append(s)
def keep(l, s):
    l[0] = s
    return l
`;

/** Two values from outside, each in one variable: what meets them has their marks. */
const start = `s0, s1, s2 = read(x = "p"), "q", "r"
l0, l1, l2 = ["a"], ["b"], [read(x = "c")]
d0, d1 = {"k": "e"}, {"k": "f"}
m0, m1 = [["g"]], [["h"]]
t0 = read
`;

/** On the main line, or in a function where all variables are its own. */
export const flows: fc.Arbitrary<string> = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 9 }), fc.boolean())
  .map(([lines, isInside]) => {
    const sinks = [...strings, ...lists, ...dicts, ...nested].map((name) => `write(x = ${name})`);
    const body = `${start}${[...lines, ...sinks].join('\n')}`;
    if (!isInside) return `${prelude}${body}\n`;
    const indented = body.replaceAll('\n', '\n    ');
    return `${prelude}def main():\n    ${indented}\nmain()\n`;
  });

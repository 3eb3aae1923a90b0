/** Fields and methods that values of other languages have, and what to write for them here. */
import { editDistance } from '../../program/diagnostic.ts';
import type { Value } from '../../program/value.ts';

const length = 'write len(x)';
const copy = 'write list(xs)';
const comprehension = 'write a comprehension: [f(x) for x in xs if condition]';

const lists: Readonly<Record<string, string>> = {
  sort: 'write xs = sorted(xs), with the key that stands here',
  reverse: 'write xs = reversed(xs)',
  push: 'write xs.append(x)',
  add: 'write xs.append(x)',
  concat: 'write xs + ys',
  count: 'write len([x for x in xs if x == wanted])',
  map: comprehension,
  filter: comprehension,
  forEach: 'write for x in xs:',
  join: 'write ", ".join(xs): the text between them comes first',
  copy,
  slice: 'write xs[start:end]',
  includes: 'write x in xs',
  contains: 'write x in xs',
  indexOf: 'write xs.index(x)',
  length,
  size: length,
};

const strings: Readonly<Record<string, string>> = {
  length,
  size: length,
  contains: 'write "part" in s',
  includes: 'write "part" in s',
  trim: 'write s.strip()',
  toLowerCase: 'write s.lower()',
  toUpperCase: 'write s.upper()',
  substring: 'write s[start:end]',
  slice: 'write s[start:end]',
  indexOf: 'write s.find(part)',
  isnumeric: 'write s.isdigit()',
  isdecimal: 'write s.isdigit()',
  casefold: 'write s.lower()',
  encode: 'write bytes(s)',
  zfill: 'write "%05d" % n, or f"{n:05}"',
  ljust: 'write f"{s:<10}"',
  rjust: 'write f"{s:>10}"',
  center: 'write f"{s:^10}"',
};

const dicts: Readonly<Record<string, string>> = {
  has_key: 'write key in d',
  has: 'write key in d',
  contains: 'write key in d',
  iteritems: 'write d.items()',
  entries: 'write d.items()',
  copy: 'write dict(d)',
  length,
  size: length,
};

const sets: Readonly<Record<string, string>> = { copy: 'write set(s)', has: 'write x in s' };

const modules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  json: {
    loads: 'write json.decode(text)',
    parse: 'write json.decode(text)',
    load: 'there are no files: json.decode(text) reads a text',
    dumps: 'write json.encode(x)',
    stringify: 'write json.encode(x)',
    dump: 'there are no files: json.encode(x) gives a text',
  },
  math: {
    trunc: 'write int(x)',
    fsum: 'write sum(xs)',
    inf: 'write float("inf")',
    nan: 'write float("nan")',
    log10: 'write math.log(x, 10)',
    log2: 'write math.log(x, 2)',
  },
};

/** Undefined where nothing is known of the name. */
export function foreignAttribute(value: Value, name: string): string | undefined {
  if (value === null) return 'the value is None: test x != None before';
  if (typeof value === 'string') return own(strings, name);
  if (typeof value !== 'object') return undefined;
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return own(lists, name);
    case 'set':
      return own(sets, name);
    case 'module':
      return own(modules[value.name] ?? {}, name);
    case 'dict':
      return value.index.has(name) ? `write d[${JSON.stringify(name)}]` : own(dicts, name);
    default:
      return undefined;
  }
}

const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

// Which name was meant, as starlark-go finds it: case and underscores are no slips. Letters that
// are swapped are one.

/** The nearest of `names`, if less than half of the name is wrong. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  if (name.length > nameMax) return undefined;
  const wanted = folded(name);
  let best: string | undefined;
  let limit = Math.floor((wanted.length + 1) / 2);
  for (const candidate of names) {
    if (candidate.length > nameMax) continue;
    const distance = editDistance(wanted, folded(candidate), limit);
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

/** Names beyond this are no slips of a hand. */
const nameMax = 200;

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '');

/**
 * Random Starlark programs with fibers: three functions, each of which calls those before it side by
 * side, in attempts and plainly, and a main line.
 */
import fc from 'fast-check';

/** With `bind`, its argument is found first. */
type Tool = 'read' | 'pure' | 'write' | 'bind';

export type Line =
  | { kind: 'call'; tool: Tool; of: number }
  | { kind: 'try'; of: number }
  | { kind: 'branch'; body: Line[] }
  | { kind: 'print' }
  | { kind: 'remember'; how: number }
  | { kind: 'parallel'; count: number; callee: number }
  | { kind: 'attempt'; callee: number }
  | { kind: 'stream'; of: number; isLeft: boolean; body: Line[] };

/** Ways to change what was there before. */
const ways: readonly string[] = [
  'memory.append(a)',
  'm = memory; m += [a]',
  'memory[0] = a',
  'table["a"] = a',
  't = table; t |= {"b": memory}',
];

const anyTool: fc.Arbitrary<Tool> = fc.constantFrom('read', 'read', 'pure', 'write');
const bindingTools: fc.Arbitrary<Tool> = fc.constantFrom('bind', 'bind', 'read', 'write');

const line = (depth: number, streams = 0, tool = anyTool): fc.Arbitrary<Line> => {
  const of = fc.nat(3);
  const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name);
  const callee = fc.nat(1);
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: kind('call'), tool, of }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('try'), of }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('print') }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('remember'), how: fc.nat(ways.length - 1) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: kind('parallel'), count: fc.nat(4), callee }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('attempt'), callee }) },
    ...(depth > 0 ? [{ weight: 2, arbitrary: branch() }] : []),
    ...(streams > 0 ? [{ weight: 4, arbitrary: streaming(streams) }] : []),
  ) as fc.Arbitrary<Line>;
};

const branch = (): fc.Arbitrary<Line> =>
  fc.record({ kind: fc.constant('branch' as const), body: fc.array(line(0), { maxLength: 3 }) });

/** Reads a stream, saying something with each part. */
const streaming = (depth: number): fc.Arbitrary<Line> =>
  fc.record({
    kind: fc.constant('stream' as const),
    of: fc.nat(3),
    isLeft: fc.boolean(),
    body: fc.array(line(1, depth - 1), { maxLength: 4 }),
  });

const block = fc.array(line(1), { maxLength: 5 });
/** Bodies of the functions, then of the main line. */
export const bodies: fc.Arbitrary<Line[][]> = fc.tuple(block, block, block, block);

const streamingBlock = fc.array(line(1, 2), { maxLength: 4 });
/** The same with streams in all of them. */
export const streamingBodies: fc.Arbitrary<Line[][]> = fc.tuple(
  ...[block, streamingBlock, block, streamingBlock],
);

const bindingBlock = fc.array(line(1, 1, bindingTools), { maxLength: 4 });
/** The same with calls whose arguments are found first. */
export const bindingBodies: fc.Arbitrary<Line[][]> = fc.tuple(
  ...[block, bindingBlock, block, bindingBlock],
);

/** Lines of a body. `level` is the number of functions that it may call. */
const write = (lines: readonly Line[], level: number, indent: string): string[] =>
  lines.flatMap((one, i) => textOf(one, i, level, indent));

function textOf(one: Line, i: number, level: number, indent: string): string[] {
  const names = ['x', 'a', 'b', 'c'];
  const into = names[1 + (i % 3)] ?? 'a';
  const callee = 'callee' in one ? level - 1 - one.callee : -1;
  switch (one.kind) {
    case 'call':
      if (one.tool === 'bind') return [`${indent}${into} = llm_bind(${names[one.of]}, "read(x)")`];
      return [`${indent}${into} = ${one.tool}(x = ${names[one.of]})`];
    case 'try':
      return [`${indent}${into} = try_call(read, x = ${names[one.of]}).value or "none"`];
    case 'print':
      return [`${indent}print(a)`];
    case 'remember':
      return [`${indent}${ways[one.how]}`];
    case 'stream':
      return [
        `${indent}for part in stream(read, x = ${names[one.of]}):`,
        `${indent}    a = part`,
        `${indent}    print(a)`,
        ...write(one.body, level, `${indent}    `),
        ...(one.isLeft ? [`${indent}    if "7" in str(a):`, `${indent}        break`] : []),
      ];
    case 'branch':
      return [
        `${indent}if "7" in str(a):`,
        `${indent}    c = a`,
        ...write(one.body, level, `${indent}    `),
      ];
    case 'parallel': {
      const xs = names.slice(0, one.count).join(', ');
      if (callee < 0) return [`${indent}${into} = parallel(read, [${xs}])`];
      return [`${indent}${into} = parallel(f${callee}, [${xs}])`];
    }
    case 'attempt':
      if (callee < 0) return [`${indent}${into} = attempt(read, x = a).ok`];
      return [`${indent}t = attempt(f${callee}, a)`, `${indent}${into} = (t.ok, t.value, t.error)`];
  }
}

export function sourceOf(bodies: readonly Line[][]): string {
  const lines = ['memory, table = [None], {}'];
  bodies.forEach((body, level) => {
    const isMain = level === bodies.length - 1;
    const indent = isMain ? '' : '    ';
    if (!isMain) lines.push(`def f${level}(x):`);
    lines.push(`${indent}${isMain ? 'x, ' : ''}a, b, c = ${isMain ? '"x", ' : ''}"a", "b", "c"`);
    lines.push(...write(body, level, indent));
    if (!isMain) lines.push(`${indent}return [a, b]`);
  });
  return lines.join('\n');
}

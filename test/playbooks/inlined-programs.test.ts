/**
 * Small programs of plain lines, made at random: they say, call and return the same whether their
 * playbooks are played or stand in the places of their calls.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { played } from '../planner/playbook/played.ts';
import { followed } from '../support/playbook-follower.ts';

interface Line {
  readonly text: string;
  readonly under?: readonly Line[];
}

/** The head of a playbook: what stands between its brackets, and how many values it has to get. */
interface Head {
  readonly parameters: string;
  readonly least: number;
  readonly most: number;
}

const heads: readonly Head[] = [
  { parameters: 'x, y', least: 2, most: 2 },
  { parameters: '$a, $b', least: 2, most: 2 },
  { parameters: 'x, $a', least: 2, most: 2 },
  { parameters: '$c, x', least: 2, most: 2 },
  { parameters: '$b=5', least: 0, most: 1 },
  { parameters: 'x=4, $c="d"', least: 0, most: 2 },
];

interface Callee extends Head {
  readonly name: string;
}

const tool: Callee = { name: 'take', parameters: 'n', least: 1, most: 1 };

const state = ['$a', '$b', '$c'];
const literal = fc.constantFrom('1', '2', '7', '"x"', '"y"');

/** Lines of a playbook that has these names and may call those. */
function linesOf(names: readonly string[], callees: readonly Callee[]): fc.Arbitrary<Line[]> {
  const name = fc.constantFrom(...names);
  const value = fc.oneof(literal, name);
  const target = fc.constantFrom('', '$a = ', '$c = ', ...(names.includes('m') ? ['m = '] : []));
  const call = fc
    .constantFrom(tool, ...callees)
    .chain(({ name, least, most }) =>
      fc
        .tuple(target, fc.array(value, { minLength: least, maxLength: most }))
        .map(([to, args]) => `${to}${name}(${args.join(', ')})`),
    );
  const text = fc.oneof(
    fc.tuple(fc.constantFrom(...state), value).map(([to, of]) => `${to} = ${of}`),
    name.map((one) => `Say("${one.replace('$', '')} is {${one}}")`),
    { weight: 2, arbitrary: call },
  );
  const plain = text.map((one): Line => ({ text: one }));
  const some = fc.array(plain, { minLength: 1, maxLength: 2 });
  const head = fc.oneof(
    fc.tuple(name, literal).map(([one, of]) => `If ${one} == ${of}`),
    fc.constantFrom('Three times:', 'For each $i in ["p", "q"]', 'For $i from 1 to 2'),
  );
  const block = fc.tuple(head, some, fc.boolean()).map(([text, under, isItem]): Line => {
    const item = isItem && text.includes('$i') ? [{ text: 'Say("at {$i}")' }] : [];
    return { text, under: [...item, ...under] };
  });
  return fc.array(fc.oneof({ weight: 3, arbitrary: plain }, block), { minLength: 1, maxLength: 4 });
}

const ends = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...names.map((one) => `Return ${one}`), 'Return 3');

interface Playbook extends Callee {
  readonly lines: readonly Line[];
  readonly end: string;
}

const playbookOf = (name: string, callees: readonly Callee[]): fc.Arbitrary<Playbook> =>
  fc.constantFrom(...heads).chain((head) => {
    const names = [...state, ...(head.parameters.match(/\b[xy]\b(?!")/g) ?? [])];
    return fc
      .record({ lines: linesOf(names, callees), end: ends(names) })
      .map((one) => ({ ...head, ...one, name }));
  });

const listed = (lines: readonly Line[], indent = ''): string =>
  lines
    .map(({ text, under = [] }) => `${indent}- ${text}\n${listed(under, `${indent}  `)}`)
    .join('');

const textOf = ({ name, parameters, lines, end }: Playbook): string =>
  `## ${name}(${parameters})\n### Steps\n` +
  listed([...lines, ...(end === '' ? [] : [{ text: end }])]);

const programs = playbookOf('Inner', []).chain((inner) =>
  playbookOf('Outer', [inner]).chain((outer) =>
    linesOf([...state, 'm'], [inner, outer]).map((lines) => {
      const first = ['$a = 1', '$b = 2', '$c = "x"', 'm = 9'].map((text) => ({ text }));
      const all = listed([...first, ...lines, { text: 'Say("{$a} {$b} {$c} {m}")' }]);
      const main = `## Main\n### Triggers\n- At the beginning\n### Steps\n${all}- Return $a\n`;
      return `# Desk\n${main}\n${textOf(outer)}\n${textOf(inner)}`;
    }),
  ),
);

async function play(text: string, inline: number) {
  const calls: unknown[] = [];
  const take = ({ n }: { readonly n?: unknown }): number => calls.push(n);
  const { result, said, prompts } = await played(text, {
    inline,
    tools: [
      quickTool('take', take, {
        effect: 'write',
        idempotent: true,
        parameters: { type: 'object', properties: { n: {} }, required: ['n'] },
      }),
    ],
    replies: ({ messages }) => followed(messages),
  });
  const { error, answer } = result;
  return { of: { error, answer, said, calls }, replies: prompts.length };
}

/** Each program takes two runs, so few are tried each time: SEED and RUNS try others, and more. */
const seed = Number(process.env.SEED ?? 1);
const numRuns = Number(process.env.RUNS ?? 15);

test('small programs do the same, inlined or played', async () => {
  await fc.assert(
    fc.asyncProperty(programs, async (text) => {
      const apart = await play(text, 0);
      const within = await play(text, 8);
      expect(apart.of.error).toBeUndefined();
      expect(within.of).toEqual(apart.of);
      expect(within.replies).toBeLessThanOrEqual(apart.replies);
    }),
    { numRuns, seed },
  );
});

test('a variable is what it was when it was passed on, whatever a further call sets', async () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $b = 2
- Outer($b)
- Return $b

## Outer(y)
### Steps
- Say("one")
- Say("two")
- Say("three")
- Inner()
- Say("y is {y}")

## Inner($b=5)
### Steps
- Say("b is {$b}")
- Say("four")
- Say("five")
- Say("six")
`;
  const within = await play(text, 8);
  expect(within.of).toEqual((await play(text, 0)).of);
  expect(within.of.said).toContain('y is 2');
});

test('what a call gives is set also where it is returned at once, and somebody reads it', async () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- Outer()
- Say("c is {$c}")
- Return $c

## Outer
### Steps
- $c = Inner()
- Return $c

## Inner
### Steps
- $c = "x"
- Return "y"
`;
  const apart = await play(text, 0);
  expect(apart.of).toMatchObject({ answer: 'y', said: ['c is y'] });
  expect((await play(text, 8)).of).toEqual(apart.of);
});

test('rounds go on where a playbook that is called in them goes over the same variable', async () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- For each $i in ["p", "q"]
  - Outer(1)
- Return $i

## Outer($a)
### Steps
- For $i from 1 to 2
  - Say("at {$i}")
  - take($a)
`;
  const apart = await play(text, 0);
  expect(apart.of).toMatchObject({ answer: 2, said: ['at 1', 'at 2', 'at 1', 'at 2'] });
  expect((await play(text, 8)).of).toEqual(apart.of);
});

test('a question is left out for what its caller has set, inlined or played', async () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $name = "Ann"
- Greet()
- Return $name

## Greet
### Steps
- Ask user for $name
- Say("hello {$name}")
`;
  const apart = await play(text, 0);
  expect(apart.of).toMatchObject({ error: undefined, answer: 'Ann', said: ['hello Ann'] });
  expect((await play(text, 8)).of).toEqual(apart.of);
});

test('a playbook has what its caller has called before it, inlined or played', async () => {
  const text = `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $c = take(7)
- Near(1)
- Return $c

## Near(x)
### Steps
- If $c == 1
  - Say("one")
- Otherwise
  - Say("other")
`;
  const apart = await play(text, 0);
  expect(apart.of).toMatchObject({ error: undefined, answer: 1, said: ['one'] });
  expect((await play(text, 8)).of).toEqual(apart.of);
});

/** What is compiled prints and reads back; any text is read; numbers and graphs are as they must be. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CompiledFile } from '../../../src/dialects/playbook/compiled/compiled.ts';
import { flatSteps, graphOf } from '../../../src/dialects/playbook/compiled/graph.ts';
import { playbook } from '../../../src/dialects/playbook/index.ts';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { isCompiled, readCompiled } from '../../../src/dialects/playbook/pbasm/read-compiled.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import { propertyRuns } from '../../support/depth.ts';

const line = fc.oneof(
  { weight: 4, arbitrary: statement() },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'ab $"(),.:;-#=`\\<!>*1T') }) },
);

function statement(): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...['$x = F($y)', 'y = G(F($x), 2)', 'Say "Hi {$x}"', 'Ask the user for $x', 'Other()'],
    ...['If $x > 5', 'Otherwise', 'Otherwise if $y', 'While $x', 'For each $i in $x', 'Break'],
    ...['Continue', 'Return $x', 'Return Other()', 'End program', 'Go to step 2', 'Start over'],
    ...['Think about it', 'Do what is right', 'Tell the user the $x; then return $y', 'Check N1'],
    ...['If $x, say "a"', 'Otherwise, $y = F(1)', 'For each i in $x, F(i)', 'Wait for the user'],
    ...['Go through each $i in $x', 'For $i from 1 to $n', 'Three times:', 'foreach ($x as $i)'],
    ...['**For each** `$a`, $b in $x:', 'While $x (up to 3 times)', '[ ] Step 2: **Return** $x'],
    ...[
      'For $i from $n down to 1',
      'For $i in range(0, $n, 2)',
      'Wait 2 days',
      'Wait up to 2 hours',
    ],
    ...['$x: Literal["a", "b"] = F()', '$y: dict[str, int] = {}', 'Go on with the next one'],
    ...['Return 1 if $x', 'Break unless $y', 'F($x) if F(1)', 'Return early if it is late'],
    ...['Wait until $x', 'Wait for the user until 9:00', 'Wait up to 5 minutes for the event $y'],
    ...['If $x then F(1) else F(2)', 'In all other cases:', 'Get $x from the user', 'Reply "a"'],
    ...['Greet the user and ask for $y; keep talking until they say', 'Say "a <!-- b"', '2. two'],
  );
}

/** What a block of code may be the value of. */
const open = fc.constantFrom('$x =', 'Set $y to:', 'y: str =', 'Return', '');

const blockLine = fc.constantFrom(
  ...['a', '  b {$x}', '', '{"a": [1]}', '- $HOME', '## c', '```json', '~~~', '\td', '{y}', '---'],
  ...['01:QUE F(1)', 'and $y then', '\\- f'],
);

interface Item {
  readonly text: string;
  /** Lines of a block of code under it, and what stands behind that. */
  readonly block: readonly string[] | null;
  readonly children: readonly Item[];
}

const { items } = fc.letrec<{ items: Item[] }>((tie) => ({
  items: fc.array(
    fc.record({
      text: fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: open }),
      block: fc.option(fc.array(blockLine, { maxLength: 5 }), { freq: 4 }),
      children: fc.oneof({ depthSize: 'small' }, fc.constant([]), tie('items')),
    }),
    { maxLength: 5 },
  ),
}));

const listText = (list: readonly Item[], indent = ''): string =>
  list
    .map(({ block, text, children }) => {
      const below = (block ? ['```', ...block, '```'] : []).map((one) => `${indent}  ${one}\n`);
      return `${indent}- ${text}\n${below.join('')}${listText(children, `${indent}  `)}`;
    })
    .join('');

const programs = fc
  .record({ main: items, other: items, about: line, note: line, when: line })
  .map(
    ({ main, other, about, note, when }) =>
      `# My desk\n${about.replace(/^#/, '')}\n## Main\n### Triggers\n- At the beginning\n- ${when}\n### Steps\n` +
      `${listText(main)}\n### Notes\n- ${note}\n## Other(x = 1)\npublic: true\n${about}\n` +
      `### Steps\n${listText(other)}`,
  );

const compiledIn = (text: string): CompiledFile => compiledOf(readTree(text).tree, ['F', 'G']);

test('a description with a block of code reads back as the same', () => {
  const text = '# Desk\n```\n- \n  a  \n\n```\n## Main\n### Steps\n- Return 1\n';
  const compiled = compiledIn(text);
  const again = readCompiled(printCompiled(compiled)).compiled;
  expect(again.agents[0]?.description).toBe(compiled.agents[0]?.description);
  expect(compiled.agents[0]?.description).toBe('```\n-\n  a\n\n```');
});

test('what is printed reads back as the same', () => {
  fc.assert(
    fc.property(programs, (text) => {
      const compiled = compiledIn(text);
      const printed = printCompiled(compiled);
      const again = readCompiled(printed);
      expect(again.compiled).toEqual(compiled);
      expect(printCompiled(again.compiled)).toBe(printed);
    }),
    propertyRuns(300),
  );
});

test('a line of nothing but what statements end with is a line', () => {
  const compiled = compiledIn('# My desk\n## Main\n### Steps\n- ;\n');
  expect(compiled.agents[0]?.playbooks[0]?.steps[0]).toMatchObject({
    text: ';',
    place: { line: 4 },
  });
  expect(readCompiled(printCompiled(compiled)).compiled).toEqual(compiled);
});

test('what a line returns early reads back as the same', () => {
  const compiled = compiledIn('# My desk\n## Main\n### Steps\n- Return early F($y) + 1\n');
  expect(readCompiled(printCompiled(compiled)).compiled).toEqual(compiled);
});

test.each(['Wait for the user to confirm $x', 'Wait for the user until 9:00\n\n  or earlier'])(
  'what a line says of a wait reads back as the same: %s',
  (line) => {
    const compiled = compiledIn(`# My desk\n## Main\n### Steps\n- ${line}\n`);
    expect(compiled.agents[0]?.playbooks[0]?.steps[0]?.text).toContain('for user; Wait');
    expect(readCompiled(printCompiled(compiled)).compiled).toEqual(compiled);
  },
);

test('a fence that is left open, with what it has swallowed, reads back as the same', () => {
  const compiled = compiledIn('# My desk\n```a\n## Main\n### Steps\n- $x = 1\n- \n');
  expect(readCompiled(printCompiled(compiled)).compiled).toEqual(compiled);
});

test('instructions whose lines have placeholders read back with the places of those', () => {
  const compiled = compiledIn('# My desk\n{$a}\n```\n{1 + 1}\n## Main\n{$x} and {$y}\n');
  expect(compiled.agents[0]?.playbooks[0]?.filledLines?.map(({ line }) => line)).toEqual([2, 4, 6]);
  expect(readCompiled(printCompiled(compiled)).compiled).toEqual(compiled);
});

test.each(['Say "a <!-- b"', 'Say "a <\\!-- b"', 'Say "a <\\\\!-- b" <!--'])(
  'an item whose first line holds the mark of a comment reads back as the same: %s',
  (line) => {
    // What an open fence swallows is text, marks of comments with it.
    const compiled = compiledIn(`# A\n## Main\n### Steps\n- Ask for $x\n- \`\`\`\n- ${line}\n`);
    const printed = printCompiled(compiled);
    expect(printed).toContain('!-- b');
    expect(readCompiled(printed).compiled).toEqual(compiled);
  },
);

test('a compiled file that has steps is known as one', () => {
  fc.assert(
    fc.property(programs, (text) => {
      const compiled = compiledIn(text);
      // A comment may have swallowed them.
      const playbooks = compiled.agents.flatMap((agent) => agent.playbooks);
      fc.pre(playbooks.some(({ steps }) => steps.length > 0));
      const { tree } = readTree(printCompiled(compiled));
      expect(isCompiled(tree.file)).toBe(true);
    }),
    propertyRuns(100),
  );
});

test('numbers are contiguous, each step has its own, and edges lead to steps or to the end', () => {
  fc.assert(
    fc.property(programs, (text) => {
      for (const { steps } of compiledIn(text).agents.flatMap(({ playbooks }) => playbooks)) {
        const check = (list: typeof steps, prefix: string): void =>
          list.forEach(({ children, number }, at) => {
            expect(number).toBe(`${prefix}${String(at + 1).padStart(2, '0')}`);
            check(children, `${number}.`);
          });
        check(steps, '');
        const { edges } = graphOf(steps);
        const numbers = new Set(['', ...flatSteps(steps).map(({ number }) => number)]);
        for (const list of edges.values()) {
          expect(list.length).toBeGreaterThan(0);
          for (const { to } of list) expect(numbers).toContain(to);
        }
      }
    }),
    propertyRuns(200),
  );
});

test('every item of the source has become a step at its place', () => {
  fc.assert(
    fc.property(items, (list) => {
      const head = '# A\n## Main\n### Triggers\n- At the beginning\n### Steps\n';
      const { tree } = readTree(`${head}${listText(list)}`);
      const [main] = tree.file.agents[0]?.playbooks ?? [];
      const [compiled] = compiledOf(tree, ['F', 'G']).agents[0]?.playbooks ?? [];
      const places = new Set(flatSteps(compiled?.steps ?? []).map(({ place }) => place.line));
      const check = (lines: NonNullable<typeof main>['steps']): void => {
        for (const one of lines) {
          if (one.text !== '') expect(places).toContain(one.place.line);
          check(one.children);
        }
      };
      check(main?.steps ?? []);
    }),
    propertyRuns(200),
  );
});

test('no step reads a result on a way that has not waited for it', () => {
  fc.assert(
    fc.property(programs, (text) => {
      const { tree } = readTree(text);
      const said = playbook.check({ tree, text }, { tools: new Map(), inputs: [], open: true });
      // An Otherwise without a condition belongs nowhere.
      fc.pre(!said.some(({ code }) => code === 'PV2411'));
      expect(said.filter(({ code }) => code === 'PV2410')).toEqual([]);
    }),
    propertyRuns(200),
  );
});

test('any text parses, checks, links and prints without throwing', () => {
  const marks = fc.constantFrom(
    ...['# ', '## ', '### Steps\n', '### Triggers\n', '- ', '  ', '\n', '```', 'tools', '01:YLD '],
    ...['02.01:QUE ', '---\n', '<!--', '-->', 'If ', 'Say(', '"', ')', '$x', '=', '(', '!import a'],
    ...['metadata:', 'a: [', '|', 'public: true\n', '1. ', 'F(', 'é', '\u0000', '\t', ','],
  );
  fc.assert(
    fc.property(fc.array(marks, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const { tree } = readTree(text);
      playbook.check({ tree, text }, { tools: new Map(), inputs: [] });
      const compiled = compiledOf(tree);
      link(compiled);
      expect(readCompiled(printCompiled(compiled))).toBeDefined();
    }),
    propertyRuns(500),
  );
});

test('steps may be deeper than the lines that they are of', () => {
  const heads = Array.from({ length: 19 }, (_, at) => `${'  '.repeat(at)}- If $x${at}\n`);
  const last = `${'  '.repeat(19)}- If $a: for each $b in $c: if $d: Say("deep")\n`;
  const text = `# D\n\n## Main\n### Steps\n${heads.join('')}${last}`;
  const printed = printCompiled(compiledOf(readTree(text).tree));
  const { compiled, diagnostics } = readCompiled(printed);
  expect(diagnostics).toEqual([]);
  const steps = flatSteps(compiled.agents[0]?.playbooks[0]?.steps ?? []);
  expect(Math.max(...steps.map(({ number }) => number.split('.').length))).toBeGreaterThan(20);
  expect(printCompiled(compiled)).toBe(printed);
});

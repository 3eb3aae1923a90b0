/**
 * Plans in the shape of ParallelQA in all the ways in which models write them: whatever quotes,
 * numbers, ends, fences and brackets a plan has, its tasks are those of the plain one. One thing
 * differs at a time, then several do, as a seed says.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from './reading.ts';

type Call = { readonly tool: string; readonly text: string; readonly refs?: readonly number[] };

const search = (text: string): Call => ({ tool: 'search', text });
const math = (text: string, ...refs: readonly number[]): Call => ({ tool: 'math', text, refs });

const plans: readonly (readonly Call[])[] = [
  [search('Mount Everest'), search('K2'), math('height of Mount Everest - height of K2', 1, 2)],
  [search("Schindler's List"), search('First for Women (magazine)'), math('Which is older?', 1, 2)],
  [search('The "Spruce Goose"'), math('what is 50% of $1,000 (in USD)?', 1)],
  [search('Paris, France'), search('São Tomé & Príncipe'), math('ratio of both, in km²', 1, 2)],
  [search('AC/DC: Back in Black #1'), search("O'Hare's [ORD]"), math('max(area, 3.5, -2)', 1, 2)],
  [search('1984'), math('double $1', 1), math(`10% of \${2}?`, 2)],
  [search("Rock 'n' Roll"), math("year of Rock 'n' Roll, or 1950", 1)],
];

type Vary<T> = Readonly<Record<string, T>>;

const quotes: Vary<(text: string) => string> = {
  double: (text) => JSON.stringify(text),
  single: (text) => `'${text.replaceAll("'", "\\'")}'`,
  python: (text) => (text.includes("'") ? JSON.stringify(text) : `'${text}'`),
  unescapedSingle: (text) => `'${text}'`,
  unescapedDouble: (text) => `"${text}"`,
  typographic: (text) => `“${text}”`,
  typographicSingle: (text) => `‘${text}’`,
  french: (text) => `« ${text} »`,
  backticks: (text) => `\`${text}\``,
};

const references: Vary<(id: number) => string> = {
  double: (id) => `"$${id}"`,
  single: (id) => `'$${id}'`,
  bare: (id) => `$${id}`,
  braces: (id) => `"\${${id}}"`,
  bareBraces: (id) => `\${${id}}`,
  typographic: (id) => `“$${id}”`,
};

const contexts: Vary<(refs: string) => string> = {
  plain: (refs) => `, [${refs}]`,
  named: (refs) => `, context=[${refs}]`,
  spaced: (refs) => `, context = [ ${refs} ]`,
  colon: (refs) => `, context: [${refs}]`,
  trailingComma: (refs) => `, [${refs},]`,
  trailingCommas: (refs) => `, [${refs}],`,
  newLine: (refs) => `,\n  [${refs}]`,
};

const numbers: Vary<(id: number) => string> = {
  dot: (id) => `${id}. `,
  bracket: (id) => `${id}) `,
  assigned: (id) => `$${id} = `,
  tight: (id) => `${id}.`,
  colon: (id) => `${id}: `,
  bullet: (id) => `- ${id}. `,
  bold: (id) => `**${id}.** `,
  indented: (id) => `   ${id}. `,
  heading: (id) => `### ${id}. `,
  zero: (id) => `0${id}. `,
  step: (id) => `Step ${id}: `,
};

const thoughts: Vary<(id: number) => string> = {
  none: () => '',
  one: (id) => `Thought: I need fact ${id}, it's easy (see $1).\n`,
  bold: (id) => `**Thought:** need ${id}\n`,
  apart: (id) => `Thought: need ${id}\n\n`,
  numbered: (id) => `Thought ${id}: need it\n`,
  long: (id) => `Thought: need ${id}\nand more of it\n`,
};

const calls: Vary<(name: string, args: string, open: string, close: string) => string> = {
  plain: (name, args, open, close) => name + open + args + close,
  spaced: (name, args, open, close) => `${name} ${open} ${args} ${close}`,
  unclosed: (name, args, open) => name + open + args,
  code: (name, args, open, close) => `\`${name}${open}${args}${close}\``,
  bold: (name, args, open, close) => `**${name}${open}${args}${close}**`,
};

const tails: Vary<string> = {
  ...{ none: '', comment: '  # get (it) "now"', semicolon: ';', dot: '.', comma: ',' },
  ...{ slashes: ' // why', arrow: ' -> $1', spaces: '   ', dash: ' - to find it' },
};

const ends: Vary<(number: string) => string> = {
  tag: (number) => `${number}join()<END_OF_PLAN>`,
  tagBelow: (number) => `${number}join()\n<END_OF_PLAN>`,
  capital: (number) => `${number}Join()`,
  brackets: (number) => `${number}join[]`,
  finish: (number) => `${number}finish()`,
  unnumbered: () => 'join()',
  missing: () => '',
};

const wraps: Vary<(plan: string) => string> = {
  none: (plan) => plan,
  fence: (plan) => `\`\`\`\n${plan}\n\`\`\``,
  talk: (plan) => `Here is the plan:\n\n\`\`\`python\n${plan}\n\`\`\`\nDone.`,
  heading: (plan) => `### Plan\n${plan}\n###`,
  question: (plan) => `Question: what is it?\n${plan}\n###`,
  carriageReturns: (plan) => plan.replaceAll('\n', '\r\n'),
  thinking: (plan) => `<think>1. search("no")</think>\n${plan}`,
  quoted: (plan) => plan.replaceAll(/^/gm, '> '),
  byteOrderMark: (plan) => `\ufeff${plan}`,
  tabs: (plan) => plan.replaceAll(/^/gm, '\t'),
};

const ways = { quotes, references, contexts, numbers, thoughts, calls, tails, ends, wraps };
type Way = keyof typeof ways;
type Choice = Readonly<Partial<Record<Way, string>>>;

/** The chosen way, or the first of its kind, which is the plain one. */
function pick<T>(kind: Vary<T>, name: string | undefined): T {
  const found = kind[name ?? ''] ?? Object.values(kind)[0];
  if (found === undefined) throw new Error('every kind has a plain way');
  return found;
}

function written(plan: readonly Call[], [open, close]: readonly string[], choice: Choice): string {
  const [quote, ref] = [pick(quotes, choice.quotes), pick(references, choice.references)];
  const [number, thought] = [pick(numbers, choice.numbers), pick(thoughts, choice.thoughts)];
  const lines = plan.map(({ tool, text, refs }, i) => {
    const context = refs ? pick(contexts, choice.contexts)(refs.map(ref).join(', ')) : '';
    const call = pick(calls, choice.calls)(tool, quote(text) + context, open ?? '', close ?? '');
    return `${thought(i + 1)}${number(i + 1)}${call}${pick(tails, choice.tails)}\n`;
  });
  const last = plan.length + 1;
  const end = `${thought(last)}${pick(ends, choice.ends)(number(last))}`;
  return `${pick(wraps, choice.wraps)(`${lines.join('')}${end}`)}\n`;
}

const styles = [
  ['(', ')'],
  ['[', ']'],
] as const;

const wanted = plans.map((plan) => read(written(plan, styles[0], {})).tasks);

function expectSame(index: number, style: readonly string[], choice: Choice): void {
  const text = written(plans[index] ?? [], style, choice);
  const { tasks, diagnostics } = read(text);
  const wrong = diagnostics.filter(({ severity }) => severity === 'error');
  expect({ text, tasks, wrong }).toEqual({ text, tasks: wanted[index], wrong: [] });
}

const single = Object.entries(ways).flatMap(([way, kind]) =>
  Object.keys(kind).map((name) => ({ [way]: name })),
);

test('the plain plans are what they say', () => {
  expect(wanted[0]).toEqual([
    '1. search(query="Mount Everest")',
    '2. search(query="K2")',
    '3. math(problem="height of Mount Everest - height of K2", context=[ref(1), ref(2)])',
  ]);
  expect(wanted.map((tasks) => tasks.length)).toEqual(plans.map((plan) => plan.length));
});

test.each(single)('%j', (choice) => {
  for (const style of styles) for (const index of plans.keys()) expectSame(index, style, choice);
});

/**
 * A call without its bracket may have what is behind it for its arguments, and one that goes on in
 * the next line the mark of a quotation there.
 */
const isClear = ({ calls: call, tails: tail = '', contexts: context, wraps: wrap }: Choice) =>
  (call !== 'unclosed' || ['none', 'comment', 'spaces'].includes(tail)) &&
  (wrap !== 'quoted' || (context !== 'newLine' && call !== 'unclosed'));

test('several at once', () => {
  const choices = Object.entries(ways).map(([way, kind]) => {
    const names = Object.keys(kind);
    const plain = fc.constant(names[0] ?? '');
    return fc.oneof(plain, fc.constantFrom(...names)).map((name) => [way, name] as const);
  });
  const some = fc.tuple(...choices).map((pairs): Choice => Object.fromEntries(pairs));
  const property = fc.property(
    fc.nat(plans.length - 1),
    fc.constantFrom(...styles),
    some.filter(isClear),
    expectSame,
  );
  fc.assert(property, { numRuns: 500 });
});

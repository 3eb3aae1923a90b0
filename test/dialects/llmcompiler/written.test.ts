/** Any plan, written in any of the ways there are, is read as the tasks that it was made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planOf, readPlan } from '../../../src/dialects/llmcompiler/plan.ts';
import { type Json, toJson } from '../../../src/program/json.ts';
import { isNode } from '../../../src/program/task.ts';
import type { Value } from '../../../src/program/value.ts';
import { environment } from './tools.ts';

/** What an argument is to be, and how it may be written. A reference is by the place of a task. */
type Written =
  | { readonly kind: 'data'; readonly data: Json }
  | { readonly kind: 'reference'; readonly of: number; readonly key: string }
  | { readonly kind: 'list'; readonly items: readonly Written[] };

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc
    .array(fc.constantFrom('"', "'", '\\', '[', ')', ',', '\n', '#', '$', 'a', ' ', ':', '=', '1.'))
    .map((parts) => parts.join('')),
);
const data = fc.oneof(
  fc.constantFrom(null, true, false),
  fc.integer(),
  text,
  fc.dictionary(
    text.filter((key) => !key.startsWith('$') && key !== '__proto__'),
    fc.integer(),
    {
      maxKeys: 3,
    },
  ),
) as fc.Arbitrary<Json>;

const { argument } = fc.letrec<{ argument: Written }>((tie) => ({
  argument: fc.oneof(
    { maxDepth: 3 },
    data.map((value): Written => ({ kind: 'data', data: value })),
    fc.record({
      kind: fc.constant('reference' as const),
      of: fc.nat(),
      key: fc.constantFrom('', 'a', 'b c', '0'),
    }),
    fc.array(tie('argument'), { maxLength: 4 }).map((items): Written => ({ kind: 'list', items })),
  ),
}));

interface Style {
  readonly brackets: '()' | '[]';
  readonly head: 'dot' | 'parenthesis' | 'assigned';
  readonly braces: boolean;
  readonly quotes: '"' | "'";
  readonly space: string;
  readonly named: boolean;
}

const style: fc.Arbitrary<Style> = fc.record({
  brackets: fc.constantFrom('()', '[]'),
  head: fc.constantFrom('dot', 'parenthesis', 'assigned'),
  braces: fc.boolean(),
  quotes: fc.constantFrom('"', "'"),
  space: fc.constantFrom('', ' ', '\n  '),
  named: fc.boolean(),
});

function quoted(value: string, quote: string): string {
  const json = JSON.stringify(value).slice(1, -1).replaceAll('$', '\\$');
  return quote === '"' ? `"${json}"` : `'${json.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function write(value: Written, count: number, how: Style): string {
  if (value.kind === 'list') {
    const items = value.items.map((item) => write(item, count, how));
    return `[${how.space}${items.join(`,${how.space}`)}]`;
  }
  if (value.kind === 'reference' && count === 0) return 'null';
  if (value.kind === 'reference') {
    const path = value.key === '' ? '' : value.key === '0' ? '[0]' : `["${value.key}"]`;
    const number = (value.of % count) + 1;
    return how.braces ? `\${${number}${path}}` : `$${number}${path}`;
  }
  return writeData(value.data, how);
}

function writeData(value: Json, how: Style): string {
  if (typeof value === 'string') return quoted(value, how.quotes);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return String(value);
  const entries = Object.entries(value).map(
    ([key, one]) => `${quoted(key, how.quotes)}:${how.space}${writeData(one, how)}`,
  );
  return `{${entries.join(`,${how.space}`)}}`;
}

/** Whether it stands, alone and without a name, for all the arguments by their names. */
const isArguments = ({ kind, ...value }: Written): boolean =>
  kind === 'data' && 'data' in value && isObject(value.data) && Object.hasOwn(value.data, 'x');

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the task that it is read as must have as its argument. */
function wanted(value: Written, count: number): unknown {
  if (value.kind === 'list') return value.items.map((item) => wanted(item, count));
  if (value.kind === 'data') return value.data;
  if (count === 0) return null;
  const keys = value.key === '' ? [] : [value.key === '0' ? 0 : value.key];
  return { ref: String((value.of % count) + 1), keys };
}

function got(value: Value, needs: readonly string[]): unknown {
  if (isNode(value)) {
    const [, index, ...keys] = value.items;
    return { ref: needs[Number(index)], keys };
  }
  if (typeof value === 'object' && value?.kind === 'list') {
    return value.items.map((item) => got(item, needs));
  }
  return toJson(value);
}

test('what is written is what is read', () => {
  const task = fc.record({ argument, how: style, thought: fc.boolean() });
  const plans = fc.array(task, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(plans, (tasks) => {
      const lines = tasks.flatMap(({ argument: value, how, thought }, i) => {
        const number = i + 1;
        const head =
          how.head === 'dot'
            ? `${number}. `
            : how.head === 'assigned'
              ? `$${number} = `
              : `${number}) `;
        const name = how.named || isArguments(value) ? `x=${how.space}` : how.space;
        const [open = '', close = ''] = how.brackets;
        const call = `${head}any${open}${name}${write(value, i, how)}${how.space}${close}`;
        return thought ? [`Thought: (why) ${number}. any(0)`, call] : [call];
      });
      const tree = readPlan(`${lines.join('\n')}\n${tasks.length + 1}. join()`);
      const plan = planOf(tree, environment);
      const read = plan.tasks.map(({ args, needs }) => {
        const slots = typeof args === 'object' && args?.kind === 'dict' ? args.slots : [];
        return got(slots[0]?.[1] ?? null, needs);
      });
      expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(read).toEqual(tasks.map(({ argument: value }, i) => wanted(value, i)));
    }),
    { numRuns: 1000 },
  );
});

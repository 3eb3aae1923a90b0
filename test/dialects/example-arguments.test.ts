/** The example that each tool has in what a model is told: its own checker finds nothing in it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exampleArguments } from '../../src/dialects/example-arguments.ts';
import { checkProgram } from '../../src/dialects/index.ts';
import { llmcompiler } from '../../src/dialects/llmcompiler/index.ts';
import { react } from '../../src/dialects/react/index.ts';
import { stack } from '../../src/dialects/stack/index.ts';
import { stackvm1, stackvm2 } from '../../src/dialects/stackvm/index.ts';
import { starlark } from '../../src/dialects/starlark/index.ts';
import { builtInSpecs } from '../../src/effects/built-in-specs.ts';
import { toolSets } from '../../src/effects/tool-sets.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { propertyRuns } from '../support/depth.ts';

interface Row {
  readonly dialect: Pick<typeof react, 'name' | 'describe'>;
  readonly whole: (line: string) => string;
}

/** Each dialect with a whole program around an example. */
const dialects: readonly Row[] = [
  { dialect: starlark, whole: (line) => `${line}\nanswer(result)\n` },
  { dialect: stack, whole: (line) => `${line}\nanswer(stack_pop(1))\n` },
  {
    dialect: llmcompiler,
    whole: (line) => `Thought: t\n${line}\nThought: t\n2. join($1)\n<END_OF_PLAN>\n`,
  },
  { dialect: react, whole: (line) => `Thought: t\n${line}\nThought: t\nAction: Finish[done]\n` },
  {
    dialect: stackvm1,
    whole: (line) =>
      `[${line}, {"seq_no": 2, "type": "assign", ` +
      '"parameters": {"value": "{{result}}", "var_name": "final_answer"}}]',
  },
  {
    dialect: stackvm2,
    whole: (line) =>
      `[${line}, {"seq_no": 2, "type": "assign", ` +
      `"parameters": {"final_answer": "\${result}"}, "execution_objective": "Answer."}]`,
  },
];

/** What is said of the examples of tools, and how many there are. */
function saidOf(
  { dialect, whole }: Row,
  specs: readonly ToolSpec[],
): { said: string[]; count: number } {
  const tools = new Map(specs.map((spec) => [spec.name, spec]));
  const environment = { tools, inputs: [] };
  const section = dialect.describe(environment).split(/^## (?:Tools|Helpers)$/m)[1] ?? '';
  const lines = [...section.matchAll(/^ {2}- Example: `(.*)`$/gm)].map(([, line = '']) => line);
  const said = lines.flatMap((line) => {
    const { diagnostics } = checkProgram(whole(line), environment, { dialect: dialect.name });
    // What has to be called before it is not there in a fragment.
    const own = diagnostics.filter(({ code }) => code !== 'PV2006');
    return own.map(({ code, message }) => `${line}: ${code} ${message}`);
  });
  return { said, count: lines.length };
}

const setSpecs = [...toolSets.values()].flatMap(({ specs }) => specs);
/** What prompts tell of in another section, or not at all. */
const withTools = [...builtInSpecs, ...setSpecs];

const texts = fc.oneof(
  fc.string(),
  fc.constantFrom('$1', `\${a}`, '{{a}}', '\\', '"', "it's", '`', '5 m', 'true', '2024-02-30', ''),
);
const numbers = fc.oneof(fc.integer({ min: -9, max: 99 }), fc.double({ min: -2, max: 50 }));
const names = fc.constantFrom(
  ...['query', 'firstName', 'start_date', 'for', 'with-dash', 'output_var', 'var', 'n', 'über'],
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record(
      {
        type: fc.constant('string'),
        format: fc.constantFrom('date', 'date-time', 'time', 'email', 'uri', 'other'),
        minLength: fc.integer({ min: 0, max: 30 }),
        maxLength: fc.integer({ min: 0, max: 40 }),
        default: texts,
        pattern: fc.constantFrom('^[a-z ]+$', '^\\d{4}$', '('),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constantFrom('number', 'integer', ['integer', 'null']),
        minimum: fc.integer({ min: -5, max: 5 }),
        maximum: fc.integer({ min: -3, max: 9 }),
        exclusiveMinimum: numbers,
        multipleOf: fc.constantFrom(1, 5, 0.5),
        examples: fc.array(numbers, { maxLength: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ enum: fc.array(fc.oneof(texts, numbers, fc.boolean()), { minLength: 1 }) }),
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, {}),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc
      .tuple(fc.dictionary(names, tie('schema'), { maxKeys: 2 }), fc.boolean())
      .map(([properties, all]) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, all ? undefined : 1),
      })),
  ),
}));

const tool = fc
  .tuple(fc.dictionary(names, schema, { maxKeys: 3 }), fc.nat(3), maybe(fc.constant(true)))
  .map(([properties, count, last]) => {
    const all = Object.keys(properties);
    const required = last ? all.slice(-count || all.length) : all.slice(0, count);
    const parameters = { type: 'object', properties, required };
    return toolSpec({ name: 'look_up', description: 'Looks.', effect: 'read', parameters });
  });

describe.each(dialects)('$dialect.name', (row) => {
  test('the example of each tool that comes along passes the check without a word', () => {
    const { said, count } = saidOf(row, withTools);
    expect(said).toEqual([]);
    // Where a type alone does not show how an argument is written.
    expect(count).toBeGreaterThanOrEqual(5);
  });

  test('so does that of any tool', () => {
    fc.assert(
      fc.property(tool, (spec) => {
        expect(saidOf(row, [spec]).said).toEqual([]);
      }),
      propertyRuns(150),
    );
  });
});

test('values come from the schema, else from the name of the parameter', () => {
  const parameters = {
    type: 'object',
    properties: {
      first_name: { type: 'string' },
      top: { type: 'integer', minimum: 5 },
      unit: { enum: ['C', 'F'] },
      day: { type: 'string', format: 'date' },
      city: { type: 'string', examples: ['Rome'] },
      tags: { type: 'array', items: { type: 'string' } },
      left: { type: 'string' },
    },
    required: ['first_name', 'top', 'unit', 'day', 'city', 'tags'],
  };
  const spec = toolSpec({ name: 'f', description: 'f', parameters });
  expect(Object.fromEntries(exampleArguments(spec) ?? [])).toEqual({
    ...{ first_name: 'first name', top: 5, unit: 'C', day: '2024-02-15', city: 'Rome' },
    tags: ['tags'],
  });
});

test('a tool whose schema allows no value that can be made has none', () => {
  const properties = { code: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' } };
  const parameters = { type: 'object', properties, required: ['code'] };
  expect(exampleArguments(toolSpec({ name: 'f', description: 'f', parameters }))).toBeUndefined();
});

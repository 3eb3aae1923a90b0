/** The published schemas take the plans that the checker takes, and refuse what it refuses. */
import { globSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/dialects/index.ts';
import { instructionExample } from '../../../src/dialects/stackvm/describe.ts';
import { rows } from '../../../src/dialects/stackvm/instructions.ts';
import { root, textOf } from '../../support/repo.ts';
import { check, codesIn } from './plans.ts';

const ajv = new Ajv2020({ strict: false });
const validators = new Map(
  ['stackvm-1', 'stackvm-2'].map((name) => [
    name,
    ajv.compile(JSON.parse(textOf(`schemas/${name}.json`))),
  ]),
);

/** What the schema of a dialect says against a plan. */
function errorsIn(dialect: string, plan: unknown): string[] {
  const validate = validators.get(dialect);
  if (!validate) return [`there is no schema of ${dialect}`];
  return validate(plan)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const plans = globSync(['examples/*/plan.json', 'test/golden/stackvm-*/*.json'], { cwd: root });

test('there are plans in both dialects', () => {
  const found = plans.map((path) => detect(textOf(path)));
  const names = new Set(found.map((one) => ('name' in one ? one.name : one.message)));
  expect([...names].sort()).toEqual(['stackvm-1', 'stackvm-2']);
});

/** What check says of the form of a plan; the documents show some instructions alone. */
const isForm = (code: string): boolean =>
  code.startsWith('PV10') || (code > 'PV2103' && code <= 'PV2124' && code !== 'PV2119');

const formal = plans.filter((path) => !codesIn(check(textOf(path))).some(isForm));

test.each(formal)('%s fits its schema', (path) => {
  const text = textOf(path);
  const found = detect(text);
  expect(errorsIn('name' in found ? found.name : '', [JSON.parse(text)].flat())).toEqual([]);
});

test.each(rows)('the example of $type fits', (row) => {
  const { parameters } = instructionExample(row);
  for (const dialect of row.dialects) {
    expect(errorsIn(dialect, [{ seq_no: 0, type: row.type, parameters }])).toEqual([]);
  }
});

describe('a plan with a mistake does not fit', () => {
  const step = { seq_no: 0, type: 'assign', parameters: { final_answer: 1 } };
  const jump = { seq_no: 0, type: 'jmp', parameters: { condition_prompt: 'Is it?' } };
  test.each([
    ['stackvm-2', [], ' must NOT have fewer than 1 items'],
    ['stackvm-2', [{ ...step, seq_no: -1 }], '/0/seq_no must be >= 0'],
    ['stackvm-2', [{ ...step, seq: 1 }], '/0 must NOT have additional properties'],
    ['stackvm-2', [{ seq_no: 0, type: 'calling' }], "/0 must have required property 'parameters'"],
    ['stackvm-2', [jump], "/0/parameters must have required property 'target_seq'"],
    [
      'stackvm-2',
      [{ ...jump, type: 'jmp_if' }],
      "/0/parameters must have required property 'jump_if_true'",
    ],
    [
      'stackvm-2',
      [{ ...jump, parameters: { target_seq: '1' } }],
      '/0/parameters/target_seq must be integer',
    ],
    ['stackvm-1', [step], "/0/parameters must have required property 'value'"],
  ])('%s %j', (dialect, plan, problem) => {
    expect(errorsIn(dialect, plan)).toContain(problem);
  });
});

/** The published schemas take the plans that the checker takes, and refuse what it refuses. */
import { globSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { detect } from '../../../src/dialects/index.ts';
import { root, textOf } from '../../support/repo.ts';

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

test.each(plans)('%s fits its schema', (path) => {
  const text = textOf(path);
  const found = detect(text);
  // The documents show some instructions alone.
  const plan = [JSON.parse(text)].flat();
  expect(errorsIn('name' in found ? found.name : '', plan)).toEqual([]);
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
    ['stackvm-1', [step], "/0/parameters must have required property 'value'"],
  ])('%s %j', (dialect, plan, problem) => {
    expect(errorsIn(dialect, plan)).toContain(problem);
  });
});

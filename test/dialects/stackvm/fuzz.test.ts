/**
 * Whatever the text: check says where what is wrong, or there is a program that verifies and runs
 * to an end. It never throws.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codes as dialectCodes } from '../../../src/dialects/codes.ts';
import { checkProgram } from '../../../src/dialects/index.ts';
import { codes as stackvmCodes } from '../../../src/dialects/stackvm/codes.ts';
import { dialectNames } from '../../../src/dialects/stackvm/index.ts';
import { codes as jsonCodes } from '../../../src/text/json-text.ts';
import { filesUnder, textOf } from '../../support/repo.ts';
import { environment, run, tools } from './plans.ts';

const known = new Set(
  [dialectCodes, stackvmCodes, jsonCodes].flatMap((table) => Object.keys(table)),
);
const sources = ['stackvm-1', 'stackvm-2']
  .flatMap((dialect) => filesUnder(`test/golden/${dialect}`))
  .filter((path) => !path.endsWith('.expected'))
  .map(textOf);

const world = Object.fromEntries(
  [...tools.keys()].map((name) => [
    name,
    () => (name === 'llm_condition' ? { result: true } : 'x'),
  ]),
);

/** Holds what must hold of every text; the plan is run where check allows it. */
function examine(text: string, dialect?: string): void {
  const options = dialect === undefined ? {} : { dialect };
  const { ok, program, diagnostics } = checkProgram(text, environment('x'), options);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(ok).toBe(errors.length === 0);
  expect(program !== undefined).toBe(ok);
  for (const { code, line, column, message } of diagnostics) {
    expect(known).toContain(code);
    expect(Math.min(line, column)).toBeGreaterThan(0);
    expect(message).toMatch(/\S/);
  }
  if (!ok || dialect !== undefined) return;
  const { status, error } = run(text, world, { x: [{ a: 1 }] });
  expect(['done', 'failed']).toContain(status);
  if (status === 'failed') expect(error?.code).toMatch(/^PV3/);
}

/** JSON in which the words of plans turn up. */
const word = fc.constantFrom(
  ...['assign', 'calling', 'jmp', 'condition', 'reasoning', 'weather', 'llm_generate', 'x', 'y'],
  ...['${x}', '${x.a[0]} $${y} {{x}}', '{{y', '${x} + 1', '{{x | y}}', '', '1', 'final_answer'],
);
const key = fc.oneof(
  fc.constantFrom('seq_no', 'type', 'parameters', 'value', 'var_name', 'tool', 'tool_name', 'var'),
  fc.constantFrom('params', 'output_vars', 'output_var', 'prompt', 'true_branch', 'false_branch'),
  fc.constantFrom('condition_prompt', 'context', 'jump_if_true', 'target_seq', 'on_error', 'x', ''),
);
const { tree: json } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(word, fc.integer({ min: -1, max: 4 }), fc.constantFrom(null, true, 0.5, 1e300)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));
const instruction = fc.record(
  {
    seq_no: fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 5 }) }, { weight: 1, arbitrary: json }),
    type: fc.oneof({ weight: 9, arbitrary: word }, { weight: 1, arbitrary: json }),
    parameters: fc.oneof(fc.dictionary(key, json, { noNullPrototype: true }), json),
    on_error: fc.nat({ max: 5 }),
    execution_objective: word,
  },
  { requiredKeys: ['type', 'parameters'], noNullPrototype: true },
);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Change {
  readonly at: number;
  readonly by: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  by: fc.oneof(fc.constant('delete'), fc.constant('repeat'), json, instruction),
});

/** A plan with some of its values replaced, left out or repeated. */
function changed(plan: unknown, changes: readonly Change[]): unknown {
  const copy = structuredClone(plan) as Json;
  for (const { at, by } of changes) {
    const places: (() => void)[] = [];
    visit(copy, (holder, name) => {
      places.push(() => {
        if (Array.isArray(holder)) {
          const index = Number(name);
          if (by === 'delete') holder.splice(index, 1);
          else if (by === 'repeat') holder.push(holder[index] as Json);
          else holder[index] = by as Json;
        } else if (by === 'delete') delete holder[name];
        else if (by === 'repeat') holder[`${name}_`] = holder[name] as Json;
        else holder[name] = by as Json;
      });
    });
    places[at % Math.max(places.length, 1)]?.();
  }
  return copy;
}

function visit(
  node: Json,
  see: (holder: Json[] | { [key: string]: Json }, name: string) => void,
): void {
  if (node === null || typeof node !== 'object') return;
  for (const [name, value] of Object.entries(node)) {
    see(node, name);
    visit(value, see);
  }
}

describe('check holds its promise', () => {
  test('for any JSON, in either dialect', () => {
    const dialect = fc.constantFrom(undefined, ...dialectNames);
    fc.assert(
      fc.property(json, dialect, (data, name) => examine(JSON.stringify(data), name)),
      { numRuns: 300 },
    );
  });

  test('for any list of instructions', () => {
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 6 }), (plan) => examine(JSON.stringify(plan))),
      { numRuns: 400 },
    );
  });

  test('for golden plans that were changed', () => {
    const plans = sources.flatMap((text) => {
      try {
        return [JSON.parse(text) as unknown];
      } catch {
        return [];
      }
    });
    expect(plans.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(
        fc.constantFrom(...plans),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        (plan, changes) => examine(JSON.stringify(changed(plan, changes))),
      ),
      { numRuns: 400 },
    );
  });

  test('for golden texts with a piece cut out', () => {
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.nat(), fc.nat(), (text, from, length) => {
        const start = from % (text.length + 1);
        examine(text.slice(0, start) + text.slice(start + (length % 40)));
        examine(text.slice(0, start));
      }),
      { numRuns: 100 },
    );
  });
});

/**
 * What check says of variables against what happens: random plans of jumps, branches and handlers
 * are lowered whatever check has said and run with random decisions.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../../src/analysis/verifier.ts';
import { stackvm1 } from '../../../src/dialects/stackvm/index.ts';
import { createMachine } from '../../../src/machine/create.ts';
import type { Diagnostic } from '../../../src/program/diagnostic.ts';
import type { GuestError } from '../../../src/program/effect.ts';
import type { Program } from '../../../src/program/program.ts';
import { environment, tools } from './plans.ts';

const sizeMax = 7;
const variable = fc.constantFrom('a', 'b', 'c', 'final_answer');
const number = fc.nat({ max: sizeMax });

type Body = { readonly type: string; readonly parameters: unknown; readonly on_error?: number };

const assign: fc.Arbitrary<Body> = fc.record({
  type: fc.constant('assign'),
  parameters: fc.record({
    var_name: variable,
    value: fc.oneof(fc.constant(1), fc.constantFrom('{{a}}', '{{b}} {{c}}', '{{c}}')),
  }),
});
const call: fc.Arbitrary<Body> = fc.record(
  {
    type: fc.constant('anything'),
    parameters: fc.record({ output_var: variable }),
    on_error: number,
  },
  { requiredKeys: ['type', 'parameters'] },
);
const jump: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ type: fc.constant('jmp'), parameters: fc.record({ target_seq: number }) }),
  fc.record(
    {
      type: fc.constant('jmp_if'),
      parameters: fc.record(
        {
          condition_prompt: fc.constantFrom('p', 'p {{a}}'),
          context: fc.constant('c'),
          jump_if_true: number,
          jump_if_false: number,
        },
        { requiredKeys: ['condition_prompt', 'context', 'jump_if_true'] },
      ),
      on_error: number,
    },
    { requiredKeys: ['type', 'parameters'] },
  ),
);
const branch = fc
  .array(fc.oneof(assign, call), { maxLength: 3 })
  .map((list) => list.map(({ type, parameters }, seq_no) => ({ seq_no, type, parameters })));
const condition: fc.Arbitrary<Body> = fc.record({
  type: fc.constant('condition'),
  parameters: fc.record({
    prompt: fc.constantFrom('p', 'p {{b}}'),
    context: fc.constant('c'),
    true_branch: branch,
    false_branch: branch,
  }),
});
const plan = fc
  .array(fc.oneof(assign, call, jump, condition), {
    minLength: sizeMax + 1,
    maxLength: sizeMax + 1,
  })
  .map((bodies) => JSON.stringify(bodies.map((body, seq_no) => ({ seq_no, ...body }))));

interface Outcome {
  readonly steps: ReadonlySet<string>;
  readonly error: GuestError | undefined;
}

/** Runs with the decisions, over and over; every third call of a tool fails. */
function runWith(program: Program, decisions: readonly boolean[]): Outcome {
  const machine = createMachine(program, { tools, limits: { stepVisits: 8 } });
  const steps = new Set<string>();
  let made = 0;
  for (;;) {
    const turn = machine.run(10_000);
    for (const { id } of turn.steps) steps.add(id.replace(/@\d+$/, ''));
    if (turn.requests.length === 0) return { steps, error: machine.view().error };
    for (const { id, tool } of turn.requests) {
      const result = decisions[made++ % decisions.length] ?? false;
      const fails = made % 3 === 0;
      if (fails) machine.settle(id, { ok: false, error: { code: 'PV4200', message: 'no' } });
      else {
        const value = tool === 'llm_condition' ? `{"result":${result}}` : '"v"';
        machine.settle(id, { ok: true, value });
      }
    }
  }
}

const flowCodes = ['PV2138', 'PV2139', 'PV2148'];
const decisions = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });

test('check foresees every read before a write, and every step that nothing leads to', () => {
  let unset = 0;
  fc.assert(
    fc.property(plan, fc.array(decisions, { minLength: 4, maxLength: 4 }), (text, runs) => {
      const { tree, diagnostics } = stackvm1.parse(text);
      if (!tree || diagnostics.some(({ severity }) => severity === 'error')) return fc.pre(false);
      const said = stackvm1.check(tree, environment());
      const other = said.find(
        ({ code, severity }) => severity === 'error' && !flowCodes.includes(code),
      );
      fc.pre(other === undefined);
      const program = stackvm1.lower(tree, environment());
      expect(verify(program)).toEqual([]);
      const handled = tree.instructions.filter(({ onError }) => onError).map(({ label }) => label);
      for (const one of runs) unset += examine(runWith(program, one), said, handled) ? 1 : 0;
    }),
    { numRuns: 300 },
  );
  expect(unset).toBeGreaterThan(20);
});

/** Whether the run met a variable without a value. */
function examine(
  { steps, error }: Outcome,
  said: readonly Diagnostic[],
  handled: readonly string[],
): boolean {
  const saidOf = (code: string): readonly string[] =>
    said.flatMap((one) => (one.code === code && one.step !== undefined ? [one.step] : []));
  const step = error?.step.replace(/@\d+$/, '') ?? '';
  const isUnset = error?.code === 'PV3001';
  if (isUnset) expect([...saidOf('PV2138'), ...saidOf('PV2139')]).toContain(step);
  // A read that no path can satisfy fails where it is reached, if nothing has failed before it.
  for (const never of saidOf('PV2138')) {
    if (steps.has(never) && !handled.includes(never)) expect(error).toBeDefined();
  }
  for (const dead of saidOf('PV2148')) expect(steps).not.toContain(dead);
  return isUnset;
}

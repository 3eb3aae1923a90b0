/** Values of small plans, computed by the machine: what a reference page says of an expression. */
import { checkProgram } from '../../src/dialects/index.ts';
import type { DialectName } from '../../src/dialects/stackvm/plan.ts';
import { calculateHandler } from '../../src/effects/calculate/calculate.ts';
import { createMachine } from '../../src/machine/create.ts';
import { fromJson, stringify, toJson } from '../../src/program/json.ts';

const tools = new Map([['calculate', calculateHandler.spec]]);

/** Plans that call with `tool_name` compute; see `arithmetic`. */
const computing = {
  seq_no: 0,
  type: 'calling',
  parameters: { tool_name: 'calculate', tool_params: { expression: 1 }, output_vars: [] },
};

export interface Expression {
  readonly dialect: DialectName;
  /** What a plan assigns to `final_answer`. */
  readonly expression: unknown;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether the plan is one in which arithmetic is computed. */
  readonly arithmetic?: boolean;
}

/** The value as JSON text, or the code of the error it ends in. */
export function evaluated({ dialect, expression, inputs, arithmetic = false }: Expression): string {
  const parameters =
    dialect === 'stackvm-1'
      ? { value: expression, var_name: 'final_answer' }
      : { final_answer: expression };
  const assign = { seq_no: 1, type: 'assign', parameters };
  const plan = JSON.stringify(arithmetic ? [computing, assign] : [assign]);
  const { program, diagnostics } = checkProgram(
    plan,
    { tools, inputs: Object.keys(inputs) },
    { dialect },
  );
  if (!program) return diagnostics.find(({ severity }) => severity === 'error')?.code ?? '';
  const values = Object.entries(inputs).map(([name, data]) => [name, fromJson(data)] as const);
  const machine = createMachine(program, { tools, inputs: new Map(values) });
  for (const { id } of machine.run(1000).requests) machine.settle(id, { ok: true, value: '1' });
  machine.run(1000);
  const { answers, error } = machine.view();
  if (error) return error.code;
  return stringify(toJson(answers[0]?.value ?? null));
}

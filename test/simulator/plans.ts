/** Random plans in stackvm-1 and stackvm-2: calls, assignments, branches, jumps, ways out of errors. */
import type { Chance } from './chance.ts';

type Instruction = Record<string, unknown>;

const names = ['a', 'b', 'c', 'd'] as const;
const tools = ['read', 'read', 'read', 'pure', 'steady', 'write', 'put', 'wipe'] as const;

const inText1 = (name: string): string => `{{${name}}}`;
const inText2 = (name: string): string => `\${${name}}`;

/** A reference, a text with some, or data around one. */
function argument(
  chance: Chance,
  ref: (name: string) => unknown,
  inText: (name: string) => string,
) {
  const name = chance.pick(names);
  const kind = chance.below(6);
  if (kind < 3) return ref(name);
  if (kind === 3) return `${inText(name)} and ${inText(chance.pick(names))}`;
  return kind === 4 ? [ref(name), 1] : `k${chance.below(5)}`;
}

export function planOf2(chance: Chance): string {
  const ref = inText2;
  const value = (): unknown => argument(chance, ref, ref);
  const last = chance.between(3, 12);
  const later = (at: number): number => chance.between(at + 1, last);
  const plan: Instruction[] = [first(['a', 'b', 'c', 'd'], 'execution_objective')];
  for (let at = 1; at < last; at++) {
    const said = { seq_no: at, execution_objective: 'A step.' };
    const kind = chance.below(10);
    if (kind < 6) {
      const tool_name = chance.pick(tools);
      const on_error = chance.flag(0.25) ? { on_error: later(at) } : {};
      const parameters = {
        tool_name,
        tool_params: { x: value() },
        output_vars: chance.pick(names),
      };
      plan.push({ ...said, type: 'calling', parameters, ...on_error });
    } else if (kind < 8) {
      plan.push({ ...said, type: 'assign', parameters: { [chance.pick(names)]: value() } });
    } else if (kind === 8) {
      const back = chance.flag(0.4) ? chance.between(1, at) : later(at);
      const condition_prompt = `Is ${ref(chance.pick(names))} good?`;
      plan.push({ ...said, type: 'jmp', parameters: { condition_prompt, jump_if_true: back } });
    } else {
      plan.push({ ...said, type: 'jmp', parameters: { target_seq: later(at) } });
    }
  }
  const final_answer = [ref('a'), ref('b'), ref('c')];
  plan.push({
    seq_no: last,
    type: 'assign',
    parameters: { final_answer },
    execution_objective: 'x',
  });
  return JSON.stringify(plan);
}

/** A call or an assignment with this number, to put in place of another. */
export function instructionOf2(chance: Chance, seq_no: number): Instruction {
  const value = argument(chance, inText2, inText2);
  const about = { seq_no, execution_objective: 'Another step.' };
  const into = chance.pick(names);
  if (chance.flag(0.4)) return { ...about, type: 'assign', parameters: { [into]: value } };
  const parameters = {
    ...{ tool_name: chance.pick(tools), tool_params: { x: value }, output_vars: into },
  };
  return { ...about, type: 'calling', parameters };
}

export function instructionOf1(chance: Chance, seq_no: number): Instruction {
  const value = argument(chance, (name) => ({ var: name }), inText1);
  const into = chance.pick(names);
  if (chance.flag(0.4)) {
    return { seq_no, type: 'assign', parameters: { value, var_name: into } };
  }
  return { seq_no, type: chance.pick(tools), parameters: { x: value, output_var: into } };
}

function first(variables: readonly string[], about: string): Instruction {
  const parameters = Object.fromEntries(variables.map((name) => [name, name]));
  return { seq_no: 0, type: 'assign', parameters, [about]: 'Set all.' };
}

export function planOf1(chance: Chance): string {
  const count = { next: 0 };
  const plan = names.map((name) => assign(count, name, name));
  plan.push(...block(chance, count, 2));
  const all = ['a', 'b', 'c'].map((name) => ({ var: name }));
  plan.push(assign(count, 'final_answer', all));
  return JSON.stringify(plan);
}

const assign = (count: { next: number }, var_name: string, value: unknown): Instruction => ({
  ...{ seq_no: count.next++, type: 'assign' },
  parameters: { value, var_name },
});

function block(chance: Chance, count: { next: number }, depth: number): Instruction[] {
  const inText = inText1;
  const value = (): unknown => argument(chance, (name) => ({ var: name }), inText);
  return Array.from({ length: chance.between(1, depth === 2 ? 7 : 3) }, (): Instruction => {
    const kind = chance.below(10);
    if (kind < 6) {
      const seq_no = count.next++;
      const parameters = { x: value(), output_var: chance.pick(names) };
      return { seq_no, type: chance.pick(tools), parameters };
    }
    if (kind < 8 || depth === 0) return assign(count, chance.pick(names), value());
    const seq_no = count.next++;
    const prompt = `Is ${inText(chance.pick(names))} good?`;
    const true_branch = block(chance, count, depth - 1);
    const false_branch = chance.flag(0.5) ? block(chance, count, depth - 1) : [];
    return { seq_no, type: 'condition', parameters: { prompt, true_branch, false_branch } };
  });
}

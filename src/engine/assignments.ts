/**
 * A machine whose variables are set by hand at certain steps, as forks do: whoever runs the program
 * of a fork again, to resume it or to look at it, has to set them again.
 */
import type { Machine } from '../machine/machine.ts';
import type { StepVisit, Turn } from '../machine/turn.ts';
import { decode } from '../program/json.ts';

export interface Assignment {
  /** The step that is entered: `4@2`. */
  readonly at: string;
  /** Canonical texts by name of a variable, as `Machine.assign` takes it. */
  readonly set: Readonly<Record<string, string>>;
}

/** The same machine; a name that its program does not have is passed over. */
export function assigning(machine: Machine, assignments: readonly Assignment[]): Machine {
  if (assignments.length === 0) return machine;
  const bySteps = Map.groupBy(assignments, ({ at }) => at);
  let instructions = machine.view().instructions;
  return {
    ...machine,
    run(fuel, pause) {
      let entered: StepVisit | undefined;
      let isWanted = false;
      const stop = (step: StepVisit): boolean => {
        entered = step;
        isWanted = pause?.(step) ?? false;
        return isWanted || bySteps.has(step.id);
      };
      const most = instructions + fuel;
      let turn = machine.run(fuel, stop);
      while (turn.status === 'paused' && entered) {
        for (const { set } of bySteps.get(entered.id) ?? []) assign(machine, set);
        if (isWanted) break;
        turn = joined(turn, machine.run(Math.max(0, most - turn.instructions), stop));
      }
      instructions = turn.instructions;
      return turn;
    },
  };
}

function assign(machine: Machine, set: Assignment['set']): void {
  for (const [name, text] of Object.entries(set)) machine.assign(name, decode(text));
}

/** Two turns as one; what the second takes back of the first was never asked for. */
function joined(first: Turn, second: Turn): Turn {
  const gone = new Set(second.cancels);
  return {
    ...second,
    requests: [...first.requests.filter(({ id }) => !gone.has(id)), ...second.requests],
    cancels: [...first.cancels, ...second.cancels],
    won: [...first.won, ...second.won],
    emits: [...first.emits, ...second.emits],
    steps: [...first.steps, ...second.steps],
    warnings: [...first.warnings, ...second.warnings],
  };
}

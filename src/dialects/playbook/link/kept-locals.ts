/** What a playbook in the place of a call would still have of the round before, in a loop. */
import type { CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { liveIn } from '../compiled/flow.ts';
import { type Graph, graphOf, isWithin, reachedIn } from '../compiled/graph.ts';
import { writtenName } from '../text/variables.ts';
import { ownLocals } from './bound-arguments.ts';
import { plainWordsIn } from './renaming.ts';

/** Whether the way leads back to a step. */
export function isRound({ steps }: CompiledPlaybook, number: string): boolean {
  const { edges } = graphOf(steps);
  return (edges.get(number) ?? []).some(({ to }) =>
    reachedIn({ edges, first: to }).steps.has(number),
  );
}

/** A variable of its own that it may read where none of its lines has set it. */
function readUnset(playbook: CompiledPlaybook): string | undefined {
  const given = new Set(playbook.parameters.map(writtenName));
  const own = ownLocals(playbook).filter((name) => !given.has(name));
  if (own.length === 0) return undefined;
  const graph = graphOf(playbook.steps);
  const live = liveIn(asRead(graph), () => []).get(graph.first);
  return own.find((name) => live?.has(name));
}

/** What loops go over is set in their rounds, and may not be behind them. */
function asRead(graph: Graph): Graph {
  const loops = [...graph.steps.values()].filter(({ code }) => code === 'LOP');
  const readAt = (step: Step): readonly string[] => {
    const around = loops.filter(({ number }) => isWithin(step.number, number));
    const items = new Set([...around.flatMap(({ writes }) => writes), ...step.writes]);
    const words = plainWordsIn({ steps: [{ ...step, children: [] }] });
    return [...step.reads, ...words.filter((name) => !items.has(name))].filter(
      (name) => !around.some(({ writes }) => writes.includes(name)),
    );
  };
  const steps = [...graph.steps].map(([number, step]) => {
    const writes = step.code === 'LOP' ? [] : step.writes;
    return [number, { ...step, writes, reads: readAt(step) }] as const;
  });
  return { ...graph, steps: new Map(steps) };
}

/** Of what is to stand there: each call has variables of its own, and rounds share them. */
export function reasonOfRounds(
  callee: CompiledPlaybook,
  { number }: Step,
  playbook: CompiledPlaybook,
): string | undefined {
  const read = isRound(playbook, number) ? readUnset(callee) : undefined;
  return read && `it may read ${read} unset, which a round before may have set`;
}

/** Variables that steps of a model have, and neither the program nor its reply. */
import type { CompiledFile, Step } from '../../compiled/compiled.ts';
import { graphOf } from '../../compiled/graph.ts';
import { fieldsIn, setIn } from '../../source/code.ts';
import { stateNames, unique } from '../../text/variables.ts';
import type { Draft } from '../draft.ts';
import { meaningOf } from '../step-text.ts';

/** Every variable of agents that a program names; `*` where its code may set any. */
export function namedIn({ agents }: CompiledFile): ReadonlySet<string> {
  const names = agents.flatMap(({ code, description, playbooks }) => [
    ...stateNames(description),
    ...code.flatMap((block) => [...setIn(block), ...fieldsIn(block), ...stateNames(block.text)]),
    ...playbooks.flatMap(({ description: about, notes, parameters, steps, triggers }) => [
      ...parameters.flatMap(({ name, scope }) => (scope === 'state' ? [`$${name}`] : [])),
      ...[about, ...[...notes, ...triggers].map(({ text }) => text)].flatMap(stateNames),
      ...[...graphOf(steps).steps.values()].flatMap(({ block = '', text }) => [
        ...stateNames(text),
        ...stateNames(block),
      ]),
    ]),
  ]);
  return new Set([...names, '$startup_message', '$shared_state', '$_']);
}

/** What a step sets; what it does in words may set all that it names. */
export function setBy({ code, text }: Pick<Step, 'code' | 'text'>): readonly string[] {
  const { writes } = meaningOf({ code, text }, new Set());
  const isInWords = code === 'TNK' || (code === 'EXE' && writes.length === 0);
  return isInWords ? stateNames(text) : writes;
}

/** Of what steps name: the variables that nothing sets. */
export function inventedIn(drafts: readonly Draft[], known: ReadonlySet<string>): string[] {
  if (known.has('*')) return [];
  const all = drafts.flatMap(({ children, text }) => [
    ...stateNames(text).filter((name) => !known.has(name)),
    ...inventedIn(children, known),
  ]);
  return unique(all);
}

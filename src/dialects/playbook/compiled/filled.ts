/** What is filled into descriptions when playbooks start, as far as it is sure that it is. */
import type { Place } from '../source/tree.ts';
import { isFilled, stateNames } from '../text/variables.ts';
import type { CompiledPlaybook } from './compiled.ts';

/** `{$day}`, `{$bike.name}`, `{$bikes[0]}`: of other placeholders it is not sure that they are. */
export const placeholder: RegExp = /\{\s*\$\p{XIDC}+[^{}()$"']*\}/gu;

export interface Filled {
  /** With the dollar. */
  readonly name: string;
  readonly place: Place;
}

/** The variables of the agent that are filled in when a playbook starts. */
export function filledOf(playbook: CompiledPlaybook): Filled[] {
  const { description, filledLines = [], mode, parameters } = playbook;
  if (mode === 'code') return [];
  const own = new Set(parameters.map(({ name }) => `$${name}`));
  const lines = description.split('\n').filter(isFilled);
  return lines.flatMap((line, at) =>
    [...line.matchAll(placeholder)].flatMap(({ 0: text, index }) =>
      stateNames(text.slice(1, -1).trim())
        .filter((name) => !own.has(name))
        .map((name) => ({ name, place: within(filledLines[at] ?? playbook.place, index) })),
    ),
  );
}

const within = (place: Place, column: number): Place => ({
  ...place,
  column: Math.max(1, place.column) + column,
});

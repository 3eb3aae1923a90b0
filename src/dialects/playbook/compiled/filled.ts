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

interface Braces {
  /** With the braces. */
  readonly text: string;
  readonly place: Place;
  /** Whether they may well be those of a language: in a block of code, or in backticks. */
  readonly isCode: boolean;
}

/** Each `{…}` of a description, whatever stands in it. */
export function bracesOf({
  description,
  filledLines = [],
  mode,
  place,
}: CompiledPlaybook): Braces[] {
  if (mode === 'code') return [];
  let [filled, isFenced] = [-1, false];
  return description.split('\n').flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFilled(line)) filled++;
    const start = filledLines[filled];
    const bare = line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
    return [...line.matchAll(/\{[^{}]+\}/g)].map(({ 0: text, index }) => ({
      text,
      place: start ? { ...start, column: Math.max(1, start.column) + index } : place,
      isCode: isFenced || bare[index] === ' ',
    }));
  });
}

/** The variables of the agent that are filled in when a playbook starts. */
export function filledOf(playbook: CompiledPlaybook): Filled[] {
  const own = new Set(playbook.parameters.map(({ name }) => `$${name}`));
  return bracesOf(playbook).flatMap(({ text, place }) =>
    (text.match(placeholder) ?? [])
      .flatMap((one) => stateNames(one.slice(1, -1).trim()))
      .filter((name) => !own.has(name))
      .map((name) => ({ name, place })),
  );
}

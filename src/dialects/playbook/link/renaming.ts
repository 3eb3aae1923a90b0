/** Names that variables of a playbook get in the place of a call, and words that may be one. */
import { namePattern } from '../../../program/name.ts';
import type { CompiledAgent, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { flatSteps } from '../compiled/graph.ts';
import { mayBeSetAt } from '../compiled/may-set.ts';
import { withoutHead } from '../compiled/standing.ts';
import { anyName, filledIn, unique, writtenName } from '../text/variables.ts';
import { boundArguments, ownLocals } from './bound-arguments.ts';

/** Every word of a playbook, and the variables of its agent. */
export function wordsIn(
  { parameters, steps }: CompiledPlaybook,
  agent: CompiledAgent,
): Set<string> {
  const shared = agent.playbooks.flatMap((one) => [
    ...one.parameters.flatMap(({ name, scope }) => (scope === 'state' ? [name] : [])),
    ...flatSteps(one.steps).flatMap(({ writes }) => writes.filter((name) => name.startsWith('$'))),
  ]);
  const words = flatSteps(steps).flatMap(({ text }) => text.match(anyName) ?? []);
  const own = parameters.map(({ name }) => name);
  return new Set([...words, ...own, ...shared.map((name) => name.replace('$', ''))]);
}

/**
 * New names for local variables of a playbook that would mean something else in its caller. A
 * parameter that is given a variable of the call, and never changes, is that variable.
 */
export function renaming(
  step: Step,
  callee: CompiledPlaybook,
  { playbook, taken }: { readonly playbook: CompiledPlaybook; readonly taken: Set<string> },
  agent: CompiledAgent,
): ReadonlyMap<string, string> {
  const called = `${callee.name.slice(0, 1).toLowerCase()}${callee.name.slice(1)}`;
  const prefix = `${called}_${step.number.replace(/\./g, '_')}`;
  const others = agent.playbooks.filter((one) => one !== playbook);
  const writesOf = ({ steps }: CompiledPlaybook) => flatSteps(steps).flatMap(mayBeSetAt);
  const own = writesOf(callee);
  const shared = others
    .flatMap((one) => [
      ...writesOf(one),
      // Whoever calls it sets them.
      ...(one === callee ? [] : one.parameters.map(writtenName)),
    ])
    .filter((name) => name.startsWith('$'));
  const bound = boundArguments(step, callee) ?? [];
  const taking = bound.flatMap(({ name, value }) => (name === value ? [] : [name]));
  const changed = new Set([...own, ...shared, ...taking.filter((name) => name.startsWith('$'))]);
  // Code may change what all of an agent share.
  const fixed = agent.code.some(({ text }) => /\bstate\b/.test(text)) ? '' : '\\$?';
  const variable = new RegExp(`^${fixed}${namePattern}$`, 'u');
  const given = bound.filter(
    ({ name, value, type }) =>
      variable.test(value) &&
      type === undefined &&
      !/^(?:None|True|False)$/.test(value) &&
      !changed.has(name) &&
      !(value.startsWith('$') && changed.has(value)),
  );
  const same = new Map(given.map(({ name, value }) => [name, value]));
  return new Map(
    ownLocals(callee).map((name) => {
      const other = same.get(name) ?? (taken.has(name) ? `${prefix}_${name}` : name);
      taken.add(other);
      return [name, other];
    }),
  );
}

/** A name that is no variable of the agent, no member, and names no argument. */
const word = new RegExp(
  String.raw`(?<![\p{XIDC}$.'])${namePattern}(?!\s*=(?!=)|\p{XIDC}*\()`,
  'gu',
);

/** The one that a step sets. */
const target = new RegExp(String.raw`^(${namePattern})(?=\s*(?::\s*\p{XIDC}+\s*)?=[^=])`, 'u');

/** Words in quotes stay, but for what is filled in there. */
export function renamed(text: string, rename: ReadonlyMap<string, string>): string {
  if (rename.size === 0) return text;
  const words = (part: string): string => part.replace(word, (name) => rename.get(name) ?? name);
  return text
    .replace(/"(?:\\.|[^"\\])*"|[^"]+|"/g, (part) =>
      /^".*"$/s.test(part) ? part.replace(/\{[^{}]*\}/g, words) : words(part),
    )
    .replace(target, (name) => rename.get(name) ?? name);
}

/** What the compiler writes, where nobody's variable is meant. */
const written = /^(?:Say\(user,|for (?:user|call|agent)\b)/;

/** All that may name a variable of the call; of words in quotes, what is filled in there. */
export const plainWordsIn = ({ steps }: Pick<CompiledPlaybook, 'steps'>): string[] =>
  unique(
    flatSteps(steps).flatMap(({ text }) => {
      const bare = text.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => filledIn(inner));
      return withoutHead(bare).replace(written, '').match(word) ?? [];
    }),
  );

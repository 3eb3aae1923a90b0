/**
 * What steps of a model have that neither the program nor its reply knows: variables, and words and
 * values that the line does not say.
 */
import type { CompiledFile, Step } from '../compiled/compiled.ts';
import { graphOf } from '../compiled/graph.ts';
import { fieldsIn, setIn } from '../source/code.ts';
import { stateNames, unique } from '../text/variables.ts';
import type { Draft } from './draft.ts';
import { meaningOf } from './step-text.ts';

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

/**
 * Of what a line is said to mean: words in quotes, and plain values of variables, that it does not
 * have. A variable that only its own steps use is theirs.
 */
export function addedIn(
  drafts: readonly Draft[],
  { block = '', text }: Pick<Step, 'block' | 'text'>,
  known: ReadonlySet<string>,
): string[] {
  const line = plainWords(`${text} ${block}`);
  const all = flat(drafts);
  return all.flatMap((one, at) => {
    const { say, value = '', writes } = meaningOf(one, new Set());
    if (say?.isLiteral && !line.includes(plainWords(say.text))) {
      return [`got "${say.text}", want Say(user, what to say) where the line has no such quote`];
    }
    const [name = ''] = one.code === 'EXE' && constant.test(value) ? writes : [];
    const isSaid = [name.replace('$', ''), value].some((word) => line.includes(plainWords(word)));
    const isOwn = !known.has(name) && all.slice(at + 1).some((next) => next.text.includes(name));
    if (name === '' || isSaid || isOwn) return [];
    return [`got ${name} set to ${value}, want no value that the line does not say`];
  });
}

const constant = /^(?:-?\d+(?:\.\d+)?|"[^"]*"|'[^']*'|true|false|none|null|\[\]|\{\})$/i;

/** Without what is filled in, and whatever sets words apart. */
const plainWords = (text: string): string =>
  text
    .replace(/\{[^{}]*\}/g, ' ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const flat = (drafts: readonly Draft[]): Draft[] =>
  drafts.flatMap((one) => [one, ...flat(one.children)]);

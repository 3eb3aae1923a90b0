/** Agents that a file makes while it runs, by names that it says: `CreateAgent("Cook", "Anna")`. */
import { bracketEnd, unquoted } from '../../text/brackets.ts';
import { argumentsIn } from '../../text/calls.ts';
import { creation } from './agent-lines.ts';

interface Line {
  readonly text: string;
  readonly children: readonly Line[];
}

interface Making {
  readonly code: readonly { readonly text: string }[];
  readonly playbooks: readonly { readonly steps?: readonly Line[] }[];
}

/** Their names, each with the one of the file that it is like, by what `known` says of that. */
export function madeIn(
  agents: readonly Making[],
  known: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (known.size < 2) return new Map();
  const texts = agents.flatMap(({ code, playbooks }) => [
    ...code.map(({ text }) => text),
    ...playbooks.flatMap(({ steps = [] }) => textsOf(steps)),
  ]);
  return new Map(
    texts.flatMap((text) => [
      ...makings(creation(text.trim().replace(/[.!]$/, ''), { others: known }) ?? text, known),
    ]),
  );
}

const textsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap(({ text, children }) => [text, ...textsOf(children)]);

/** Of each call in a text that says both as they are: `CreateAgent("Player", name="Ann")`. */
function makings(text: string, known: ReadonlyMap<string, string>): [string, string][] {
  return [...text.matchAll(/(?<!\p{XIDC})CreateAgent\(/gu)].flatMap(({ 0: head, index }) => {
    const open = index + head.length - 1;
    const made = madeBy(text.slice(open + 1, bracketEnd(text, open) ?? text.length));
    const like = known.get(made.like ?? '');
    const isNew = made.name !== undefined && !known.has(made.name);
    return isNew && like !== undefined ? [[made.name, like]] : [];
  });
}

/** What the arguments of such a call say as it is. */
export function madeBy(args: string): { readonly like?: string; readonly name?: string } {
  const given = argumentsIn(args);
  const plain = given.filter(({ name }) => name === undefined);
  const told = (parameter: string, at: number): string | undefined =>
    unquoted((given.find(({ name }) => name === parameter) ?? plain[at])?.text ?? '');
  const [like, name] = [told('like', 0), told('name', 1)];
  return { ...(like !== undefined && { like }), ...(name !== undefined && { name }) };
}

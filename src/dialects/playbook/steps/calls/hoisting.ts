/** Calls in the texts of lines: those of what there is, and those that have to come before one. */
import type { Place } from '../../source/tree.ts';
import { bracketEnd, split } from '../../text/brackets.ts';
import { callIn, innerCall, innerCalls, type WrittenCall } from '../../text/calls.ts';
import { isComputing } from '../../text/computing.ts';
import { type Draft, draft } from '../draft.ts';
import { type Names, ownCallees, spokenForm } from '../names/names.ts';

export interface Context {
  /** The playbook that the lines are of. */
  readonly own: string;
  readonly names: Names;
  /** All that the playbook says of variables, as written: what a spoken call may pass. */
  readonly variables: ReadonlySet<string>;
  /** Gives names to results that are used where they are made. */
  readonly temporary: (callee: string) => string;
  /** Whether the playbook is given a variable, or a line above some place speaks of it. */
  readonly isAbove: (name: string, place: Place) => boolean;
  /** Variables that lines set to lists: who adds to one of them does not add up. */
  readonly lists: ReadonlySet<string>;
  /** The line of the playbook that some words are about, where it is one alone. */
  readonly lineAbout: (words: string) => Place | undefined;
  /** How often a line is a part of what is looked at now. */
  readonly depth: number;
  /** What the loops around a line go over, without the dollar. */
  readonly items?: readonly string[];
  /** What the lines are cases of, where the one above says so. */
  readonly cases?: string | undefined;
}

/** To see what a text is, of which nothing is kept: no name is given away for that. */
export const tentative = (context: Context): Context => ({
  ...context,
  temporary: () => 'result',
});

/** Parts of parts of a line beyond which nothing is taken apart. */
export const depthMax = 30;

export const deeper = (context: Context): Context => ({ ...context, depth: context.depth + 1 });

const isKnown = ({ names }: Context, callee: string): boolean =>
  names.callees.has(callee) && !ownCallees.has(callee);

/** `len($list)`, where nobody has defined one: an expression. */
export const isComputed = ({ callee }: WrittenCall, { names }: Context): boolean =>
  isComputing(callee) && !names.callees.has(callee);

export const canonical = (callee: string, { names }: Context): string =>
  names.callees.get(callee)?.name ?? callee;

/** `DesignTheMenu("soup")`, or by its title: `Design the menu("soup")`. */
export function writtenCall(text: string, { names }: Context): WrittenCall | undefined {
  const call = callIn(ofAgent(text.trim(), names));
  if (call) return { ...call, args: namedArguments(call, names) };
  const bare = text.trim().replace(/[.;]$/, '');
  const open = bare.indexOf('(');
  const callee = names.spoken.get(spokenForm(bare.slice(0, Math.max(0, open))));
  // What stands behind a blank may be a remark: `Offer the bikes (all of them)`.
  if (!callee || /\s/.test(bare[open - 1] ?? '') || bracketEnd(bare, open) !== bare.length - 1) {
    return undefined;
  }
  const written = { callee: callee.name, args: bare.slice(open + 1, -1).trim() };
  return { ...written, args: namedArguments(written, names) };
}

/** With arguments named in one way: `F(1, units: "m")` is `F(1, units="m")`, where F has such. */
function namedArguments({ callee, args }: WrittenCall, { callees }: Names): string {
  const parameters = (callees.get(callee)?.parameters ?? []).map((one) => one.replace('$', ''));
  const parts = split(args, ',').map((part) => {
    const [, name = '', value] = /^\s*\$?(\p{XIDC}+)\s*:(?!:)\s*(\S.*)$/su.exec(part) ?? [];
    return value !== undefined && parameters.includes(name) ? ` ${name}=${value}` : part;
  });
  return parts.join(',').trim();
}

/** `Bike desk.Price(2)`: what stands before the point is an agent as its heading is written. */
function ofAgent(text: string, { written }: Names): string {
  const found = [...written].find(([title]) => text.startsWith(`${title}.`));
  return found ? `${found[1]}${text.slice(found[0].length)}` : text;
}

export function knownCall(text: string, context: Context): WrittenCall | undefined {
  const call = writtenCall(text, context);
  return call && isKnown(context, call.callee)
    ? { ...call, callee: canonical(call.callee, context) }
    : undefined;
}

export interface Hoisted {
  /** The calls within, each with a name for its result. */
  readonly drafts: readonly Draft[];
  /** The text with the names in their places. */
  readonly text: string;
}

/** Calls within an expression come before it. */
export function hoisted(text: string, place: Place, context: Context): Hoisted {
  const drafts: Draft[] = [];
  let rest = text;
  let inner = innerCall(rest, (callee) => isKnown(context, callee));
  while (inner && drafts.length < callsMax && context.depth < depthMax) {
    const { from, to, call } = inner;
    const args = hoisted(namedArguments(call, context.names), place, deeper(context));
    const name = context.temporary(call.callee);
    const made = `${name} = ${canonical(call.callee, context)}(${args.text})`;
    drafts.push(...args.drafts, draft('QUE', made, place));
    rest = `${rest.slice(0, from)}${name}${rest.slice(to)}`;
    inner = innerCall(rest, (callee) => isKnown(context, callee));
  }
  return { drafts, text: rest };
}

/** Calls that an expression has. */
export const callsWithin = (text: string, context: Context): WrittenCall[] =>
  [...innerCalls(text, (callee) => isKnown(context, callee))].map(({ call }) => call);

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where they begin and end, without those that are arguments of others. */
export function outerCalls(text: string, context: Context): Span[] {
  const found: Span[] = [];
  for (const { from, to } of innerCalls(text, (callee) => isKnown(context, callee))) {
    if (from >= (found.at(-1)?.to ?? 0)) found.push({ from, to });
  }
  return found;
}

/** Calls in one line beyond which the rest stays as it is. */
const callsMax = 50;

/** Calls between braces, `"The gauge says {level("pier") * 2}."`, come before the line. */
export function placeholders(text: string, place: Place, context: Context): Hoisted {
  const drafts: Draft[] = [];
  let rest = text;
  for (let at = rest.indexOf('{'); at >= 0; at = rest.indexOf('{', at + 1)) {
    const end = bracketEnd(rest, at);
    if (end === undefined || drafts.length >= callsMax) continue;
    const inner = rest.slice(at + 1, end);
    const call = knownCall(inner, context);
    const found = hoisted(call ? `${call.callee}(${call.args})` : inner, place, context);
    if (found.drafts.length === 0) continue;
    drafts.push(...found.drafts);
    rest = `${rest.slice(0, at)}{${found.text}}${rest.slice(end + 1)}`;
  }
  return { drafts, text: rest };
}

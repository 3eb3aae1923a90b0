/**
 * One statement in the manner of Python, as it stands between backticks or in a fence:
 * `$bikes:list = FreeBikes(day=$day)`, `self.state.n = 3`, `await self.Yield("user")`.
 */
import { namePattern } from '../../../../program/name.ts';
import { type Said, saidOf } from '../said.ts';
import {
  type CallTerm,
  type Name,
  nameIn,
  nothing,
  type Reference,
  refsIn,
  type Term,
} from '../term.ts';
import { inPlace } from './in-place.ts';
import { Cursor, readTerm, termIn, Unreadable } from './syntax.ts';

export function statementSaid(text: string): readonly Said[] {
  const plain = text.trim().replace(/;$/, '');
  try {
    return read(plain);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const shown = plain.length > 80 ? `${plain.slice(0, 80)}…` : plain;
    return [{ is: 'wrong', text: `cannot read ${JSON.stringify(shown)}: ${error.message}` }];
  }
}

/** Whether a text is certainly a call, or one into a variable, and no words. */
export const isStatement = (text: string): boolean =>
  /^\s*(?:\$?[\p{XIDC}.]+\s*=\s*)?(?:await\s+)?\$?\p{XIDS}[\p{XIDC}.]*\(.*\)\s*$/su.test(text);

const annotation = String.raw`\s*:(?:[^=,[\]()\n]|\[(?:[^=[\]]|\[[^=[\]]*\])*\])*`;

/** What is set: `$day`, `self.state.rates: dict[str, int]`. */
export const targetPattern: string = [
  String.raw`(?:self\.state\.|self\.)?\$?`,
  namePattern,
  String.raw`\s*(?:${annotation})?`,
].join('');

const assignment = new RegExp(
  `^(${targetPattern}(?:,\\s*${targetPattern})*)=(?!=)\\s*([\\s\\S]+)$`,
  'u',
);
const item = /^self\.state\[\s*["']\$?(\p{XIDC}+)["']\s*\]\s*=(?!=)\s*([\s\S]+)$/u;
const several = /^\(([^()]*)\)(?=\s*=(?!=))/;
const variable = String.raw`(?:self\.state\.|self\.(?!state\b))?\$?${namePattern}`;
const augmented = new RegExp(`^(${variable})\\s*(//|[-+*/%])=\\s*([\\s\\S]+)$`, 'u');
const partial = new RegExp(
  String.raw`^(self\.state\[[^\]]*\]|(?!self\.state\b)${variable}|self\.state\.${namePattern})` +
    String.raw`(?:\.${namePattern}|\[[^\]=]*\])+\s*(?://|\*\*|[-+*/%|])?=(?!=)`,
  'u',
);

function read(written: string): readonly Said[] {
  const text = written.replace(several, '$1');
  const indexed = item.exec(text);
  if (indexed) return assigned([{ name: indexed[1] ?? '', sign: true }], indexed[2] ?? '');
  const [, changed = '', operator = '', by = ''] = augmented.exec(text) ?? [];
  const own = nameIn(changed);
  if (own) return assigned([own], `${changed} ${operator} (${by})`);
  const found = assignment.exec(text);
  if (found) {
    const targets = found[1] ?? '';
    const names = (targets.includes(':') ? [targets] : targets.split(',')).map(nameIn);
    const known = names.filter((name) => name !== undefined);
    if (known.length === names.length) return assigned(known, found[2] ?? '');
  }
  const [, part] = partial.exec(text) ?? [];
  if (part !== undefined) throw new Unreadable(`got a part of ${part} set, want all of it set`);
  return unassigned(text);
}

function unassigned(text: string): readonly Said[] {
  const [, given, own] = returnForm.exec(text) ?? [];
  const call = callIn(given ?? own ?? '');
  if (call) return returnedCall(call);
  const calls = gathered(text);
  if (calls) return calls.flatMap((one) => called(one));
  const term = readTerm(own ?? text);
  // A bare name or literal says nothing, and does nothing.
  if (term.is !== 'call') return own === undefined ? [] : [{ is: 'return', value: term }];
  return called(term);
}

/** `await self.Return($x)`, and `return $x`, which stands in no function. */
const returnForm = /^(?:(?:await\s+)?(?:self\.|agent\.)?Return\(([\s\S]*)\)|return\s+([\s\S]+))$/;

/** The call that a text is, and nothing else. */
export function callIn(text: string): CallTerm | undefined {
  const term = termIn(text);
  return term?.is === 'call' ? term : undefined;
}

/** `Return[F($x)]`: what the call gives. Where it is none but a message, nothing comes of it. */
export function returnedCall(term: CallTerm): readonly Said[] {
  const said = called(term);
  const [call, ...others] = said;
  if (call?.is === 'call' && others.length === 0) return [{ is: 'return', value: nothing, call }];
  return [...said, { is: 'return', value: nothing }];
}

function assigned(names: readonly Name[], text: string): readonly Said[] {
  const [first, ...more] = names;
  const calls = gathered(text);
  if (calls && calls.length !== names.length) {
    const all = names.map(({ name }) => name).join(', ');
    throw new Unreadable(`got ${calls.length} calls for ${all}, want a name for each`);
  }
  if (calls) return calls.flatMap((call, index) => called(call, names[index]));
  if (!first || more.length > 0) return unpacked(names, readTerm(`(${text})`));
  const term = readTerm(text);
  return term.is === 'call' ? called(term, first) : [{ is: 'set', to: first, value: term }];
}

/** Several at once, one after the other: none of them may read what is set before it. */
function unpacked(names: readonly Name[], term: Term | CallTerm): readonly Said[] {
  const values = itemsOf(term);
  if (values?.length !== names.length) {
    throw new Unreadable(`got ${names.length} names for one value, want one name`);
  }
  const isRead = (ref: Reference, at: number): boolean =>
    names.slice(0, at).some(({ name }) => name === ref.to.name);
  if (values.some((value, at) => refsIn(value).some((ref) => isRead(ref, at)))) {
    throw new Unreadable('got values of what is set beside them, want one variable a line');
  }
  return names.map((to, index) => ({ is: 'set', to, value: values[index] ?? nothing }));
}

function itemsOf(term: Term | CallTerm): readonly Term[] | undefined {
  if (term.is === 'list') return term.items;
  const data: unknown = term.is === 'value' ? term.value : undefined;
  return Array.isArray(data) ? data.map((value: unknown) => ({ is: 'value', value })) : undefined;
}

function called(term: CallTerm, into?: Name): readonly Said[] {
  const call = { ...term, ...(into && { into }) };
  const said = inPlace(call);
  return said ? [said] : saidOf(call);
}

/** The calls of `await asyncio.gather(A(x), B(y))`. */
function gathered(text: string): readonly CallTerm[] | undefined {
  const found = /^(?:await\s+)?asyncio\.gather\(([\s\S]*)\)$/.exec(text.trim());
  if (!found) return undefined;
  return new Cursor(found[1] ?? '').calls();
}

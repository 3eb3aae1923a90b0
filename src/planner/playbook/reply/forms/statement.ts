/**
 * One statement in the manner of Python, as it stands between backticks or in a fence:
 * `$bikes:list = FreeBikes(day=$day)`, `self.state.n = 3`, `await self.Yield("user")`.
 */
import { namePattern } from '../../../../program/name.ts';
import { type Said, saidOf } from '../said.ts';
import { type CallTerm, type Name, nameIn, nothing } from '../term.ts';
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

const annotation = String.raw`\s*:(?:[^=,[\]()\n]|\[(?:[^=[\]]|\[[^=[\]]*\])*\])*`;

/** What is set: `$day`, `self.state.rates: dict[str, int]`. */
export const targetPattern: string = String.raw`(?:self\.state\.|self\.)?\$?${namePattern}\s*(?:${annotation})?`;

const assignment = new RegExp(
  `^(${targetPattern}(?:,\\s*${targetPattern})*)=(?!=)\\s*([\\s\\S]+)$`,
  'u',
);
const item = /^self\.state\[\s*["']\$?(\p{XIDC}+)["']\s*\]\s*=(?!=)\s*([\s\S]+)$/u;

function read(text: string): readonly Said[] {
  const indexed = item.exec(text);
  if (indexed) return assigned([{ name: indexed[1] ?? '', sign: true }], indexed[2] ?? '');
  const found = assignment.exec(text);
  if (found) {
    const names = (found[1] ?? '').split(',').map(nameIn);
    const known = names.filter((name) => name !== undefined);
    if (known.length === names.length) return assigned(known, found[2] ?? '');
  }
  const [, given, own] = returnForm.exec(text) ?? [];
  const call = callIn(given ?? own ?? '');
  if (call) return returnedCall(call);
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
  const [first] = names;
  const calls = gathered(text);
  if (calls) return calls.flatMap((call, index) => called(call, names[index]));
  const term = readTerm(text);
  if (names.length > 1 || !first) {
    const values = term.is === 'list' ? term.items : undefined;
    if (!values || values.length !== names.length) {
      throw new Unreadable(`got ${names.length} names for one value, want one name`);
    }
    return names.map((to, index) => ({
      is: 'set',
      to,
      value: values[index] ?? { is: 'value', value: null },
    }));
  }
  return term.is === 'call' ? called(term, first) : [{ is: 'set', to: first, value: term }];
}

function called(term: CallTerm, into?: Name): readonly Said[] {
  const { callee, args, named } = term;
  return saidOf({ callee, args, named, ...(into && { into }) });
}

/** The calls of `await asyncio.gather(A(x), B(y))`. */
function gathered(text: string): readonly CallTerm[] | undefined {
  const found = /^(?:await\s+)?asyncio\.gather\(([\s\S]*)\)$/.exec(text.trim());
  if (!found) return undefined;
  return new Cursor(found[1] ?? '').calls();
}

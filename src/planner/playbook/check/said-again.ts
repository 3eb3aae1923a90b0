/** Parts as what was said: what an earlier reply has done, to go on behind it. */
import { GuestValue, stringify, toJson } from '../../../program/json.ts';
import type { Part } from '../parts.ts';
import type { Said } from '../reply/said.ts';
import { type Expr, nameOf, termOf } from '../reply/term.ts';

/** What tells one act from another, at its line. */
export function markOf(part: Part): string | undefined {
  if (part.op === 'call') return `${part.line} call ${part.key}`;
  if (part.op === 'set') return `${part.line} set ${inWords(part.name, part.value)}`;
  if (part.op === 'say') return `${part.line} say ${inWords('', part.text)}`;
  return undefined;
}

/** Equal for equal values, also where one of them has gone through a journal. */
export const inWords = (name: string, value: Expr): string => `${name} ${stringify(plain(value))}`;

const plain = (data: unknown): unknown => {
  if (data instanceof GuestValue) return toJson(data.value);
  if (Array.isArray(data)) return data.map(plain);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, plain(value)]));
};

/** What a part was made of. */
export function saidAgain(part: Part): Said | undefined {
  switch (part.op) {
    case 'step':
      return { is: 'step', line: part.line };
    case 'set':
      return { is: 'set', to: nameOf(part), value: termOf(part.value) };
    case 'call': {
      const named = Object.entries(part.args).map(([name, expr]) => [name, termOf(expr)]);
      const into =
        part.into === null ? {} : { into: { name: part.into, sign: part.scope === 'state' } };
      return {
        is: 'call',
        callee: part.on === undefined ? part.callee : part.callee.replace(/^.*(?=\.)/, part.on),
        args: [],
        named: Object.fromEntries(named),
        ...into,
      };
    }
    case 'say':
      return { is: 'say', text: termOf(part.text), ...(part.to !== undefined && { to: part.to }) };
    case 'yield':
      return { is: 'yield', for: part.for, whom: part.whom };
    case 'return':
      return { is: 'return', value: termOf(part.value) };
    case 'unexpected':
      return { is: 'unexpected', text: part.text };
    default:
      return undefined;
  }
}

/** What one statement of a log says: an element, `Var[$day, "Sunday"]`, an assignment or a call. */
import { type Said, stepNamed, unknownYield, yieldIn } from '../said.ts';
import { nameIn, nothing } from '../term.ts';
import { callIn, returnedCall, statementSaid, targetPattern } from './statement.ts';
import { readTerm, Unreadable } from './syntax.ts';

export const matchedTrigger: Said = {
  is: 'mended',
  text: 'it matched a trigger itself, which the machine does',
};

export function elementSaid(text: string): readonly Said[] {
  const found = /^(Step|Var|Trigger|Return|Yield)\s*\[([\s\S]*)\]$/i.exec(text);
  if (!found) return statementSaid(text);
  const [, kind = '', inner = ''] = found;
  switch (kind.toLowerCase()) {
    case 'step': {
      const step = stepNamed(inner.replace(/["'“”„«»]/g, ''));
      return [step ?? { is: 'wrong', text: `got ${text}, want Step["Main:01:EXE"]` }];
    }
    case 'var':
      return variable(inner);
    case 'return':
      return inner.trim() === '' ? [{ is: 'return', value: nothing }] : returned(inner);
    case 'yield':
      return [yieldIn(inner) ?? unknownYield(inner)];
    default:
      return [matchedTrigger];
  }
}

const named = new RegExp(String.raw`^\s*(${targetPattern}),([\s\S]*)$`, 'u');

function variable(inner: string): readonly Said[] {
  const [, written = '', value = ''] = named.exec(inner) ?? [];
  const to = nameIn(written);
  if (!to) return [{ is: 'wrong', text: `got Var[${inner}], want Var[$name, value]` }];
  return valued(value, (one) => ({ is: 'set', to, value: one }));
}

function returned(inner: string): readonly Said[] {
  const call = callIn(inner);
  return call ? returnedCall(call) : valued(inner, (value) => ({ is: 'return', value }));
}

function valued(
  text: string,
  make: (value: Exclude<ReturnType<typeof readTerm>, { is: 'call' }>) => Said,
): readonly Said[] {
  try {
    const term = readTerm(text.replace(/,\s*$/, ''));
    if (term.is !== 'call') return [make(term)];
    return [{ is: 'wrong', text: `got the call ${term.callee}(…), want a value` }];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return [{ is: 'wrong', text: `cannot read ${JSON.stringify(text.trim())}: ${error.message}` }];
  }
}

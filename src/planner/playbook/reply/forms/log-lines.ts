/**
 * Lines of a log with statements between backticks, as interpreters of 2025 had them:
 * `` `Step["Main:01:QUE"]` ``, `` `Var[$day:str, "Sunday"]` ``, `` `$r = Find($day)` ``,
 * `yld for user`, `trig? no`.
 */
import { type Said, stepNamed, unknownYield, yieldIn } from '../said.ts';
import { nameIn, nothing } from '../term.ts';
import { callIn, returnedCall, statementSaid } from './statement.ts';
import { readTerm, Unreadable } from './syntax.ts';

const words = /^(?:[-*]\s+)?(recap|plan|trig|yld|yield|what|think|note)\b\s*(\?|-|:|\bfor\b|$|\s)/i;

/** What can be nothing else, though it stands without backticks. */
const unquoted = new RegExp(
  String.raw`^(?:(?:Step|Var|Trigger|Return|Yield)\[.*\]|` +
    String.raw`\$\p{XIDC}+(?::\w+)?\s*=\s*\p{XIDC}[\p{XIDC}.]*\(.*\))$`,
  'u',
);

export const isLogLine = (line: string): boolean => {
  if (/`[^`]*[[(=][^`]*`/.test(line) || unquoted.test(line)) return true;
  const found = words.exec(line);
  if (!found) return false;
  const [, word = '', mark = ''] = found;
  // "note that …" and "what …" are prose, unless they are marked.
  if (!/^(?:yld|yield)$/i.test(word)) return /[?:-]/.test(mark);
  return yieldIn(line.replace(/^[-*]\s+/, '')) !== undefined || mark === '?';
};

export function logLine(line: string): readonly Said[] {
  const plain = line.replace(/^[-*]\s+/, '');
  const quoted = [...plain.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.trim());
  const marked = words.exec(plain);
  const word = marked?.[1]?.toLowerCase() ?? '';
  const rest = plain.replace(words, '').trim();
  if (word === 'trig') {
    const isMatch = /^[^\w]*yes\b/i.test(rest);
    return isMatch
      ? [{ is: 'mended', text: 'it matched a trigger itself, which the machine does' }]
      : [];
  }
  if (word === 'yld' || word === 'yield') {
    if (marked?.[2] === '?') return [];
    const reason = yieldIn(plain);
    return [reason ?? unknownYield(rest)];
  }
  if (word === 'what') return [{ is: 'unexpected', text: rest }];
  if (word === 'note') return [{ is: 'note', text: rest }];
  if (word !== '') return [{ is: 'think', text: rest }];
  if (unquoted.test(plain)) return element(plain);
  // What a line waits for may stand behind it: `Step["Main:04:YLD"]` yld for user.
  const behind = /`[\s;,.-]*((?:yld|yield)\b[^`?]*)$/i.exec(plain)?.[1];
  const wait = behind === undefined ? undefined : yieldIn(behind);
  return [...quoted.flatMap(element), ...(wait ? [wait] : [])];
}

function element(text: string): readonly Said[] {
  const found = /^(Step|Var|Trigger|Return|Yield)\s*\[([\s\S]*)\]$/i.exec(text);
  if (!found) return /[(=]/.test(text) ? statementSaid(text) : [];
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
      return [{ is: 'mended', text: 'it matched a trigger itself, which the machine does' }];
  }
}

function variable(inner: string): readonly Said[] {
  const comma = inner.indexOf(',');
  const to = comma < 0 ? undefined : nameIn(inner.slice(0, comma));
  if (!to) return [{ is: 'wrong', text: `got Var[${inner}], want Var[$name, value]` }];
  return valued(inner.slice(comma + 1), (value) => ({ is: 'set', to, value }));
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
    const term = readTerm(text);
    if (term.is !== 'call') return [make(term)];
    return [{ is: 'wrong', text: `got the call ${term.callee}(…), want a value` }];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return [{ is: 'wrong', text: `cannot read ${JSON.stringify(text.trim())}: ${error.message}` }];
  }
}

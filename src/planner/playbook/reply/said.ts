/**
 * What a reply says, whatever form it is written in: one thing after another, as the reader finds
 * them. Nothing is checked here but the form; `turn-check.ts` holds it against the playbook.
 */
import {
  type CallTerm,
  type Name,
  nameIn,
  plainText,
  type Term,
  textTerm,
  writtenText,
} from './term.ts';

export type YieldFor = 'call' | 'user' | 'agent' | 'timer' | 'event' | 'return' | 'exit';

export type Said = SaidAsIs & {
  /** Of a form of old, whose word may be the name of a playbook: the call that it is then. */
  readonly as?: SaidCall;
  /** The name without which it is prose: that of a callee. */
  readonly perhaps?: string;
  /** Whether it is a line of words that is a call: what comes next may do the same. */
  readonly isAlone?: true;
};

type SaidAsIs =
  | { readonly is: 'step'; readonly line: string; readonly playbook?: string }
  | { readonly is: 'set'; readonly to: Name; readonly value: Term }
  | SaidCall
  | { readonly is: 'say'; readonly to?: string; readonly text: Term }
  /** Not said for what: for results where there are any, else for the person. */
  | { readonly is: 'yield'; readonly for?: YieldFor; readonly whom?: string }
  /** `call`: what it gives is returned. */
  | { readonly is: 'return'; readonly value: Term; readonly call?: SaidCall }
  /** `from`: the character that it is to begin with, where not the first. */
  | { readonly is: 'show'; readonly names: readonly Name[]; readonly from?: number }
  | { readonly is: 'think' | 'note' | 'unexpected'; readonly text: string }
  /** What cannot be read; the text says *got X, want Y*. */
  | { readonly is: 'wrong'; readonly text: string }
  /** The text ends in the middle of something. */
  | { readonly is: 'cut'; readonly text: string }
  /** What was read although it was not quite right. */
  | { readonly is: 'mended'; readonly text: string };

export interface SaidCall extends CallTerm {
  /** What stands beside the call where it has no arguments: those that it takes are. */
  readonly beside?: Readonly<Record<string, Term>>;
  readonly into?: Name;
}

const waits: Readonly<Record<string, YieldFor>> = {
  call: 'call',
  calls: 'call',
  forcallcomplete: 'call',
  callcomplete: 'call',
  tool: 'call',
  result: 'call',
  results: 'call',
  user: 'user',
  person: 'user',
  ask: 'user',
  answer: 'user',
  reply: 'user',
  human: 'user',
  foruserinput: 'user',
  userinput: 'user',
  input: 'user',
  agent: 'agent',
  meeting: 'agent',
  timer: 'timer',
  time: 'timer',
  event: 'event',
  return: 'return',
  ret: 'return',
  exit: 'exit',
  end: 'exit',
  program: 'exit',
};

/** Those that say which: `agent Bob`, `timer 5 minutes`, `event paid`. */
const namedWaits: ReadonlySet<YieldFor> = new Set(['agent', 'timer', 'event']);

/** `for user`, `ForCallComplete("…")`, `agent Weather`; undefined for what is no reason to wait. */
export function yieldIn(text: string): Said | undefined {
  const plain = text
    .replace(/["'`“”„«»]/g, '')
    .replace(/^\s*(?:yld|yield|wait|waiting)\b[\s:]*(?=\S)/i, '')
    .trim();
  const [, word = '', rest = ''] = /^(?:for\s+)?([A-Za-z]+)[\s:]*(.*)$/.exec(plain) ?? [];
  const reason = waits[word.toLowerCase()];
  if (!reason) return undefined;
  const whom = rest
    .replace(/^\(.*\)$/, '')
    .replace(/[.;,]\s*.*$/, '')
    .trim();
  const isMeeting = word.toLowerCase() === 'meeting';
  const named = isMeeting ? `meeting ${whom}`.trim() : whom;
  const returned =
    reason === 'return' && /^\$\p{XIDC}\S*$/u.test(rest) ? textTerm(rest) : undefined;
  if (returned) return { is: 'return', value: returned };
  const isNamed = named !== '' && (namedWaits.has(reason) || /^within\b/i.test(named));
  return { is: 'yield', for: reason, ...(isNamed && { whom: named }) };
}

/** `RentBike:01.02:QUE`, `Main:3`, `01`; undefined for text without a number. */
export function stepIn(text: string): Said | undefined {
  const found = /^\s*(?:([\p{XIDC}.]+):)?(\d+(?:\.\d+)*)(?::?\s*[A-Za-z]{3}\b.*)?\s*$/u.exec(text);
  if (!found) return undefined;
  const [, playbook, line = ''] = found;
  return { is: 'step', line: lineNumber(line), ...(playbook !== undefined && { playbook }) };
}

/** The same where a line is certainly meant: `Step 1`, `line 01`, `Rent a bike:01: wait`. */
export function stepNamed(text: string): Said | undefined {
  const strictly = stepIn(text);
  if (strictly) return strictly;
  const plain = text.trim().replace(/^(?:step|line)\s+/i, '');
  const [, line] = /^(\d+(?:\.\d+)*)(?:[\s:.)–—-].*)?$/s.exec(plain) ?? [];
  if (line !== undefined) return { is: 'step', line: lineNumber(line) };
  const owned = /^(\p{XIDS}[^:(]*)(?:\([^)]*\))?:\s*(?:(?:step|line)\s+)?(\d+(?:\.\d+)*)\b/iu.exec(
    plain,
  );
  if (!owned) return undefined;
  const [, playbook = '', number = ''] = owned;
  return { is: 'step', line: lineNumber(number), playbook: playbook.trim() };
}

/** Two figures each, as compiled lines have them. */
const lineNumber = (line: string): string =>
  line
    .split('.')
    .map((part) => part.replace(/^0+(?=\d)/, '').padStart(2, '0'))
    .join('.');

/** Some calls have a meaning of their own: a message, a question, the end. */
export function saidOf(call: Omit<SaidCall, 'is'>): readonly Said[] {
  const { callee, args } = call;
  const named = { ...call.beside, ...call.named };
  const name = callee.replace(/^(?:await\s+)?(?:self|agent)\./, '');
  const as: SaidCall = { is: 'call', ...call, callee: name };
  const arg = (position: number, ...names: readonly string[]): Term | undefined =>
    names.map((one) => named[one]).find((one) => one !== undefined) ?? args[position];
  switch (name.toLowerCase()) {
    case 'say':
    case 'sendmessage':
      return saying(arg, args, named);
    case 'ask':
      return [...saying(arg, args, named), { is: 'yield', for: 'user' }];
    case 'step': {
      const text = plainText(arg(0, 'line', 'step', 'number')) ?? '';
      const step = stepNamed(text) ?? stepless;
      return [isCoded.test(text) ? step : { ...step, as }];
    }
    case 'set': {
      const found = setsIn(named);
      if (args.length === 0 && found) return found.map((one) => ({ ...one, as }));
      break;
    }
    case 'yield': {
      const text = whomIn(arg(0, 'for', 'target')) ?? '';
      return [yieldIn(text) ?? unknownYield(text)];
    }
    case 'return':
      return [{ is: 'return', value: arg(0, 'value') ?? { is: 'value', value: null } }];
    case 'endprogram':
    case 'exit':
      return [{ is: 'yield', for: 'exit', as }];
    case 'saveartifact': {
      const to = nameIn(writtenText(arg(0, 'name') ?? { is: 'value', value: '' }) ?? '');
      const value = arg(2, 'value', 'content');
      if (to && value) return [{ is: 'set', to, value }];
      break;
    }
    case 'loadartifact': {
      const shown = nameIn(writtenText(arg(0, 'name') ?? { is: 'value', value: '' }) ?? '');
      if (shown) return [{ is: 'show', names: [shown] }];
      break;
    }
    case 'trigger':
    case 'logtrigger':
      return [{ is: 'mended', text: 'it matched a trigger itself, which the machine does', as }];
  }
  return [as];
}

/** `set(name="day", value=1)` and `set(day=1)`. */
function setsIn(named: Readonly<Record<string, Term>>): readonly SaidAsIs[] | undefined {
  const { name: one, value } = named;
  const isOne = one !== undefined && value !== undefined;
  const entries = isOne ? [[writtenText(one) ?? '', value] as const] : Object.entries(named);
  const found = entries.flatMap(([name, value]): readonly SaidAsIs[] => {
    const to = nameIn(name);
    return to ? [{ is: 'set', to, value }] : [];
  });
  return found.length > 0 && found.length === entries.length ? found : undefined;
}

/** `Main:01:EXE` is a line, whatever is called `Step`. */
const isCoded = /:\d+(?:\.\d+)*:?[A-Z]{3}\b/;

const stepless: Said = {
  is: 'wrong',
  text: 'got a step without a number, want Step("Main:01:EXE")',
};

export const unknownYield = (got: string): Said => ({
  is: 'wrong',
  text:
    `got a yield for ${JSON.stringify(got)}, want call, user, agent, timer, event, return ` +
    'or exit',
});

/** `Say("user", "Hello")` names somebody first; `Say("Hello")` does not. */
function saying(
  arg: (position: number, ...names: readonly string[]) => Term | undefined,
  args: readonly Term[],
  named: Readonly<Record<string, Term>>,
): readonly Said[] {
  const to = whomIn(args.length > 1 ? args[0] : (named.to ?? named.target));
  const text = arg(args.length > 1 ? 1 : 0, 'message', 'text', 'msg', 'content', 'say');
  if (!text) return [{ is: 'wrong', text: 'got Say without a message, want Say("text")' }];
  const waiting = named.waitForUserInput;
  const waits = waiting?.is === 'value' && waiting.value === true;
  return [
    { is: 'say', text, ...(to !== undefined && !isUser(to) && { to }) },
    ...(waits ? [{ is: 'yield', for: 'user' } as const] : []),
  ];
}

/** Whom a term names, where a variable may: `$ann`, `"agent $ann"`. */
function whomIn(term: Term | undefined): string | undefined {
  if (term?.is === 'ref') return `$${term.to.name}`;
  if (term?.is !== 'text') return plainText(term);
  return term.parts
    .map((one) =>
      typeof one === 'string' ? one : one.is === 'ref' ? `$${one.to.name}` : one.written,
    )
    .join('');
}

export const isUser = (name: string): boolean => /^(user|human|you|me)?$/i.test(name.trim());

/** As a message quotes it. */
export const shortly = (text: string): string =>
  JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);

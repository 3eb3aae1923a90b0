/**
 * The forms: a line is formal when the whole of it is one of them and every slot is an expression,
 * a declared name or a text in quotes. One more word makes it open. Nothing is recognised inside a
 * line.
 */
import { namePattern } from '../../../program/name.ts';
import type { Does, Expression, Recipient, StepCode, Variable, Wait } from '../compiled.ts';
import { eventName, secondsIn, untilIn } from './clock.ts';
import {
  type Callable,
  type ExpressionNames,
  expressionIn,
  isExpression,
  type ReadExpression,
  readExpression,
  readTemplate,
  textIn,
} from './expression.ts';
import { isKeyword, type Keyword, slotsOf } from './keywords.ts';
import { indexOutside, lineMax, spaced, split, straightened } from './text.ts';

/** What lines of a playbook may name. */
export interface LineNames extends ExpressionNames {
  /** Playbooks by their titles, as `titleKey` has them. */
  readonly titles: ReadonlyMap<string, Callable>;
  /** People and agents of the file by their names, in lower case. */
  readonly others: ReadonlyMap<string, Recipient>;
  /** Whether the playbook is a meeting, to which lines may speak. */
  readonly isMeeting: boolean;
}

/** Where the line stands. */
export interface LinePlace {
  /** Whether lines stand under it. */
  readonly isHead: boolean;
  /** Whether a block of code stands under it. */
  readonly hasBlock: boolean;
  readonly isInLoop: boolean;
}

interface Context extends LinePlace {
  readonly names: LineNames;
}

export interface Form {
  readonly does: Does;
  readonly code: StepCode;
  /** Of `If E: FORMAL`: the head, and the line that stands under it. */
  readonly inline?: { readonly head: string; readonly line: string };
}

export const titleKey = (title: string): string => bare(title).toLowerCase();

const codes: Readonly<Record<Does['is'], StepCode>> = {
  ...({ open: 'EXE', set: 'EXE', call: 'QUE', say: 'QUE', ask: 'QUE', test: 'LOP' } as const),
  ...({ each: 'LOP', return: 'RET', go: 'JMP', wait: 'YLD', end: 'YLD', note: 'TNK' } as const),
};

function codeOf(does: Does): StepCode {
  if (does.is === 'note' && does.note !== undefined) return 'CHK';
  const kind = does.is === 'test' ? does.kind : '';
  return kind === 'else' ? 'ELS' : kind === 'if' || kind === 'elif' ? 'CND' : codes[does.is];
}

export function formOf(text: string, place: LinePlace, names: LineNames): Form {
  // Of compiled files of old: the machine waits for results by itself.
  if (text === 'YLD for call') return { does: { is: 'note' }, code: 'YLD' };
  if (text.length > lineMax) return formed(open('it is too long'));
  const line = bare(text);
  const at = { ...place, names };
  if (place.isHead) return formed(headOf(line, at));
  return inlineOf(line, at) ?? formed(doesOf(line, at));
}

const formed = (does: Does): Form => ({ does, code: codeOf(does) });

const bare = (text: string): string =>
  spaced(straightened(text.replace(/^`([^`]*)`$/, '$1'))).replace(/\s?[.:]$/, '');

const open = (likely?: string, calls?: string): Does => ({
  is: 'open',
  ...(likely !== undefined && likely !== 'words' && { likely }),
  ...(calls !== undefined && { calls }),
});

/** What is in words has no second clause, which may say anything. */
const isOneClause = (text: string): boolean =>
  !/[,;:(—–]/.test(text.replace(/"(?:\\.|[^"\\])*"/g, '""'));

type Wanted = Extract<Does, { is: 'ask' }>['wants'][number];
type Test = Extract<Does, { is: 'test' }>;

/** Of lines that others stand under. */
function headOf(line: string, { hasBlock, names }: Context): Does {
  if (hasBlock) return open('a block of code stands between the line and what is under it');
  const [head = line, number] = slotsOf('rounds', line) ?? [];
  if (!/^[1-9]\d{0,8}$/.test(number ?? '1')) return open(`${number} is not a number of rounds`);
  const limit = number === undefined ? {} : { most: Number(number) };
  const [item = '', list = ''] = slotsOf('each', head) ?? [];
  const of = expressionIn(list, names);
  if (of) return { is: 'each', item: variableOf(item, names), of, ...limit };
  const [inWords] = slotsOf('eachInWords', head) ?? [];
  if (inWords !== undefined) {
    return isOneClause(inWords) ? { is: 'each', ...limit } : open('more than the head of a loop');
  }
  const test = testOf(head, names, true);
  const isLoop = test !== undefined && codeOf(test) === 'LOP';
  return test && (isLoop || number === undefined) ? { ...test, ...limit } : open();
}

function testOf(line: string, names: LineNames, mayBeWords: boolean): Test | undefined {
  if (isKeyword('else', line)) return { is: 'test', kind: 'else' };
  for (const kind of ['elif', 'if', 'while', 'until', 'times'] as const) {
    const [condition] = slotsOf(kind, line) ?? [];
    if (condition === undefined) continue;
    const test = expressionIn(condition, names);
    if (test) return { is: 'test', kind, test };
    const isInWords = mayBeWords && kind !== 'times' && isOneClause(condition);
    return isInWords ? { is: 'test', kind } : undefined;
  }
  return undefined;
}

/** `If E: FORMAL` in one line. */
function inlineOf(line: string, at: Context): Form | undefined {
  const colon = indexOutside(line, ':');
  const head = colon < 0 ? line : line.slice(0, colon).trim();
  const test = testOf(head, at.names, false);
  if (!test || codeOf(test) === 'LOP') return undefined;
  if (colon < 0) return formed(open('nothing stands under it'));
  const inner = line.slice(colon + 1).trim();
  const does = doesOf(inner, at);
  if (does.is !== 'open') return { ...formed(test), inline: { head, line: inner } };
  return formed(open(does.likely ?? 'what follows the colon is in words'));
}

function doesOf(line: string, at: Context): Does {
  const set = setOf(line, at);
  if (set) return set;
  if (at.hasBlock) return open('a block of code stands under it');
  for (const [keyword, read] of forms) {
    const slots = slotsOf(keyword, line);
    const does = slots && read(at, ...slots);
    if (does) return does;
  }
  return waitOf(line, at.names) ?? titleOf(line, at.names) ?? callOf(line, at.names) ?? open();
}

type FormReader = (at: Context, first?: string, second?: string) => Does | undefined;

/** What lines do that are a phrase of a keyword, by its slots; undefined for what is not a form. */
const readers: { readonly [K in Keyword]?: FormReader } = {
  get({ names }, variable = '', from = '') {
    if (!variable.startsWith('$')) return undefined;
    return callOf(from, names, variableOf(variable, names)) ?? open(`${from} is not a call`);
  },
  set({ names }, variable = '', value = '') {
    if (!variable.startsWith('$')) return undefined;
    const read = readExpression(value, names);
    return isExpression(read) && isWrittenOut(read)
      ? { is: 'set', to: variableOf(variable, names), value: read.expression }
      : open('only a value that is written out is set by these words');
  },
  sayTo: ({ names }, inside = '') => sayOf(wordsTo(inside), names),
  say: ({ names }, text = '') => (textIn(text) === undefined ? undefined : sayOf([text], names)),
  askBy: () => open('no variable takes the reply'),
  ask({ names }, who = '', list = '') {
    const wants = wantsOf(list, names);
    const to = wants && recipientOf(who, names);
    return wants && (to ? { is: 'ask', to, wants } : nobody(who));
  },
  break: ({ isInLoop }) => (isInLoop ? { is: 'go', to: 'break' } : open(inNoLoop)),
  continue: ({ isInLoop }) => (isInLoop ? { is: 'go', to: 'continue' } : open(inNoLoop)),
  go: (_, number = '') =>
    /^\d{1,2}(?:\.\d{1,2})*$/.test(number)
      ? { is: 'go', to: number.replace(/(?<!\d)\d(?!\d)/g, '0$&') }
      : undefined,
  end: () => ({ is: 'end' }),
  check: (_, note = '') =>
    /^N\d+$/i.test(note) ? { is: 'note', note: note.toUpperCase() } : undefined,
  think: (_, about = '') =>
    isOneClause(about) ? { is: 'note' } : open('more than something to think about'),
  return: () => ({ is: 'return' }),
  returnValue: ({ names }, value = '') => returnOf(value, names),
};

const forms = Object.entries(readers) as readonly [Keyword, FormReader][];

/** Whether a value is not computed: a number, a text, a list. */
const isWrittenOut = ({ expression: { calls, code }, node }: ReadExpression): boolean =>
  calls.length === 0 &&
  (/^(?:literal|format|list|dict|name)$/.test(node.kind) || isMinus.test(code));

const isMinus = /^-[\d.]+$/;

const inNoLoop = 'it stands in no loop';

const typeNames = String.raw`[A-Za-z_][\w.]*(?:\s*\|\s*[\w.]+)*`;

/** `int`, `str | None`, `dict[str, list[int]]`. */
const typeForm = String.raw`${typeNames}(?:\[[\w .,|"'[\]]*\])?(?:\s*\|\s*[\w.]+)*`;

const setForm = new RegExp(
  `^(\\$?${namePattern})\\s*(?::\\s*(${typeForm}))?\\s*([-+*/]?)=(?!=)\\s*(.*)$`,
  'su',
);

/** `$x = E`, `x: int = F(1)`, `$x += E`, `$x = Ask(…)`; a block of code under it is the value. */
function setOf(line: string, { hasBlock, names }: Context): Does | undefined {
  const [, target, type, operator = '', written = ''] = setForm.exec(line) ?? [];
  if (target === undefined) return undefined;
  const to = variableOf(target, names);
  const typed = type === undefined ? {} : { type: type.trim() };
  const inWords: Does = { is: 'set', to, ...typed };
  if (hasBlock && operator === '') return inWords;
  if (hasBlock || written === '') return open('it has no value');
  if (operator !== '') {
    const read = readExpression(`${target} ${operator} (${written})`, names);
    return isExpression(read) ? { ...inWords, value: read.expression } : open(read.why, read.calls);
  }
  const [question] = slotsOf('askBy', written) ?? [];
  if (question !== undefined) return replyTo(question, { ...to, ...typed }, names);
  const call = callOf(written, names, to);
  if (call) return call.is === 'call' ? { ...call, ...typed } : call;
  const value = expressionIn(written, names);
  return value ? { ...inWords, value } : inWords;
}

export function variableOf(written: string, names: ExpressionNames): Variable {
  const name = written.replace(/^\$/, '').normalize('NFC');
  return { name, scope: written.startsWith('$') ? names.scopeOfDollar(name) : 'local' };
}

/** Who is meant, where a line says so. */
function recipientOf(written: string | undefined, names: LineNames): Recipient | undefined {
  if (written === undefined) return { kind: 'user', isImplicit: true };
  const name = textIn(written) ?? written;
  if (isKeyword('user', name)) return { kind: 'user' };
  if (names.isMeeting && isKeyword('meeting', name)) return { kind: 'meeting' };
  return names.others.get(name.toLowerCase());
}

const nobody = (written: string | undefined): Does => open(`"${written}" is nobody in this file`);

type Words = readonly [text: string, to?: string];

/** `"…"` or `who, "…"` of what is said or asked; no text where there is more. */
function wordsTo(inside: string): Words {
  const [first = '', second, ...more] = split(inside, ',').map((part) => part.trim());
  if (second === undefined) return [first];
  return more.length > 0 ? [''] : [second, first];
}

/** `[name]` in a text: a person writes so what is to be put there. */
const blanks = /\[\p{L}[\p{L} _'’-]*\](?!\()/u;

const isQuestion = /[?？]["'”’»)\]\s]*$/u;

function sayOf([written, who]: Words, names: LineNames): Does {
  const value = textIn(written);
  const [blank] = blanks.exec(value ?? '') ?? [];
  if (blank !== undefined) return open(`${blank} is not filled in: write {$name}`);
  const read = value === undefined ? readExpression(written, names) : readTemplate(value, names);
  if ('why' in read) return open(read.why, read.calls);
  const to = recipientOf(who, names);
  if (!to) return nobody(who);
  const text = 'expression' in read ? [read.expression] : read;
  const last = text.at(-1);
  const isToPerson = to.kind === 'user' || to.kind === 'person';
  const waits = isToPerson && typeof last === 'string' && isQuestion.test(last);
  return { is: 'say', to, text, waits };
}

/** `$x = Ask(who, "…")`. */
function replyTo(inside: string, into: Wanted, names: LineNames): Does {
  const [written, who] = wordsTo(inside);
  const value = textIn(written);
  const text = value === undefined ? undefined : readTemplate(value, names);
  if (!text || 'why' in text) return open('it asks nothing in quotes');
  const to = recipientOf(who, names);
  return to ? { is: 'ask', to, wants: [into], text } : nobody(who);
}

const wantForm = new RegExp(`^(\\$${namePattern})(?:\\s*:\\s*(${typeForm}))?$`, 'u');

function wantsOf(list: string, names: LineNames): readonly Wanted[] | undefined {
  const parts = split(list, ',').map((part) => part.trim());
  const last = parts.pop() ?? '';
  const ending = (parts.length > 0 && slotsOf('andLast', last)) || slotsOf('joined', last);
  const wants = [...parts, ...(ending || [last])].map((part): Wanted | undefined => {
    const [, name, type] = wantForm.exec(part) ?? [];
    return name === undefined ? undefined : { ...variableOf(name, names), ...(type && { type }) };
  });
  return wants.every((want) => want !== undefined) ? wants : undefined;
}

function waitOf(line: string, names: LineNames): Does | undefined {
  const [about = line, limit] = slotsOf('patience', line) ?? [];
  const wait = waitIn(about, names);
  if (!wait || limit === undefined) return wait && { is: 'wait', wait };
  const most = secondsIn(limit);
  return most === undefined ? open(`${limit} is not a time`) : { is: 'wait', wait, most };
}

function waitIn(line: string, names: LineNames): Wait | undefined {
  const name = eventName(slotsOf('waitEvent', line)?.[0] ?? '');
  if (name !== undefined) return { for: 'event', name };
  const [until] = slotsOf('waitUntil', line) ?? [];
  if (until !== undefined && untilIn(until)) return { for: 'moment', text: until };
  const [whom] = slotsOf('waitFor', line) ?? [];
  const seconds = secondsIn(slotsOf('wait', line)?.[0] ?? '') ?? secondsIn(whom ?? '');
  if (seconds !== undefined && seconds > 0) return { for: 'time', seconds };
  const to = whom === undefined ? undefined : recipientOf(whom, names);
  if (to?.kind === 'user' || to?.kind === 'meeting') return { for: to.kind };
  return to?.name === undefined ? undefined : { for: to.kind, name: to.name };
}

function returnOf(value: string, names: LineNames): Does {
  const call = callOf(value, names);
  if (call?.is === 'call' && call.callee.kind === 'playbook') {
    const { args, callee, value: whole } = call;
    return { is: 'return', value: whole, call: { callee, args } };
  }
  const read = readExpression(value, names);
  if (isExpression(read)) return { is: 'return', value: read.expression };
  if (read.calls !== undefined) return open(read.why, read.calls);
  return isOneClause(value) ? { is: 'return', inWords: true } : open('more than a value');
}

/** The title of a playbook alone: what it requires are variables of the same names. */
function titleOf(line: string, names: LineNames): Does | undefined {
  const callee = names.titles.get(titleKey(line));
  if (!callee) return undefined;
  const args = callee.parameters.flatMap(({ hasDollar, isRequired, name }) => {
    const value = hasDollar || !names.isLocal(name) ? `$${name}` : name;
    return isRequired ? [`${name}=${value}`] : [];
  });
  return callOf(`${callee.name.replace(/^.*\./, '')}(${args.join(', ')})`, names);
}

const callForm = new RegExp(`^((?:${namePattern})(?:\\.${namePattern})*)\\((.*)\\)$`, 'su');

/** What is written like a call, and is another form, or the model's. */
const notCalled = /^(?:say|ask|dire|demander|createagent)$/i;

function callOf(line: string, names: LineNames, into?: Variable): Does | undefined {
  const [, name, inside = ''] = callForm.exec(line) ?? [];
  if (name === undefined || notCalled.test(name)) return undefined;
  const read = readExpression(line, names);
  if (!isExpression(read)) {
    return read.calls === undefined ? undefined : open(read.why, read.calls);
  }
  const callee = names.callees.get(name);
  if (read.node.kind !== 'call' || !callee) return undefined;
  const args = argumentsOf(inside, callee, names);
  if (!args) return into ? undefined : open('its arguments are not written one by one');
  const { kind, name: called } = callee;
  const call = { callee: { kind, name: called }, args, value: read.expression };
  return { is: 'call', ...call, ...(into && { into }) };
}

const namedForm = new RegExp(`^(${namePattern})\\s*=(?!=)(.+)$`, 'su');

/** By the names of parameters; one that no parameter takes by its position. */
function argumentsOf(
  inside: string,
  { parameters }: Callable,
  names: LineNames,
): Readonly<Record<string, Expression>> | undefined {
  const parts = split(inside, ',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const args: Record<string, Expression> = {};
  for (const [at, part] of parts.entries()) {
    const [, named, value = part] = namedForm.exec(part) ?? [];
    const expression = expressionIn(value, names);
    if (!expression) return undefined;
    args[named ?? parameters[at]?.name ?? String(at)] = expression;
  }
  return args;
}

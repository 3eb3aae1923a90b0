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
  isExpression,
  type NotExpression,
  type ReadExpression,
  readExpression,
  readTemplate,
  textIn,
} from './expression.ts';
import { asking, isKeyword, saying, slotsOf } from './keywords.ts';
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

export interface Form {
  readonly does: Does;
  readonly code: StepCode;
  /** Of `If E: FORMAL`: the head, and the line that stands under it. */
  readonly inline?: { readonly head: string; readonly line: string };
}

export const titleKey = (title: string): string =>
  title
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.:]+$/, '');

export const codeOf = (does: Does): StepCode => {
  switch (does.is) {
    case 'call':
    case 'say':
    case 'ask':
      return 'QUE';
    case 'test':
      if (does.kind === 'else') return 'ELS';
      return does.kind === 'if' || does.kind === 'elif' ? 'CND' : 'LOP';
    case 'each':
      return 'LOP';
    case 'return':
      return 'RET';
    case 'go':
      return 'JMP';
    case 'wait':
    case 'end':
      return 'YLD';
    case 'note':
      return does.note === undefined ? 'TNK' : 'CHK';
    default:
      return 'EXE';
  }
};

export function formOf(text: string, place: LinePlace, names: LineNames): Form {
  // Of compiled files of old: the machine waits for results by itself.
  if (text === 'YLD for call') return { does: { is: 'note' }, code: 'YLD' };
  const line = text.length > lineMax ? '' : bare(text);
  const isLong = text.length > lineMax ? 'it is too long' : undefined;
  const read =
    line === '' ? open(isLong) : (headOf(line, place, names) ?? doesOf(line, place, names));
  return 'does' in read ? read : { does: read, code: codeOf(read) };
}

const bare = (text: string): string =>
  spaced(straightened(text.replace(/^`([^`]*)`$/, '$1'))).replace(/\s*[.:]$/, '');

const open = (likely?: string, calls?: string): Does => ({
  is: 'open',
  ...(likely !== undefined && likely !== 'words' && { likely }),
  ...(calls !== undefined && { calls }),
});

const openFor = ({ why, calls }: NotExpression): Does => open(why, calls);

/** What is in words has no second clause, which may say anything. */
const isOneClause = (words: string): boolean =>
  !/[,;:(—–]/.test(words.replace(/"(?:\\.|[^"\\])*"/g, '""'));

type Wanted = Extract<Does, { is: 'ask' }>['wants'][number];
type Test = Extract<Does, { is: 'test' }>;

/** Of lines that others stand under, and of `If E: FORMAL`. */
function headOf(line: string, place: LinePlace, names: LineNames): Does | Form | undefined {
  if (!place.isHead) return inlineOf(line, place, names);
  if (place.hasBlock) return open('a block of code stands between the line and what is under it');
  const [rounds = line, number] = slotsOf('rounds', line) ?? [];
  const most = number === undefined ? undefined : Number(number);
  if (most !== undefined && !(Number.isSafeInteger(most) && most > 0)) {
    return open(`${number} is not a number of rounds`);
  }
  const limit = most === undefined ? {} : { most };
  const each = slotsOf('each', rounds);
  if (each) {
    const [item = '', of = ''] = each;
    const read = readExpression(of, names);
    if (isExpression(read)) {
      return { is: 'each', item: variableOf(item, names), of: read.expression, ...limit };
    }
  }
  const [inWords] = slotsOf('eachInWords', rounds) ?? [];
  if (inWords !== undefined) {
    return isOneClause(inWords) ? { is: 'each', ...limit } : open('more than the head of a loop');
  }
  const test = testOf(rounds, names, true);
  const isLoop = test?.kind === 'while' || test?.kind === 'until' || test?.kind === 'times';
  if (test) return isLoop || most === undefined ? { ...test, ...(isLoop && limit) } : open();
  return open();
}

const tests = ['elif', 'if', 'while', 'until', 'times'] as const;

function testOf(line: string, names: LineNames, mayBeWords: boolean): Test | undefined {
  if (isKeyword('else', line)) return { is: 'test', kind: 'else' };
  for (const kind of tests) {
    const [condition] = slotsOf(kind, line) ?? [];
    if (condition === undefined) continue;
    const read = readExpression(condition, names);
    if (isExpression(read)) return { is: 'test', kind, test: read.expression };
    const isInWords = mayBeWords && kind !== 'times' && isOneClause(condition);
    return isInWords ? { is: 'test', kind } : undefined;
  }
  return undefined;
}

/** `If E: FORMAL` in one line. */
function inlineOf(line: string, place: LinePlace, names: LineNames): Does | Form | undefined {
  const colon = indexOutside(line, ':');
  const head = colon < 0 ? line : line.slice(0, colon).trim();
  const test = testOf(head, names, false);
  if (!test || !['if', 'elif', 'else'].includes(test.kind)) return undefined;
  if (colon < 0) return open('nothing stands under it');
  const rest = line.slice(colon + 1).trim();
  const does = doesOf(rest, { ...place, isHead: false }, names);
  if (does.is === 'open') return open(does.likely ?? 'what follows the colon is in words');
  return { does: test, code: codeOf(test), inline: { head, line: rest } };
}

function doesOf(line: string, place: LinePlace, names: LineNames): Does {
  const set = setOf(line, place, names);
  if (set) return set;
  if (place.hasBlock) return open('a block of code stands under it');
  return (
    sayOf(line, names) ??
    askOf(line, undefined, names) ??
    goOf(line, place) ??
    waitOf(line, names) ??
    returnOf(line, names) ??
    titleOf(line, names) ??
    callOf(line, undefined, names) ??
    open()
  );
}

/** `int`, `str | None`, `dict[str, list[int]]`. */
const typeForm = String.raw`[A-Za-z_][\w.]*(?:\s*\|\s*[\w.]+)*(?:\[[\w .,|"'[\]]*\])?(?:\s*\|\s*[\w.]+)*`;

const setForm = new RegExp(
  `^(\\$?${namePattern})\\s*(?::\\s*(${typeForm}))?\\s*([-+*/]?)=(?!=)\\s*(.*)$`,
  'su',
);

/** `$x = E`, `x: int = F(1)`, `$x += E`, `Set $x to 5`, `Get $x from F(1)`, `$x = Ask(…)`. */
function setOf(line: string, { hasBlock }: LinePlace, names: LineNames): Does | undefined {
  const [, target, type, operator, written = ''] = setForm.exec(line) ?? [];
  if (target !== undefined) {
    const to = variableOf(target, names);
    const typed = type === undefined ? {} : { type: type.trim() };
    const inWords: Does = { is: 'set', to, ...typed };
    const value = operator ? `${target} ${operator} (${written})` : written;
    if (written === '' || hasBlock)
      return hasBlock && !operator ? inWords : open('it has no value');
    if (operator === '') {
      const call = askOf(written, { ...to, ...typed }, names) ?? callOf(written, to, names);
      if (call) return call.is === 'call' ? { ...call, ...typed } : call;
    }
    const read = readExpression(value, names);
    if (isExpression(read)) return { ...inWords, value: read.expression };
    return operator === '' ? inWords : openFor(read);
  }
  const [variable, from] = hasBlock ? [] : (slotsOf('get', line) ?? []);
  if (variable?.startsWith('$') && from !== undefined) {
    return callOf(from, variableOf(variable, names), names) ?? open(`${from} is not a call`);
  }
  const [name, constant = ''] = hasBlock ? [] : (slotsOf('set', line) ?? []);
  if (!name?.startsWith('$')) return undefined;
  const read = readExpression(constant, names);
  const isConstant = isExpression(read) && isWritten(read);
  if (!isConstant) return open('only a value that is written down is set by these words');
  return { is: 'set', to: variableOf(name, names), value: read.expression };
}

/** A number, a text, a list: what is not computed. */
function isWritten({ node, expression }: ReadExpression): boolean {
  if (node.kind === 'unary') return node.operator === '-' && node.operand.kind === 'literal';
  return (
    ['literal', 'format', 'list', 'dict', 'name'].includes(node.kind) &&
    expression.calls.length === 0
  );
}

export function variableOf(written: string, names: ExpressionNames): Variable {
  const name = written.replace(/^\$/, '').normalize('NFC');
  return { name, scope: written.startsWith('$') ? names.scopeOfDollar(name) : 'local' };
}

const user: Recipient = { kind: 'user' };
const implicit: Recipient = { kind: 'user', isImplicit: true };

function recipientOf(written: string, names: LineNames): Recipient | undefined {
  const name = textIn(written) ?? written;
  if (isKeyword('user', name)) return user;
  if (names.isMeeting && isKeyword('meeting', name)) return { kind: 'meeting' };
  return names.others.get(name.toLowerCase());
}

const nobody = (written: string): string => `"${written}" is nobody in this file`;

/** `[name]` in a text: a person writes so what is to be put there. */
const blanks = /\[\p{L}[\p{L} _'’-]*\](?!\()/u;

const isQuestion = /[?？]["'”’»)\]\s]*$/u;

function sayOf(line: string, names: LineNames): Does | undefined {
  const [, inside] = saying.exec(line) ?? [];
  const [spoken] = inside === undefined ? (slotsOf('say', line) ?? []) : [];
  if (inside === undefined && (spoken === undefined || textIn(spoken) === undefined)) {
    return undefined;
  }
  const parts = inside === undefined ? [spoken ?? ''] : split(inside, ',').map((one) => one.trim());
  const [first = '', second] = parts;
  const to = second === undefined ? implicit : recipientOf(first, names);
  const written = second ?? first;
  const value = textIn(written);
  const [blank] = blanks.exec(value ?? '') ?? [];
  if (blank !== undefined) return open(`${blank} is not filled in: write {$name}`);
  const read = value === undefined ? readExpression(written, names) : readTemplate(value, names);
  if (parts.length > 2 || written === '') return open();
  if ('why' in read) return openFor(read);
  if (!to) return open(nobody(first));
  const text = 'expression' in read ? [read.expression] : read;
  const last = text.at(-1);
  const isToPerson = to.kind === 'user' || to.kind === 'person';
  const waits = isToPerson && typeof last === 'string' && isQuestion.test(last);
  return { is: 'say', to, text, waits };
}

/** `Ask user for $a, $b and $c`; `Ask(who, "…")` only where a variable takes the reply. */
function askOf(line: string, into: Wanted | undefined, names: LineNames): Does | undefined {
  const [, inside] = asking.exec(line) ?? [];
  if (inside !== undefined) {
    if (!into) return open('no variable takes the reply');
    const parts = split(inside, ',').map((one) => one.trim());
    const [first = '', second] = parts;
    const to = second === undefined ? implicit : recipientOf(first, names);
    const value = textIn(second ?? first);
    if (!to) return open(nobody(first));
    const text = value === undefined ? undefined : readTemplate(value, names);
    if (!text || 'why' in text || parts.length > 2) return open('it asks nothing in quotes');
    return { is: 'ask', to, wants: [into], text };
  }
  const [who, list] = into ? [] : (slotsOf('ask', line) ?? []);
  if (who === undefined || list === undefined) return undefined;
  const wants = wantsOf(list, names);
  const to = recipientOf(who, names);
  if (!wants) return undefined;
  return to ? { is: 'ask', to, wants } : open(nobody(who));
}

const wantForm = new RegExp(`^(\\$${namePattern})(?:\\s*:\\s*(${typeForm}))?$`, 'u');

function wantsOf(list: string, names: LineNames): readonly Wanted[] | undefined {
  const parts = split(list, ',').flatMap((part, at, all) => {
    const joined = slotsOf('joined', part.trim());
    const isLast = at === all.length - 1;
    const [after] = (isLast && at > 0 && slotsOf('andLast', part.trim())) || [];
    return after !== undefined ? [after] : isLast && joined ? joined : [part.trim()];
  });
  const wants = parts.map((part): Wanted | undefined => {
    const [, name, type] = wantForm.exec(part) ?? [];
    return name === undefined
      ? undefined
      : { ...variableOf(name, names), ...(type !== undefined && { type: type.trim() }) };
  });
  return wants.every((want) => want !== undefined) ? wants : undefined;
}

function goOf(line: string, { isInLoop }: LinePlace): Does | undefined {
  for (const to of ['break', 'continue'] as const) {
    if (isKeyword(to, line)) return isInLoop ? { is: 'go', to } : open('it stands in no loop');
  }
  const [number] = slotsOf('go', line) ?? [];
  if (number === undefined || !/^\d{1,2}(?:\.\d{1,2})*$/.test(number)) return undefined;
  const to = number
    .split('.')
    .map((part) => part.padStart(2, '0'))
    .join('.');
  return { is: 'go', to };
}

function waitOf(line: string, names: LineNames): Does | undefined {
  if (isKeyword('end', line)) return { is: 'end' };
  const [about = line, limit] = slotsOf('patience', line) ?? [];
  const most = limit === undefined ? undefined : secondsIn(limit);
  const wait = waitIn(about, names);
  if (!wait) return undefined;
  if (limit !== undefined && most === undefined) return open(`${limit} is not a time`);
  return { is: 'wait', wait, ...(most !== undefined && { most }) };
}

function waitIn(line: string, names: LineNames): Wait | undefined {
  const [event] = slotsOf('waitEvent', line) ?? [];
  const name = event === undefined ? undefined : eventName(event);
  if (name !== undefined) return { for: 'event', name };
  const [until] = slotsOf('waitUntil', line) ?? [];
  if (until !== undefined && untilIn(until)) return { for: 'moment', text: until };
  const [span] = slotsOf('waitTime', line) ?? [];
  const [bareSpan] = slotsOf('waitFor', line) ?? [];
  const seconds = secondsIn(span ?? '') ?? secondsIn(bareSpan ?? '');
  if (seconds !== undefined && seconds > 0) return { for: 'time', seconds };
  const to = bareSpan === undefined ? undefined : recipientOf(bareSpan, names);
  if (to?.name === undefined || to.kind === 'user' || to.kind === 'meeting') {
    return to && { for: to.kind === 'meeting' ? 'meeting' : 'user' };
  }
  return { for: to.kind, name: to.name };
}

function returnOf(line: string, names: LineNames): Does | undefined {
  if (isKeyword('return', line)) return { is: 'return' };
  const [check] = slotsOf('check', line) ?? [];
  if (check !== undefined && /^N\d+$/i.test(check))
    return { is: 'note', note: check.toUpperCase() };
  if (isKeyword('think', line)) {
    return isOneClause(line) ? { is: 'note' } : open('more than something to think about');
  }
  const [value] = slotsOf('returnValue', line) ?? [];
  if (value === undefined) return undefined;
  const read = readExpression(value, names);
  const call = callOf(value, undefined, names);
  if (call?.is === 'call' && call.callee.kind === 'playbook') {
    const { args, callee, value: whole } = call;
    return { is: 'return', value: whole, call: { callee, args } };
  }
  if (isExpression(read)) return { is: 'return', value: read.expression };
  if (read.calls !== undefined) return openFor(read);
  return isOneClause(value) ? { is: 'return', inWords: true } : open('more than a value');
}

/** The title of a playbook alone: what it requires are variables of the same names. */
function titleOf(line: string, names: LineNames): Does | undefined {
  const callee = names.titles.get(titleKey(line));
  if (!callee) return undefined;
  const required = (callee.parameters ?? []).filter(({ isRequired }) => isRequired);
  const written = required.map(({ name, hasDollar }) =>
    hasDollar || !names.isLocal(name) ? `$${name}` : name,
  );
  const own = callee.name.replace(/^.*\./, '');
  const call = `${own}(${required.map(({ name }, at) => `${name}=${written[at]}`).join(', ')})`;
  return callOf(call, undefined, names);
}

const callForm = new RegExp(`^((?:${namePattern})(?:\\.${namePattern})*)\\s?\\((.*)\\)$`, 'su');

/** The words of forms that are written like calls. */
const formNames = /^(?:say|ask|dire|demander)$/i;

function callOf(line: string, into: Variable | undefined, names: LineNames): Does | undefined {
  const [, name, inside = ''] = callForm.exec(line) ?? [];
  if (name === undefined || formNames.test(name)) return undefined;
  const read = readExpression(line, names);
  if (!isExpression(read)) return read.calls === undefined ? undefined : openFor(read);
  const callee = names.callees.get(name);
  if (read.node.kind !== 'call' || !callee) return undefined;
  const args = argumentsOf(inside, callee, names);
  if (!args) return into ? undefined : open('its arguments are not written one by one');
  const { kind, name: called } = callee;
  return {
    ...{ is: 'call', callee: { kind, name: called }, args, value: read.expression },
    ...(into && { into }),
  };
}

const namedForm = new RegExp(`^(${namePattern})\\s*=(?!=)(.+)$`, 'su');

/** By the names of parameters; one that no parameter takes by its position. */
function argumentsOf(
  inside: string,
  { parameters = [] }: Callable,
  names: LineNames,
): Readonly<Record<string, Expression>> | undefined {
  const parts = split(inside, ',').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const args: Record<string, Expression> = {};
  for (const [at, part] of parts.entries()) {
    const [, named, value = part] = namedForm.exec(part) ?? [];
    const read = readExpression(value, names);
    if (!isExpression(read)) return undefined;
    args[named ?? parameters[at]?.name ?? String(at)] = read.expression;
  }
  return args;
}

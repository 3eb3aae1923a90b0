/**
 * The form that models are taught: one JSON object a line, such as `{"step": "03"}` or
 * `{"call": "FreeBikes", "args": {"day": "$day"}, "into": "bikes"}`. Several keys in one object are
 * several operations, in their order; near names of keys are taken as meant.
 */
import type { JsonMember, JsonNode, JsonObject } from '../../../../program/json-node.ts';
import { member } from '../../../../program/json-node.ts';
import { readAllJson } from '../../../../program/json-text.ts';
import {
  isUser,
  type Said,
  type SaidCall,
  saidOf,
  stepNamed,
  unknownYield,
  yieldIn,
} from '../said.ts';
import { type Name, nameIn, nodeTerm, nothing, type Term } from '../term.ts';
import { isStatement, statementSaid } from './statement.ts';
import { termIn } from './syntax.ts';

/** What a key means; those of a call are taken together. */
const meanings: Readonly<Record<string, string>> = {
  ...{ step: 'step', line: 'step', set: 'set', vars: 'set', variables: 'set', var: 'set' },
  ...{ updated_vars: 'set', update: 'set', updates: 'set', assign: 'set' },
  ...{ call: 'call', queue: 'call', que: 'call', tool: 'call', function: 'call', fn: 'call' },
  ...{ tool_name: 'call', tool_call: 'call', function_call: 'call', recipient_name: 'call' },
  ...{ say: 'say', message: 'say', ask: 'ask', yield: 'yield', yld: 'yield', yield_type: 'yield' },
  ...{ wait: 'yield', return: 'return', ret: 'return', show: 'show', exit: 'exit', end: 'exit' },
  ...{ think: 'think', thought: 'think', thinking: 'think', plan: 'think', recap: 'think' },
  ...{ note: 'note', unexpected: 'unexpected', what: 'unexpected', prologue: 'think' },
};

/** Keys that say more of what another key of the same object says. */
const details = new Set([
  ...['args', 'arguments', 'kwargs', 'parameters', 'params', 'input', 'into', 'as', 'to', 'result'],
  ...['for', 'reason', 'why', 'playbook', 'code', 'name', 'value', 'text', 'id', 'scope', 'op'],
  ...['action', 'variable', 'action_input', 'tool_input', 'tool_params'],
  ...['type', 'asks', 'content', 'names', 'message', 'from'],
]);

export const operationKeys: ReadonlySet<string> = new Set(Object.keys(meanings));

/** What is done under one key, as some models wrap it. */
const wrappers = new Set([
  ...['ops', 'operations', 'steps', 'actions', 'turn', 'output', 'reply', 'calls', 'tool_calls'],
  ...['op', 'operation', 'action', 'act', 'do', 'commands', 'command', 'response'],
  ...['result', 'results'],
]);

export function operationsIn(node: JsonNode): readonly Said[] {
  if (node.kind === 'array') return node.items.flatMap(operationsIn);
  if (node.kind === 'string' && isStatement(String(node.value))) {
    return statementSaid(String(node.value));
  }
  if (node.kind !== 'object') return [notAnOperation('a value that is no object')];
  return apart(node).flatMap(inOne);
}

/** Who writes a key once more means another operation of the kind. */
function apart(node: JsonObject): readonly JsonObject[] {
  const found: JsonMember[][] = [];
  for (const one of node.members) {
    const last = found.at(-1);
    if (last && !last.some(({ key }) => key === one.key)) last.push(one);
    else found.push([one]);
  }
  return found.length < 2 ? [node] : found.map((members) => ({ ...node, members }));
}

function inOne(node: JsonObject): readonly Said[] {
  const meant = meantIn(node);
  const wrapped = meant.members.find((one) => isWrapper(one, meant));
  if (wrapped) return around(wrapped, meant);
  if (node.members.length === 0) return [{ is: 'mended', text: 'it wrote an empty object' }];
  const unfolded = unfold(meant);
  const found = inOrder(unfolded).flatMap(({ key, value }) => operation(key, value, unfolded));
  const isEmpty = meant.members.length < node.members.length || meaningIn(unfolded) !== undefined;
  if (found.length > 0 || isEmpty) return found;
  const keys = node.members.map(({ key }) => key).join(', ');
  return [notAnOperation(`an object with ${keys}`)];
}

/** What is done below one key, and what stands beside that: its line, what it sets, a wait. */
function around(wrapped: JsonMember, node: JsonObject): readonly Said[] {
  const beside = (isLate: boolean): readonly Said[] => {
    const members = node.members.filter(
      (one) => one !== wrapped && meaningOf(one.key) && isEnd(meaningOf(one.key)) === isLate,
    );
    return members.length === 0 ? [] : inOne({ ...node, members });
  };
  return [...beside(false), ...operationsIn(wrappedIn(wrapped.value)), ...beside(true)];
}

/** What stands beside a call may be an argument of it. */
function isWrapper({ key, value }: JsonMember, { members }: JsonObject): boolean {
  if (!isWrapperKey(key) || members.some((one) => meaningOf(one.key) === 'call')) return false;
  const inner = wrappedIn(value);
  return inner.kind === 'array' ? inner.items.every(isDone) : isSurely(inner);
}

/** A value, or that of which it has the JSON in a text. */
const wrappedIn = (value: JsonNode): JsonNode => objectIn(value) ?? value;

/** Whether it certainly says what is done, and is not the data of somebody. */
const isSurely = (node: JsonNode): boolean =>
  node.kind === 'array'
    ? node.items.length > 0 && node.items.every(isSurely)
    : node.kind === 'object' && node.members.some(({ key }) => sure.has(key.toLowerCase()));

const sure = new Set(['step', 'set', 'call', 'say', 'ask', 'yield', 'return']);

export const isWrapperKey = (key: string): boolean => wrappers.has(key.toLowerCase());

/**
 * Without what is only there because a schema wants every key: null, but for a return of it. Keys
 * that mean something in any case of their letters.
 */
function meantIn(node: JsonObject): JsonObject {
  const members = node.members.map((one) => {
    const key = one.key.toLowerCase();
    return meanings[key] !== undefined || details.has(key) ? { ...one, key } : one;
  });
  const isEmpty = ({ key, value }: JsonMember): boolean =>
    value.kind === 'null' && meanings[key] !== undefined;
  const isReturn = ({ key }: JsonMember): boolean => meanings[key] === 'return';
  const isFilled =
    members.some((one) => isEmpty(one) && !isReturn(one)) ||
    members.some((one) => meanings[one.key] === 'yield' && !isEmpty(one));
  const meant = members.filter((one) => !isEmpty(one) || (isReturn(one) && !isFilled));
  return { ...node, members: meant };
}

/** The line comes first and what ends a turn last, however an object has them. */
function inOrder(node: JsonObject): readonly JsonMember[] {
  const rank = ({ key }: JsonMember): number =>
    meanings[key] === 'step' ? 0 : isEnd(meanings[key]) ? 2 : 1;
  return node.members.toSorted((a, b) => rank(a) - rank(b));
}

const isEnd = (meaning = ''): boolean => ['yield', 'return', 'exit'].includes(meaning);

/** Whether an item of a list may be what is done. */
const isDone = (node: JsonNode): boolean =>
  node.kind === 'object' || (node.kind === 'string' && isStatement(String(node.value)));

const notAnOperation = (got: string): Said => ({
  is: 'wrong',
  text: `got ${got}, want one of {"step"}, {"set"}, {"call"}, {"say"}, {"yield"}, {"return"}`,
});

/** `{"op": "call", "callee": "F"}` and `{"name": "F", "arguments": {…}}` as `{"call": "F", …}`. */
function unfold(node: JsonObject): JsonObject {
  const isBare = node.members.every(({ key }) => ['step', undefined].includes(meaningOf(key)));
  const op =
    member(node, 'op') ?? member(node, 'type') ?? member(isBare ? node : undefined, 'action');
  const kind = op?.kind === 'string' ? meanings[String(op.value).toLowerCase()] : undefined;
  const isGiven = argsKeys.some((key) => member(node, key) !== undefined);
  const wanted = kind ?? (isGiven && isBare ? 'call' : undefined);
  if (wanted === undefined) return node;
  const isSubject = (one: JsonMember) => subjects[wanted]?.includes(one.key) === true;
  // `{"action": "say", "args": ["Hello"]}` is `say("Hello")`.
  const named = isGiven ? node.members.find(({ value }) => value === op) : undefined;
  const subject = node.members.find(isSubject) ?? named;
  if (!subject) return node;
  if (subject === named) return { ...node, members: calling(named, node.members) };
  if (wanted === 'set' && ['name', 'variable'].includes(subject.key)) {
    const value = member(node, 'value');
    const name = subject.value.kind === 'string' ? String(subject.value.value) : '';
    if (!value) return node;
    const one = { ...subject.value, kind: 'object' as const };
    const set = { ...one, members: [{ key: name, keyNode: subject.keyNode, value }] };
    const beside = node.members.filter(({ key }) => meanings[key] === 'step');
    return { ...node, members: [...beside, { ...subject, key: 'set', value: set }] };
  }
  const rest = node.members.filter((one) => one !== subject && !['op', 'action'].includes(one.key));
  return { ...node, members: [{ ...subject, key: wanted }, ...rest] };
}

const calling = (named: JsonMember, members: readonly JsonMember[]): readonly JsonMember[] =>
  members.map((one) => (one === named ? { ...one, key: 'call' } : one));

const subjects: Readonly<Record<string, readonly string[]>> = {
  step: ['line', 'step', 'number'],
  set: ['set', 'values', 'vars', 'variables', 'name', 'variable'],
  call: ['call', 'callee', 'name', 'function', 'fn', 'tool', 'action'],
  say: ['text', 'message', 'say', 'content'],
  yield: ['for', 'yield', 'reason', 'target'],
  return: ['value', 'return'],
  show: ['names', 'show'],
  think: ['text', 'think'],
  note: ['text', 'note'],
  unexpected: ['text', 'unexpected'],
};

/** What a key means, such as `set` for `updated_vars`; undefined for one that means nothing. */
export const meaningOf = (key: string): string | undefined => meanings[key.toLowerCase()];

const meaningIn = (node: JsonObject): string | undefined =>
  node.members.map(({ key }) => meaningOf(key)).find((one) => one !== undefined);

function operation(key: string, value: JsonNode, whole: JsonObject): readonly Said[] {
  const meaning = meanings[key.toLowerCase()];
  if (meaning === undefined || (details.has(key) && meaningIn(whole) !== meaning)) {
    return unmeant(key, value, whole);
  }
  switch (meaning) {
    case 'step':
      return [stepOf(value)];
    case 'set':
      return setsOf(value, whole);
    case 'call':
      return callOf(value, whole);
    case 'say':
      return [sayOf(value, whole)];
    case 'ask': {
      const waits = whole.members.some((one) => meanings[one.key] === 'yield');
      return [sayOf(value, whole), ...(waits ? [] : [{ is: 'yield', for: 'user' } as const])];
    }
    case 'yield':
      return value.kind === 'bool' && !value.value ? [] : yieldsOf(value, whole);
    case 'return':
      return returnOf(value, whole);
    case 'show':
      return [{ is: 'show', names: namesIn(value), ...fromIn(whole) }];
    case 'exit':
      return value.kind === 'bool' && !value.value ? [] : [{ is: 'yield', for: 'exit' }];
    case 'note':
    case 'unexpected':
      return [{ is: meaning, text: textIn(value) }];
    default:
      return [{ is: 'think', text: textIn(value) }];
  }
}

/** A key that says more of another one, or nothing: what may be lost with it is told. */
function unmeant(key: string, value: JsonNode, whole: JsonObject): readonly Said[] {
  const isByItself = whole.members.every((one) => ['step', undefined].includes(meaningOf(one.key)));
  if (isByItself && isSurely(wrappedIn(value))) {
    const text = `got an operation below the key ${JSON.stringify(key)}, want it by itself`;
    return [{ is: 'wrong', text }];
  }
  if (isByItself && key.startsWith('$') && nameIn(key)) return [setTo(key, value)];
  const written = isByItself && value.kind === 'string' ? String(value.value) : '';
  if (isWrapperKey(key) && isStatement(written)) return statementSaid(written);
  if (details.has(key) || isBeside(key, whole) || value.kind === 'null') return [];
  const text = `it wrote a key ${JSON.stringify(key)}, which means nothing`;
  const as = isByItself && !isWrapperKey(key) ? calledSo(key, value) : undefined;
  return [{ is: 'mended', text, ...(as && { as }) }];
}

/** `{"F": {"x": 1}}` calls F, where anything is called so. */
export function calledSo(callee: string, value: JsonNode): SaidCall | undefined {
  const { line, column, start, end } = value;
  const key = { kind: 'string', value: 'args', line, column, start, end } as const;
  const members = [{ key: 'args', keyNode: key, value }];
  return nameIn(callee) && { is: 'call', callee, ...argsIn({ ...key, kind: 'object', members }) };
}

function stepOf(value: JsonNode): Said {
  const text = textIn(value);
  return (
    stepNamed(text) ?? { is: 'wrong', text: `got the step ${text}, want the number of a line` }
  );
}

function setsOf(value: JsonNode, whole?: JsonObject): readonly Said[] {
  if (value.kind === 'array') return value.items.flatMap(setOf);
  if (value.kind === 'object') return value.members.map(({ key, value: one }) => setTo(key, one));
  const text = textIn(value);
  const given = member(whole, 'value');
  if (given) return [setTo(text, given)];
  const said = text.includes('=') ? statementSaid(text) : [];
  if (said.length > 0 && said.every(({ is }) => is === 'set')) return said;
  return [{ is: 'wrong', text: 'got a set without names, want {"set": {"name": value}}' }];
}

/** `{"day": "Sunday"}` or `{"name": "day", "value": "Sunday"}`, in a list. */
function setOf(item: JsonNode): readonly Said[] {
  const name = member(item, 'name') ?? member(item, 'variable');
  const value = member(item, 'value');
  return name?.kind === 'string' && value ? [setTo(String(name.value), value)] : setsOf(item);
}

function setTo(written: string, value: JsonNode): Said {
  const to = nameIn(written);
  if (to) return { is: 'set', to, value: valueTerm(value) };
  const text = `got ${JSON.stringify(written)}, want the name of a variable of this agent`;
  return { is: 'wrong', text: `${text}, such as "day" or "$day"` };
}

/** A value; who writes code of late 2025 as a text means what it computes. */
function valueTerm(node: JsonNode): Term {
  const text = node.kind === 'string' ? String(node.value) : '';
  const read = /\bself\.state\b/.test(text) ? termIn(text) : undefined;
  return read?.is === 'operation' ? read : nodeTerm(node);
}

/** Each of several calls has a variable of its own, or none has. */
function callsOf(items: readonly JsonNode[], whole: JsonObject): readonly Said[] {
  const given = intoMember(whole)?.value;
  if (items.length === 1 || !given || given.kind === 'null')
    return items.flatMap((one) => callOf(one, whole));
  if (given.kind === 'array' && given.items.length === items.length) {
    return items.flatMap((one, index) => callOf(one, withInto(whole, given.items[index])));
  }
  const text = `got ${items.length} calls for ${textIn(given)}, want a variable for each`;
  return [{ is: 'wrong', text: `${text}: one {"call": "Name", "into": "name"} a line` }];
}

function withInto(whole: JsonObject, value: JsonNode | undefined): JsonObject {
  const rest = whole.members.filter((one) => one !== intoMember(whole));
  const { keyNode } = intoMember(whole) ?? {};
  const into = keyNode && value ? [{ key: 'into', keyNode, value }] : [];
  return { ...whole, members: [...rest, ...into] };
}

function callOf(value: JsonNode, whole: JsonObject): readonly Said[] {
  if (value.kind === 'array') return callsOf(value.items, whole);
  if (value.kind === 'object') {
    const name = ['fn', 'name', 'callee', 'call', 'function', 'tool']
      .map((key) => member(value, key))
      .find((found) => found?.kind === 'string');
    // Where its result goes may stand beside the call.
    if (name) return callOf(name, value).map((said) => ({ ...intoOf(said, whole), ...said }));
  }
  const [only, ...more] = value.kind === 'object' ? value.members : [];
  // `{"call": {"F": {"x": 1}}}`
  if (only && more.length === 0 && /^(?:object|array)$/.test(only.value.kind)) {
    const args = { ...only, key: 'args' };
    return callOf(only.keyNode, { ...whole, members: [...whole.members, args] });
  }
  if (value.kind !== 'string') {
    return [{ is: 'wrong', text: 'got a call without a name, want {"call": "Name", "args": {}}' }];
  }
  const written = String(value.value).trim();
  const text = written.replace(/\(\s*\)$/, '').replace(/^functions\.(?=\p{XIDS})/u, '');
  if (/[(=]/.test(text)) {
    return statementSaid(written).map((said) => ({ ...intoOf(said, whole), ...said }));
  }
  const call = { callee: text, ...argsIn(whole), beside: besideIn(whole) };
  if (/^(?:say|ask|sendmessage)$/i.test(text)) {
    const to = member(whole, 'to');
    return saidOf(to ? { ...call, named: { to: nodeTerm(to), ...call.named } } : call);
  }
  const given = intoMember(whole)?.value;
  if (given && given.kind !== 'null' && !intoIn(whole).into) {
    const got = `got ${JSON.stringify(textIn(given))} for what ${text} gives`;
    return [{ is: 'wrong', text: `${got}, want the name of one variable: {"into": "name"}` }];
  }
  return saidOf({ ...call, ...intoIn(whole) });
}

const argsKeys = [
  ...[
    'args',
    'arguments',
    'parameters',
    'params',
    'input',
    'kwargs',
    'action_input',
    'tool_input',
    'tool_params',
  ],
];

/** Whether a key may be an argument that its call has not put in brackets. */
const isBeside = (key: string, whole: JsonObject): boolean =>
  !argsKeys.some((one) => member(whole, one)) &&
  !['op', 'type'].includes(key) &&
  intoMember(whole)?.key !== key &&
  (meanings[key] === undefined || details.has(key)) &&
  whole.members.some((one) => meanings[one.key] === 'call');

function besideIn(whole: JsonObject): Readonly<Record<string, Term>> {
  const found = whole.members.filter(({ key }) => isBeside(key, whole));
  return Object.fromEntries(found.map(({ key, value }) => [key, valueTerm(value)]));
}

function argsIn(whole: JsonObject): {
  args: readonly Term[];
  named: Readonly<Record<string, Term>>;
} {
  const args: Term[] = [];
  const named: Record<string, Term> = {};
  for (const key of argsKeys) {
    const written = member(whole, key);
    const given = (written?.kind === 'string' ? objectIn(written) : undefined) ?? written;
    if (given?.kind === 'array') args.push(...given.items.map(valueTerm));
    else if (given?.kind === 'object') {
      for (const { key: name, value } of given.members) {
        named[name.replace(/^\$/, '')] = valueTerm(value);
      }
    } else if (given && given.kind !== 'null') args.push(valueTerm(given));
  }
  return { args, named };
}

/** As providers have arguments: an object that is written as a text. */
function objectIn(text: JsonNode): JsonObject | undefined {
  const written = String(text.kind === 'string' ? text.value : '').trim();
  if (!/^\{\s*["}]/.test(written)) return undefined;
  const [{ node, repairs } = { node: text, repairs: [] }, ...others] = readAllJson(written);
  return node.kind === 'object' && repairs.length + others.length === 0 ? node : undefined;
}

const intoOf = (said: Said, whole: JsonObject) => (said.is === 'call' ? intoIn(whole) : {});

function intoIn(whole: JsonObject): { readonly into?: Name } {
  const given = intoMember(whole)?.value;
  const into = given?.kind === 'string' ? nameIn(String(given.value)) : undefined;
  return into ? { into } : {};
}

const intoMember = ({ members }: JsonObject): JsonMember | undefined =>
  intoKeys.map((key) => members.find((one) => one.key === key && isInto(one))).find(Boolean);

const intoKeys = ['into', 'as', 'result', 'to'];

/** Where a result goes `to` is a variable; who is written to is an argument. */
const isInto = ({ key, value }: JsonMember): boolean =>
  key !== 'to' || (value.kind === 'string' && nameIn(String(value.value)) !== undefined);

/**
 * `{"say": {"text": "Hello", "to": "user"}}` is `{"say": "Hello", "to": "user"}`, and so is
 * `{"say": ["user", "Hello"]}`, as arguments have it.
 */
function sayOf(value: JsonNode, whole: JsonObject): Said {
  const [first, second, ...more] = value.kind === 'array' ? value.items : [];
  if (first?.kind === 'string' && more.length === 0) {
    if (!second) return sayOf(first, whole);
    if (second.kind === 'string' && isUser(`${first.value}`)) return sayOf(second, whole);
  }
  const [only, ...others] = value.kind === 'object' ? value.members : [];
  if (only && others.length === 0 && isUser(only.key)) return sayOf(only.value, whole);
  const inner = ['text', 'message', 'content']
    .map((key) => member(value, key))
    .find((one) => one?.kind === 'string');
  if (value.kind === 'object' && inner) return sayOf(inner, value);
  const to = textIn(member(whole, 'to') ?? member(whole, 'for'));
  return { is: 'say', text: nodeTerm(value), ...(isUser(to) ? {} : { to }) };
}

function yieldOf(value: JsonNode, whole: JsonObject): Said {
  const reason = member(whole, 'for') ?? member(whole, 'reason');
  const isBare = value.kind === 'bool' || /^\s*(?:response|waiting|wait)?\s*$/i.test(textIn(value));
  const inner = value.kind === 'object' ? (member(value, 'for') ?? member(value, 'type')) : value;
  const text = textIn(isBare ? reason : inner);
  return yieldIn(text) ?? (isBare ? { is: 'yield' } : unknownYield(text));
}

/** `{"yield": "return", "value": "$x"}` returns that. */
function yieldsOf(value: JsonNode, whole: JsonObject): readonly Said[] {
  const said = yieldOf(value, whole);
  const given = member(whole, 'value');
  const isReturn = said.is === 'yield' && said.for === 'return' && given !== undefined;
  return isReturn ? returnOf(given, whole) : [said];
}

/** `{"return": {"call": "F", "args": {…}}}` returns what the call gives. */
function returnOf(written: JsonNode, whole: JsonObject): readonly Said[] {
  // That it returns, with what beside it.
  const isBare = written.kind === 'bool' && written.value === true;
  const value = (isBare ? member(whole, 'value') : undefined) ?? written;
  const isCall =
    value.kind === 'object' &&
    member(value, 'call')?.kind === 'string' &&
    value.members.every(({ key }) => key === 'call' || argsKeys.includes(key));
  const [call] = isCall ? callOf(value, value) : [];
  if (call?.is === 'call') return [{ is: 'return', value: nothing, call }];
  return [{ is: 'return', value: valueTerm(value) }];
}

function fromIn(whole: JsonObject): { readonly from?: number } {
  const from = Math.floor(Number(textIn(member(whole, 'from'))));
  return Number.isSafeInteger(from) && from > 0 ? { from } : {};
}

const namesIn = (value: JsonNode) =>
  (value.kind === 'array' ? value.items : [value]).flatMap((one) => {
    const name = nameIn(textIn(one));
    return name ? [name] : [];
  });

function textIn(value: JsonNode | undefined): string {
  if (!value) return '';
  if (value.kind === 'array') return value.items.map(textIn).join('; ');
  return value.kind === 'object'
    ? value.members.map((one) => textIn(one.value)).join('; ')
    : String(value.value);
}

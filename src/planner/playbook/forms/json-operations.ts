/**
 * The form that models are taught: one JSON object a line, such as `{"step": "03"}` or
 * `{"call": "FreeBikes", "args": {"day": "$day"}, "into": "bikes"}`. Several keys in one object are
 * several operations, in their order; near names of keys are taken as meant.
 */
import type { JsonNode, JsonObject } from '../../../program/json-node.ts';
import { member } from '../../../program/json-node.ts';
import { isUser, type Said, saidOf, stepIn, unknownYield, yieldIn } from '../said.ts';
import { nameIn, nodeTerm, type Term } from '../term.ts';
import { statementSaid } from './statement.ts';

/** What a key means; those of a call are taken together. */
const meanings: Readonly<Record<string, string>> = {
  ...{ step: 'step', line: 'step', set: 'set', vars: 'set', variables: 'set', var: 'set' },
  ...{ updated_vars: 'set', update: 'set', updates: 'set', assign: 'set' },
  ...{ call: 'call', queue: 'call', que: 'call', tool: 'call', function: 'call', fn: 'call' },
  ...{ say: 'say', message: 'say', yield: 'yield', yld: 'yield', yield_type: 'yield' },
  ...{ wait: 'yield', return: 'return', ret: 'return', show: 'show', exit: 'exit', end: 'exit' },
  ...{ think: 'think', thought: 'think', thinking: 'think', plan: 'think', recap: 'think' },
  ...{ note: 'note', unexpected: 'unexpected', what: 'unexpected', prologue: 'think' },
};

/** Keys that say more of what another key of the same object says. */
const details = new Set([
  ...['args', 'arguments', 'kwargs', 'parameters', 'params', 'input', 'into', 'as', 'to', 'result'],
  ...['for', 'reason', 'why', 'playbook', 'code', 'name', 'value', 'text', 'id', 'scope', 'op'],
  ...['type', 'asks', 'content', 'names', 'message'],
]);

export const operationKeys: ReadonlySet<string> = new Set(Object.keys(meanings));

/** Lists of operations under one key, as some models wrap them. */
const wrappers = new Set(['ops', 'operations', 'steps', 'actions', 'turn', 'output', 'reply']);

export function operationsIn(node: JsonNode): readonly Said[] {
  if (node.kind === 'array') return node.items.flatMap(operationsIn);
  if (node.kind !== 'object') return [notAnOperation('a value that is no object')];
  const [only] = node.members;
  const isWrapped = only?.value.kind === 'array' && only.value.items.every(isObject);
  if (node.members.length === 1 && only && isWrapped && wrappers.has(only.key)) {
    return operationsIn(only.value);
  }
  const unfolded = unfold(node);
  const found = unfolded.members.flatMap(({ key, value }) => operation(key, value, unfolded));
  if (found.length > 0) return found;
  const keys = node.members.map(({ key }) => key).join(', ');
  return [notAnOperation(keys === '' ? 'an empty object' : `an object with ${keys}`)];
}

const isObject = ({ kind }: JsonNode): boolean => kind === 'object';

const notAnOperation = (got: string): Said => ({
  is: 'wrong',
  text: `got ${got}, want one of {"step"}, {"set"}, {"call"}, {"say"}, {"yield"}, {"return"}`,
});

/** `{"op": "call", "callee": "F"}` and `{"name": "F", "arguments": {…}}` as `{"call": "F", …}`. */
function unfold(node: JsonObject): JsonObject {
  const op = member(node, 'op') ?? member(node, 'type');
  const kind = op?.kind === 'string' ? meanings[String(op.value).toLowerCase()] : undefined;
  const isCall = member(node, 'arguments') !== undefined && meaningOf(node) === undefined;
  const wanted = kind ?? (isCall ? 'call' : undefined);
  if (wanted === undefined) return node;
  const subject = node.members.find(({ key }) => subjects[wanted]?.includes(key));
  if (!subject) return node;
  if (wanted === 'set' && subject.key === 'name') {
    const value = member(node, 'value');
    const name = subject.value.kind === 'string' ? String(subject.value.value) : '';
    if (!value) return node;
    const one = { ...subject.value, kind: 'object' as const };
    const set = { ...one, members: [{ key: name, keyNode: subject.keyNode, value }] };
    return { ...node, members: [{ ...subject, key: 'set', value: set }] };
  }
  const rest = node.members.filter((one) => one !== subject && one.key !== 'op');
  return { ...node, members: [{ ...subject, key: wanted }, ...rest] };
}

const subjects: Readonly<Record<string, readonly string[]>> = {
  step: ['line', 'step', 'number'],
  set: ['set', 'values', 'vars', 'variables', 'name'],
  call: ['call', 'callee', 'name', 'function', 'fn', 'tool'],
  say: ['text', 'message', 'say', 'content'],
  yield: ['for', 'yield', 'reason', 'target'],
  return: ['value', 'return'],
  show: ['names', 'show'],
  think: ['text', 'think'],
  note: ['text', 'note'],
  unexpected: ['text', 'unexpected'],
};

const meaningOf = (node: JsonObject): string | undefined =>
  node.members.map(({ key }) => meanings[key.toLowerCase()]).find((one) => one !== undefined);

function operation(key: string, value: JsonNode, whole: JsonObject): readonly Said[] {
  const meaning = meanings[key.toLowerCase()];
  if (meaning === undefined || (details.has(key) && meaningOf(whole) !== meaning)) {
    if (details.has(key)) return [];
    return [{ is: 'mended', text: `it wrote a key ${JSON.stringify(key)}, which means nothing` }];
  }
  switch (meaning) {
    case 'step':
      return [stepOf(value)];
    case 'set':
      return setsOf(value);
    case 'call':
      return callOf(value, whole);
    case 'say':
      return [sayOf(value, whole)];
    case 'yield':
      return value.kind === 'bool' && !value.value ? [] : [yieldOf(value, whole)];
    case 'return':
      return [{ is: 'return', value: nodeTerm(value) }];
    case 'show':
      return [{ is: 'show', names: namesIn(value) }];
    case 'exit':
      return value.kind === 'bool' && !value.value ? [] : [{ is: 'yield', for: 'exit' }];
    case 'note':
    case 'unexpected':
      return [{ is: meaning, text: textIn(value) }];
    default:
      return [{ is: 'think', text: textIn(value) }];
  }
}

function stepOf(value: JsonNode): Said {
  const text = textIn(value);
  return stepIn(text) ?? { is: 'wrong', text: `got the step ${text}, want the number of a line` };
}

function setsOf(value: JsonNode): readonly Said[] {
  if (value.kind === 'array') return value.items.flatMap(setsOf);
  if (value.kind !== 'object') {
    return [{ is: 'wrong', text: 'got a set without names, want {"set": {"name": value}}' }];
  }
  return value.members.map(({ key, value: one }) => {
    const to = nameIn(key);
    if (to) return { is: 'set', to, value: nodeTerm(one) };
    return { is: 'wrong', text: `got ${JSON.stringify(key)}, want the name of a variable` };
  });
}

function callOf(value: JsonNode, whole: JsonObject): readonly Said[] {
  if (value.kind === 'array') return value.items.flatMap((one) => callOf(one, whole));
  if (value.kind === 'object') {
    const name = ['fn', 'name', 'callee', 'call', 'function', 'tool']
      .map((key) => member(value, key))
      .find((found) => found?.kind === 'string');
    if (name) return callOf(name, value);
  }
  if (value.kind !== 'string') {
    return [{ is: 'wrong', text: 'got a call without a name, want {"call": "Name", "args": {}}' }];
  }
  const text = String(value.value).trim();
  if (/[(=]/.test(text)) return statementSaid(text);
  return saidOf({ callee: text, ...argsIn(whole), ...intoIn(whole) });
}

function argsIn(whole: JsonObject): {
  args: readonly Term[];
  named: Readonly<Record<string, Term>>;
} {
  const args: Term[] = [];
  const named: Record<string, Term> = {};
  for (const key of ['args', 'arguments', 'parameters', 'params', 'input', 'kwargs']) {
    const given = member(whole, key);
    if (given?.kind === 'array') args.push(...given.items.map(nodeTerm));
    else if (given?.kind === 'object') {
      for (const { key: name, value } of given.members) {
        named[name.replace(/^\$/, '')] = nodeTerm(value);
      }
    } else if (given && given.kind !== 'null') args.push(nodeTerm(given));
  }
  return { args, named };
}

function intoIn(whole: JsonObject) {
  const given = ['into', 'as', 'result', 'to'].map((key) => member(whole, key)).find(Boolean);
  const into = given?.kind === 'string' ? nameIn(String(given.value)) : undefined;
  return into ? { into } : {};
}

function sayOf(value: JsonNode, whole: JsonObject): Said {
  const to = textIn(member(whole, 'to') ?? member(whole, 'for'));
  return { is: 'say', text: nodeTerm(value), ...(isUser(to) ? {} : { to }) };
}

function yieldOf(value: JsonNode, whole: JsonObject): Said {
  if (value.kind === 'bool') {
    const reason = textIn(member(whole, 'for') ?? member(whole, 'reason'));
    return yieldIn(reason) ?? unknownYield(reason);
  }
  const inner = value.kind === 'object' ? (member(value, 'for') ?? member(value, 'type')) : value;
  const text = textIn(inner);
  return yieldIn(text) ?? unknownYield(text);
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

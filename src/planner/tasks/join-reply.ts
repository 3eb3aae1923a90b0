/**
 * Reads what a joiner says: the JSON that it is asked for, or the form that models fall back to,
 * `Action: Finish(…)` and `Action: Replan(…)`. A text of neither form is a problem for the model
 * to mend, never an answer.
 */
import { readItems } from '../../dialects/llmcompiler/reader.ts';
import type { Reading } from '../../effects/model/ask.ts';
import { stringify, toJson } from '../../program/json.ts';
import { type JsonObject, member } from '../../text/json-node.ts';
import { valueOfNode } from '../../text/json-text.ts';
import { answerOf, readObject } from '../../text/model-text.ts';

export type Joined =
  | { readonly action: 'finish'; readonly thought: string; readonly answer: unknown }
  | { readonly action: 'replan'; readonly thought: string; readonly reason: string };

export function readJoined(text: string): Reading<Joined> {
  const { node } = readObject(text, ['action']);
  if (node && member(node, 'action')) return fromJson(node);
  const said = answerOf(text);
  const action = lastAction(said);
  if (!action) {
    return {
      ok: false,
      problem: 'got neither Finish nor Replan, want an action that is one of them',
    };
  }
  return decided(action.name, thoughtIn(said), action.content, [
    'the reply was read as text: it is not the JSON that was asked for',
  ]);
}

function fromJson(node: JsonObject): Reading<Joined> {
  const data = toJson(valueOfNode(node)) as Readonly<Record<string, unknown>>;
  const name = String(data.action).trim();
  // Some put all of it into the action: {"action": "Finish(42)"}.
  const inside = lastAction(name);
  const kind = /^(finish|replan)\b/i.exec(name)?.[1];
  if (kind === undefined) {
    return {
      ok: false,
      problem: `action: got ${stringify(data.action)}, want "finish" or "replan"`,
    };
  }
  const isFinish = kind.toLowerCase() === 'finish';
  const given = isFinish ? data.answer : data.reason;
  const content = isEmpty(given) ? inside?.content : given;
  return decided(kind, textIn(data.thought), content, []);
}

function decided(
  name: string,
  thought: string,
  content: unknown,
  mended: readonly string[],
): Reading<Joined> {
  if (name.toLowerCase() === 'finish') {
    if (isEmpty(content)) return { ok: false, problem: 'got Finish without an answer, want one' };
    return { ok: true, value: { action: 'finish', thought, answer: content }, mended };
  }
  const reason = textIn(content) || thought;
  if (reason === '') return { ok: false, problem: 'got Replan without a reason, want one' };
  return { ok: true, value: { action: 'replan', thought, reason }, mended };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const textIn = (value: unknown): string =>
  isEmpty(value) ? '' : typeof value === 'string' ? value.trim() : stringify(value);

interface Action {
  readonly name: string;
  readonly content: string;
}

/** What may come before and behind a word that is decorated, within its line. */
const gap = '[^\\S\\n]*';

/** At the beginning of a line, with or without `Action:`, however it is decorated. */
const actionWord = [
  '^(?:[*_>#\\-`]|[^\\S\\r\\n\\u2028\\u2029])*',
  `(?:action${gap}(?:(?:\\d+[*_]*|[*_]+)${gap})?:(?:[*_\`]|[^\\S\\n])*)?`,
  `(finish|replan)\\b[*_\`]*${gap}`,
].join('');

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** The last of them that does not stand within another. */
function lastAction(text: string): Action | undefined {
  const words = new RegExp(actionWord, 'gim');
  let last: Action | undefined;
  for (let found = words.exec(text); found; found = words.exec(text)) {
    const start = found.index + found[0].length;
    const opener = text[start] ?? '';
    const closer = closers[opener];
    if (closer === undefined && !/^[:\n]|^$/.test(opener) && !/action/i.test(found[0])) continue;
    const end = closer === undefined ? text.length : endOf(text, start, opener, closer);
    const inner = closer === undefined ? text.slice(start) : text.slice(start + 1, end);
    last = {
      name: found[1] ?? '',
      content: plain(closer === undefined ? unlabelled(inner) : inner),
    };
    words.lastIndex = Math.max(end, start, words.lastIndex);
  }
  return last;
}

/**
 * Where what an opening bracket holds ends: at its own closer; where words go on behind that on the
 * same line, or it has none, at the last closer of the line or of the text.
 */
function endOf(text: string, start: number, opener: string, closer: string): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === opener) depth++;
    if (text[at] !== closer || --depth > 0) continue;
    const lineEnd = text.indexOf('\n', at);
    const rest = text.slice(at + 1, lineEnd === -1 ? text.length : lineEnd);
    if (!/\p{L}|\p{N}/u.test(rest.replace(/<END_OF_\w+>/g, ''))) return at;
    const later = rest.lastIndexOf(closer);
    return later === -1 ? at : at + 1 + later;
  }
  const last = text.lastIndexOf(closer);
  return last > start ? last : text.length;
}

const plain = (text: string): string => unquoted(text.replace(/<END_OF_\w+>[\s\S]*$/, '').trim());

function unlabelled(text: string): string {
  const start = /^\s*[:=]\s*/.exec(text)?.[0].length ?? 0;
  let end = text.length;
  while (end > start && '*_`'.includes(text[end - 1] ?? ' ')) end--;
  return text.slice(start, end);
}

/** A text in quotes that are all its own. */
function unquoted(text: string): string {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(text);
  const [, mark = '', inner = ''] = quoted ?? [];
  return quoted && !inner.includes(mark) ? inner : text;
}

/** The last of its thoughts. */
const thoughtIn = (text: string): string => {
  const last = readItems(text).findLast(({ kind }) => kind === 'thought');
  return last?.kind === 'thought' ? last.text : '';
};

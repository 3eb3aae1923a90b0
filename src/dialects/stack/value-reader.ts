/** Reads calls and the values in them: texts, numbers, lists, objects, names, further calls. */
import { readJson, valueOfNode } from '../../text/json-text.ts';
import {
  type Cursor,
  headAt,
  here,
  isStatementLine,
  lookedAt,
  sees,
  siteAt,
  skipBlank,
  taken,
} from './cursor.ts';
import { error, warn } from './report.ts';
import {
  type ArgumentSyntax,
  type CallSyntax,
  type EntrySyntax,
  isStatementName,
  type LiteralSyntax,
  type Syntax,
} from './syntax.ts';
import { opensText, readText } from './text.ts';

/** Statements in statements, lists in lists: what a person would still read. */
const depthMax = 64;

/** Of a call, what is shown where a value of it comes from. */
const sourceMax = 300;

const name = /[A-Za-z_][\w.]*/y;
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Numbers beyond this are slips, and take long to read. */
const digitsMax = 400;
const hole = /(?:\.\.\.|…|\?+|<[A-Za-z][^<>\n]{0,80}>)/y;

const words: ReadonlyMap<string, LiteralSyntax['value']> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);

/** Reads the call whose name begins at the cursor; undefined, and said, where it is broken. */
export function readCall(c: Cursor): CallSyntax | undefined {
  const start = c.at;
  const called = headAt(c.text, start) ?? '';
  taken(c, name);
  c.at = c.text.indexOf('(', c.at) + 1;
  const args = readItems(c, ')', () => readArgument(c));
  if (!args) return undefined;
  const source = shown(c.text, start, c.at);
  return { kind: 'call', name: called, args, source, ...siteAt(c, start) };
}

/** A piece of the text in one line, of which a long one is cut. */
function shown(text: string, start: number, end: number): string {
  const piece = text.slice(start, Math.min(end, start + sourceMax));
  const line = piece
    .split('\n')
    .map((part) => part.trim())
    .join(' ');
  return end - start > sourceMax ? `${line}…` : line;
}

function readArgument(c: Cursor): ArgumentSyntax | undefined {
  const site = here(c);
  const key = lookedAt(c, /[A-Za-z_]\w*[ \t]*=(?!=)/y);
  if (key === undefined) {
    const value = readValue(c);
    return value && { value, ...site };
  }
  c.at += key.length;
  skipBlank(c);
  const value = readValue(c);
  return value && { name: key.slice(0, -1).trimEnd(), value, ...site };
}

/** What stands between brackets, with commas between; the opening one is passed. */
function readItems<Item>(
  c: Cursor,
  close: string,
  readItem: () => Item | undefined,
): Item[] | undefined {
  const open = c.at - 1;
  if (c.depth >= depthMax) {
    const message = `got statements and lists ${depthMax + 1} deep, want at most ${depthMax}`;
    error(c.report, 'tooDeep', siteAt(c, open), message, {
      hint: 'keep a result with set("name"), and go on with get("name")',
    });
    return undefined;
  }
  c.depth += 1;
  const items: Item[] = [];
  let found: Item[] | undefined;
  for (;;) {
    skipBlank(c);
    if (taken(c, close === ')' ? /\)/y : close === ']' ? /\]/y : /\}/y) !== undefined) {
      found = items;
      break;
    }
    if (c.at >= c.end) {
      cutShort(c, open);
      break;
    }
    const item = readItem();
    if (item === undefined) break;
    items.push(item);
    const next = behindItem(c, close, open);
    if (next === 'broken') break;
    if (next === 'closed') {
      found = items;
      break;
    }
  }
  c.depth -= 1;
  return found;
}

/** What comes behind a value: a comma, the end, or a slip that can be told. */
function behindItem(c: Cursor, close: string, open: number): 'comma' | 'closed' | 'broken' {
  skipBlank(c);
  if (taken(c, /,/y) !== undefined || sees(c, close)) return 'comma';
  if (c.at >= c.end) {
    cutShort(c, open);
    return 'broken';
  }
  if (isNextStatement(c)) {
    const { line } = here(c);
    const message = `a bracket is not closed before the statement in line ${line}; it was closed`;
    warn(c.report, 'unclosed', siteAt(c, open), message, { hint: `write ${close} at its end` });
    return 'closed';
  }
  if (opensText(c.text[c.at] ?? '') || lookedAt(c, name) !== undefined) {
    const hint = 'values have commas between them; a quote inside of a text is written \\"';
    error(c.report, 'missingComma', here(c), `want a comma or ${close} before this`, { hint });
    return 'broken';
  }
  error(c.report, 'badValue', here(c), `got ${c.text[c.at]}, want a comma or ${close}`, {
    hint: /[-+*/%]/.test(c.text[c.at] ?? '')
      ? 'there is no arithmetic: let llm_call or a helper do it'
      : undefined,
  });
  return 'broken';
}

/** Whether a line begins at the cursor that is a statement: what is open was to end before it. */
function isNextStatement({ text, at }: Cursor): boolean {
  const character = text[at] ?? '';
  if (!/[\w\-*•`]/.test(character)) return false;
  if (/[A-Za-z_]/.test(character) && !isStatementName(headAt(text, at) ?? '')) return false;
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return line > 0 && text.slice(line, at).trim() === '' && isStatementLine(text, line);
}

function cutShort(c: Cursor, open: number): void {
  c.isCut = true;
  error(c.report, 'cutShort', siteAt(c, open), 'the text ends before this bracket is closed', {
    hint: 'a program cut short is never run: write all of it',
  });
}

/** Reads one value at the cursor. */
function readValue(c: Cursor): Syntax | undefined {
  const site = here(c);
  const character = c.text[c.at] ?? '';
  if (opensText(character)) {
    const value = readText(c);
    return value === undefined ? undefined : { kind: 'literal', value, ...site };
  }
  const digits = taken(c, number);
  if (digits !== undefined) return numberOf(c, digits, site);
  const open = taken(c, hole);
  if (open !== undefined) return { kind: 'hole', text: open, ...site };
  if (character === '[') {
    c.at += 1;
    const items = readItems(c, ']', () => readValue(c));
    return items && { kind: 'list', items, ...site };
  }
  if (character === '{') {
    c.at += 1;
    const entries = readItems(c, '}', () => readEntry(c));
    return entries && { kind: 'object', entries, ...site };
  }
  if (headAt(c.text, c.at) !== undefined) return readCall(c);
  const word = taken(c, name);
  if (word === undefined) return noValue(c, character);
  const value = words.get(word);
  return value === undefined
    ? { kind: 'name', name: word, ...site }
    : { kind: 'literal', value, ...site };
}

function noValue(c: Cursor, character: string): undefined {
  const got = c.at >= c.end ? 'the end of the text' : character;
  error(c.report, 'badValue', here(c), `got ${got}, want a value`, {
    hint: 'values are "text", numbers, lists, stack_pop(1), get("name"), other statements',
  });
  return undefined;
}

function numberOf(
  c: Cursor,
  digits: string,
  site: { line: number; column: number },
): Syntax | undefined {
  const node = digits.length > digitsMax ? undefined : readJson(digits).node;
  const value = node && valueOfNode(node);
  const isFloat = typeof value === 'object' && value?.kind === 'float';
  if (typeof value === 'number' || typeof value === 'bigint' || isFloat) {
    return { kind: 'literal', value, ...site };
  }
  const shown = digits.length > 20 ? `${digits.slice(0, 20)}…` : digits;
  error(c.report, 'badValue', site, `got ${shown}, want a number as JSON has it`);
  return undefined;
}

function readEntry(c: Cursor): EntrySyntax | undefined {
  const site = here(c);
  const key = opensText(c.text[c.at] ?? '') ? readText(c) : taken(c, name);
  if (key === undefined) {
    error(c.report, 'badKey', site, 'want a key, a text in quotes', {
      hint: 'an object is written {"key": value}',
    });
    return undefined;
  }
  skipBlank(c);
  if (taken(c, /[:=]/y) === undefined) {
    error(c.report, 'badKey', here(c), `want : behind the key ${key}`, {
      hint: 'an object is written {"key": value}',
    });
    return undefined;
  }
  skipBlank(c);
  const value = readValue(c);
  return value && { name: key, value, ...site };
}

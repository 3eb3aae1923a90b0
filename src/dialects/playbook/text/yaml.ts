/**
 * The small part of YAML that metadata are written in: maps and lists by indentation, `[a, b]` and
 * `{a: b}`, quoted texts, numbers, `true`, `false`, `null`, comments, and texts of several lines
 * behind `|` or `>`. No anchors, tags or documents. Throws nothing.
 */
import type { Json } from '../../../program/json.ts';
import { split, unquoted } from './brackets.ts';

export interface YamlResult {
  readonly value: Readonly<Record<string, Json>>;
  /** Offsets of lines that are none of a map, from 0. */
  readonly wrong: readonly number[];
}

interface Line {
  readonly indent: number;
  readonly text: string;
  readonly raw: string;
  readonly index: number;
}

interface Reader {
  readonly lines: readonly Line[];
  at: number;
  readonly wrong: number[];
}

export function readYaml(texts: readonly string[]): YamlResult {
  const lines = texts.map((raw, index): Line => {
    const text = raw.trim();
    return { indent: raw.length - raw.trimStart().length, text, raw, index };
  });
  const reader: Reader = { lines, at: 0, wrong: [] };
  let value: Record<string, Json> = {};
  while (peek(reader)) {
    const { indent = 0 } = peek(reader) ?? {};
    value = { ...value, ...map(reader, indent, 0) };
    const left = peek(reader);
    if (left) reader.wrong.push(left.index);
    reader.at += 1;
  }
  return { value, wrong: reader.wrong };
}

const entry = /^(?:([\p{XIDC}$][\p{XIDC}$ .-]*)|"([^"]*)"|'([^']*)')\s*:(?:\s+(.*))?$/u;

/** Beyond this nothing is looked into: metadata are no programs. */
const depthMax = 40;

/** The next line with something on it. */
function peek(reader: Reader): Line | undefined {
  for (;;) {
    const line = reader.lines[reader.at];
    if (!line || (line.text !== '' && !line.text.startsWith('#'))) return line;
    reader.at += 1;
  }
}

function map(reader: Reader, indent: number, depth: number): Record<string, Json> {
  const value = Object.create(null) as Record<string, Json>;
  for (let line = peek(reader); line && line.indent === indent; line = peek(reader)) {
    const [, plain, double, single, rest = ''] = entry.exec(line.text) ?? [];
    const key = plain ?? double ?? single;
    if (key === undefined) break;
    reader.at += 1;
    value[key.trim()] = entryValue(reader, rest, indent, depth);
  }
  return { ...value };
}

function entryValue(reader: Reader, rest: string, indent: number, depth: number): Json {
  const text = withoutComment(rest);
  if (/^[|>][+-]?$/.test(text)) return block(reader, indent, text.startsWith('|'));
  if (text !== '') return scalar(text, depth);
  const next = peek(reader);
  if (!next || depth > depthMax) return null;
  const isList = /^-(\s|$)/.test(next.text);
  if (isList && next.indent >= indent) return list(reader, next.indent, depth + 1);
  return next.indent > indent ? map(reader, next.indent, depth + 1) : null;
}

function list(reader: Reader, indent: number, depth: number): Json[] {
  const items: Json[] = [];
  for (let line = peek(reader); line && line.indent === indent; line = peek(reader)) {
    if (!/^-(\s|$)/.test(line.text)) break;
    reader.at += 1;
    items.push(entryValue(reader, line.text.slice(1).trim(), indent, depth));
  }
  return items;
}

/** Lines that are further in than `indent`, joined by line breaks or by spaces. */
function block(reader: Reader, indent: number, isLiteral: boolean): string {
  const texts: string[] = [];
  let first: number | undefined;
  for (let line = reader.lines[reader.at]; line; line = reader.lines[reader.at]) {
    if (line.text !== '' && line.indent <= indent) break;
    if (line.text !== '') first ??= line.indent;
    texts.push(line.raw.slice(first ?? 0));
    reader.at += 1;
  }
  return texts.join(isLiteral ? '\n' : ' ').trimEnd();
}

const withoutComment = (text: string): string =>
  unquoted(text) === undefined && !/^[[{].*[\]}]$/.test(text.trim())
    ? text.replace(/(^|\s)#.*$/, '').trim()
    : text.trim();

/** A value in one line: `[1, "a"]`, `{a: 1}`, a number, a text. */
function scalar(text: string, depth: number): Json {
  if (/^["[{]/.test(text)) {
    const json = jsonIn(text);
    if (json !== undefined) return json;
  }
  const literal = unquoted(text);
  if (literal !== undefined) return literal;
  if (depth <= depthMax && text.startsWith('[') && text.endsWith(']')) {
    return items(text).map((item) => scalar(item, depth + 1));
  }
  if (depth <= depthMax && text.startsWith('{') && text.endsWith('}')) {
    const pairs = items(text).flatMap((item): [string, Json][] => {
      const [, plain, double, single, rest = ''] = entry.exec(item) ?? [];
      const key = plain ?? double ?? single;
      return key === undefined ? [] : [[key.trim(), scalar(rest.trim(), depth + 1)]];
    });
    return Object.fromEntries(pairs);
  }
  const word = words.get(text.toLowerCase());
  if (word !== undefined || text === 'null' || text === '~') return word ?? null;
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : text;
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const items = (text: string): string[] =>
  split(text.slice(1, -1), ',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

const words: ReadonlyMap<string, boolean> = new Map([
  ...[['true', true] as const, ['false', false] as const],
  ...[['yes', true] as const, ['no', false] as const],
]);

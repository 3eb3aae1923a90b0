/**
 * The forms in which models say what they have found for a call. One is asked for, the object of
 * `args` and `missing`. Others are common and mean the same: the arguments alone as an object, or
 * the call itself, `f("Steve", "Baxter", None)  # Which company?`.
 */
import type { JsonSchema } from '../../program/effect.ts';
import { stringify, toJson } from '../../program/json.ts';
import { parameterAliases, parameterName } from '../../program/tool-names.ts';
import { readJson, truncated, valueOfNode } from '../../text/json-text.ts';
import { answerOf, readObject } from '../../text/model-text.ts';
import type { Reading } from '../model/ask.ts';

/** What is to be called. */
export interface Helper {
  readonly name: string;
  readonly about: string;
  readonly parameters: JsonSchema;
  readonly wanted: readonly string[];
}

export interface BoundReply {
  readonly args: Readonly<Record<string, unknown>>;
  /** The question whose answer would give a parameter; undefined where none was asked. */
  readonly questionFor: (name: string) => string | undefined;
}

export function readBoundReply(text: string, helper: Helper): Reading<BoundReply> {
  const answer = answerOf(text);
  const isObject = /^(?:```\w*\s*)?[{[]/.test(answer);
  const call = isObject ? undefined : callIn(answer, helper);
  const read: Reading<BoundReply> = call
    ? { ok: true, value: call, mended: [] }
    : objectIn(text, helper);
  return read.ok ? { ...read, value: inOwnNames(read.value, helper) } : read;
}

/** A model that has seen the program may use the names that stand there. */
function inOwnNames({ args, questionFor }: BoundReply, { parameters }: Helper): BoundReply {
  const own = Object.entries(args).map(([name, value]) => [parameterName(parameters, name), value]);
  const aliases = Object.entries(parameters.properties ?? {}).map(
    ([name, schema]) => [name, parameterAliases(schema)] as const,
  );
  const aliasesOf = new Map(aliases);
  return {
    args: Object.fromEntries(own),
    questionFor: (name) =>
      [name, ...(aliasesOf.get(name) ?? [])].map(questionFor).find((one) => one !== undefined),
  };
}

function objectIn(text: string, { parameters }: Helper): Reading<BoundReply> {
  const { node, repairs, error } = readObject(text, ['args']);
  if (error || !node) return { ok: false, problem: error?.message ?? 'got no object' };
  if (repairs.some(({ code }) => code === truncated)) {
    return { ok: false, problem: 'its JSON ends in the middle' };
  }
  const whole = toJson(valueOfNode(node)) as Record<string, unknown>;
  const known = Object.keys(parameters.properties ?? {});
  const { missing, ...flat } = whole;
  // A tool may have a parameter that is called like a part of the form.
  const key = ['args', 'arguments', 'parameters'].find((name) => Object.hasOwn(whole, name));
  const args = key === undefined || known.includes(key) ? flat : whole[key];
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return { ok: false, problem: `args: got ${stringify(args)}, want an object` };
  }
  const mended = repairs.map(({ message, line, column }) => `${line}:${column}: ${message}`);
  const questionFor = (name: string): string | undefined => questionIn(missing, name);
  return { ok: true, mended, value: { args: args as BoundReply['args'], questionFor } };
}

/** Questions stand as objects of name and question, or by the names as keys. */
function questionIn(missing: unknown, name: string): string | undefined {
  const said = Array.isArray(missing)
    ? missing.find((one) => one?.name === name)?.question
    : Object(missing)[name];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined;
}

/** Calls in a text that are tried: each may cost a look at all of it. */
const callsMax = 5;

/** The last call of the helper whose arguments are values. */
function callIn(answer: string, { name, wanted }: Helper): BoundReply | undefined {
  const own = name.slice(name.lastIndexOf('.') + 1).replace(/[^\w]/g, '\\$&');
  const calls = [...answer.matchAll(new RegExp(`(?<!\\w)${own}[ \\t]*\\(`, 'g'))];
  for (const { index, 0: head } of calls.slice(-callsMax).toReversed()) {
    const call = argumentsFrom(answer, index + head.length);
    const args = call && byName(call.parts, wanted);
    if (!args) continue;
    const said = /^[ \t;]*#+[ \t]*(\S.*)/.exec(answer.slice(call.end))?.[1]?.trim();
    return { args, questionFor: () => said };
  }
  return undefined;
}

interface Part {
  readonly name?: string;
  readonly text: string;
}

const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** What stands between the commas up to the closing parenthesis; undefined where there is none. */
function argumentsFrom(text: string, from: number): { parts: Part[]; end: number } | undefined {
  const parts: Part[] = [];
  const open: string[] = [];
  let start = from;
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()[\]{},]/gs;
  tokens.lastIndex = from;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [mark] = token;
    const closing = brackets[mark];
    if (closing) open.push(closing);
    else if (open.length > 0) {
      if (mark === open.at(-1)) open.pop();
    } else if (mark === ',' || mark === ')') {
      const part = text.slice(start, token.index).trim();
      if (part !== '') parts.push(partOf(part));
      start = tokens.lastIndex;
      if (mark === ')') return { parts, end: start };
    }
  }
  return undefined;
}

function partOf(text: string): Part {
  const [head, name] = /^([A-Za-z_]\w*)\s*=(?!=)\s*/.exec(text) ?? ['', undefined];
  return name === undefined ? { text } : { name, text: text.slice(head.length) };
}

/** Undefined where a part is no value, or stands for no parameter. */
function byName(
  parts: readonly Part[],
  wanted: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const args = new Map<string, unknown>();
  for (const [index, { name = wanted[index], text }] of parts.entries()) {
    const { node } = readJson(text);
    if (!node || name === undefined) return undefined;
    args.set(name, toJson(valueOfNode(node)));
  }
  return Object.fromEntries(args);
}

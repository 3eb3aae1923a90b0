/**
 * Blocks of code: functions in Starlark. What blocks in Python have besides is left out: types,
 * `async`, `await`, decorators. `@playbook(triggers = […])` makes a function a playbook too,
 * which the machine plays by itself.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Json } from '../../../program/json.ts';
import { namePattern } from '../../../program/name.ts';
import { unpackPosition } from '../../../program/program.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Def, Expression } from '../../starlark/parse/syntax.ts';
import { split } from '../grammar/text.ts';
import { type Report, warn } from '../report.ts';
import { type PlaybookTitle, playbookHead, playbookTitle } from './heading.ts';
import type { CodeBlock, Metadata, Place, Playbook } from './tree.ts';

/** Whether a fence of that word holds functions of its agent. */
export const isCode = (word: string): boolean => /^(tools|starlark|python|py|star)$/.test(word);

export const isMarked = (text: string): boolean => /^@playbook\b[ \t]*(?=\(|#|$)/m.test(text);

/** Where a line of a block, from 0, and a column of it, from 1, stand as they are written. */
export function placeIn(block: CodeBlock, line: number, column = 1): Place {
  const last = block.breaks?.findLast(({ at }) => at <= line);
  const { at, place } = last ?? { at: 0, place: block.place };
  return { ...place, line: place.line + line - at, column: place.column + column - 1 };
}

/** Texts and comments: nothing in them is code. */
const silent = [
  ...[String.raw`"""[\s\S]*?(?:"""|(?![\s\S]))`, String.raw`'''[\s\S]*?(?:'''|(?![\s\S]))`],
  ...[String.raw`"(?!"")(?:\\.|[^"\\\n])*"`, String.raw`'(?!'')(?:\\.|[^'\\\n])*'`, '#.*'],
].join('|');

const inBrackets = `(?:${silent}|[^()"'#])`;

const inside = `(?:${inBrackets}|\\(${inBrackets}{0,999}\\)){0,999}`;

/** With at most two levels of brackets inside. */
const brackets = `\\((?:${inBrackets}|\\(${inside}\\)){0,999}\\)`;

/** What Python has besides Starlark. */
const python = new RegExp(
  `(?<silent>${silent})|^[ \\t]*@(?<mark>[\\p{XIDC}.]+)(?<marks>${brackets})?|` +
    '^[ \\t]*(?<needless>import (?:math|json)|from (?:typing|__future__) import .*)$|' +
    '(?<![\\p{XIDC}.])await[ \\t]+(?=[\\p{XIDS}_(])|' +
    `^(?<indent>[ \\t]*)(?:async[ \\t]+)?def (?<name>\\p{XIDC}+)(?<head>${brackets})` +
    '(?<result>[ \\t]*(?:->[^:\\n]*)?)(?=:)',
  'gmu',
);

/** A function with a mark `@playbook(…)` before it. */
interface Marked {
  readonly title: PlaybookTitle;
  readonly place: Place;
  readonly values: Readonly<Record<string, Json>>;
  /** Of the mark. */
  readonly from: Place;
}

/** The block in Starlark, its lines where they are; and the functions that are playbooks. */
export function cleanedCode(
  block: CodeBlock,
  report: Report,
): { readonly block: CodeBlock; readonly playbooks: readonly Playbook[] } {
  const { text } = block;
  const marked: Marked[] = [];
  let mark: Pick<Marked, 'from' | 'values'> | undefined;
  let [code, end, line] = ['', 0, 0];
  for (const { 0: all, index, groups = {} } of text.matchAll(python)) {
    const { head = '', indent = '', marks = '', name, needless, result = '' } = groups;
    line += lineBreaks(text.slice(end, index)).length;
    const place = placeIn(block, line);
    const warnOf = (got: string): void =>
      warn(report, 'cleaned', place, `got ${got}`, { hint: 'it was left out' });
    code += text.slice(end, index);
    if (groups.silent !== undefined) code += all;
    else if (name !== undefined) {
      code += `${indent}def ${name}(${withoutTypes(head.slice(1, -1))})`;
      if (mark) marked.push({ title: playbookTitle(name + head + result, 1), place, ...mark });
      mark = undefined;
    } else {
      code += lineBreaks(all);
      if (needless) warnOf(`${needless}, which Starlark does not need`);
      if (groups.mark === 'playbook') {
        const values = valuesIn(`playbook${marks}`, warnOf);
        mark = Object.keys(values).length > 0 ? { from: place, values } : mark;
      } else if (groups.mark) warnOf(`@${groups.mark}, which Starlark does not have`);
    }
    line += lineBreaks(all).length;
    end = index + all.length;
  }
  const cleaned = { ...block, text: code + text.slice(end) };
  const abouts = new Map(readCode(cleaned).functions.map(({ about, name }) => [name, about]));
  const playbooks = marked.map((one) => markedPlaybook(one, abouts.get(one.title.name) ?? ''));
  return { block: cleaned, playbooks };
}

const lineBreaks = (text: string): string => text.replace(/[^\n]/g, '');

const silentParts = new RegExp(silent, 'g');

/** Parameters of a function, as they are written, without their types and comments. */
const withoutTypes = (parameters: string): string =>
  split(
    parameters.replace(silentParts, (part) => (part.startsWith('#') ? '' : part)),
    ',',
  )
    .map((part) => part.replace(/^(\s*\**\p{XIDC}+)\s*:[^=]*?(\s*(?:=[\s\S]*)?)$/u, '$1$2'))
    .join(',');

/** The arguments of `playbook(…)`. */
function valuesIn(written: string, warnOf: (got: string) => void): Marked['values'] {
  const [statement] = parse(written, plan).file?.body ?? [];
  const call = statement?.kind === 'expression' ? statement.value : undefined;
  if (call?.kind === 'name') return {};
  const values: Record<string, Json> = {};
  for (const argument of call?.kind === 'call' ? call.arguments : [undefined]) {
    const value = argument?.kind === 'named' ? constantOf(argument.value) : undefined;
    if (argument?.kind === 'named' && value !== undefined) values[argument.name] = value;
    else warnOf('a part of @playbook that is not a value as it is, with its name');
  }
  return values;
}

/** A value that is written down as it is; undefined for one that would have to be computed. */
function constantOf(node: Expression): Json | undefined {
  if (node.kind === 'name') return { True: true, False: false }[node.name];
  if (node.kind === 'literal') {
    const { value } = node;
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }
  if (node.kind === 'list') {
    const items = node.items.map(constantOf);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (node.kind !== 'dict') return undefined;
  const rows = node.entries.map(({ key, value }) => [constantOf(key), constantOf(value)] as const);
  return rows.some((row) => row.includes(undefined)) ? undefined : Object.fromEntries(rows);
}

function markedPlaybook({ from, place, title, values }: Marked, about: string): Playbook {
  const { metadata, triggers = [], description = about, ...others } = values;
  const all: Metadata = { ...others, ...Object(metadata), execution_mode: 'code' };
  return {
    ...playbookHead(title, all, 'code', place),
    description: String(description),
    triggers: [triggers].flat().map((text) => ({ text: String(text), children: [], place: from })),
    ...{ steps: [], notes: [] },
  };
}

export interface CodeFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Of those, the ones that a call has to give. */
  readonly mandatory: readonly string[];
  /** It takes whatever else a call gives: `*args`, `**more`. */
  readonly takesMore: boolean;
  /** What it says that it does: the first line of the text that its body begins with. */
  readonly about: string;
  readonly place: Place;
}

export interface ReadCode {
  readonly functions: readonly CodeFunction[];
  readonly diagnostics: readonly Diagnostic[];
}

const heads = new RegExp(String.raw`^(?:async[ \t]+)?def[ \t]+(${namePattern})`, 'gmu');

/** The functions of a block, and what keeps it from being read, at its place in the Markdown. */
export function readCode(block: CodeBlock): ReadCode {
  const { file, errors } = parse(block.text, plan);
  const diagnostics = errors.map((one) => ({
    ...one,
    ...placeIn(block, one.line - 1, one.column),
  }));
  if (!file) {
    // Calls of what a block means to define are not wrong as well.
    const functions = [...block.text.matchAll(heads)].map(({ 1: name = '' }) => ({
      ...{ name, parameters: [], mandatory: [], takesMore: true, about: '', place: block.place },
    }));
    return { functions, diagnostics };
  }
  const functions = file.body.flatMap((statement): CodeFunction[] => {
    if (statement.kind !== 'def') return [];
    const head = statement.function.parameters;
    return [
      {
        name: statement.name.name,
        parameters: head.flatMap(({ name }) => (name ? [name.name] : [])),
        mandatory: head.flatMap((one) => (one.kind === 'parameter' ? [one.name.name] : [])),
        takesMore: head.some(({ kind, name }) => kind.startsWith('star') && name !== undefined),
        about: aboutOf(statement),
        place: placeIn(block, unpackPosition(statement.at).line - 1),
      },
    ];
  });
  return { functions, diagnostics };
}

/** The first line of what a function says that it does; empty where it does not. */
export function aboutOf({ function: { body } }: Def): string {
  const [first] = body;
  if (first?.kind !== 'expression' || first.value.kind !== 'literal') return '';
  const { value } = first.value;
  return typeof value === 'string' ? (value.trim().split('\n', 1)[0] ?? '').trim() : '';
}

const fieldForm = new RegExp(
  String.raw`(?<![\p{XIDC}.])state(?:(?:\s*\[\s*|\.\w+\(\s*)(["'])(${namePattern})\1|(?!\p{XIDC}))`,
  'gu',
);

/** The variables of its agent that a block may read or set, as `$x`; `*` for any of them. */
export const variablesIn = ({ text }: Pick<CodeBlock, 'text'>): readonly string[] =>
  [...text.matchAll(fieldForm)].map(([, , name]) => (name === undefined ? '*' : `$${name}`));

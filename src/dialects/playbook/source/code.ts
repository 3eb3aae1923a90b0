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
import { bracketEnd, indexOutside, split } from '../grammar/text.ts';
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
const silent = /("""|''')[\s\S]*?(?:\1|$)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#.*/g;

const pythonWords = new RegExp(
  '^[ \\t]*@(?<mark>[\\p{XIDC}.]+)|\\basync[ \\t]+(?=def\\b)|' +
    '(?<![\\p{XIDC}.])await[ \\t]+(?=[\\p{XIDS}_(])|' +
    '^[ \\t]*(?<needless>import (?:math|json)|from (?:typing|__future__) import .*)$|' +
    '(?:^[ \\t]*|(?<=\\basync[ \\t]+))def (?<def>\\p{XIDC}+)(?=\\()',
  'gmu',
);

/** A mark `@playbook(…)` whose function has not come yet. */
interface Mark {
  readonly place: Place;
  readonly values: Readonly<Record<string, Json>>;
}

/** The block in Starlark, its lines where they are; and the functions that are playbooks. */
export function cleanedCode(
  block: CodeBlock,
  report: Report,
): { readonly block: CodeBlock; readonly playbooks: readonly Playbook[] } {
  const { text } = block;
  const shape = text.replace(silent, (part) =>
    part.startsWith('#') ? ' '.repeat(part.length) : `"${part.slice(2).replace(/[^\n]/g, '_')}"`,
  );
  const playbooks: Playbook[] = [];
  let mark: Mark | undefined;
  let [code, from, line, counted] = ['', 0, 0, 0];
  const leaveOut = (start: number, end: number): void => {
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, '');
    from = end;
  };
  for (const { 0: all, index, groups = {} } of shape.matchAll(pythonWords)) {
    if (index < from) continue;
    for (; counted < index; counted++) if (text[counted] === '\n') line += 1;
    const place = placeIn(block, line);
    const end = index + all.length;
    const warnOf = (got: string): void =>
      warn(report, 'cleaned', place, `got ${got}`, { hint: 'it was left out' });
    if (groups.def !== undefined) {
      const title = withoutTypes(groups.def, end, text, shape, leaveOut);
      if (title && mark) playbooks.push(markedPlaybook(title, mark, place));
      mark = undefined;
      continue;
    }
    const close = groups.mark && shape[end] === '(' ? bracketEnd(shape, end) : undefined;
    leaveOut(index, close === undefined ? end : close + 1);
    if (groups.needless) warnOf(`${groups.needless}, which Starlark does not need`);
    if (groups.mark === 'playbook') {
      const values = marksIn(text.slice(index, from), warnOf);
      if (Object.keys(values).length > 0) mark = { place, values };
    } else if (groups.mark) warnOf(`@${groups.mark}, which Starlark does not have`);
  }
  const cleaned = { ...block, text: code + text.slice(from) };
  const abouts = new Map(readCode(cleaned).functions.map(({ about, name }) => [name, about]));
  return {
    block: cleaned,
    playbooks: playbooks.map((playbook) => ({
      ...playbook,
      description: playbook.description || (abouts.get(playbook.name) ?? ''),
    })),
  };
}

/** Leaves out the types in the head of a function whose bracket opens there; returns the head. */
function withoutTypes(
  name: string,
  open: number,
  text: string,
  shape: string,
  leaveOut: (start: number, end: number) => void,
): PlaybookTitle | undefined {
  const close = bracketEnd(shape, open) ?? shape.length;
  const [arrow] = /^[ \t]*(?:->[^:\n]*)?(?=:)/.exec(shape.slice(close + 1, close + 500)) ?? [];
  if (arrow === undefined) return undefined;
  let start = open + 1;
  for (const part of split(shape.slice(open + 1, close), ',')) {
    const typed = /^\s*\**\p{XIDC}+(?=\s*:)/u.exec(part)?.[0];
    const equals = indexOutside(part, '=');
    const end = equals < 0 ? part.trimEnd().length : equals;
    if (typed !== undefined) leaveOut(start + typed.length, start + end);
    start += part.length + 1;
  }
  const end = close + 1 + arrow.length;
  leaveOut(close + 1, end);
  return playbookTitle(name + text.slice(open, end), 1);
}

/** The arguments of `@playbook(…)`. */
function marksIn(written: string, warnOf: (got: string) => void): Mark['values'] {
  const [statement] = parse(written.trim().slice(1), plan).file?.body ?? [];
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

function markedPlaybook(title: PlaybookTitle, { place, values }: Mark, at: Place): Playbook {
  const { metadata, triggers = [], description = '', ...others } = values;
  const all: Metadata = { ...others, ...Object(metadata), execution_mode: 'code' };
  return {
    ...playbookHead(title, all, 'code', at),
    description: String(description),
    triggers: [triggers].flat().map((text) => ({ text: String(text), children: [], place })),
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

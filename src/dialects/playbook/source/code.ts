/**
 * Blocks of code: functions in Starlark. `@playbook(triggers = […])` makes a function a playbook
 * too, which the machine plays by itself.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Json } from '../../../program/json.ts';
import { namePattern } from '../../../program/name.ts';
import { unpackPosition } from '../../../program/program.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Def, Expression } from '../../starlark/parse/syntax.ts';
import { bracketEnd } from '../grammar/text.ts';
import { type Report, warn } from '../report.ts';
import { playbookHead } from './heading.ts';
import type { Agent, CodeBlock, Metadata, Parameter, Place, Playbook } from './tree.ts';

/** Whether a fence of that word holds functions of its agent. */
export const isCode = (word: string): boolean => /^(tools|starlark|python|py|star)$/.test(word);

export const isMarked = (text: string): boolean => /^@playbook\b[ \t]*(?=\(|#|$)/m.test(text);

/** Where a line of a block, from 0, and a column of it, from 1, stand as they are written. */
export function placeIn(block: CodeBlock, line: number, column = 1): Place {
  const last = block.breaks?.findLast(({ at }) => at <= line);
  const { at, place } = last ?? { at: 0, place: block.place };
  return { ...place, line: place.line + line - at, column: place.column + column - 1 };
}

const markForm = /^@playbook\b[ \t]*(?=\(|#|$)/gm;
const headForm = new RegExp(String.raw`^def[ \t]+(${namePattern})[ \t]*(?=\()`, 'gmu');

/** The block without its marks, its lines where they are; and the functions that are playbooks. */
export function unmarkedCode(
  block: CodeBlock,
  report: Report,
): { readonly block: CodeBlock; readonly playbooks: readonly Playbook[] } {
  const { text } = block;
  /** By the name of the function that follows it, the values of a mark and its place. */
  const marks = new Map<string, { readonly values: Values; readonly from: Place }>();
  let code = '';
  let done = 0;
  for (const { 0: mark, index } of text.matchAll(markForm)) {
    const start = index + mark.length;
    const end = text[start] === '(' ? (bracketEnd(text, start) ?? start) + 1 : start;
    const from = placeIn(block, text.slice(0, index).split('\n').length - 1);
    const values = valuesIn(`playbook${text.slice(start, end)}`, (got) =>
      warn(report, 'badMark', from, `got ${got}`, { hint: 'it was left out' }),
    );
    headForm.lastIndex = end;
    const [, name] = headForm.exec(text) ?? [];
    if (name !== undefined && Object.keys(values).length > 0) marks.set(name, { values, from });
    code += text.slice(done, index) + text.slice(index, end).replace(/[^\n]/g, '');
    done = end;
  }
  const cleaned = { ...block, text: code + text.slice(done) };
  const playbooks = readCode(cleaned).functions.flatMap((one) => {
    const mark = marks.get(one.name);
    return mark ? [markedPlaybook(one, mark.values, mark.from)] : [];
  });
  return { block: cleaned, playbooks };
}

type Values = Readonly<Record<string, Json>>;

/** The arguments of `playbook(…)`. */
function valuesIn(written: string, warnOf: (got: string) => void): Values {
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

/** What it has no value for where it is called, the function itself knows. */
function markedPlaybook(own: CodeFunction, values: Values, from: Place): Playbook {
  const { mandatory, name } = own;
  const { metadata, triggers = [], description = own.about, ...others } = values;
  const all: Metadata = { ...others, ...Object(metadata), execution_mode: 'code' };
  const parameters = own.parameters.map((parameter): Parameter => {
    const isOptional = !mandatory.includes(parameter);
    return { name: parameter, ...(isOptional && { default: 'None' }) };
  });
  return {
    ...playbookHead({ name, written: name, parameters }, all, 'code', own.place),
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

/** The functions of a block, and what keeps it from being read, at its place in the Markdown. */
export function readCode(block: CodeBlock): ReadCode {
  const { file, errors } = parse(block.text, plan);
  const diagnostics = errors.map((one) => ({
    ...one,
    ...placeIn(block, one.line - 1, one.column),
  }));
  if (!file) {
    // Calls of what a block means to define are not wrong as well.
    const functions = [...block.text.matchAll(headForm)].map(({ 1: name = '' }) => ({
      ...{
        name,
        parameters: [],
        mandatory: [],
        takesMore: true,
        about: '',
        place: block.place,
      },
    }));
    return { functions, diagnostics };
  }
  const functions = file.body.flatMap((statement): CodeFunction[] => {
    if (statement.kind !== 'def') return [];
    const head = statement.function.parameters;
    return [
      {
        name: statement.name.name,
        parameters: head.flatMap((one) =>
          one.kind.startsWith('star') || !one.name ? [] : [one.name.name],
        ),
        mandatory: head.flatMap((one) => (one.kind === 'parameter' ? [one.name.name] : [])),
        takesMore: head.some(({ kind, name }) => kind.startsWith('star') && name !== undefined),
        about: aboutOf(statement),
        place: placeIn(block, unpackPosition(statement.at).line - 1),
      },
    ];
  });
  return { functions, diagnostics };
}

/** Functions that others may call: `_name` is for its own block. */
export const offeredFunctions = ({ code }: Pick<Agent, 'code'>): CodeFunction[] =>
  code.flatMap((block) => readCode(block).functions.filter(({ name }) => !name.startsWith('_')));

/** The first line of what a function says that it does; empty where it does not. */
function aboutOf({ function: { body } }: Def): string {
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

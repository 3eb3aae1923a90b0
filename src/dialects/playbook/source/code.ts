/**
 * Blocks of code: functions in Starlark. What blocks in Python have besides is taken out: types,
 * `async`, `await`, decorators. `@playbook(triggers = […])` makes a function a playbook too,
 * which the machine plays by itself.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Json } from '../../../program/json.ts';
import { namePattern } from '../../../program/name.ts';
import { unpackPosition } from '../../../program/program.ts';
import { methodRows, nameOf } from '../../starlark/describe/library.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Def, Expression, File } from '../../starlark/parse/syntax.ts';
import { walk } from '../../starlark/parse/tree-walk.ts';
import { codeByName } from '../codes.ts';
import { bracketEnd, indexOutside, split } from '../grammar/text.ts';
import { type PlaybookTitle, playbookTitle } from './heading.ts';
import type { CodeBlock, Place, Playbook, SourceLine } from './tree.ts';

/** Whether a fence of that word holds functions of its agent. */
export const isCode = (word: string): boolean => /^(tools|starlark|python|py|star)$/.test(word);

const mark = /^@playbook\b[ \t]*(?=\(|#|$)/m;

export const isMarked = (text: string): boolean => mark.test(text);

/** Where a line of a block, from 0, and a column of it, from 1, stand as they are written. */
export function placeIn(block: CodeBlock, line: number, column = 1): Place {
  const last = block.breaks?.findLast(({ at }) => at <= line);
  const { at, place } = last ?? { at: 0, place: block.place };
  return { ...place, line: place.line + line - at, column: place.column + column - 1 };
}

export interface CleanedCode {
  /** The block in Starlark; its lines stay where they are. */
  readonly block: CodeBlock;
  readonly playbooks: readonly Playbook[];
  /** What was left out, or could not be read: *got X*, at its place. */
  readonly problems: readonly { readonly place: Place; readonly message: string }[];
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

export function cleanedCode(block: CodeBlock): CleanedCode {
  const { text } = block;
  const shape = text.replace(silent, (part) =>
    part.startsWith('#') ? ' '.repeat(part.length) : `"${part.slice(2).replace(/[^\n]/g, '_')}"`,
  );
  const playbooks: Playbook[] = [];
  const problems: { place: Place; message: string }[] = [];
  const gives: Record<string, string> = {};
  let marks: { readonly place: Place; readonly values: MarkValues }[] = [];
  let [code, from, line, counted] = ['', 0, 0, 0];
  const cut = (start: number, end: number): void => {
    code += text.slice(from, start) + text.slice(start, end).replace(/[^\n]/g, '');
    from = end;
  };
  for (const { 0: all, index, groups = {} } of shape.matchAll(pythonWords)) {
    if (index < from) continue;
    for (; counted < index; counted++) if (text[counted] === '\n') line += 1;
    const place = placeIn(block, line);
    const end = index + all.length;
    const report = (what: string): number => problems.push({ place, message: `got ${what}` });
    if (groups.def !== undefined) {
      const title = titleAt(groups.def, end, text, shape, cut);
      if (title?.returns !== undefined && all.startsWith('def')) gives[groups.def] = title.returns;
      for (const mark of title ? marks : []) {
        if (title && mark.values.length > 0) playbooks.push(playbookOf(title, mark, place));
      }
      marks = [];
      continue;
    }
    const close = groups.mark && shape[end] === '(' ? bracketEnd(shape, end) : undefined;
    cut(index, close === undefined ? end : close + 1);
    if (groups.needless) report(`${groups.needless}, which Starlark does not need`);
    if (groups.mark === 'playbook')
      marks.push({ place, values: markOf(text.slice(index, from), report) });
    else if (groups.mark) report(`@${groups.mark}, which Starlark does not have`);
  }
  const hasTypes = Object.keys(gives).length > 0;
  const cleaned = { ...block, text: code + text.slice(from), ...(hasTypes && { gives }) };
  const abouts = new Map(readCode(cleaned).functions.map(({ about, name }) => [name, about]));
  return {
    block: cleaned,
    problems,
    playbooks: playbooks.map((playbook) => {
      return {
        ...playbook,
        description: playbook.description || (abouts.get(playbook.name) ?? ''),
      };
    }),
  };
}

/** The head of the function whose bracket opens there; its types are cut. */
function titleAt(
  name: string,
  open: number,
  text: string,
  shape: string,
  cut: (start: number, end: number) => void,
): PlaybookTitle | undefined {
  const close = bracketEnd(shape, open) ?? shape.length;
  const [arrow] = /^[ \t]*(?:->[^:\n]*)?(?=:)/.exec(shape.slice(close + 1, close + 500)) ?? [];
  if (arrow === undefined) return undefined;
  let start = open + 1;
  for (const part of split(shape.slice(open + 1, close), ',')) {
    const typed = /^\s*\**\p{XIDC}+(?=\s*:)/u.exec(part)?.[0];
    const equals = indexOutside(part, '=');
    const end = equals < 0 ? part.trimEnd().length : equals;
    if (typed !== undefined) cut(start + typed.length, start + end);
    start += part.length + 1;
  }
  const end = close + 1 + arrow.length;
  if (arrow !== '') cut(close + 1, end);
  return playbookTitle(name + text.slice(open, end), 1);
}

/** The text of a block with the types of what its functions return. */
export function withResults(text: string, gives: Readonly<Record<string, string>>): string {
  let shown = '';
  let from = 0;
  for (const { 0: head, 1: name = '', index } of text.matchAll(/^def (\p{XIDC}+)(?=\()/gmu)) {
    const end = Object.hasOwn(gives, name) ? bracketEnd(text, index + head.length) : undefined;
    if (end === undefined) continue;
    shown += `${text.slice(from, end + 1)} -> ${gives[name]}`;
    from = end + 1;
  }
  return shown + text.slice(from);
}

type MarkValues = readonly (readonly [string, Json])[];

function markOf(written: string, report: (what: string) => void): MarkValues {
  const [statement] = parse(written.trim().slice(1), plan).file?.body ?? [];
  const call = statement?.kind === 'expression' ? statement.value : undefined;
  if (call?.kind === 'name') return [];
  return (call?.kind === 'call' ? call.arguments : [undefined]).flatMap((argument) => {
    const value = argument?.kind === 'named' ? constantOf(argument.value) : undefined;
    if (argument?.kind === 'named' && value !== undefined) return [[argument.name, value] as const];
    report('a part of @playbook that is not a value as it is, with its name');
    return [];
  });
}

const named: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

/** A value that is written down as it is; undefined for one that would have to be computed. */
function constantOf(node: Expression): Json | undefined {
  if (node.kind === 'name') return named[node.name];
  if (node.kind === 'literal') {
    const { value } = node;
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  }
  if (node.kind === 'list' || node.kind === 'tuple') {
    const items = node.items.map(constantOf);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (node.kind !== 'dict') return undefined;
  const rows = node.entries.map(({ key, value }) => [constantOf(key), constantOf(value)] as const);
  const isPlain = rows.every(([key, value]) => typeof key === 'string' && value !== undefined);
  return isPlain ? Object.fromEntries(rows) : undefined;
}

function playbookOf(
  { name, parameters, returns, written }: PlaybookTitle,
  mark: { readonly values: MarkValues; readonly place: Place },
  place: Place,
): Playbook {
  const values: Record<string, Json> = Object.fromEntries(mark.values);
  const { metadata: nested, trigger, triggers = trigger ?? [], ...plain } = values;
  const all: Record<string, Json> = { ...plain, ...Object(nested) };
  const {
    public: open,
    export: offered,
    hidden,
    description = '',
    execution_mode: _,
    ...rest
  } = all;
  const isPublic = open === true || offered === true;
  const isHidden = hidden === true;
  return {
    ...{ name, written, parameters, place, mode: 'code', isPublic, isHidden, steps: [], notes: [] },
    ...(returns !== undefined && { returns }),
    metadata: {
      ...rest,
      ...(isPublic && { public: true }),
      ...(isHidden && { hidden: true }),
      execution_mode: 'code',
    },
    description: String(description),
    triggers: [triggers].flat().map((text): SourceLine => {
      return { text: String(text), children: [], place: mark.place };
    }),
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
  const located = (all: readonly Diagnostic[]): Diagnostic[] =>
    all.map((one) => ({ ...one, ...placeIn(block, one.line - 1, one.column) }));
  if (!file) {
    // Calls of what a block means to define are not wrong as well.
    const functions = [...block.text.matchAll(heads)].map(({ 1: name = '' }) => ({
      ...{ name, parameters: [], mandatory: [], takesMore: true, about: '', place: block.place },
    }));
    return { functions, diagnostics: located(errors) };
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
  return { functions, diagnostics: located([...errors, ...stateFields(file)]) };
}

/** The first line of what a function says that it does; empty where it does not. */
export function aboutOf({ function: { body } }: Def): string {
  const [first] = body;
  if (first?.kind !== 'expression' || first.value.kind !== 'literal') return '';
  const { value } = first.value;
  return typeof value === 'string' ? (value.trim().split('\n', 1)[0] ?? '').trim() : '';
}

const dictMethods: ReadonlySet<string> = new Set(methodRows.dict?.map(nameOf));

/** Variables of an agent that its functions read or set as fields, `state.count`: it is a dict. */
function stateFields(file: File): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  walk(file, (node) => {
    const isField = node.kind === 'attribute' && node.object.kind === 'name';
    if (!isField || node.object.name !== 'state' || dictMethods.has(node.name)) return;
    found.push({
      ...{ severity: 'error', code: codeByName.stateField, ...unpackPosition(node.at) },
      message: `got state.${node.name}, want state["${node.name}"]`,
      hint: 'the variables of an agent are a dict',
    });
  });
  return found;
}

const fieldForm = new RegExp(
  String.raw`(?<![\p{XIDC}.])state(?:(?:\s*\[\s*|\.\w+\(\s*)(["'])(${namePattern})\1|(?!\p{XIDC}))`,
  'gu',
);

/** The variables of its agent that a block names, without the dollar. */
export const fieldsIn = ({ text }: Pick<CodeBlock, 'text'>): readonly string[] =>
  [...text.matchAll(fieldForm)].flatMap(([, , name]) => (name === undefined ? [] : [name]));

/** The variables of its agent that a block may set, as `$x`; `*` where it may be any. */
export const setIn = ({ text }: Pick<CodeBlock, 'text'>): readonly string[] =>
  [...text.matchAll(fieldForm)].map(([, , name]) => (name === undefined ? '*' : `$${name}`));

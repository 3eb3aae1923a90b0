/**
 * Expressions of lines, read by the parser of Starlark: `len($bikes) == 0`. Every name has to be
 * known, else the text is words. A text in quotes is filled in where it has `{placeholders}`.
 */
import type { JsonSchema, ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import { methodRows, nameOf } from '../../starlark/describe/library.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Expression as Node } from '../../starlark/parse/syntax.ts';
import { walk } from '../../starlark/parse/tree-walk.ts';
import { constants, functions, modules } from '../../starlark/resolve/universe.ts';
import type { Callee, Expression, Template, Variable, VariableUse } from '../compiled.ts';

export interface Callable extends Callee {
  /** What people and models call it. */
  readonly shown: string;
  /** Of a playbook: its heading. */
  readonly written?: string;
  readonly parameters: readonly CallableParameter[];
  /** Whether it takes arguments that are not among its parameters. */
  readonly takesMore: boolean;
  /** The type of what a playbook returns. */
  readonly returns?: string;
  /** What it does; perhaps empty. */
  readonly about: string;
  /** Whether models are not told of it. */
  readonly isHidden?: boolean;
  readonly spec?: ToolSpec;
}

export interface CallableParameter {
  readonly name: string;
  readonly hasDollar?: boolean;
  readonly isRequired: boolean;
  /** Of a parameter of a tool. */
  readonly schema?: JsonSchema;
}

/** What an expression may name. */
export interface ExpressionNames {
  /** By every way to write them: `Book`, `Desk.Book`, `tide.find`. */
  readonly callees: ReadonlyMap<string, Callable>;
  /** Of `$x`, which is always a variable. */
  readonly scopeOfDollar: (name: string) => Variable['scope'];
  /** Whether the playbook has a variable `x`, without a dollar. */
  readonly isLocal: (name: string) => boolean;
}

export interface ReadExpression {
  readonly expression: Expression;
  /** The tree of `expression.code`. */
  readonly node: Node;
}

export interface NotExpression {
  /** In a sentence; `words` where the text does not even look like an expression. */
  readonly why: string;
  /** The name that it calls, where only that is unknown. */
  readonly calls?: string;
}

const words: NotExpression = { why: 'words' };

export const isExpression = (read: ReadExpression | NotExpression): read is ReadExpression =>
  'expression' in read;

const quoted = String.raw`(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')`;

const token = new RegExp(
  `(?<![\\p{XIDC}$])(?:[fF]?(?<text>${quoted})|[rb]{1,2}${quoted})` +
    `|(?<![\\p{XIDC}$])\\$(?<dollar>${namePattern})` +
    '|(?<foreign>[#$`;\\\\])' +
    '|(?<!\\p{XIDC})is\\s+(?<not>not\\s+)?(?:(?<set>set)|[Nn]one|null)(?!\\p{XIDC})' +
    `|(?<=[\\p{XIDC}\\])])(?<!(?<![\\p{XIDC}.$])(?:${modules.join('|')}))` +
    `\\.(?<field>${namePattern})(?!\\p{XIDC}|\\s*\\()` +
    `|(?<![\\p{XIDC}.$])(?<word>${namePattern})`,
  'gu',
);

const spellings: Readonly<Record<string, string>> = {
  ...{ true: 'True', false: 'False', null: 'None', none: 'None' },
};

const library: ReadonlySet<string> = new Set([...functions, 'round', 'sum', 'pow']);
const methods: ReadonlySet<string> = new Set(Object.values(methodRows).flat().map(nameOf));

export function readExpression(
  source: string,
  names: ExpressionNames,
  isInText = false,
): ReadExpression | NotExpression {
  const text = source.trim();
  const variables = new Map<string, VariableUse>();
  let code = '';
  let from = 0;
  for (const { 0: written, index, groups = {} } of text.matchAll(token)) {
    if (groups.foreign !== undefined) return words;
    const value = groups.text === undefined || isInText ? undefined : textIn(written);
    const parts = value === undefined ? [] : readTemplate(value, names);
    if ('why' in parts) return parts;
    const uses = parts.flatMap((part) => (typeof part === 'string' ? [] : part.reads));
    const name = groups.dollar?.normalize('NFC');
    if (name !== undefined) uses.push({ name, scope: names.scopeOfDollar(name), as: `${name}_` });
    for (const use of uses) variables.set(use.as, use);
    const isFilled = parts.some((part) => typeof part !== 'string');
    code += text.slice(from, index);
    code += isFilled ? filling(parts) : converted(written, groups, names);
    from = index + written.length;
  }
  code += text.slice(from);
  const [statement, ...more] = parse(code, plan).file?.body ?? [];
  if (statement?.kind !== 'expression' || more.length > 0) return words;
  const read = namesOf(statement.value, names, variables);
  if ('why' in read) return read;
  const reads = [...variables.values()];
  return { expression: { source: text, code, reads, calls: read.calls }, node: statement.value };
}

/** The expression that a text is; undefined for words. */
export function expressionIn(source: string, names: ExpressionNames): Expression | undefined {
  const read = readExpression(source, names);
  return isExpression(read) ? read.expression : undefined;
}

/** A piece of the line as Starlark: `x_` for `$x`, `!= None` for `is set`. */
function converted(
  written: string,
  { dollar, field, not, set, text, word }: Readonly<Record<string, string | undefined>>,
  names: ExpressionNames,
): string {
  if (text !== undefined) return text;
  if (dollar !== undefined) return `${dollar.normalize('NFC')}_`;
  // JSON has objects where Starlark has dicts.
  if (field !== undefined) return `["${field}"]`;
  if (word !== undefined) return names.isLocal(word) ? word : (spellings[word] ?? word);
  if (!written.startsWith('is')) return written;
  return (set === undefined) === (not === undefined) ? '== None' : '!= None';
}

/** Code that fills in a text. */
function filling(parts: Template): string {
  const pieces = parts.map((part) =>
    typeof part === 'string'
      ? JSON.stringify(part.toWellFormed()).slice(1, -1).replace(/[{}]/g, '$&$&')
      : `{(${part.code})}`,
  );
  return `f"${pieces.join('')}"`;
}

/** What stands in quotes; undefined for anything that is not one text in quotes. */
export function textIn(source: string): string | undefined {
  const bare = source.trim().replace(/^[fF](?=["'])/, '');
  if (!/^["']/.test(bare)) return undefined;
  const [statement, ...more] = parse(bare, plan).file?.body ?? [];
  const node = statement?.kind === 'expression' && more.length === 0 ? statement.value : undefined;
  return node?.kind === 'literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** Braces around data, or around nothing, are text. */
const isData = /^\s*$|^\s*["'[]|:\s|\n/;
const formatted = /^(.+):([-+<>^=,.\d ]*[a-zA-Z%]?)$/s;

/** A text with its placeholders, each of which has to be an expression over known names. */
export function readTemplate(value: string, names: ExpressionNames): Template | NotExpression {
  const parts: (string | Expression)[] = [];
  for (const [at, part] of value.split(/\{([^{}]*)\}/).entries()) {
    const last = parts.length - 1;
    const add = (text: string): void => {
      if (typeof parts[last] === 'string') parts[last] += text;
      else if (text !== '') parts.push(text);
    };
    if (at % 2 === 0) add(part);
    else if (isData.test(part)) add(`{${part}}`);
    else {
      const read = readExpression(part, names, true);
      const [, inner, format] = isExpression(read) ? [] : (formatted.exec(part) ?? []);
      const shaped = inner === undefined ? read : readExpression(inner, names, true);
      if (!isExpression(shaped)) return { why: `{${part}} cannot be computed` };
      const { expression } = shaped;
      const code = `f"{(${expression.code}):${format}}"`;
      parts.push(inner === undefined ? expression : { ...expression, source: part, code });
    }
  }
  return parts;
}

/** What it calls, and the first name in it that is not known. Adds plain variables. */
function namesOf(
  top: Node,
  names: ExpressionNames,
  variables: Map<string, VariableUse>,
): { readonly calls: readonly string[] } | NotExpression {
  const calls = new Set<string>();
  const bound = new Set<string>();
  /** Names that are not those of variables. */
  const called = new Set<Node>();
  let unknown: NotExpression | undefined;
  let missing: NotExpression | undefined;
  const isVariable = (name: string): boolean =>
    variables.has(name) || bound.has(name) || names.isLocal(name);
  const callee = (node: Node): void => {
    const { path, root } = pathOf(node);
    const isKnown = names.callees.has(path);
    if (isKnown) calls.add(path);
    else if (node.kind === 'attribute' && (methods.has(node.name) || isModule(node.object))) return;
    else if (node.kind === 'name' && isVariable(node.name)) return;
    else if (node.kind !== 'name' || !library.has(node.name)) {
      const isPlain = root?.kind === 'name' && !isVariable(root.name);
      missing ??= {
        why: `there is nothing of the name ${path} to call`,
        ...(isPlain && { calls: path }),
      };
    }
    if (root) called.add(root);
  };
  walk(top, (node) => {
    if (node.kind === 'comprehension') {
      for (const clause of node.clauses) {
        if (clause.kind !== 'for') continue;
        walk(clause.target, (one) => one.kind === 'name' && bound.add(one.name));
      }
    } else if (node.kind === 'function') {
      for (const { name } of node.parameters) if (name) bound.add(name.name);
    } else if (node.kind === 'call') callee(node.callee);
    else if (node.kind === 'attribute' && isModule(node.object)) called.add(node.object);
    else if (node.kind === 'name' && !called.has(node)) {
      const { name } = node;
      if (variables.has(name) || bound.has(name) || constants.has(name)) return;
      if (names.isLocal(name)) variables.set(name, { name, scope: 'local', as: name });
      else unknown ??= { why: `${name} is neither a variable nor a function here` };
    }
  });
  return unknown ?? missing ?? { calls: [...calls] };
}

const isModule = (node: Node): boolean => node.kind === 'name' && modules.includes(node.name);

/** `Desk.Book`, and the name that it begins with. */
function pathOf(node: Node): { readonly path: string; readonly root?: Node } {
  const parts: string[] = [];
  let at = node;
  for (; at.kind === 'attribute'; at = at.object) parts.unshift(at.name);
  if (at.kind !== 'name') return { path: parts.join('.') };
  return { path: [at.name, ...parts].join('.'), root: at };
}

/** Whether it is arithmetic without a variable, `50/50`: whoever writes that may mean the text. */
export const isBareArithmetic = ({ code }: Expression): boolean =>
  /^[\d.\s()*/%+-]+$/.test(code) && /[\d)]\s*[*/%+-]/.test(code);

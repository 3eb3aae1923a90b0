/** Blocks of code: Starlark, and what stands in blocks that were written for Python. */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { namePattern } from '../../../program/name.ts';
import { unpackPosition } from '../../../program/program.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Def } from '../../starlark/parse/syntax.ts';
import { codeByName } from '../codes.ts';
import { changedOf, changesIn, parametersOf } from './state-changes.ts';
import { stateFields } from './state-fields.ts';
import type { CodeBlock, Place } from './tree.ts';
import { withoutTypes } from './typed-heads.ts';

/** Whether a fence of that word holds functions of its agent. */
export const isCode = (word: string): boolean => /^(tools|starlark|python|py|star)$/.test(word);

export interface Cleaned {
  readonly code: string;
  /** What functions say that they give, by their names. */
  readonly gives: Readonly<Record<string, string>>;
  /** What was left out, and in which line, from 0. */
  readonly left: readonly { readonly word: string; readonly line: number }[];
}

/**
 * Leaves out what only marks functions in Python; lines and what is in texts stay. The types of
 * `held` are said elsewhere, and what they are given is held to them.
 */
export function cleanCode(text: string, held: ReadonlySet<string> = new Set()): Cleaned {
  const left: { word: string; line: number }[] = [];
  const awaited = new Set<number>();
  const plainText = text.replace(textOrAwait, (found, kept: string | undefined, at: number) => {
    if (kept !== undefined) return found;
    awaited.add(text.slice(0, at).split('\n').length - 1);
    return '';
  });
  const { text: bareText, lines: typed, results } = withoutTypes(plainText);
  const lines = bareText.split('\n').map((line, at) => {
    if (!held.has(typed.get(at) ?? '') && typed.has(at))
      left.push({ word: 'types of parameters', line: at });
    if (awaited.has(at)) left.push({ word: 'await', line: at });
    const [, decorator] = /^\s*(@\p{XIDC}+(?:\(.*\))?)\s*$/u.exec(line) ?? [];
    if (decorator !== undefined) {
      left.push({ word: decorator, line: at });
      return '';
    }
    const [, imported] = needless.exec(line) ?? [];
    if (imported !== undefined) {
      left.push({ word: imported, line: at });
      return '';
    }
    const plain = line.replace(/^(\s*)async (?=def\b)/, '$1');
    if (plain !== line) left.push({ word: 'async', line: at });
    return plain;
  });
  return { code: lines.join('\n'), gives: results, left };
}

/** Texts and comments, in which nothing is left out; else the word before a call. */
const textOrAwait = new RegExp(
  '("""[\\s\\S]*?"""|\'\'\'[\\s\\S]*?\'\'\'|"(?:\\\\.|[^"\\\\\\n])*"|' +
    "'(?:\\\\.|[^'\\\\\\n])*'|#.*)|(?<![\\p{XIDC}.])await[ \\t]+(?=[\\p{XIDS}_(])",
  'gu',
);

/** What a program has without it, or needs only for types. */
const needless = /^\s*(import (?:math|json)|from (?:typing|__future__) import .*?)\s*$/;

/** The variables of its agent that a block may set, as `$x`; `*` where it may be any. */
export function setIn({ text }: Pick<CodeBlock, 'text'>): readonly string[] {
  const { file } = parse(text, plan);
  return file ? changesIn(file).filter(isOfState) : ['*'];
}

const isOfState = (name: string): boolean => /^[$*]/.test(name);

/** A function of an agent, with all of them that it names. */
export interface FunctionEffects {
  /** Variables of its agent that they may set, as `$x`; `*` where it may be any. */
  readonly sets: readonly string[];
  readonly parameters: readonly string[];
  /** Of its parameters, those whose values are changed: lists that somebody else has. */
  readonly changes: readonly string[];
  /** All words of theirs, `Agent.Name` too: what they call is among them. */
  readonly words: ReadonlySet<string>;
}

/** By the names of functions. */
export function functionEffects(code: readonly CodeBlock[]): ReadonlyMap<string, FunctionEffects> {
  const texts = new Map(code.flatMap(functionTexts));
  return new Map(
    [...texts.keys()].map((name) => {
      const names = new Set([name]);
      const words = new Set<string>();
      for (const one of names) {
        for (const [member] of (texts.get(one) ?? '').matchAll(anyMember)) {
          for (const word of [member, ...member.split('.')]) {
            words.add(word);
            if (texts.has(word)) names.add(word);
          }
        }
      }
      const { file } = parse([...names].map((one) => texts.get(one)).join('\n'), plan);
      const found = file ? changesIn(file) : ['*'];
      const parameters = file ? parametersOf(name, file) : [];
      const changes = parameters.filter((one) => found.includes(changedOf(name, one)));
      return [name, { sets: found.filter(isOfState), parameters, changes, words }];
    }),
  );
}

/** The variables of its agent that a block names, whatever it does with them. */
export const fieldsIn = ({ text }: CodeBlock): readonly string[] =>
  [...text.matchAll(fieldOfState)].map(([, , name]) => `$${name}`);

const fieldOfState = new RegExp(
  String.raw`(?<!\p{XIDC})state\s*(?:\[|\.\w+\()\s*(["'])(${namePattern})\1`,
  'gu',
);

const anyMember = new RegExp(`${namePattern}(?:\\.${namePattern})?`, 'gu');

/** The text of each function of a block by its name, with what stands behind it. */
const functionTexts = ({ text }: CodeBlock): (readonly [string, string])[] =>
  text.split(/^(?=def\b)/m).flatMap((one) => {
    const [, name] = headOfFunction.exec(one) ?? [];
    return name === undefined ? [] : [[name, one] as const];
  });

const headOfFunction = new RegExp(String.raw`^def[ \t]+(${namePattern})`, 'u');

export interface CodeFunction {
  readonly name: string;
  /** Names of its parameters, as written. */
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

/** Where a line of a block, from 0, and a column of it, from 1, stand as they are written. */
export function placeIn(block: CodeBlock, line: number, column = 1): Place {
  const last = block.breaks?.findLast(({ at }) => at <= line);
  const { at, place } = last ?? { at: 0, place: block.place };
  return { ...place, line: place.line + line - at, column: place.column + column - 1 };
}

/** The functions of a block, or what keeps it from being read, at its place in the Markdown. */
export function readCode(block: CodeBlock): ReadCode {
  const { text } = block;
  const { file, errors } = parse(text, plan);
  if (!file) return { functions: headsIn(block), diagnostics: located(errors, block) };
  const functions = file.body.flatMap((statement): CodeFunction[] => {
    if (statement.kind !== 'def') return [];
    const { line } = unpackPosition(statement.at);
    const head = statement.function.parameters;
    const parameters = head.flatMap(({ name }) => (name ? [name.name] : []));
    const mandatory = head.flatMap((one) => (one.kind === 'parameter' ? [one.name.name] : []));
    const takesMore = head.some(({ kind, name }) => kind.startsWith('star') && name !== undefined);
    const { name } = statement.name;
    const about = aboutOf(statement);
    return [{ name, parameters, mandatory, takesMore, about, place: placeIn(block, line - 1) }];
  });
  const fields = stateFields(file).map(({ at, name }): Diagnostic => {
    const want = `want state["${name}"]`;
    return {
      ...{ severity: 'error', code: codeByName.stateField, ...unpackPosition(at) },
      ...{ message: `got state.${name}, ${want}`, hint: 'the variables of an agent are a dict' },
    };
  });
  return { functions, diagnostics: located([...errors, ...fields], block) };
}

/** The first line of what a function says that it does; empty where it does not. */
export function aboutOf({ function: { body } }: Def): string {
  const [first] = body;
  if (first?.kind !== 'expression' || first.value.kind !== 'literal') return '';
  const { value } = first.value;
  return typeof value === 'string' ? (value.trim().split('\n', 1)[0] ?? '').trim() : '';
}

const located = (errors: readonly Diagnostic[], block: CodeBlock): Diagnostic[] =>
  errors.map((one) => ({ ...one, ...placeIn(block, one.line - 1, one.column) }));

const heads = new RegExp(String.raw`^(?:async[ \t]+)?def[ \t]+(${namePattern})`, 'gmu');

/** What a block that cannot be read means to define: calls of that are not wrong as well. */
const headsIn = (block: CodeBlock): CodeFunction[] =>
  [...block.text.matchAll(heads)].map(({ 1: name = '', index }) => ({
    ...{ name, parameters: [], mandatory: [], takesMore: true, about: '' },
    place: placeIn(block, block.text.slice(0, index).split('\n').length - 1),
  }));

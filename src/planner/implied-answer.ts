/**
 * Programs in Starlark that end in their result without a word: a model that knows Python prints
 * it, names it, or writes it as the last line.
 */
import { plan } from '../dialects/starlark/parse/options.ts';
import { parse } from '../dialects/starlark/parse/parser.ts';
import type { Statement } from '../dialects/starlark/parse/syntax.ts';
import { unpackPosition } from '../program/program.ts';

export interface ImpliedAnswer {
  /** The program with the call of `answer`. */
  readonly text: string;
  /** What was taken for the answer, in words. */
  readonly warning: string;
}

/** The name that plans in other notations answer by. */
const answerVariable = 'final_answer';

/** Undefined where the last statement gives nothing that may be meant as an answer. */
export function withImpliedAnswer(text: string): ImpliedAnswer | undefined {
  const { file } = parse(text, plan);
  const last = file?.body.at(-1);
  if (!file || !last) return undefined;
  if (file.body.some((statement) => assigns(statement, answerVariable))) {
    return taken(`${text.trimEnd()}\nanswer(${answerVariable})\n`, answerVariable);
  }
  if (last.kind !== 'expression') return undefined;
  const { line, column } = unpackPosition(last.at);
  // What begins behind another statement of its line is left alone.
  if (column !== 1) return undefined;
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1);
  const source = withoutEnd(lines.slice(line - 1).join('\n'));
  const { value } = last;
  const isPrint =
    value.kind === 'call' && value.callee.kind === 'name' && value.callee.name === 'print';
  if (!isPrint) return taken([...before, `answer(${source})\n`].join('\n'), 'the last line');
  const [first, ...more] = value.arguments;
  if (first?.kind !== 'positional' || more.length > 0) return undefined;
  const answered = source.replace(/^print/, 'answer');
  return taken([...before, `${answered}\n`].join('\n'), 'what it prints at last');
}

const taken = (text: string, what: string): ImpliedAnswer => ({
  text,
  warning: `the program calls no answer(x): ${what} was taken for it`,
});

const assigns = (statement: Statement, name: string): boolean =>
  statement.kind === 'assign' && statement.target.kind === 'name' && statement.target.name === name;

/** Without comments and blank lines after the statement. */
function withoutEnd(source: string): string {
  const [first = '', ...later] = source.split('\n');
  const last = later.findLastIndex((line) => !/^[ \t]*#/.test(line) && line.trim() !== '');
  return [first, ...later.slice(0, last + 1)].join('\n').trimEnd();
}

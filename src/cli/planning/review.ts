/**
 * What a person has to say of a program before it runs: it is shown, edited in their own editor,
 * and agreed to. What was edited is checked as what a model writes is.
 */

import { unagreed } from '../../agent/goal/perform.ts';
import { AgentError } from '../../agent/port/errors.ts';
import type { Host } from '../../agent/port/host.ts';
import type { Environment } from '../../dialects/dialect.ts';
import { checkProgram } from '../../dialects/index.ts';
import { whole } from '../../planner/background.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { withoutControls } from '../../text/words.ts';
import { editText } from '../process/editor.ts';
import { readLine } from '../process/terminal-person.ts';
import { say, styleOf } from '../view/output.ts';

export interface ReviewFlags {
  /** Absent: where a person looks on. */
  readonly show?: boolean;
  readonly edit?: true;
  readonly confirm?: boolean;
  readonly quiet?: boolean;
  /** False: nobody is asked here. */
  readonly prompts?: boolean;
}

/**
 * Gives the program as it is to run. Throws `AgentError`: PV7501 where nobody agrees to it, PV7502
 * where somebody refuses it or leaves the editor with nothing; else as `editText` does.
 */
export const reviewer =
  (flags: ReviewFlags): NonNullable<Host['review']> =>
  async ({ environment, dialect, confirm, isAgreed, resumes, ...program }) => {
    let { text } = program;
    if (flags.edit) text = edited(text, dialect, environment());
    const isWatched = process.stderr.isTTY === true && !flags.quiet;
    if (flags.show ?? (isWatched || confirm)) sayProgram(text);
    if (!confirm) return text;
    const isThere = process.stdin.isTTY === true && process.stderr.isTTY === true;
    if (!isThere || flags.prompts === false) {
      if (isAgreed) return text;
      throw unagreed(resumes);
    }
    for (;;) {
      const word = await readLine('run it? [y]es, [n]o, [e]dit: ');
      if (word === undefined || /^no?$/i.test(word)) throw refused('the program is not run');
      if (/^y(es)?$/i.test(word)) return text;
      if (!/^e(dit)?$/i.test(word)) continue;
      text = edited(text, dialect, environment());
      sayProgram(text);
    }
  };

const refused = (what: string): AgentError =>
  new AgentError('PV7502', what, { hint: 'ask again, or say more in the goal' });

/** With numbers of lines, as errors and steps name them. */
function sayProgram(text: string): void {
  const { dim } = styleOf(process.stderr);
  const lines = text.trimEnd().split('\n');
  const width = String(lines.length).length;
  lines.forEach((line, i) => {
    say(`${dim(`${String(i + 1).padStart(width)} │`)} ${withoutControls(line)}`.trimEnd());
  });
}

/** What stands above the program in the editor, to be told from comments of the program. */
const mark = '#!';

/** Through the editor until it passes the check. */
function edited(text: string, dialect: string, environment: Environment): string {
  const name = dialect === 'starlark' ? 'program.star' : 'program.txt';
  let own = text;
  for (let said = ''; ; ) {
    const before = own;
    own = withoutMarks(editText(said + before, name));
    if (own.trim() === '') throw refused('the editor was left with an empty program');
    const all = whole(own, dialect, undefined, environment);
    const { ok, diagnostics } = checkProgram(all, environment, { dialect });
    if (ok) return all;
    const lines = errorLines(diagnostics);
    // Left as it was: whoever is there does not want to mend it.
    if (own === before) {
      throw new AgentError('PV7504', `the edited program does not pass the check:\n${lines}`, {
        hint: 'edit again, and mend what the lines above the program say',
      });
    }
    said = `${lines}\n`;
  }
}

/** Lines are those of the program without these comments. */
const errorLines = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message, line, column, hint }) => {
      const help = hint === undefined ? '' : ` (${hint})`;
      return `${mark} line ${line}, column ${column}: ${code} ${message}${help}`.replace(
        /\n/g,
        ' ',
      );
    })
    .join('\n');

const withoutMarks = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith(mark))
    .join('\n');

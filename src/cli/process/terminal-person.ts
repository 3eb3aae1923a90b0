/**
 * Somebody at this terminal: questions and approvals are put on stderr and read from stdin, one at
 * a time, while the view makes room. Ctrl-D leaves a question open, Ctrl-C interrupts the run. A
 * command that is hard to undo asks before it goes on.
 */

import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenApproval, OpenQuestion, Person } from '../../engine/perform/person.ts';
import { stringify } from '../../program/json.ts';
import { readAnswer } from '../../text/answer-text.ts';
import { clip, oneLine, withoutControls } from '../../text/words.ts';
import { say, styleOf } from '../view/output.ts';
import type { View } from '../view/view.ts';

export interface TerminalPerson extends Person {
  /** The view that gives way while something is asked. */
  before(view: View): void;
  /** What the terminal has just shown them: a question that is the same is not shown again. */
  heard?(text: string): void;
}

const shownColumns = 400;

/** Nobody where stdin or stderr is no terminal, and where nothing shall be asked. */
export function personHere({
  prompts,
}: {
  readonly prompts?: boolean;
}): TerminalPerson | undefined {
  const isThere = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isThere && prompts !== false ? personBy(readLine) : undefined;
}

/** Reads a line; undefined at the end of input, or when the question is taken back. */
export type ReadLine = (prompt: string, signal: AbortSignal) => Promise<string | undefined>;

/** Somebody whose lines are read in this way. */
export function personBy(read: ReadLine): TerminalPerson {
  let view: View | undefined;
  let heard: string | undefined;
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    // Events of this turn reach the view first: whoever decides sees what has happened.
    await nextTurn();
    view?.hold?.();
    try {
      return await ask();
    } finally {
      view?.go?.();
    }
  };
  return {
    before(shown) {
      view = shown;
    },
    heard(text) {
      heard = text;
    },
    answer: (question, problem, signal) =>
      asking(async () => {
        sayQuestion(question, problem, heard);
        heard = undefined;
        const line = await read('> ', signal);
        if (line === undefined) return undefined;
        const isDefault = line === '' && 'default' in question;
        const value = isDefault ? question.default : readAnswer(question, line);
        return { value, by: userName() };
      }),
    decide: (approval, signal) =>
      asking(async () => {
        sayApproval(approval);
        for (;;) {
          const line = await read('approve? [y/n, n may be followed by a reason] ', signal);
          if (line === undefined) return undefined;
          const [, word = '', note = ''] = /^\s*(\S*)\s*(.*)$/.exec(line) ?? [];
          const by = userName();
          if (/^y(es)?$/i.test(word)) return { approved: true, by, ...(note && { note }) };
          if (/^no?$/i.test(word)) return { approved: false, by, ...(note && { note }) };
          say('type y to approve, n to deny, n and a reason to say why, or Ctrl-D to decide later');
        }
      }),
  };
}

function sayQuestion(
  open: OpenQuestion,
  problem: string | undefined,
  heard: string | undefined,
): void {
  const style = styleOf(process.stderr);
  if (problem !== undefined) say(style.error(oneLine(problem)));
  const whom = open.to === undefined ? '' : `${open.to}: `;
  const question = withoutControls(`${whom}${open.question}`);
  if (question !== heard) say(style.strong(`? ${question}`));
  open.choices?.forEach((choice, index) => {
    const text = typeof choice === 'string' ? choice : stringify(choice);
    say(`  ${style.dim(`${index + 1}`)} ${clip(oneLine(text), shownColumns)}`);
  });
  if (open.schema) say(style.dim(`  as JSON: ${clip(stringify(open.schema), shownColumns)}`));
  const ways = 'default' in open ? [`Enter for ${stringify(open.default)}`] : [];
  say(style.dim(`  ${[...ways, 'Ctrl-D to answer later'].join('; ')}`));
}

function sayApproval({ tool, request, why, step, effect }: OpenApproval): void {
  const style = styleOf(process.stderr);
  const where = step === '' ? `effect ${effect}` : `step ${step}, effect ${effect}`;
  say(style.strong(`! ${tool} ${clip(oneLine(stringify(request)), shownColumns)}`));
  say(style.dim(`  ${where}; ${why}. Ctrl-D to decide later`));
}

/**
 * A line of this terminal; several where they come at once, as when text is pasted or was typed
 * ahead. Undefined at its end, after Ctrl-C or where it is taken back.
 */
export function readLine(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  const { stdin: input, stderr: output } = process;
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const typed: string[] = [];
  return new Promise((resolve) => {
    const end = (text: string | undefined): void => {
      signal?.removeEventListener('abort', takenBack);
      resolve(text);
      lines.close();
    };
    const takenBack = (): void => {
      say('\nit was answered elsewhere');
      end(undefined);
    };
    const whole = (): void => {
      // Of what was pasted, the last line wants its Enter.
      if (lines.line === '') end(typed.join('\n').trim());
    };
    signal?.addEventListener('abort', takenBack);
    lines.on('line', (line) => {
      typed.push(line);
      setImmediate(whole);
    });
    lines.on('close', () => end(typed.length > 0 ? typed.join('\n').trim() : undefined));
    // In raw mode the terminal sends no signal: whoever listens to it hears it in this way.
    lines.on('SIGINT', () => {
      process.emit('SIGINT');
      end(undefined);
    });
    lines.setPrompt(prompt);
    lines.prompt();
  });
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the list of users, as in containers.
    return process.env.USER ?? 'somebody';
  }
}

/**
 * True without asking where `yes` says so, or where nobody is at a terminal to answer; `about` is
 * what the question is about, a line each.
 */
export async function confirmed(
  question: string,
  yes: boolean,
  about: readonly string[] = [],
): Promise<boolean> {
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return true;
  for (const line of about) say(line);
  const { confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  const answer = await confirm({ message: question, output, initialValue: false });
  return !isCancel(answer) && answer;
}

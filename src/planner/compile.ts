/**
 * From a conversation to one program for goals like it: what its user gave becomes inputs, each
 * with the value that it had there, and what the program takes for granted becomes guards. The loop
 * is `plan`; what differs is what the model is shown, and what the check wants besides.
 */
import type { Environment } from '../dialects/dialect.ts';
import type { AnyDialect } from '../dialects/index.ts';
import type { Message } from '../effects/model/model.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import { fenced, shortened } from './prompt.ts';
import { described } from './told.ts';

/** What was asked, what ran for it, and what that gave. */
export interface CompiledTurn {
  readonly goal: string;
  readonly program: string;
  readonly answer: string;
}

/** A variable that a program is given. */
export interface ProgramInput {
  readonly name: string;
  /** JSON data: what it is where nobody says otherwise. */
  readonly value: unknown;
  readonly about: string;
}

const inputLine =
  /^#[ \t]*input:[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)(?:(?<![ \t])[ \t]+--[ \t]*(.*))?$/gm;

/** The lines `# input: city = "Paris" -- where to look` of a program. */
export function inputsIn(text: string): readonly ProgramInput[] {
  return linesIn(text).flatMap(({ input }) => (input ? [input] : []));
}

function linesIn(text: string): { at: number; name: string; input: ProgramInput | undefined }[] {
  return [...text.matchAll(inputLine)].map(
    ({ index, 1: name = '', 2: json = '', 3: about = '' }) => {
      const value = dataIn(json);
      return { at: index, name, input: value && { name, about, ...value } };
    },
  );
}

function dataIn(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/** How the message of a guard that does not hold begins. */
export const guardMark = 'guard:';

/** What a compiled program needs besides being a program. */
export function compileProblems(text: string): Diagnostic[] {
  const wrong = linesIn(text).filter(({ input }) => input === undefined);
  const found = wrong.map(({ at, name }) =>
    problem(
      text.slice(0, at).split('\n').length,
      `the value of the input ${name} is no JSON`,
      `write # input: ${name} = "text" or another value as JSON`,
    ),
  );
  if (text.includes(`fail("${guardMark}`)) return found;
  const hint = `write if not …: fail("${guardMark} what does not hold")`;
  return [...found, problem(1, 'the program has no guard', hint)];
}

const problem = (line: number, message: string, hint: string): Diagnostic => ({
  ...{ code: 'PV7009', severity: 'error', message, line, column: 1, hint },
});

/** The conversation that asks for the program. */
export function compileOpening(
  turns: readonly CompiledTurn[],
  dialect: AnyDialect,
  environment: Environment,
): Message[] {
  const system = [
    'You write programs for a virtual machine, which runs them and calls the tools.',
    described(dialect, environment),
    'You are shown the goals of a conversation and the programs that have reached them. Write ' +
      'one program that reaches goals like them, for other values, too:',
    '- What the user gave (names, places, numbers, addresses, texts) becomes an input: a ' +
      'variable that is set before the first line. Declare each in a comment of its own at the ' +
      'top, with the value that it had as JSON: `# input: city = "Paris" -- where to look`.',
    '- Keep the steps that led to the answer, in their order; leave out what only looked around.',
    '- Where the program takes something for granted, guard it: `if not names: ' +
      `fail("${guardMark} nobody was found")\`. A guard that does not hold has the goal planned ` +
      'again. At least one is wanted, behind what decides whether this program fits.',
    '- It ends with `answer(…)` as the programs did.',
    'Answer with your reasoning between <think> and </think>, then the program alone between ' +
      `<answer> and </answer> in one fenced ${dialect.fence} block.`,
  ];
  const shown = turns.map(({ goal, program, answer }) =>
    [`Goal: ${goal}`, fenced(program, dialect.fence), `It answered: ${shortened(answer)}`].join(
      '\n\n',
    ),
  );
  return [
    { role: 'system', content: system.join('\n\n') },
    { role: 'user', content: shown.join('\n\n') },
  ];
}

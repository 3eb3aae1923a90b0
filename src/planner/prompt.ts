/**
 * What the planner says to a model. Everything about the notation comes from the dialect's own
 * description, which is generated from the tables that `check` uses, so the two cannot disagree.
 */
import type { Environment } from '../dialects/dialect.ts';
import type { AnyDialect } from '../dialects/index.ts';
import type { Message } from '../effects/model/model.ts';
import { examplesFor } from './examples.ts';

export interface Goal {
  /** As the person wrote it, parentheses and all. */
  readonly text: string;
  /** Language of the final answer, in words: `French`. */
  readonly language?: string;
  /** Form of the final answer, in words: `a table with two columns`. */
  readonly format?: string;
  /** A program for this goal that has failed, and what is known of it. */
  readonly failed?: FailedAttempt;
}

export interface FailedAttempt {
  readonly text: string;
  /** The error as it was shown to the person. */
  readonly error: string;
  /** Variables at the end, as compact JSON by name. */
  readonly known: Readonly<Record<string, string>>;
}

/** The goal as it comes back out of a run's variables. */
export function readGoal(data: unknown): Goal {
  const { text, language, format, failed } = Object(data);
  return {
    text: String(text ?? ''),
    ...(language && { language: String(language) }),
    ...(format && { format: String(format) }),
    ...(failed && { failed: readFailed(failed) }),
  };
}

function readFailed(data: Readonly<Record<string, unknown>>): FailedAttempt {
  const known = Object.entries(Object(data.known)).map(([name, text]) => [name, String(text)]);
  return {
    text: String(data.text ?? ''),
    error: String(data.error ?? ''),
    known: Object.fromEntries(known),
  };
}

/** A program that was written for another goal and has served well. */
export interface GoalAndProgram {
  readonly goal: string;
  readonly program: string;
}

/** The conversation that asks for the first program. */
export function opening(
  goal: Goal,
  dialect: AnyDialect,
  environment: Environment,
  saved: readonly GoalAndProgram[] = [],
): Message[] {
  const system = [
    'You write programs for a virtual machine. You do not carry them out yourself and you do ' +
      'not answer from memory: the machine runs your program, calls the tools, and gives the ' +
      'answer.',
    dialect.describe(environment),
    examples(dialect, environment),
    savedExamples(dialect, saved),
    'Before you write: what is asked, which facts are missing, which tool gives each, what ' +
      'depends on what. Steps that do not depend on each other run at the same time, so do not ' +
      'chain what need not be chained. Use only the tools listed above.',
    'Answer with your reasoning between <think> and </think>, then the program alone between ' +
      '<answer> and </answer> in one fenced json block. If the goal cannot be reached with these ' +
      'tools, say so in plain words instead of a program.',
  ];
  return [
    { role: 'system', content: system.filter((part) => part !== '').join('\n\n') },
    { role: 'user', content: request(goal, dialect) },
  ];
}

/** The goal as the model reads it. */
export function goalLines({ text, language, format }: Goal): string[] {
  const lines = [`Goal: ${text}`];
  if (language) lines.push(`The final answer is written in ${language}.`);
  if (format) lines.push(`Form of the final answer: ${format}.`);
  return lines;
}

function request(goal: Goal, { fence }: AnyDialect): string {
  const lines = goalLines(goal);
  if (goal.failed) lines.push(afterFailure(goal.failed, fence));
  return lines.join('\n');
}

/** What a second program is written from. */
function afterFailure(failed: FailedAttempt, fence: string): string {
  const known = Object.entries(failed.known).map(
    ([name, text]) => `- ${name} = ${shortened(text)}`,
  );
  return [
    '',
    'A first program for this goal failed while it ran:',
    fenced(failed.text, fence),
    'The error:',
    failed.error,
    known.length === 0 ? 'Nothing is known so far.' : 'What is known so far:',
    ...known,
    'Write another program for the goal that avoids this error. What is known may be written ' +
      'into it as values; it starts with no variables set.',
  ].join('\n');
}

const shownMax = 600;

/** A text cut where it is long, and saying so. */
export function shortened(text: string, most: number = shownMax): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} … (${text.length - most} more characters)`;
}

export const fenced = (text: string, fence: string): string =>
  `\`\`\`${fence}\n${text.trimEnd()}\n\`\`\``;

/** Worked examples whose tools this run has. */
function examples({ name, fence }: AnyDialect, environment: Environment): string {
  const usable = examplesFor(name).filter(({ tools }) =>
    tools.every((tool) => environment.tools.has(tool)),
  );
  return usable
    .map(({ goal, program }) => `Example. Goal: ${goal}\n${fenced(program, fence)}`)
    .join('\n\n');
}

/** Apart from the worked ones: their values are those of their goals. */
function savedExamples({ fence }: AnyDialect, saved: readonly GoalAndProgram[]): string {
  if (saved.length === 0) return '';
  const texts = saved.map(({ goal, program }) => `Goal: ${goal}\n${fenced(program, fence)}`);
  return [
    'Programs that have served well for goals like yours. Follow their way where it fits; names, ' +
      'numbers and versions in them are those of their goals, not of yours.',
    ...texts,
  ].join('\n\n');
}

/**
 * What a model is to reach, as runs keep it: what a person wants in words, with what was said and
 * given before. Whatever lists runs reads it, so it brings nothing along.
 */
import type { Definition } from '../program/definition.ts';

export interface Goal {
  /** As the person wrote it, parentheses and all. */
  readonly text: string;
  /** Language of the final answer, in words: `French`. */
  readonly language?: string;
  /** Form of the final answer, in words: `a table with two columns`. */
  readonly format?: string;
  /** Values that were given with it, by name: plans of tasks and actions refer to them. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Of a goal in a conversation. */
  readonly background?: Background | undefined;
  /** The input variables of a program that is to be written for it, as a model is shown them. */
  readonly inputs?: readonly Variable[];
}

export interface Variable {
  readonly name: string;
  /** `string of 5 characters`. */
  readonly type: string;
  /** Compact JSON, whole or cut. */
  readonly text: string;
  readonly isCut?: true;
}

/** Characters of a value that a model is shown. */
export const shownMax = 600;

/** A text cut where it is long, and saying so. */
export function shortened(text: string, most: number = shownMax): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)} … (${text.length - most} more characters)`;
}

/** The goal as it comes back out of a run's variables. */
export function readGoal(data: unknown): Goal {
  const { text, language, format, given, background, inputs } = Object(data);
  const said = readBackground(background);
  return {
    ...(Array.isArray(inputs) && inputs.length > 0 && { inputs: inputs.map(readInput) }),
    text: String(text ?? ''),
    ...(language && { language: String(language) }),
    ...(format && { format: String(format) }),
    ...(typeof given === 'object' && given !== null && { given }),
    ...(said && { background: said }),
  };
}

const readInput = (data: unknown): Variable => {
  const { name, type, text } = Object(data);
  return { name: String(name), type: String(type), text: String(text) };
};

export interface Background {
  /** Oldest first; without the goal itself. */
  readonly messages: readonly Turn[];
  /** Oldest first. Programs in Starlark may call them. */
  readonly functions: readonly Definition[];
  /** Variables that the person has typed: nothing in them is of earlier runs. */
  readonly own?: readonly string[];
}

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** As it comes back out of a run's variables; undefined where there is none. */
export function readBackground(data: unknown): Background | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { messages, functions } = data as Partial<Background>;
  return {
    messages: Array.isArray(messages) ? messages : [],
    functions: Array.isArray(functions) ? functions : [],
  };
}

/** The ways in which what is asked for can be answered. */
export const routes = ['auto', 'program', 'direct'] as const;

/** `auto`: a model decides. */
export type Route = (typeof routes)[number];

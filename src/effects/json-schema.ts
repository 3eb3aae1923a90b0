/**
 * Checks data against a JSON Schema. Schemas come from strangers, and a pattern of theirs may take
 * for ever on a short text: those with patterns are checked in a thread that can be ended, all
 * others at once.
 */
import { type Question, refusal } from '../engine/handler.ts';
import { thrownMessage } from '../program/diagnostic.ts';
import { apart, threadBeside } from './apart/apart.ts';
import { compileRules, type SchemaRules } from './json-schema-rules.ts';
import type { PatternInput } from './json-schema-thread.ts';

/**
 * What is wrong with the data; undefined where it fits. A promise only where the schema has
 * patterns: it rejects with `EffectFailure` PV4903, or with the reason of the attempt's signal.
 */
export type SchemaCheck = (data: unknown, attempt?: Attempt) => Problem | Promise<Problem>;

export type Problem = string | undefined;

/** The signal is read only where a thread is asked: many attempts never make one. */
export interface Attempt {
  readonly signal: AbortSignal;
}

/** How long the patterns of a schema are matched with data, in milliseconds. */
const patternMsMax = 5000;

const threadFile = threadBeside(import.meta.url);

const memoryBytes: number = 256 * 2 ** 20;

/** `name` is what the data is called in the answer. Rejects with why a schema is none. */
export const compileSchema = (
  schema: object,
  name: string,
  patternMs: number = patternMsMax,
): Promise<SchemaCheck> => compile({ schema, teller: { for: 'people', name } }, patternMs);

/** The same for the answer of a person, which is refused where its check takes too long. */
export async function compileAnswerSchema(
  schema: object,
  patternMs: number = patternMsMax,
): Promise<Question['check']> {
  const check = await compileSchema(schema, 'the answer', patternMs);
  return (answer) => {
    const problem = check(answer);
    return problem instanceof Promise ? problem.catch(thrownMessage) : problem;
  };
}

/** The same in words for the model that wrote the data. */
export const compileReplySchema = (schema: object): Promise<SchemaCheck> =>
  compile({ schema, teller: { for: 'model' } }, patternMsMax);

async function compile(rules: SchemaRules, patternMs: number): Promise<SchemaCheck> {
  const check = await compileRules(rules);
  return hasPattern(rules.schema)
    ? (data, attempt) => matchedApart({ rules, data }, patternMs, attempt?.signal)
    : check;
}

async function matchedApart(
  input: PatternInput,
  patternMs: number,
  attempt: AbortSignal | undefined,
): Promise<Problem> {
  const limit = AbortSignal.timeout(patternMs);
  const signal = attempt ? AbortSignal.any([attempt, limit]) : limit;
  try {
    return await apart<PatternInput, Problem>(threadFile, input, {
      ...{ signal, what: 'the check of a value', memoryBytes },
    });
  } catch (thrown) {
    if (thrown !== limit.reason) throw thrown;
    const message = `a pattern of the schema was not matched with the value in ${patternMs} ms`;
    throw refusal('PV4903', message, {
      hint: 'give another value, or correct the pattern: no repetition may contain another',
    });
  }
}

/** Whether a keyword that matches texts stands anywhere in a schema; data that looks so counts. */
function hasPattern(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(
    ([key, value]) =>
      (key === 'pattern' && typeof value === 'string') ||
      (key === 'patternProperties' && Object.keys(Object(value)).length > 0) ||
      hasPattern(value),
  );
}

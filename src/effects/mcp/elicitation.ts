/** Questions that a server asks while it performs a call, as the person gets them. */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import {
  AnswerNeeded,
  type AttemptContext,
  type EffectFailure,
  type Question,
  refusal,
} from '../../engine/handler.ts';
import { isObject } from '../foreign-json.ts';
import { compileAnswerSchema } from '../json-schema.ts';
import { said } from './failure.ts';

type Asked = ElicitRequest['params'];

/** A call of a server that is under way, in which the server may ask. */
export interface Flight {
  readonly context: AttemptContext;
  /** What the call comes to, whatever the server makes of a question that was called off. */
  failure: EffectFailure | undefined;
}

/** The answer, where there is one; else the call is told that there is none, and fails with it. */
export async function answered(
  { question, result }: Elicited,
  flight: Flight,
): Promise<ElicitResult | undefined> {
  const { context } = flight;
  const answer = await context.ask?.(question);
  const problem = answer && (await question.check(answer.value));
  if (answer && problem === undefined) return result(answer.value);
  if (context.ask && !answer) flight.failure = new AnswerNeeded(question);
  else {
    const what = `${question.text}: ${problem ?? 'nobody is there to answer'}`;
    const hint = 'call it in a run, which can wait for the answer';
    flight.failure = refusal('PV4811', what, { hint });
  }
  return undefined;
}

export interface Elicited {
  readonly question: Question;
  result(answer: unknown): ElicitResult;
}

/** As the person gets it. What the server wants to know is named after it: it is a stranger. */
export async function questionOf(server: string, asked: Asked): Promise<Elicited> {
  const text = `MCP server ${server} asks: ${said(asked.message)}`;
  if ('url' in asked) {
    const choices = ['done', 'decline'];
    return {
      question: { text: `${text} (open ${said(asked.url)})`, choices, check: oneOf(choices) },
      result: (answer) => ({ action: answer === 'done' ? 'accept' : 'decline' }),
    };
  }
  const schema = 'requestedSchema' in asked ? asked.requestedSchema : undefined;
  const names = Object.keys(schema?.properties ?? {});
  if (!schema || names.length === 0) {
    const choices = ['accept', 'decline'];
    return {
      question: { text, choices, check: oneOf(choices) },
      result: (answer) =>
        answer === 'accept' ? { action: 'accept', content: {} } : { action: 'decline' },
    };
  }
  return await formOf(`${text} (null declines)`, { ...schema }, names);
}

/** One value is asked for as itself, several as an object. */
async function formOf(
  text: string,
  schema: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Promise<Elicited> {
  const [only = ''] = names;
  const isOne = names.length === 1;
  const whole = await compileAnswerSchema(schema);
  const contentOf = (answer: unknown): unknown => (isOne ? { [only]: answer } : answer);
  const isNo = (answer: unknown): boolean => answer === null || answer === 'null';
  const { properties } = schema;
  const shown = isOne ? Object.entries(properties ?? {})[0]?.[1] : schema;
  return {
    question: {
      text: isOne ? `${text} ${said(only)}` : text,
      ...(isObject(shown) && { schema: orNull(shown) }),
      check: (answer) => (isNo(answer) ? undefined : whole(contentOf(answer))),
    },
    result: (answer) => {
      if (isNo(answer)) return { action: 'decline' };
      return { action: 'accept', content: contentOf(answer) as Record<string, string> };
    },
  };
}

/** A text that says so declines; else null does, which the schema has to allow. */
function orNull(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { type, enum: values } = schema;
  if (type === 'string' && !Array.isArray(values)) return schema;
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  };
}

/** Refuses what is none of them. */
const oneOf =
  (choices: readonly string[]): Question['check'] =>
  (answer) =>
    choices.some((one) => one === answer)
      ? undefined
      : `got ${JSON.stringify(answer)}, want one of ${choices.join(', ')}`;

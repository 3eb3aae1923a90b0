/**
 * Questions that a server asks while it performs a call. A question of the protocol does not say
 * which call it belongs to; so where several are under way it waits until one is left, and from
 * then on calls of that server are made one at a time.
 */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import {
  AnswerNeeded,
  type AttemptContext,
  EffectFailure,
  type Question,
} from '../../engine/handler.ts';
import { thrownText } from '../../program/thrown.ts';
import { compileSchema } from '../json-schema.ts';
import { said } from './failure.ts';

/** What a request of a tool's call takes of its attempt. */
export type RequestContext = Pick<AttemptContext, 'signal' | 'timeoutMs' | 'progress'> &
  Partial<AttemptContext>;

interface Flight {
  readonly context: RequestContext;
  /** What the call comes to, whatever the server makes of a question without an answer. */
  failure: EffectFailure | undefined;
}

type Asked = ElicitRequest['params'];

export class Flights {
  readonly #server: string;
  readonly #flights = new Set<Flight>();
  /** Whether calls are made one at a time. */
  #alone = false;
  /** Questions whose call is not known yet. */
  #lost = 0;
  #changed = Promise.withResolvers<void>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Makes a call, in which the server may ask. */
  async during<T>(context: RequestContext, fly: () => Promise<T>): Promise<T> {
    while (this.#alone && this.#flights.size > 0) await this.#changed.promise;
    const flight: Flight = { context, failure: undefined };
    this.#flights.add(flight);
    try {
      const answer = await fly();
      if (flight.failure) throw flight.failure;
      return answer;
    } catch (thrown) {
      // What it says of a question that was called off is no word on the call.
      throw isAnswered(thrown) && flight.failure ? flight.failure : thrown;
    } finally {
      this.#flights.delete(flight);
      this.#turn();
    }
  }

  /** What the server is told: the answer, or that nobody gives one now. */
  async ask(asked: Asked): Promise<ElicitResult> {
    const flight = await this.#asking();
    // A call that is to be made again must not go on with an answer.
    if (!flight || flight.failure) return { action: 'cancel' };
    try {
      const asking = await questionOf(this.#server, asked);
      const result = await answered(asking, flight);
      if (result) return result;
    } catch (thrown) {
      const what = `MCP server ${this.#server} asks what cannot be asked: ${thrownText(thrown)}`;
      flight.failure = new EffectFailure('PV4811', said(what), { answered: true, cause: thrown });
    }
    return { action: 'cancel' };
  }

  /** The call that a question belongs to; undefined where several ask, which are made again. */
  async #asking(): Promise<Flight | undefined> {
    if (this.#flights.size > 1) {
      this.#alone = true;
      this.#lost++;
      this.#turn();
      while (this.#flights.size > this.#lost) await this.#changed.promise;
      this.#lost--;
    }
    if (this.#flights.size === 1) return [...this.#flights][0];
    for (const flight of this.#flights) {
      const text = `several calls asked at once at MCP server ${this.#server}`;
      flight.failure = new EffectFailure('PV4811', text, { retryable: true, mayHaveActed: false });
    }
    return undefined;
  }

  #turn(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

/** The answer, where there is one; else the call is told that there is none, and fails with it. */
async function answered(
  { question, result }: Elicited,
  flight: Flight,
): Promise<ElicitResult | undefined> {
  const { context } = flight;
  const answer = await context.ask?.(question);
  const problem = answer && question.check(answer.value);
  if (answer && problem === undefined) return result(answer.value);
  if (context.ask && !answer) flight.failure = new AnswerNeeded(question);
  else {
    const what = `${question.text}: ${problem ?? 'nobody is there to answer'}`;
    const hint = 'call it in a run, which can wait for the answer';
    flight.failure = new EffectFailure('PV4811', what, { answered: true, hint });
  }
  return undefined;
}

const isAnswered = (thrown: unknown): boolean => thrown instanceof EffectFailure && thrown.answered;

interface Elicited {
  readonly question: Question;
  result(answer: unknown): ElicitResult;
}

/** As the person gets it. What the server wants to know is named after it: it is a stranger. */
async function questionOf(server: string, asked: Asked): Promise<Elicited> {
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
  const whole = await compileSchema(schema, 'the answer');
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

const isObject = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

const oneOf =
  (choices: readonly string[]): Question['check'] =>
  (answer) =>
    choices.some((one) => one === answer)
      ? undefined
      : `got ${JSON.stringify(answer)}, want one of ${choices.join(', ')}`;

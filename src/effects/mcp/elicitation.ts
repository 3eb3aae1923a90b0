/**
 * Questions that a server asks while it performs a call. A question of the protocol does not say
 * which call it belongs to; so where several are under way it waits until one is left, and from
 * then on calls of that server are made one at a time.
 */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { AnswerNeeded, EffectFailure, type Question } from '../../engine/handler.ts';
import { compileSchema } from '../json-schema.ts';
import type { RequestContext } from './connection.ts';
import { said } from './failure.ts';

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
    if (!flight) return { action: 'cancel' };
    const question = await questionOf(this.#server, asked);
    const { ask } = flight.context;
    const answer = await ask?.(question.question);
    if (answer) return question.result(answer.value);
    flight.failure = ask
      ? new AnswerNeeded(question.question)
      : new EffectFailure('PV4811', `${question.question.text}: nobody is there to answer`, {
          answered: true,
          hint: 'call it in a run, which can wait for the answer',
        });
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

const isAnswered = (thrown: unknown): boolean =>
  thrown instanceof EffectFailure && (thrown.answered || thrown === undefined);

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
      ...(isObject(shown) && { schema: shown }),
      check: (answer) => (isNo(answer) ? undefined : whole(contentOf(answer))),
    },
    result: (answer) => {
      if (isNo(answer)) return { action: 'decline' };
      return { action: 'accept', content: contentOf(answer) as Record<string, string> };
    },
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

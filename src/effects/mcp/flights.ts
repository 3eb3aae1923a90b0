/**
 * Calls of a server that are under way, and which of them a request of the server belongs to. The
 * protocol does not say that; so where several are under way the request waits until one is left,
 * and from then on calls of that server are made one at a time.
 */
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { type AttemptContext, EffectFailure } from '../../engine/handler.ts';
import { thrownText } from '../../program/diagnostic.ts';
import { answered, type Flight, questionOf } from './elicitation.ts';
import { said } from './failure.ts';

export class Flights {
  readonly #server: string;
  readonly #flights = new Set<Flight>();
  /** Whether calls are made one at a time. */
  #alone = false;
  /** Requests whose call is not known yet. */
  #lost = 0;
  #changed = Promise.withResolvers<void>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Makes a call, in which the server may ask. */
  async during<T>(context: AttemptContext, fly: () => Promise<T>): Promise<T> {
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
  async ask(asked: ElicitRequest['params']): Promise<ElicitResult> {
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

const isAnswered = (thrown: unknown): boolean => thrown instanceof EffectFailure && thrown.answered;

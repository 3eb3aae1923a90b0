/**
 * A server that is spoken to. What it owns: the process or session, which begins with the first
 * request and anew after it has gone; what its stderr said; which calls are under way. What it does
 * not own: retries and timeouts, which are the engine's.
 *
 * Invariants:
 * - M1 A request that fails says whether the server may have acted on it.
 * - M2 Nothing of a server outlives `close`, however it takes it.
 * - M3 What was said to a server before `close` reaches it, where it listens.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  Client,
  type ElicitRequest,
  type ElicitResult,
  type OAuthClientProvider,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { type AttemptContext, type EffectFailure, refusal } from '../../engine/handler.ts';
import { limitTable } from '../../program/limits.ts';
import type { Environment } from '../tool-set.ts';
import { type McpServer, toLearnMore } from './config.ts';
import { broken, unreachable } from './failure.ts';
import { Flights } from './flights.ts';
import { messageBytesMax } from './messages.ts';
import { noValidator } from './no-validator.ts';
import { type ServerPolicy, startMsDefault } from './policy.ts';
import { StderrLog } from './stderr-log.ts';
import { type Opened, openTransport } from './transport.ts';

export interface ConnectionParts {
  readonly server: McpServer;
  readonly policy: ServerPolicy;
  readonly env: Environment;
  /** The folder of the file that names the server. */
  readonly folder: string;
  readonly version: string;
  /** How large a result may be. */
  readonly valueBytes?: number | undefined;
  /** For a server that wants a login. */
  readonly login?: OAuthClientProvider | undefined;
  /** Hears each line of its stderr. */
  readonly heard?: (line: string) => void;
  /** It has a new list of tools, resources or prompts; or has just been connected. */
  readonly changed?: (client: Client) => void;
}

/** Starts within `startsWindowMs` after which it is left alone. */
const startsMax = 4;
const startsWindowMs = 60_000;
/** Pause before the second start of several, doubled with each. */
const restartMs = 200;
/** How long a server may take to end by itself, and then when it is told to. */
const endMs = 700;

export class McpConnection {
  readonly #parts: ConnectionParts;
  readonly #log: StderrLog;
  readonly #flights: Flights;
  #client: Promise<Client> | undefined;
  #opened: Opened | undefined;
  /** Notifications that are on their way: that a call is taken back is to be heard (M3). */
  readonly #notices = new Set<Promise<void>>();
  /** When it was started, since it last answered. */
  #starts: number[] = [];
  #closed = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#log = new StderrLog(parts.heard ?? (() => {}));
    this.#flights = new Flights(parts.server.name);
  }

  /** Makes one request of a tool's call. Throws `EffectFailure` (M1), or what aborted it. */
  async request<T>(
    context: AttemptContext,
    action: (client: Client, options: RequestOptions) => Promise<T>,
  ): Promise<T> {
    const { signal, timeoutMs } = context;
    const client = await this.#ready(signal);
    const options: RequestOptions = {
      signal,
      // The engine ends what takes too long.
      timeout: Number.isFinite(timeoutMs) ? timeoutMs + 60_000 : 2 ** 31 - 1,
      onprogress: ({ progress, total, message }) => {
        context.extend();
        const part = total === undefined ? `${progress}` : `${progress}/${total}`;
        context.progress(`${message === undefined ? part : `${message} (${part})`}\n`);
      },
    };
    const fly = async (): Promise<T> => {
      try {
        const answer = await action(client, options);
        this.#starts = [];
        return answer;
      } catch (thrown) {
        signal.throwIfAborted();
        throw this.#failed(client, thrown);
      }
    };
    return await this.#flights.during(context, fly);
  }

  /** The last lines that it has said on stderr. */
  get said(): string | undefined {
    return this.#log.tail;
  }

  /** By the way of the specification: its input ends, then it is told to, then it is made to. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = this.#client;
    const pid = this.#opened?.pid();
    this.#client = undefined;
    const kill = (): void => signalTo(pid, 'SIGKILL');
    process.once('exit', kill);
    const end = async (): Promise<void> => {
      const sent = Promise.allSettled(this.#notices);
      await Promise.race([sent, after(endMs, undefined, { ref: false })]);
      await (await client)?.close();
    };
    const ended = end();
    const late = Symbol('late');
    const within = async (ms: number): Promise<boolean> =>
      (await Promise.race([ended.catch(() => {}), after(ms, late, { ref: false })])) !== late;
    if (!(await within(endMs))) {
      signalTo(pid, 'SIGTERM');
      if (!(await within(endMs))) kill();
    }
    process.off('exit', kill);
  }

  async #ready(signal: AbortSignal): Promise<Client> {
    this.#client ??= this.#connect();
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([this.#client, promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #connect(): Promise<Client> {
    const { server, policy } = this.#parts;
    const startMs = policy.startMs ?? startMsDefault;
    const time = AbortSignal.timeout(startMs);
    let opened: Opened | undefined;
    try {
      await this.#pause();
      const client = this.#newClient();
      opened = openTransport(server, {
        ...this.#parts,
        log: this.#log,
        login: this.#parts.login,
        messageBytesMax: messageBytesMax(this.#parts.valueBytes ?? limitTable.valueBytes.default),
      });
      this.#opened = opened;
      this.#noteNotices(opened.transport);
      await client.connect(opened.transport, { timeout: startMs, signal: time });
      opened.connected();
      // Not before: a failed attempt to connect closes, too.
      client.onclose = () => this.#forget(client);
      if (this.#closed) await client.close();
      this.#parts.changed?.(client);
      return client;
    } catch (thrown) {
      this.#client = undefined;
      signalTo(opened?.pid(), 'SIGKILL');
      const late = new Error(`it did not answer within ${startMs} ms`);
      throw unreachable(server, time.aborted ? late : thrown, this.said);
    }
  }

  #noteNotices(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const sent = send(message, options);
      if (!('id' in message)) {
        const over = sent.catch(() => {}).finally(() => this.#notices.delete(over));
        this.#notices.add(over);
      }
      return sent;
    };
  }

  /** One that ends again and again is started later and later, and then no more. */
  async #pause(): Promise<void> {
    const now = Date.now();
    this.#starts = this.#starts.filter((at) => at > now - startsWindowMs);
    const count = this.#starts.length;
    if (count >= startsMax) {
      const { name } = this.#parts.server;
      const heard = this.said === undefined ? '' : `; it said: ${this.said}`;
      const what = `MCP server ${name} was started ${count} times and ended each time${heard}`;
      throw refusal('PV4808', what, {
        hint: `it is started again in a minute; ${toLearnMore(this.#parts.server)}`,
      });
    }
    if (count > 0) await after(restartMs * 2 ** (count - 1), undefined, { ref: false });
    this.#starts.push(Date.now());
  }

  #newClient(): Client {
    const { server, policy, version, changed } = this.#parts;
    const isProcess = server.transport.kind === 'stdio';
    const client = new Client(
      { name: 'planvm', version },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: policy.protocol ?? (isProcess ? 'legacy' : 'auto') },
        jsonSchemaValidator: noValidator,
      },
    );
    client.onerror = (error) => this.#parts.heard?.(`(${error.message})`);
    client.setRequestHandler(
      'elicitation/create',
      async ({ params }: ElicitRequest): Promise<ElicitResult> => await this.#flights.ask(params),
    );
    const relist = (): void => changed?.(client);
    client.setNotificationHandler('notifications/tools/list_changed', relist);
    client.setNotificationHandler('notifications/resources/list_changed', relist);
    client.setNotificationHandler('notifications/prompts/list_changed', relist);
    return client;
  }

  #failed(client: Client, thrown: unknown): EffectFailure {
    const failure = broken(this.#parts.server, thrown, this.said);
    // Its session may be the matter: the next request begins a new one.
    if (failure.unavailable || failure.retryable) this.#forget(client);
    return failure;
  }

  #forget(client: Client): void {
    const current = this.#client;
    if (!current) return;
    current.then(
      (one) => {
        if (one !== client || this.#client !== current) return;
        this.#client = undefined;
        client.onclose = () => {};
        client.close().catch(() => {});
      },
      () => {},
    );
  }
}

function signalTo(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

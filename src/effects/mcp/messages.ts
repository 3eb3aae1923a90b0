/**
 * Messages of a server as they come over the wire: how large one may be, and integers that JSON in
 * JavaScript would cut. What is too large is answered by an error in its place, so that its request
 * fails with a name and the connection goes on.
 */
import { deserializeMessage, type Transport } from '@modelcontextprotocol/client';
import { type EffectFailure, refusal } from '../../engine/handler.ts';
import { boundedBody } from '../bounded-body.ts';
import { parseExactJson } from '../foreign-json.ts';

/** Largest message for values of so many bytes: results come as data and again as a text. */
export const messageBytesMax = (valueBytes: number): number => 4 * valueBytes + 2 ** 20;

type Message = Parameters<NonNullable<Transport['onmessage']>>[0];

/** The error code in place of a message that was too large. */
const tooLargeCode = -32_099;

/** How much of a large message is looked at for its id, at either end. */
const edgeBytes = 300;

const id = '"id"\\s*:\\s*(\\d+|"[^"\\\\]*")';
const version = '"jsonrpc"\\s*:\\s*"2\\.0"';
const idFirst = new RegExp(`^\\s*\\{\\s*(?:${version}\\s*,\\s*)?${id}`);
const idLast = new RegExp(`,\\s*${id}\\s*(?:,\\s*${version}\\s*)?\\}\\s*$`);

/** The text of an error for the request of a large message; undefined where it does not say. */
function tooLarge(head: string, tail: string, bytesMax: number): string | undefined {
  const found = (idFirst.exec(head) ?? idLast.exec(tail))?.[1];
  if (found === undefined) return undefined;
  const message = `a message of more than ${bytesMax} bytes`;
  return `{"jsonrpc":"2.0","id":${found},"error":{"code":${tooLargeCode},"message":"${message}"}}`;
}

/** The failure for such an error; the same request would have the same answer. */
export function tooLargeFailure(
  server: string,
  { code, message }: { readonly code: number; readonly message: string },
): EffectFailure | undefined {
  if (code !== tooLargeCode) return undefined;
  return refusal('PV4814', `MCP server ${server} answered with ${message}`, {
    hint: 'ask for less, or raise the limit valueBytes',
  });
}

/** Lines of bounded size; of a longer one, an error in its place. Throws where it has no id. */
class Lines {
  readonly #bytesMax: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isFirst = true;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that this piece ends. */
  *take(piece: Uint8Array): Generator<string> {
    let rest = Buffer.from(piece);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.add(rest.subarray(0, end));
      yield this.end();
      rest = rest.subarray(end + 1);
    }
    this.add(rest);
  }

  /** What stands after the last line end. */
  end(): string {
    const whole = Buffer.concat(this.#pieces);
    const isLarge = this.#bytes > this.#bytesMax;
    this.#pieces = [];
    this.#bytes = 0;
    if (!isLarge) {
      const line = whole.toString('utf8').replace(/\r$/, '');
      const text = this.#isFirst ? line.replace(/^\uFEFF/, '') : line;
      this.#isFirst = false;
      return text;
    }
    const data = /^data: ?/.exec(whole.toString('utf8', 0, 6))?.[0] ?? '';
    const head = whole.toString('utf8', data.length, edgeBytes);
    const text = tooLarge(head, whole.toString('utf8', edgeBytes), this.#bytesMax);
    if (text === undefined) throw new Error(`got a message of more than ${this.#bytesMax} bytes`);
    return data + text;
  }

  /** A piece of one line, whatever it has in it. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= this.#bytesMax) return;
    // Only its two ends are kept, which have its id.
    const whole = Buffer.concat(this.#pieces);
    const tail = Math.max(edgeBytes, whole.length - edgeBytes);
    this.#pieces = [Buffer.concat([whole.subarray(0, edgeBytes), whole.subarray(tail)])];
  }
}

/** In place of the package's buffer for the output of a process. */
export class MessageBuffer {
  readonly #bytesMax: number;
  #lines: Lines;
  #messages: Message[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#lines = new Lines(bytesMax);
  }

  append(piece: Uint8Array): void {
    for (const line of this.#lines.take(piece)) {
      const message = messageOf(line);
      if (message !== undefined) this.#messages.push(message);
    }
  }

  readMessage(): Message | null {
    return this.#messages.shift() ?? null;
  }

  clear(): void {
    this.#lines = new Lines(this.#bytesMax);
    this.#messages = [];
  }
}

/** Undefined for what is not a message: servers print to their output. */
function messageOf(line: string): Message | undefined {
  let message: Message;
  try {
    message = deserializeMessage(line);
  } catch {
    return undefined;
  }
  const content = exactContent(line);
  return content === undefined ? message : withContent(message, content);
}

/** The structured content of a message where integers in it would lose digits. */
function exactContent(text: string): unknown {
  if (!/\d{16}/.test(text) || !text.includes('"structuredContent"')) return undefined;
  try {
    const message = parseExactJson(text) as { result?: { structuredContent?: unknown } };
    return message.result?.structuredContent;
  } catch {
    return undefined; // It is no JSON: whoever reads it says so.
  }
}

const withContent = (message: Message, structuredContent: unknown): Message =>
  'result' in message ? { ...message, result: { ...message.result, structuredContent } } : message;

/** Reads the answers of an address as `MessageBuffer` reads the output of a process. */
export class ExactAnswers {
  readonly #bytesMax: number;
  readonly #contents = new Map<unknown, unknown>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Before a transport is used; `fetch` is what it asks by. */
  fetchBy(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      const response = await fetch(input, init);
      const { body, status, statusText, headers } = response;
      const type = headers.get('content-type') ?? '';
      if (!body || !/json|event-stream/.test(type)) {
        const most = this.#bytesMax;
        return boundedBody(response, most, () => new Error(`it is larger than ${most} bytes`));
      }
      const lines = body.pipeThrough(this.#reading(/json/.test(type)));
      return new Response(lines, { status, statusText, headers });
    };
  }

  /** Gives the exact content to messages that this transport has read. */
  complete(transport: Transport): void {
    const hear = transport.onmessage;
    transport.onmessage = (message, extra) => {
      const key = 'id' in message ? message.id : undefined;
      const content = this.#contents.get(key);
      this.#contents.delete(key);
      hear?.(content === undefined ? message : withContent(message, content), extra);
    };
  }

  #reading(isJson: boolean): TransformStream<Uint8Array, Uint8Array> {
    const lines = new Lines(this.#bytesMax);
    const encoder = new TextEncoder();
    const send = (line: string, end: string): Uint8Array => {
      this.#note(isJson ? line : line.replace(/^data: ?/, ''));
      return encoder.encode(line + end);
    };
    return new TransformStream({
      transform(piece, controller) {
        if (isJson) lines.add(piece);
        else for (const line of lines.take(piece)) controller.enqueue(send(line, '\n'));
      },
      flush: (controller) => {
        controller.enqueue(send(lines.end(), ''));
      },
    });
  }

  #note(text: string): void {
    const content = exactContent(text);
    if (content === undefined) return;
    const { id: key } = JSON.parse(text);
    this.#contents.set(key, content);
  }
}

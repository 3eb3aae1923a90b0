/**
 * A model on the loopback interface that says what it was told to say, at a pace: in the wire format
 * of OpenAI, the k-th request has the k-th reply, in as many even pieces as it has words.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

export interface Reply {
  readonly text: string;
  /** From the request to the last word, milliseconds. */
  readonly ms: number;
}

export interface PacedServer {
  /** What leads the provider `openai` here. */
  readonly env: Readonly<Record<string, string>>;
  /** The next request gets the first of these. Not `streamed`: each comes whole, at its end. */
  say(replies: readonly Reply[], streamed: boolean): void;
  close(): void;
}

/** `wrote` hears of each piece as it goes out. */
export async function pacedServer(wrote: (piece: string) => void = () => {}): Promise<PacedServer> {
  let left: Reply[] = [];
  let streamed = true;
  const server = createServer(async (request, response) => {
    const begun = performance.now();
    request.resume();
    const reply = left.shift();
    if (!reply) response.writeHead(500).end('{"error":{"message":"no reply is left"}}');
    else await write(reply, response, { begun, streamed, wrote });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'none' },
    say(replies, inPieces) {
      left = [...replies];
      streamed = inPieces;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Pace {
  readonly begun: number;
  readonly streamed: boolean;
  readonly wrote: (piece: string) => void;
}

async function write(
  { text, ms }: Reply,
  response: ServerResponse,
  { begun, streamed, wrote }: Pace,
): Promise<void> {
  const until = (at: number): Promise<void> => after(Math.max(0, begun + at - performance.now()));
  const send = (data: unknown): void => {
    response.write(
      `data: ${JSON.stringify({ id: 'c', created: 0, model: 'paced', ...Object(data) })}\n\n`,
    );
  };
  const delta = (content: string): void => {
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = streamed ? piecesOf(text) : [text];
  for (const [i, piece] of pieces.entries()) {
    await until((ms * (i + 1)) / pieces.length);
    delta(piece);
    wrote(piece);
  }
  const usage = { prompt_tokens: 100, completion_tokens: pieces.length, total_tokens: 0 };
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
  response.end('data: [DONE]\n\n');
}

export const piecesOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

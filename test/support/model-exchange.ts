/** What a model server is asked and answers, in the same shape for every provider. */
import type { IncomingHttpHeaders } from 'node:http';

/** One request as the server saw it, in the same shape for every provider. */
export interface ServedRequest {
  readonly provider: 'openai' | 'anthropic' | 'google';
  readonly kind: 'chat' | 'embeddings';
  readonly model: string;
  /** With the system prompt as first message; empty for embeddings. */
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** The last user message. */
  readonly prompt: string;
  /** The texts to embed; empty for chat. */
  readonly texts: readonly string[];
  readonly streamed: boolean;
  /** The body as sent. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  /** From 0, over all requests. */
  readonly index: number;
  /** Settles when the client goes away before its answer is complete. */
  readonly abandoned: Promise<void>;
}

export interface Answer {
  readonly text: string;
  /** The pieces in which the text is streamed; one per word by default. */
  readonly pieces?: readonly string[];
  /** Tools that it calls behind the text, in the provider's own form. */
  readonly calls?: readonly { readonly name: string; readonly args: object }[];
  /** Before each piece after the first, the server waits for this. */
  readonly gate?: Promise<unknown>;
  /** In OpenAI's words; translated for the others. */
  readonly finish?: 'stop' | 'length' | 'content_filter';
  /** Null leaves the counts out. Default: 10 in, 5 out. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
  } | null;
  /** Sends this error inside the stream, after the text, instead of the end. */
  readonly errorInside?: { readonly message: string; readonly type?: string };
  /** Ends the response cleanly after the text, without saying that it is complete. */
  readonly unfinished?: true;
  /** Destroys the connection after this many bytes of the body. */
  readonly cutAfterBytes?: number;
  /** Answers in one piece of JSON although a stream was asked for. */
  readonly whole?: true;
}

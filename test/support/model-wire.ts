/**
 * The wire formats of the providers that `model-server.ts` speaks: how a request is read, and how
 * an answer, an error and a vector are written.
 */
import type { Answer, ServedRequest } from './model-exchange.ts';

export interface Dialect {
  readonly request: Pick<
    ServedRequest,
    'provider' | 'kind' | 'model' | 'messages' | 'prompt' | 'texts' | 'streamed'
  >;
  readonly body: unknown;
  whole(answer: Answer): unknown;
  /** Server-sent events before and after the pieces of the text. */
  frames(answer: Answer): { readonly opening: string[]; readonly closing: string[] };
  piece(text: string): string;
  error(status: number, message: string, code?: string): unknown;
  embeddings(vectors: readonly (readonly number[])[]): unknown;
}

interface Fields {
  readonly [key: string]: unknown;
}

const defaultUsage: NonNullable<Answer['usage']> = { input: 10, output: 5 };

/** Which provider is spoken to, told by the path; undefined for a path that none of them has. */
export function dialectOf(path: string, body: Fields): Dialect | undefined {
  if (path.endsWith('/chat/completions')) return openai(body);
  if (path.endsWith('/embeddings')) return openaiEmbeddings(body);
  if (path.endsWith('/v1/messages')) return anthropic(body);
  const google = /\/models\/([^/:]+):(\w+)/.exec(path);
  if (google) return googleDialect(String(google[1]), String(google[2]), body);
  return undefined;
}

const data = (event: unknown): string => `data: ${JSON.stringify(event)}\n\n`;

const lastUser = (messages: readonly { role: string; content: string }[]): string =>
  messages.findLast(({ role }) => role === 'user')?.content ?? '';

/** The text of a content that is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: Fields) => String(part.text ?? '')).join('');
}

function openai(body: Fields): Dialect {
  const messages = (body.messages as Fields[]).map(({ role, content }) => ({
    role: String(role),
    content: textOf(content),
  }));
  const base = { id: 'chat-1', created: 1, model: body.model };
  const chunk = (delta: unknown, finish: string | null = null): string =>
    data({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const usageOf = ({ usage = defaultUsage }: Answer): unknown =>
    usage && {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    };
  return {
    request: chat('openai', String(body.model), messages, body.stream === true),
    body,
    whole: (answer) => ({
      ...base,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: answer.text },
          finish_reason: answer.finish ?? 'stop',
        },
      ],
      usage: usageOf(answer),
    }),
    frames: (answer) => ({
      opening: [chunk({ role: 'assistant', content: '' })],
      closing: ending(answer, data({ error: answer.errorInside }), [
        ...callsOf(answer).map(({ id, name, args, index }) => {
          const called = { name, arguments: JSON.stringify(args) };
          return chunk({ tool_calls: [{ index, id, type: 'function', function: called }] });
        }),
        chunk({}, answer.finish ?? (answer.calls ? 'tool_calls' : 'stop')),
        ...(answer.usage === null ? [] : [data({ ...base, choices: [], usage: usageOf(answer) })]),
        'data: [DONE]\n\n',
      ]),
    }),
    piece: (content) => chunk({ content }),
    error: (_status, message, code) => ({ error: { message, type: 'error', code: code ?? null } }),
    embeddings: () => ({}),
  };
}

function openaiEmbeddings(body: Fields): Dialect {
  const texts = [body.input].flat().map(String);
  return {
    ...openai({ ...body, messages: [] }),
    request: embeddings('openai', String(body.model), texts),
    body,
    embeddings: (vectors) => ({
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: texts.length, total_tokens: texts.length },
    }),
  };
}

function anthropic(body: Fields): Dialect {
  const messages = [
    ...(body.system === undefined ? [] : [{ role: 'system', content: textOf(body.system) }]),
    ...(body.messages as Fields[]).map(({ role, content }) => ({
      role: String(role),
      content: textOf(content),
    })),
  ];
  const reasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' };
  const event = (type: string, rest: Fields): string =>
    `event: ${type}\n${data({ type, ...rest })}`;
  const start = { id: 'msg-1', type: 'message', role: 'assistant', model: body.model };
  const inputOf = ({ usage }: Answer): Fields => ({ input_tokens: (usage ?? defaultUsage).input });
  const outputOf = ({ usage }: Answer): number => (usage ?? defaultUsage).output;
  return {
    request: chat('anthropic', String(body.model), messages, body.stream === true),
    body,
    whole: (answer) => ({
      ...start,
      content: [{ type: 'text', text: answer.text }],
      stop_reason: reasons[answer.finish ?? 'stop'],
      stop_sequence: null,
      usage: { ...inputOf(answer), output_tokens: outputOf(answer) },
    }),
    frames: (answer) => ({
      opening: [
        event('message_start', {
          message: {
            ...start,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...inputOf(answer), output_tokens: 1 },
          },
        }),
        event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ],
      closing: ending(
        answer,
        event('error', { error: { type: 'api_error', ...answer.errorInside } }),
        [
          event('content_block_stop', { index: 0 }),
          ...callsOf(answer).flatMap(({ id, name, args, index }) => {
            const delta = { type: 'input_json_delta', partial_json: JSON.stringify(args) };
            const block = { type: 'tool_use', id, name, input: {} };
            return [
              event('content_block_start', { index: index + 1, content_block: block }),
              event('content_block_delta', { index: index + 1, delta }),
              event('content_block_stop', { index: index + 1 }),
            ];
          }),
          event('message_delta', {
            delta: {
              stop_reason:
                !answer.finish && answer.calls ? 'tool_use' : reasons[answer.finish ?? 'stop'],
              stop_sequence: null,
            },
            usage: { output_tokens: outputOf(answer) },
          }),
          event('message_stop', {}),
        ],
      ),
    }),
    piece: (text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    error: (_status, message, code) => ({
      type: 'error',
      error: { type: code ?? 'error', message },
    }),
    embeddings: () => ({}),
  };
}

function googleDialect(model: string, method: string, body: Fields): Dialect {
  const contents = (body.contents ?? []) as Fields[];
  const system = body.systemInstruction as Fields | undefined;
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: textOf(system.parts) }]),
    ...contents.map(({ role, parts }) => ({
      role: role === 'model' ? 'assistant' : 'user',
      content: textOf(parts),
    })),
  ];
  const reasons = { stop: 'STOP', length: 'MAX_TOKENS', content_filter: 'SAFETY' };
  const whole = (answer: Answer, text: string): unknown => ({
    candidates: [
      {
        content: { role: 'model', parts: [{ text }] },
        finishReason: reasons[answer.finish ?? 'stop'],
        index: 0,
      },
    ],
    ...(answer.usage !== null && {
      usageMetadata: {
        promptTokenCount: (answer.usage ?? defaultUsage).input,
        candidatesTokenCount: (answer.usage ?? defaultUsage).output,
      },
    }),
  });
  const texts = ((body.requests ?? [body]) as Fields[]).map(({ content }) =>
    textOf((content as Fields | undefined)?.parts),
  );
  const request = method.toLowerCase().includes('embed')
    ? embeddings('google', model, texts)
    : chat('google', model, messages, method === 'streamGenerateContent');
  const errorOf = (code: number, message: string, status = 'ERROR'): unknown => ({
    error: { code, message, status },
  });
  return {
    request,
    body,
    whole: (answer) => whole(answer, answer.text),
    frames: (answer) => ({
      opening: [],
      closing: ending(
        answer,
        data(errorOf(503, answer.errorInside?.message ?? '', answer.errorInside?.type)),
        [
          ...callsOf(answer).map(({ name, args }) => {
            const parts = [{ functionCall: { name, args } }];
            return data({ candidates: [{ content: { role: 'model', parts } }] });
          }),
          data(whole(answer, '')),
        ],
      ),
    }),
    piece: (text) => data({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }),
    error: errorOf,
    embeddings: (vectors) =>
      method === 'embedContent'
        ? { embedding: { values: vectors[0] } }
        : { embeddings: vectors.map((values) => ({ values })) },
  };
}

/** The calls of an answer with ids, as a provider gives them. */
const callsOf = ({ calls = [] }: Answer) =>
  calls.map(({ name, args }, index) => ({ id: `call-${index + 1}`, name, args, index }));

function ending(answer: Answer, error: string, complete: string[]): string[] {
  if (answer.errorInside !== undefined) return [error];
  return answer.unfinished ? [] : complete;
}

function chat(
  provider: ServedRequest['provider'],
  model: string,
  messages: ServedRequest['messages'],
  streamed: boolean,
): Dialect['request'] {
  return {
    provider,
    kind: 'chat',
    model,
    messages,
    prompt: lastUser([...messages]),
    texts: [],
    streamed,
  };
}

function embeddings(
  provider: ServedRequest['provider'],
  model: string,
  texts: readonly string[],
): Dialect['request'] {
  return { provider, kind: 'embeddings', model, messages: [], prompt: '', texts, streamed: false };
}

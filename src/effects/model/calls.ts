/** Tool calls in the form of the `ai` package: what is offered, was called, and came of it. */
import type { FilePart, ModelMessage, ToolCallPart, ToolSet } from 'ai';
import type { Message, ToolCall, ToolOffer } from './model.ts';
import type { Picture } from './pictures.ts';

/** Without anything that performs them: the package gives the calls back and ends. */
export async function offeredTools(offers: readonly ToolOffer[]): Promise<ToolSet> {
  const { jsonSchema, tool } = await import('ai');
  return Object.fromEntries(
    offers.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema({ ...parameters } as SchemaOf) }),
    ]),
  );
}

type SchemaOf = Parameters<typeof import('ai').jsonSchema>[0];

interface CallPart {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerMetadata?: unknown;
}

export const callOf = ({ toolCallId, toolName, input, providerMetadata }: CallPart): ToolCall => ({
  ...{ id: toolCallId, name: toolName, args: input },
  ...(providerMetadata !== undefined && { meta: providerMetadata }),
});

/** A message as the package takes it. */
export function asModelMessage(message: Message): ModelMessage {
  const made = withCalls(message);
  return message.keep ? { ...made, providerOptions: kept } : made;
}

/** Anthropic keeps the beginning of a prompt where it is told to; others do so by themselves. */
const kept = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function withCalls({ role, content, calls = [], answers, pictures = [] }: Message): ModelMessage {
  if (role === 'user' && pictures.length > 0) {
    return { role, content: [{ type: 'text', text: content }, ...pictures.map(picturePart)] };
  }
  if (role === 'tool') {
    const { id = '', name = '' } = answers ?? {};
    const output = { type: 'text', value: content } as const;
    const part = { type: 'tool-result', toolCallId: id, toolName: name, output } as const;
    return { role, content: [part] };
  }
  if (role !== 'assistant' || calls.length === 0) return { role, content };
  const text = content === '' ? [] : [{ type: 'text', text: content } as const];
  return { role, content: [...text, ...calls.map(callPart)] };
}

const picturePart = ({ mediaType, data }: Picture): FilePart => ({
  ...{ type: 'file', mediaType, data },
});

/** Providers refuse a conversation with arguments of another form, also of their own model's. */
const asObject = (args: unknown): object =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? args : { arguments: args };

const callPart = ({ id, name, args, meta }: ToolCall): ToolCallPart => ({
  ...{ type: 'tool-call', toolCallId: id, toolName: name, input: asObject(args) },
  ...(meta !== undefined && {
    providerOptions: meta as NonNullable<ToolCallPart['providerOptions']>,
  }),
});

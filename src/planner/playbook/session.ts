/**
 * What the model of a frame has been told and has replied: data that the loop keeps, and the
 * messages that are made of it. An entry becomes the same text every time, so that what a provider
 * has kept of the beginning of a conversation stays valid.
 */
import { z } from 'zod';
import type { Kept, Message } from '../../effects/model/model.ts';
import { stringify } from '../../program/json.ts';
import { shortened, shownMax } from '../prompt.ts';

export type Entry =
  /**
   * What the model was asked, marks of the lines that it was shown of variables then, by name, and
   * the name of the conversation.
   */
  | {
      readonly is: 'turn';
      readonly text: string;
      readonly shown: Readonly<Record<string, string>>;
      readonly session?: string | undefined;
    }
  | { readonly is: 'reply'; readonly text: string; readonly used?: Used | undefined }
  | { readonly is: 'results'; readonly calls: readonly CallResult[] }
  /** `from`: of several people, who has written it. */
  | { readonly is: 'user'; readonly text: string; readonly from?: string }
  | { readonly is: 'problem' | 'note'; readonly text: string }
  /** What another agent has said. */
  | { readonly is: 'agent'; readonly from: string; readonly text: string }
  /** What stands for entries that were too many. */
  | { readonly is: 'recap' | 'summary'; readonly text: string };

/** What a reply took by its provider's count, beside what had been estimated. */
export interface Used {
  readonly input: number;
  readonly output: number;
  /** Of the prompt, before it was sent. */
  readonly estimated: number;
  /** Of the input, what the provider had kept; absent where it does not say. */
  readonly kept?: Kept | undefined;
}

export interface CallResult {
  readonly callee: string;
  readonly into?: string | null | undefined;
  readonly ok: boolean;
  readonly value?: unknown;
  /** In place of a long value: how its text begins, and how long that is. */
  readonly about?: { readonly start: string; readonly size: number } | undefined;
  readonly error?: unknown;
}

const call = z.object({
  callee: z.string(),
  into: z.string().nullish(),
  ok: z.boolean().default(true),
  value: z.unknown().optional(),
  about: z.object({ start: z.string(), size: z.number() }).optional(),
  error: z.unknown().optional(),
});

const used = z.object({
  input: z.number(),
  output: z.number(),
  estimated: z.number(),
  kept: z.object({ tokens: z.number(), price: z.number() }).optional(),
});

const plain = ['problem', 'note', 'recap', 'summary'] as const;

export const entryShape: z.ZodType<Entry> = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('turn'),
    text: z.string(),
    shown: z.record(z.string(), z.string()),
    session: z.string().optional(),
  }),
  z.object({ is: z.literal('reply'), text: z.string(), used: used.optional() }),
  z.object({ is: z.literal('results'), calls: z.array(call) }),
  z.object({ is: z.literal('agent'), from: z.string(), text: z.string() }),
  z.object({ is: z.literal('user'), text: z.string(), from: z.string().optional() }),
  z.object({ is: z.enum(plain), text: z.string() }),
]) as z.ZodType<Entry>;

/** Entries between two replies are one message. */
export function sessionMessages(entries: readonly Entry[]): Message[] {
  const messages: Message[] = [];
  for (const entry of entries) {
    const role = entry.is === 'reply' ? 'assistant' : 'user';
    const content = entryText(entry);
    const last = messages.at(-1);
    if (content === '') continue;
    if (last?.role === role) {
      messages[messages.length - 1] = { role, content: `${last.content}\n\n${content}` };
    } else messages.push({ role, content });
  }
  return messages;
}

/** Results that are larger are shown in short: they are in their variables. */
const resultMax = 2000;

export function entryText(entry: Entry): string {
  switch (entry.is) {
    case 'turn':
    case 'note':
    case 'recap':
    case 'summary':
      return entry.text;
    case 'reply':
      return entry.text.trim();
    case 'results':
      return entry.calls.length === 0
        ? ''
        : ['Results:', ...entry.calls.map(resultLine)].join('\n');
    case 'user':
      return `${entry.from ?? 'The person'} wrote: ${JSON.stringify(entry.text)}`;
    case 'agent':
      return `${entry.from} said: ${JSON.stringify(entry.text)}`;
    case 'problem':
      return (
        `Your last reply could not be taken further: ${entry.text}\n` +
        'What stands before that is done and must not be repeated.'
      );
  }
}

function resultLine(result: CallResult): string {
  const { callee, into, ok, error } = result;
  const target = into ? ` into ${into}` : '';
  if (!ok) return `- ${callee}${target} failed: ${failureText(error)}`;
  return `- ${callee}${target}: ${resultText(result, resultMax)}`;
}

/** What was returned, as text of at most so many characters. */
export function resultText({ value, about }: CallResult, most: number = shownMax): string {
  if (!about) return shortened(stringify(value ?? null), most);
  const start = about.start.slice(0, most);
  return `${start} … (${about.size - start.length} more characters)`;
}

const failureText = (error: unknown): string =>
  typeof error === 'string'
    ? error
    : shortened(stringify(error ?? 'no reason was given'), resultMax);

/** Marks of what was shown last of each variable, by its name as written. */
export function shownIn(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const shown = entries.flatMap((entry) =>
    entry.is === 'turn' ? Object.entries(entry.shown) : [],
  );
  return new Map(shown);
}

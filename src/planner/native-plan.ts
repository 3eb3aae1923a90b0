/**
 * Programs in JSON as structured output. A conversation of a control loop asks for text, so that it
 * serves every model; for one that can be held to a schema its phrases on the form of the reply
 * are replaced by shorter ones, and the schema has a key for each thing that they ask for. Replies
 * in either form are read as text.
 */
import type { AnyDialect } from '../dialects/index.ts';
import type { Message, RequestForm } from '../effects/model/model.ts';
import type { JsonSchema } from '../program/effect.ts';
import { type JsonObject, member, stringOf } from '../text/json-node.ts';
import { readModelJson } from '../text/json-text.ts';
import { answerOf } from '../text/model-text.ts';

/** Part of a prompt that says what form a reply has. */
export interface FormPhrase {
  readonly text: string;
  /** For a model that is held to a schema. */
  readonly native: string;
  /** What the schema has for it, beside the reasoning. */
  readonly keys: readonly ReplyKey[];
}

type ReplyKey = 'scope' | 'program' | 'answer' | 'impossible' | 'tools' | 'look';

/** The word with which a model begins to say why no program can reach the goal. */
export const refusalWord = 'IMPOSSIBLE';

/** The word with which a model asks for more tools. */
export const toolsWord = 'TOOLS';

/** The word with which a model asks to see a value. */
export const lookWord = 'LOOK';

/** What a reply asks to see with such a word, line by line; empty where it writes anything else. */
export function askedWith(word: string, reply: string): readonly string[] {
  const asking = new RegExp(`^[-*>\\s\`]*${word}\\b[:\\s]*(.*?)\`?$`);
  const lines = answerOf(reply)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('```'));
  const asked = lines.flatMap((line) => asking.exec(line)?.[1] ?? []);
  return asked.length < lines.length ? [] : asked;
}

const text: JsonSchema = { type: 'string' };

/** In the order in which a model writes them. */
const propertiesFor = (program: JsonSchema): Readonly<Record<ReplyKey, JsonSchema>> => ({
  scope: { type: 'string', enum: ['STEP', 'REST', 'PLAN'] },
  program,
  answer: text,
  impossible: text,
  tools: text,
  look: { type: 'array', items: text },
});

/** Undefined for programs that are not JSON, and for conversations that ask in other phrases. */
export function nativePlan(
  messages: readonly Message[],
  { replySchema }: AnyDialect,
  phrases: readonly FormPhrase[],
): RequestForm | undefined {
  if (!replySchema) return undefined;
  const isIn = ({ text }: FormPhrase): boolean =>
    messages.some(({ role, content }) => role !== 'assistant' && content.includes(text));
  const found = phrases.filter(isIn);
  const asked = new Set(found.flatMap(({ keys }) => keys));
  if (!asked.has('program')) return undefined;
  const properties = Object.entries(propertiesFor(replySchema)).filter(([key]) =>
    asked.has(key as ReplyKey),
  );
  const inNative = (content: string): string =>
    found.reduce((words, { text, native }) => words.replace(text, () => native), content);
  return {
    messages: messages.map((message) =>
      message.role === 'assistant' ? message : { ...message, content: inNative(message.content) },
    ),
    format: {
      kind: 'json',
      schema: {
        type: 'object',
        properties: { reasoning: text, ...Object.fromEntries(properties) },
        required: ['reasoning'],
        additionalProperties: false,
      },
    },
  };
}

export interface PlanReply {
  /** What the reply holds beside its reasoning, as a reply in text has it. */
  readonly text: string;
  /** Whether that is an answer in words, whatever they look like. */
  readonly isWords: boolean;
}

/** A reply in text is itself. */
export function planReply(reply: string, { replySchema }: AnyDialect): PlanReply {
  const isObject = replySchema && /^(?:```\w*)?\s*\{/.test(answerOf(reply));
  const node = isObject && readModelJson(reply, 'object').node;
  const inText = node && node.kind === 'object' ? textForm(node, reply) : undefined;
  return inText ?? { text: reply, isWords: false };
}

function textForm(node: JsonObject, reply: string): PlanReply | undefined {
  const words = (key: ReplyKey): string => (stringOf(member(node, key)) ?? '').trim();
  const program = member(node, 'program');
  if (program?.kind === 'array' && program.items.length > 0) {
    const scope = words('scope');
    const written = reply.slice(program.start, program.end);
    return { text: scope === '' ? written : `${scope}\n${written}`, isWords: false };
  }
  const answer = words('answer');
  if (answer !== '') return { text: answer, isWords: true };
  const impossible = words('impossible');
  if (impossible !== '') return { text: `${refusalWord}: ${impossible}`, isWords: false };
  const tools = words('tools').replace(/(?<!\s)\s*\n\s*/g, ', ');
  if (tools !== '') return { text: `${toolsWord} ${tools}`, isWords: false };
  const look = member(node, 'look');
  const looks = look?.kind === 'array' ? look.items.map(stringOf) : [words('look')];
  const lines = looks.filter(Boolean);
  if (lines.length === 0) return undefined;
  return { text: lines.map((line) => `${lookWord} ${line}`).join('\n'), isWords: false };
}

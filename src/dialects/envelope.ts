/**
 * Replies of providers as their interfaces send them: JSON around the text that a model wrote. Who
 * saves one to a file and runs it means the program inside.
 */
import type { Diagnostic } from '../program/diagnostic.ts';

/** What a model wrote, out of the document that brought it. */
export interface Opened {
  readonly text: string;
  /** Where it stood, as a path: `choices[0].message.content`. */
  readonly path: string;
  /** The provider's own word for a text that met the limit of tokens. */
  readonly cut?: string;
}

/** Undefined for every other text. */
export function openEnvelope(text: string): Opened | undefined {
  const start = text.trimStart();
  // Most texts are none, and need not be read for that.
  if (!start.startsWith('{') || !mayBe.test(start)) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(start);
  } catch {
    return undefined;
  }
  for (const open of shapes) {
    const opened = open(data);
    if (opened) return opened;
  }
  return undefined;
}

/** What is to be said of it, with its place: none, as it is about the file as a whole. */
export function saidOf({ path, cut }: Opened): Diagnostic {
  const where = { line: 0, column: 0 };
  if (cut === undefined) {
    const took = `took the program in ${path}, lines are its own`;
    const message = `the text is the reply of a provider; ${took}`;
    return { code: 'PV2004', severity: 'warning', message, ...where };
  }
  return {
    ...{ code: 'PV2005', severity: 'error', ...where },
    message: `the reply was cut short by its limit of tokens (${cut}), so ${path} may not be whole`,
    hint: 'a program cut short is never run: ask for all of it, with a larger limit',
  };
}

const mayBe = /"(choices|content|candidates|message|output|response)"\s*:/;

type Shape = (data: unknown) => Opened | undefined;

const shapes: readonly Shape[] = [chat, messages, candidates, responses, local];

/** OpenAI's chat completions, and what speaks like them. */
function chat(data: unknown): Opened | undefined {
  const [first] = listIn(data, 'choices');
  const reason = textIn(first, 'finish_reason');
  const message = member(first, 'message');
  const path = 'choices[0].message.content';
  const own = contentOf(member(message, 'content'), path);
  return own ?? openedIf(textIn(first, 'text'), 'choices[0].text', reason);

  function contentOf(content: unknown, at: string): Opened | undefined {
    if (typeof content === 'string') return openedIf(content, at, reason);
    const parts = Array.isArray(content) ? content.map((part) => textIn(part, 'text')) : [];
    return openedIf(joined(parts), `${at}[].text`, reason);
  }
}

/** Anthropic's messages; what is no text is thinking or a call of a tool. */
function messages(data: unknown): Opened | undefined {
  if (textIn(data, 'role') !== 'assistant') return undefined;
  const texts = listIn(data, 'content').map((part) =>
    textIn(part, 'type') === 'text' ? textIn(part, 'text') : undefined,
  );
  return openedIf(joined(texts), 'content[].text', textIn(data, 'stop_reason'));
}

/** Google's generated content; thoughts stand among its parts. */
function candidates(data: unknown): Opened | undefined {
  const [first] = listIn(data, 'candidates');
  const texts = listIn(member(first, 'content'), 'parts').map((part) =>
    member(part, 'thought') === true ? undefined : textIn(part, 'text'),
  );
  const path = 'candidates[0].content.parts[].text';
  return openedIf(joined(texts), path, textIn(first, 'finishReason'));
}

/** OpenAI's responses. */
function responses(data: unknown): Opened | undefined {
  const texts = listIn(data, 'output').flatMap((item) =>
    listIn(item, 'content').map((part) =>
      textIn(part, 'type') === 'output_text' ? textIn(part, 'text') : undefined,
    ),
  );
  const reason = textIn(member(data, 'incomplete_details'), 'reason');
  return openedIf(joined(texts), 'output[].content[].text', reason);
}

/** Ollama's own, of a chat and of a plain completion. */
function local(data: unknown): Opened | undefined {
  if (typeof member(data, 'done') !== 'boolean' && textIn(data, 'model') === undefined)
    return undefined;
  const reason = textIn(data, 'done_reason');
  const said = openedIf(textIn(member(data, 'message'), 'content'), 'message.content', reason);
  return said ?? openedIf(textIn(data, 'response'), 'response', reason);
}

const cutShort: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'MAX_TOKENS',
  'max_output_tokens',
]);

function openedIf(
  text: string | undefined,
  path: string,
  reason: string | undefined,
): Opened | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  return reason !== undefined && cutShort.has(reason)
    ? { text, path, cut: reason }
    : { text, path };
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const some = texts.filter((text) => text !== undefined);
  return some.length === 0 ? undefined : some.join('');
}

function member(data: unknown, name: string): unknown {
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject ? Reflect.get(data, name) : undefined;
}

function listIn(data: unknown, name: string): readonly unknown[] {
  const value = member(data, name);
  return Array.isArray(value) ? value : [];
}

function textIn(data: unknown, name: string): string | undefined {
  const value = member(data, name);
  return typeof value === 'string' ? value : undefined;
}

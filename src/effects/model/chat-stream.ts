/**
 * The event stream of a server that speaks OpenAI's format, in the form that the provider's package
 * reads. Servers leave `choices` out or send null, and tell an error as a text or as an object of
 * their own. The package would take all of these for broken answers.
 */

/** Longest text of an error that is also looked at for its kind. */
const kindCharactersMax = 200;

/** The same response with each event in the form of the package. */
export function readableChat(response: Response): Response {
  if (response.body === null) return response;
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(lineStream())
    .pipeThrough(new TextEncoderStream());
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

/** Changes whole lines; what is not a line of an event stream is the text of an error. */
function lineStream(): TransformStream<string, string> {
  let pieces: string[] = [];
  let plain = '';
  const take = (line: string, controller: TransformStreamDefaultController<string>): void => {
    if (/^(?:data|event|id|retry)?:|^\s*$/.test(line))
      controller.enqueue(`${readableLine(line)}\n`);
    else plain += `${line}\n`;
  };
  return new TransformStream({
    transform(text, controller) {
      const lines = text.split('\n');
      const last = lines.pop() ?? '';
      if (lines.length > 0) {
        lines[0] = pieces.join('') + lines[0];
        pieces = [];
      }
      pieces.push(last);
      for (const line of lines) take(line.replace(/\r$/, ''), controller);
    },
    flush(controller) {
      if (pieces.join('') !== '') take(pieces.join(''), controller);
      if (plain !== '') controller.enqueue(`\ndata: ${readableEvent(plain.trim())}\n\n`);
    },
  });
}

function readableLine(line: string): string {
  const data = /^data: ?(.*)$/s.exec(line)?.[1];
  if (data === undefined || data.trim() === '' || data.trim() === '[DONE]') return line;
  return `data: ${readableEvent(data)}`;
}

/** One event as the package reads it; JSON that is broken stays as it is. */
function readableEvent(text: string): string {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return /^\s*[{[]/.test(text) ? text.replaceAll(/\r?\n/g, ' ') : errorEvent(text);
  }
  if (typeof event === 'string') return errorEvent(event);
  if (!isFields(event)) return text;
  const { error, choices, ...fields } = event;
  if (isFields(error)) return isText(error.message) ? JSON.stringify(event) : errorEvent(error);
  if (isText(error)) return errorEvent(error);
  const list = Array.isArray(choices) ? choices.filter(isFields) : undefined;
  if (list !== undefined) return JSON.stringify({ ...fields, choices: list.map(readableChoice) });
  const message = fields.message ?? fields.detail;
  if (message !== undefined && message !== null) return errorEvent(message, fields);
  return JSON.stringify({ ...fields, choices: [] });
}

function readableChoice({ message, ...choice }: Fields): Fields {
  return { ...choice, delta: choice.delta ?? message };
}

function errorEvent(error: unknown, { type, code }: Fields = {}): string {
  const message = isText(error) ? error : JSON.stringify(error);
  const kind = [type, message.length > kindCharactersMax ? '' : message].filter(isText).join(' ');
  return JSON.stringify({ error: { message, type: kind, code: isCode(code) ? code : null } });
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isCode = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/**
 * A small server of MCP over stdio: the catalogue of a library. It is written against the wire and
 * needs no package; https://modelcontextprotocol.io says what the messages are. One of its tools
 * asks back before it reserves a book.
 */
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly arguments?: Readonly<Record<string, string>>;
  };
  /** What the client says to a question. */
  readonly result?: {
    readonly action?: string;
    readonly content?: { readonly days?: number };
  };
}

const branch = process.env.LIBRARY_BRANCH;
const books = [
  { title: 'Tides and Currents', shelf: 12 },
  { title: 'A History of Tides', shelf: 31 },
  { title: 'Lighthouses', shelf: 7 },
];

const title = { type: 'string', description: 'The whole title.' };
const tools = [
  {
    name: 'find_books',
    description: 'Finds books whose title holds a word.',
    inputSchema: {
      type: 'object',
      properties: { word: { type: 'string', description: 'Any part of the title.' } },
      required: ['word'],
    },
    outputSchema: {
      type: 'object',
      properties: { books: { type: 'array', items: { type: 'object' } } },
      required: ['books'],
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'reserve',
    description: 'Reserves a book at the desk.',
    inputSchema: { type: 'object', properties: { title }, required: ['title'] },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  {
    name: 'remove',
    description: 'Takes a book out of the catalogue for good.',
    inputSchema: { type: 'object', properties: { title }, required: ['title'] },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
];
const hours = { uri: 'library://hours', name: 'Opening hours', mimeType: 'text/plain' };

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said: string): object => ({ content: [{ type: 'text', text: said }] });

let asked = 0;
const waiting = new Map<string, (answer: Message) => void>();

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  const { id, method, params = {} } = message;
  const answer = (result: object): void => send({ id, result });
  if (method === undefined) waiting.get(String(id))?.(message);
  else if (method === 'initialize') {
    answer({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'library', version: '1.0.0' },
    });
  } else if (method === 'tools/list') answer({ tools });
  else if (method === 'resources/list') answer({ resources: [hours] });
  else if (method === 'resources/read') {
    answer({ contents: [{ ...hours, text: `The ${branch} branch is open from 9 to 17.` }] });
  } else if (method === 'tools/call') call(params.name, params.arguments ?? {}, answer);
  else if (id !== undefined) send({ id, error: { code: -32601, message: `no ${method} here` } });
});

function call(
  name: string | undefined,
  { word = '', title = '' }: Readonly<Record<string, string>>,
  answer: (result: object) => void,
): void {
  const book = books.find((one) => one.title === title);
  const found = books.filter((one) => one.title.toLowerCase().includes(word.toLowerCase()));
  if (name === 'find_books') {
    answer({ ...text(JSON.stringify(found)), structuredContent: { books: found } });
  } else if (!book) answer({ ...text(`there is no book ${title}`), isError: true });
  else if (name === 'remove') {
    books.splice(books.indexOf(book), 1);
    answer(text(`${title} is no longer in the catalogue`));
  } else ask(book.title, answer);
}

/** Nothing is reserved before the person has said for how long. */
function ask(title: string, answer: (result: object) => void): void {
  const id = `days-${++asked}`;
  waiting.set(id, ({ result }) => {
    const days = result?.action === 'accept' ? result.content?.days : undefined;
    answer(text(days === undefined ? 'not reserved' : `${title} is kept for ${days} days`));
  });
  const days = { type: 'integer', minimum: 1, maximum: 28, description: 'How many days.' };
  const requestedSchema = { type: 'object', properties: { days }, required: ['days'] };
  const message = `For how many days is ${title} to be kept?`;
  send({ id, method: 'elicitation/create', params: { message, requestedSchema } });
}

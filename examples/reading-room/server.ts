/**
 * A small server of MCP over stdio that finds books. It is written against the wire and needs no
 * package; https://modelcontextprotocol.io says what the messages are.
 */
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: { readonly word?: string } };
}

const titles = ['Tides and Currents', 'A History of Tides', 'Lighthouses'];

const tools = [
  {
    name: 'find_books',
    description: `Finds books of the ${process.env.LIBRARY_BRANCH} branch whose title holds a word.`,
    inputSchema: {
      type: 'object',
      properties: { word: { type: 'string', description: 'Any part of the title.' } },
      required: ['word'],
    },
    annotations: { readOnlyHint: true },
  },
];

const capabilities = { tools: {} };
const serverInfo = { name: 'library', version: '1.0.0' };

function resultOf({ method, params }: Message): object | undefined {
  if (method === 'initialize') return { protocolVersion: '2025-06-18', capabilities, serverInfo };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return undefined;
  const word = params?.arguments?.word?.toLowerCase() ?? '';
  const found = titles.filter((title) => title.toLowerCase().includes(word));
  return {
    structuredContent: { titles: found },
    content: [{ type: 'text', text: found.join(', ') }],
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message: Message = JSON.parse(line);
  if (message.id === undefined) continue;
  const result = resultOf(message);
  const error = { code: -32601, message: `no method ${message.method}` };
  const answer = { jsonrpc: '2.0', id: message.id, ...(result ? { result } : { error }) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

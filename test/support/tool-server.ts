/**
 * Tools that a test sees called: a module for `--tools` whose tools ask a server on the loopback
 * interface for their results. What they are answered with, and when, is the test's to say.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolServer {
  readonly env: Readonly<Record<string, string>>;
  /** `search Elbrus`, in the order in which the calls arrived. */
  readonly calls: readonly string[];
  /** Settles once a call has arrived; at once where it has. */
  called(call: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `search` and `look` read, `send` writes, `sum` is pure; each has one text. */
export const toolModule = `
const text = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
const ask = (name) => async ({ query }) => {
  const reply = await fetch(process.env.TOOL_SERVER + '/' + name, { method: 'POST', body: query });
  if (!reply.ok) throw new Error(await reply.text());
  return await reply.json();
};
const tool = (name, effect) =>
  ({ name, description: name + 's.', effect, idempotent: false, parameters: text, run: ask(name) });
export default [
  tool('search', 'read'), tool('look', 'read'), tool('send', 'write'), tool('sum', 'pure'),
];
`;

/** An \`Error\` is the failure of the tool. */
export async function startToolServer(
  answer: (call: string) => unknown = (call) => `found ${call}`,
): Promise<ToolServer> {
  const calls: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const arrival = (call: string): PromiseWithResolvers<void> => {
    const known = waiting.get(call) ?? Promise.withResolvers<void>();
    waiting.set(call, known);
    return known;
  };
  const server = createServer(async (request, response) => {
    let query = '';
    for await (const chunk of request) query += chunk;
    const call = `${request.url?.slice(1)} ${query}`;
    calls.push(call);
    arrival(call).resolve();
    const result = await answer(call);
    if (result instanceof Error) response.writeHead(500).end(result.message);
    else response.end(JSON.stringify(result));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    env: { TOOL_SERVER: `http://127.0.0.1:${port}` },
    calls,
    called: (call) => arrival(call).promise,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

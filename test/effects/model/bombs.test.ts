/** Answers of providers that unpack to more than anybody wants: they are given up early. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openModel } from '../../../src/effects/model/open.ts';
import { attempt } from '../../support/attempt.ts';

/** Half a megabyte. The first bytes are those of an answer that does not end. */
const packed = (head: string): Buffer =>
  Buffer.concat([gzipSync(head), gzipSync(Buffer.alloc(400 * 2 ** 20, 'a'))]);

const bombs: readonly (readonly [string, number, string, Buffer])[] = [
  ['data', 200, 'application/json', packed('{"choices": [{"message": {"content": "')],
  ['a stream', 200, 'text/event-stream', packed('data: {"choices": [{"delta": {"content": "')],
  ['an error', 500, 'text/plain', packed('no')],
];

test.each(bombs)('%s', async (_, status, type, body) => {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type, 'content-encoding': 'gzip' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
  try {
    const messages = [{ role: 'user', content: 'Say hello.' }] as const;
    await expect(
      openModel('openai/gpt-5-mini', { env }).complete({ messages }, attempt()),
    ).rejects.toMatchObject({
      code: 'PV4109',
      message: expect.stringMatching(/answered with more than 67108864 bytes$/),
    });
  } finally {
    server.close();
  }
});

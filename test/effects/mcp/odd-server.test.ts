/** A server that misbehaves fails its call, says why, and is there for the next one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { attempt } from '../../support/attempt.ts';
import { ref } from '../../support/cli.ts';
import { connectTo, newFolder, toolsOf } from '../../support/mcp.ts';

const failure = async (made: Promise<unknown>): Promise<EffectFailure> => {
  const thrown = await made.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof EffectFailure) return thrown;
  throw new Error(`no failure: ${thrown}`);
};

test('one that crashes fails its call with what it said last, and is started again', async () => {
  const odd = await toolsOf();
  const crashed = await failure(odd.call('crash'));
  expect(crashed).toMatchObject({ code: 'PV4804', retryable: true, mayHaveActed: true });
  expect(crashed.message).toContain('it said: out of luck');
  expect(await odd.call('fine')).toBe('fine it is');
});

test('calls beside the one that crashes it fail, too, and can be made again', async () => {
  const odd = await toolsOf();
  const [hung, crashed] = await Promise.all([
    failure(odd.call('hang')),
    failure(odd.call('crash')),
  ]);
  expect([hung.code, crashed.code]).toStrictEqual(['PV4804', 'PV4804']);
});

test('one that ends at once says why, and is not started for ever', async () => {
  const mark = join(newFolder(), 'mark');
  const connection = connectTo({ env: { ODD: 'dies', ODD_MARK: mark } });
  const ask = (): Promise<EffectFailure> =>
    failure(connection.request(attempt(), async (client) => await client.ping()));
  const first = await ask();
  expect(first).toMatchObject({ code: 'PV4803', mayHaveActed: false });
  expect(first.message).toContain('no licence found');
  const codes = [];
  for (let i = 0; i < 4; i++) codes.push((await ask()).code);
  expect(codes).toStrictEqual(['PV4803', 'PV4803', 'PV4803', 'PV4808']);
  expect(readFileSync(mark, 'utf8')).toBe('start\n'.repeat(4));
});

test('one that does not answer is given up after its time to start', async () => {
  const connection = connectTo({ env: { ODD: 'silent' }, policy: { startMs: 300 } });
  const late = await failure(connection.request(attempt(), async (client) => await client.ping()));
  expect(late.message).toContain('it did not answer within 300 ms');
});

test('a command that does not exist is said, and not tried again', async () => {
  const { McpConnection } = await import('../../../src/effects/mcp/connection.ts');
  const { readServers } = await import('../../../src/effects/mcp/config.ts');
  const [server] = readServers('{"mcpServers":{"gone":{"command":"no-such-thing"}}}', 'f');
  if (!server) throw new Error('no server');
  const parts = { server, policy: {}, env: {}, folder: newFolder(), version: '0' };
  const connection = new McpConnection(parts);
  const gone = await failure(connection.request(attempt(), async (client) => await client.ping()));
  expect(gone).toMatchObject({ code: 'PV4803', retryable: false, hint: 'check its command' });
});

test('a call that is given up is cancelled at the server', async () => {
  const mark = join(newFolder(), 'mark');
  const odd = await toolsOf({ env: { ODD_MARK: mark } });
  const context = attempt();
  const hanging = odd.handlers.get('hang')?.perform({}, context);
  while (!readFileSync(mark, 'utf8').includes('hanging')) await odd.call('fine');
  context.abort(new Error('no longer wanted'));
  await expect(hanging).rejects.toThrow('no longer wanted');
  while (!readFileSync(mark, 'utf8').includes('cancelled')) await odd.call('fine');
  expect(readFileSync(mark, 'utf8')).toContain('no longer wanted');
});

test('a result of the largest size arrives, and what is larger fails its call only', async () => {
  const odd = await toolsOf();
  const hung = failure(odd.call('hang'));
  expect(await odd.call('huge', { mega: 15 })).toHaveLength(15 * 2 ** 20);
  const large = await failure(odd.call('huge', { mega: 70 }));
  expect(large).toMatchObject({ code: 'PV4814', retryable: false, answered: true });
  expect(large.hint).toContain('valueBytes');
  expect(await odd.call('fine')).toBe('fine it is');
  await odd.connection.close();
  await hung;
});

test('integers keep their digits, however deep they stand', async () => {
  const odd = await toolsOf();
  expect(await odd.call('digits')).toStrictEqual({
    id: 1915883588174806058n,
    float: 1e300,
    in: [{ deep: -9223372036854775808n }],
    text: '1915883588174806058',
  });
});

test('a byte order mark before the first message is passed over', async () => {
  const odd = await toolsOf({ env: { ODD: 'mark' } });
  expect(await odd.call('fine')).toBe('fine it is');
});

test('lines that are no messages are passed over', async () => {
  const odd = await toolsOf();
  expect(await odd.call('garbage')).toBe('after garbage');
});

test('an answer that is none of the protocol is not taken for one', async () => {
  const odd = await toolsOf();
  expect(await failure(odd.call('no_result'))).toMatchObject({ code: 'PV4805' });
});

test('a refusal is an answer, without what a terminal would obey', async () => {
  const odd = await toolsOf();
  const refused = await failure(odd.call('refuses'));
  expect(refused).toMatchObject({ code: 'PV4807', answered: true, retryable: false });
  expect(refused.message).toContain('no such thing');
  expect(refused.message).not.toContain('\u001b');
});

test('a result that does not fit its schema is a value all the same', async () => {
  const odd = await toolsOf();
  expect(await odd.call('misfit')).toStrictEqual({ n: 'three' });
});

test('progress is passed on, and lets the time of the call begin anew', async () => {
  const odd = await toolsOf();
  let extended = 0;
  const context = { ...attempt(), extend: () => void extended++ };
  const value = await odd.handlers.get('slow_with_progress')?.perform({}, context);
  expect(value).toBe('slowly');
  expect(context.pieces).toStrictEqual(['step (1/3)\n', 'step (2/3)\n', 'step (3/3)\n']);
  expect(extended).toBe(3);
});

test('what it says of itself is data: bounded, and nothing in it is hidden', async () => {
  const { listing } = await toolsOf();
  const injected = listing.tools.find(({ name }) => name === 'injected');
  expect(injected?.description.length).toBeLessThanOrEqual(4000);
  expect(injected?.description).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(listing.server.version).toBe('1');
  expect(listing.left).toStrictEqual(['bad name!: name: it is none that a program can call']);
});

test('a process has only what it needs of the environment, and what it is given', async () => {
  const given = { env: { ODD_API_KEY: ref('MINE') }, variables: { MINE: 'abc', OTHER_KEY: 'x' } };
  const odd = await toolsOf(given);
  expect(await odd.call('leak')).toBe('the key is abc');
});

test('what several calls ask at once is told apart by making them one at a time', async () => {
  const mark = join(newFolder(), 'mark');
  const odd = await toolsOf({ env: { ODD_MARK: mark } });
  const book = async (title: string, seats: number): Promise<unknown> => {
    const ask = async (): Promise<{ value: unknown }> => ({ value: seats });
    return await odd.handlers.get('book')?.perform({ title }, { ...attempt(), ask });
  };
  const both = await Promise.all([failure(book('Aida', 2)), failure(book('Tosca', 3))]);
  for (const one of both) {
    expect(one).toMatchObject({ code: 'PV4811', retryable: true, mayHaveActed: false });
  }
  const again = await Promise.all([book('Aida', 2), book('Tosca', 3)]);
  expect(again).toStrictEqual(['booked Aida: {"seats":2}', 'booked Tosca: {"seats":3}']);
  const notes = readFileSync(mark, 'utf8').trim().split('\n');
  expect(notes.filter((line) => line.startsWith('not booked'))).toHaveLength(2);
});

test('an answer that the question does not allow fails the call, and is told the server', async () => {
  const odd = await toolsOf();
  const ask = async (): Promise<{ value: unknown }> => ({ value: 'many' });
  const wrong = odd.handlers.get('book')?.perform({ title: 'Aida' }, { ...attempt(), ask });
  await expect(wrong).rejects.toMatchObject({
    code: 'PV4811',
    message: expect.stringContaining('must be integer'),
  });
});

test('an odd tool is left out by its name, and null or nothing is read as nothing', async () => {
  const odd = await toolsOf({ env: { ODD: 'entries' } });
  for (const name of ['nulls', 'null_hint', 'no_schema', 'null_members', 'null_output', 'fine']) {
    expect(await odd.call(name)).toBe(`${name} it is`);
    expect(odd.handlers.get(name)?.spec.parameters).toMatchObject({ type: 'object' });
  }
  const left = odd.listing.left.map((line) => line.split(':')[0]);
  expect(left).toEqual([
    'wrong_schema',
    'wrong_description',
    'an entry',
    'an entry',
    'deep',
    'bad name!',
  ]);
});

/** A server with a tool that has something deep, and one that is plain. */
const deepServer = (before: string, open: string, close: string, after: string): string => `
  const [before, open, close, after] = ${JSON.stringify([before, open, close, after])};
  const deep = before + open.repeat(10000) + 1 + close.repeat(10000) + after;
  const tools = '{"tools":[' + deep + ',{"name":"plain","inputSchema":{"type":"object"}}]}';
  const info = '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},' +
    '"serverInfo":{"name":"deep","version":"1"}}';
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result = method === 'initialize' ? info : tools;
    process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}\\n');
  });
`;

test.each([
  ['of items', '{"items":', '}', 'inputSchema'],
  ['of properties', '{"type":"object","properties":{"a":', '}}', 'inputSchema'],
  ['of choices', '{"anyOf":[', ']}', 'inputSchema'],
  ['of lists', '[', ']', 'inputSchema'],
  ['of a result', '{"items":', '}', 'outputSchema'],
])('a tool with a schema ten thousand deep, %s, hides no other', async (_, open, close, member) => {
  const before = `{"name":"deep","${member}":{"type":"object","properties":{"a":`;
  const { listing } = await toolsOf({ args: ['-e', deepServer(before, open, close, '}}}')] });
  expect(listing.tools.map(({ name }) => name)).toEqual(['plain']);
  expect(listing.left).toEqual([`deep: ${member}: it is nested deeper than 100`]);
});

test.each(['annotations', '_meta'])('what is deep in %s of a tool is not read', async (member) => {
  const before = `{"name":"deep","${member}":{"a":`;
  const { listing } = await toolsOf({ args: ['-e', deepServer(before, '[', ']', '}}')] });
  expect(listing.tools.map(({ name }) => name)).toEqual(['deep', 'plain']);
});

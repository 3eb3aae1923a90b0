/** What is recorded answers again: from a real connection, through a file, without one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/effects/model/model.ts';
import { openModel } from '../../../src/effects/model/open.ts';
import { attempt } from '../../support/attempt.ts';
import { type ModelServer, type Script, startModelServer } from '../../support/model-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-record-'));
afterAll(() => rmSync(folder, { recursive: true }));

let server: ModelServer;
let script: Script = () => 'unset';
let file = '';
let files = 0;
beforeEach(async () => {
  server = await startModelServer((request) => script(request));
  file = join(folder, `new folder ${files++}`, 'tape.ndjson');
});
afterEach(async () => await server.close());

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] });
const recorder = () => openModel('openai/m', { env: server.env.all, record: file });
const lines = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((l) => JSON.parse(l));

test('what was recorded is replayed, with its usage, by any model name', async () => {
  script = ({ prompt }) => ({ text: `about ${prompt}`, usage: { input: 3, output: 2 } });
  const model = recorder();
  await model.complete(ask('x'), attempt());
  await model.complete({ ...ask('y'), format: { kind: 'json' } }, attempt());
  await server.close();
  const replayed = openModel(`replay/${file}`, { env: {} });
  const context = attempt();
  expect(await replayed.complete(ask('x'), context)).toMatchObject({ text: 'about x' });
  expect(context.used).toEqual([{ modelCalls: 1, inputTokens: 3, outputTokens: 2, cost: 0 }]);
  const asJson = { ...ask('y'), format: { kind: 'json' } } as const;
  expect(await replayed.complete(asJson, context)).toMatchObject({ text: 'about y' });
  await expect(replayed.complete(ask('y'), context)).rejects.toMatchObject({ code: 'PV4402' });
  server = await startModelServer(() => 'unused');
});

test('equal requests are numbered as they are made, not as they are answered', async () => {
  const releases = [gate(), gate()];
  const arrivals = [gate(), gate()];
  script = async ({ index }) => {
    arrivals[index]?.open();
    await releases[index]?.opened;
    return `answer ${index}`;
  };
  const model = recorder();
  const first = model.complete(ask('x'), attempt({ effect: '0#1' }));
  await arrivals[0]?.opened;
  const second = model.complete(ask('x'), attempt({ effect: '0#2' }));
  await arrivals[1]?.opened;
  releases[1]?.open();
  await second;
  releases[0]?.open();
  await first;
  expect(lines().map(({ turn, effect }) => [turn, effect])).toEqual([
    [2, '0#2'],
    [1, '0#1'],
  ]);
  const replayed = openModel(`replay/${file}`, { env: {} });
  const again = ['0#2', '0#1'].map((effect) => replayed.complete(ask('x'), attempt({ effect })));
  expect((await Promise.all(again)).map(({ text }) => text)).toEqual(['answer 1', 'answer 0']);
});

test('many concurrent calls leave whole lines', async () => {
  script = ({ prompt }) => {
    const text = `${prompt} ${'long '.repeat(20_000)}`;
    return { text, pieces: [text] };
  };
  const model = recorder();
  const prompts = Array.from({ length: 40 }, (_, index) => `number ${index}.`);
  await Promise.all(prompts.map((prompt) => model.complete(ask(prompt), attempt())));
  expect(lines()).toHaveLength(40);
  const replayed = openModel(`replay/${file}`, { env: {} });
  for (const prompt of prompts) {
    const { text } = await replayed.complete(ask(prompt), attempt());
    expect(text.startsWith(prompt)).toBe(true);
  }
});

test('a file that exists is continued', async () => {
  script = ({ index }) => `answer ${index}`;
  await recorder().complete(ask('x'), attempt());
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"prompt": "hand", "reply": "made"}`);
  await recorder().complete(ask('x'), attempt());
  expect(lines().map(({ turn }) => turn)).toEqual([1, undefined, 2]);
  const replayed = openModel(`replay/${file}`, { env: {} });
  const texts: string[] = [];
  for (const prompt of ['x', 'x', 'hand']) {
    const context = attempt({ effect: 'another' });
    texts.push((await replayed.complete(ask(prompt), context)).text);
  }
  expect(texts).toEqual(['answer 0', 'answer 1', 'made']);
});

test('a failed call is not recorded', async () => {
  script = ({ index }) => (index === 0 ? { status: 500 } : 'fine');
  const model = recorder();
  await expect(model.complete(ask('x'), attempt())).rejects.toMatchObject({ code: 'PV4106' });
  await model.complete(ask('x'), attempt());
  expect(lines()).toMatchObject([{ turn: 2, reply: { text: 'fine' } }]);
  expect((await openModel(`replay/${file}`, { env: {} }).complete(ask('x'), attempt())).text).toBe(
    'fine',
  );
});

test('no key is recorded, not even one that the prompt and the answer hold', async () => {
  script = ({ headers }) => `you sent ${headers.authorization}`;
  const secrets = Object.entries(server.env.all).filter(([name]) => name.endsWith('_KEY'));
  expect(secrets).toHaveLength(3);
  const context = attempt();
  await recorder().complete(ask(`keep ${JSON.stringify(secrets)} to yourself`), context);
  expect(context.warnings).toEqual([expect.stringContaining('blacked out')]);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('***');
  for (const [, secret] of secrets) expect(text).not.toContain(secret);
});

test('a placeholder for a key is a word like any other', async () => {
  script = () => 'a test of tests';
  const env = { ...server.env.openai, OPENAI_API_KEY: 'test' };
  await openModel('openai/m', { env, record: file }).complete(ask('x'), attempt());
  expect(lines()).toMatchObject([{ reply: { text: 'a test of tests' } }]);
});

test('a file that cannot be written is refused before the first call', () => {
  const inside = join(import.meta.filename, 'tape.ndjson');
  expect(() => openModel('ollama/m', { env: {}, record: inside })).toThrow(
    expect.objectContaining({ code: 'PV4400', message: expect.stringContaining('cannot record') }),
  );
});

test('a file that cannot be read as a transcript is refused and left alone', () => {
  const broken = join(folder, 'broken.ndjson');
  writeFileSync(broken, 'not a transcript\n');
  expect(() => openModel('ollama/m', { env: {}, record: broken })).toThrow(
    expect.objectContaining({ code: 'PV4401' }),
  );
  expect(readFileSync(broken, 'utf8')).toBe('not a transcript\n');
});

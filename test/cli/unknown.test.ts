/**
 * A tool that pays over a real socket: whatever way its connection ends without an answer, nobody
 * knows, and the run asks; what may be repeated is repeated under the same key.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const pays: Reply = (_request, response) => response.end('"paid"');
const cuts: Reply = (request) => void request.socket.destroy();
const hangs: Reply = () => {};

let server: Server;
/** How the next payments go; the last one stays. */
let script: Reply[];
/** The idempotency keys of the payments that arrived. */
let keys: string[];
let arrived: () => void = () => {};

beforeAll(async () => {
  server = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']));
    const [reply = pays] = script;
    if (script.length > 1) script.shift();
    reply(request, response);
    arrived();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  keys = [];
  script = [pays];
});

const run = ['run', 'plan.json', '--tools', 'tools.mjs'];

function workshop(declared: Readonly<Record<string, unknown>> = {}): Folder {
  const { port } = server.address() as AddressInfo;
  const tool = { name: 'pay', description: 'Pays.', effect: 'write', ...declared };
  return new Folder({
    'plan.json': [calling(0, 'pay', {}, 'receipt'), answering(1, ref('receipt'))],
    'tools.mjs': `export default [{ ...${JSON.stringify(tool)},
      async run(_args, { idempotencyKey, signal }) {
        const headers = { 'idempotency-key': idempotencyKey };
        const response = await fetch('http://127.0.0.1:${port}', { method: 'POST', headers, signal });
        return await response.json();
      } }];`,
  });
}

const nextArrival = (): Promise<void> =>
  new Promise((resolve) => {
    arrived = resolve;
  });

test('a connection that is cut leaves a doubt', async () => {
  using folder = workshop();
  script = [cuts];
  const { code, stderr } = await folder.planvm(run);
  expect(code).toBe(6);
  expect(stderr).toContain('nobody knows whether this took effect: pay (effect 0#1, step 0)');
  const decided = await folder.planvm(['resume', 'last', '--assume', 'done:"by hand"']);
  expect(decided).toMatchObject({ code: 0, stdout: 'by hand\n' });
  expect(keys).toHaveLength(1);
});

test('an answer that does not come in time leaves a doubt; a retry has the same key', async () => {
  using folder = workshop();
  script = [hangs, pays];
  const { code, stderr } = await folder.planvm([...run, '--timeout', '4s']);
  expect(code).toBe(6);
  expect(stderr).toContain('pay gave no answer within 4000 ms');
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 6 });
  expect(keys).toHaveLength(1);
  const retry = ['--assume', 'retry', '--timeout', '30s'];
  const again = await folder.planvm(['resume', 'last', ...retry]);
  expect(again).toMatchObject({ code: 0, stdout: 'paid\n' });
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

test.each(['cancel', 'SIGKILL', 'SIGTERM'])('%s in the middle leaves a doubt', async (how) => {
  using folder = workshop();
  script = [hangs];
  const inside = nextArrival();
  const call = folder.start(run);
  await inside;
  if (how === 'cancel') await folder.planvm(['cancel', 'last']);
  else call.process.kill(how as NodeJS.Signals);
  await call.ended;
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 6, stdout: '' });
  const decided = await folder.planvm(['resume', 'last', '--assume', 'failed:not sent']);
  expect(decided.code).toBe(1);
  expect(decided.stderr).toContain('PV4007: not sent');
  expect(keys).toHaveLength(1);
});

test('what is idempotent is repeated under one key: by itself, and by the next process', async () => {
  using folder = workshop({ idempotent: true });
  script = [cuts, hangs, pays];
  const call = folder.start(run);
  while (keys.length < 2) await nextArrival();
  call.process.kill('SIGKILL');
  await call.ended;
  const again = await folder.planvm(['resume', 'last']);
  expect(again).toMatchObject({ code: 0, stdout: 'paid\n' });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test('what was approved and then killed is in doubt, not asked about a second time', async () => {
  using folder = workshop({ destructive: true });
  script = [hangs, pays];
  expect(await folder.planvm(run)).toMatchObject({ code: 4 });
  const inside = nextArrival();
  const call = folder.start(['approve', 'last']);
  await inside;
  call.process.kill('SIGKILL');
  await call.ended;
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 6 });
  const again = await folder.planvm(['resume', 'last', '--assume', 'retry']);
  expect(again).toMatchObject({ code: 0, stdout: 'paid\n' });
});

test('a service that is away is left alone, and the run says so', async () => {
  using folder = workshop({ effect: 'read' });
  script = [cuts];
  const limits = ['--breaker', '2', '--breaker-pause', '50ms', '--attempts', '2'];
  const { code, stderr } = await folder.planvm([...run, ...limits]);
  expect(code).toBe(1);
  expect(stderr).toContain('2 attempts in a row have failed: a pause of 50 ms');
});

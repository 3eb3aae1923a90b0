/** `send_email` against a mail server: what arrives, whom it asks, and what a failure leaves open. */
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { type EmailOptions, emailHandlers } from '../../../src/effects/email/handlers.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import { type Attempt, attempt } from '../../support/attempt.ts';
import { type MailScript, type MailServer, startMailServer } from '../../support/mail-server.ts';

const plain = {
  from_email: 'Ada Lovelace <ada@example.org>',
  to: 'bob@example.net',
  subject: 'Notes on the engine',
  body: 'Dear Bob,\n.\nit weaves.\n',
};

interface Sent {
  readonly result: unknown;
  readonly context: Attempt;
  readonly server: MailServer;
}

async function perform(
  args: Readonly<Record<string, unknown>>,
  options: Partial<EmailOptions>,
  context: Attempt = attempt(),
): Promise<unknown> {
  const [handler] = emailHandlers({
    ...{ env: {}, outbox: '', from: '', recipients: [], timezone: '', ...options },
  });
  return await handler?.perform(args, context).catch((thrown: unknown) => thrown);
}

/** One call with a server behind it; `args` are changes to a plain message. */
async function send(
  args: Readonly<Record<string, unknown>> = {},
  { script = {}, ...options }: Partial<EmailOptions> & { script?: MailScript } = {},
): Promise<Sent> {
  await using server = await startMailServer(script);
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...options.env };
  const context = attempt();
  const result = await perform({ ...plain, ...args }, { ...options, env }, context);
  return { result, context, server };
}

describe('what arrives', () => {
  test('a message with all that was given, once, to each recipient once', async () => {
    const { result, server } = await send({
      to: ['Bob <bob@example.net>', 'BOB@example.net', '"Carol, the third" <carol@example.net>'],
      subject: 'Grüße aus Zürich ✓',
    });
    const everyone = ['bob@example.net', 'carol@example.net'];
    expect(result).toMatchObject({
      ...{ status: 'sent', from: 'ada@example.org', accepted: everyone, rejected: [] },
      response: expect.stringMatching(/^250 .*queued as 4711$/),
    });
    expect(server.taken).toHaveLength(1);
    const [{ from, to, mail }] = server.taken as [MailServer['taken'][0]];
    expect({ from, to }).toEqual({ from: 'ada@example.org', to: everyone });
    expect(mail).toMatchObject({
      subject: 'Grüße aus Zürich ✓',
      from: { name: 'Ada Lovelace', address: 'ada@example.org' },
      to: [
        { name: 'Bob', address: 'bob@example.net' },
        { name: 'Carol, the third', address: 'carol@example.net' },
      ],
      text: 'Dear Bob,\n.\nit weaves.\n',
      messageId: (result as { messageId: string }).messageId,
    });
  });

  test('every attempt at an effect is the same message, another effect is another', async () => {
    await using server = await startMailServer();
    const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}` };
    const sent = async (idempotencyKey: string): Promise<void> => {
      const context = { ...attempt({ idempotencyKey }), queuedAt: 1_700_000_000_000 };
      await perform(plain, { env }, context);
    };
    await sent('run/0#1/a');
    await sent('run/0#1/a');
    await sent('run/0#2/a');
    const [first, second, third] = server.taken;
    expect(second?.raw).toEqual(first?.raw);
    expect(third?.mail.messageId).not.toBe(first?.mail.messageId);
    expect(first?.mail.date).toBe('2023-11-14T22:13:20.000Z');
  });

  test('the sender that is set stands in where the call names none', async () => {
    const { server } = await send({ from_email: null }, { from: 'office@example.org' });
    expect(server.taken[0]?.from).toBe('office@example.org');
  });
});

describe('what is refused before anything is sent', () => {
  test.each<[string, Readonly<Record<string, unknown>>, Partial<EmailOptions>, object]>([
    [
      'a header in the subject',
      { subject: 'Hello\r\nBcc: all@example.com' },
      {},
      { code: 'PV4781', message: 'subject: got a line break or another control character' },
    ],
    ['a command in an address', { to: 'a@b.org>\r\nDATA' }, {}, { code: 'PV4781' }],
    ['a line separator', { subject: 'a\u2028b' }, {}, { code: 'PV4781' }],
    ['no address', { to: 'Bob' }, {}, { code: 'PV4780' }],
    [
      'an address without a domain',
      { to: ['bob@'] },
      {},
      { code: 'PV4780', message: 'to: got bob@, want an address such as ada@example.org' },
    ],
    ['a route', { to: '@a.org:bob@b.org' }, {}, { code: 'PV4780' }],
    [
      'a number',
      { to: [7] },
      {},
      { code: 'PV4780', message: 'to: got 7, want addresses as texts' },
    ],
    ['nobody', { to: [] }, {}, { code: 'PV4780', message: 'got 0 recipients, want 1 to 100' }],
    [
      'too many',
      { to: Array.from({ length: 101 }, (_, index) => `u${index}@b.org`) },
      {},
      { code: 'PV4780', message: 'got 101 recipients, want 1 to 100' },
    ],
    ['no sender', { from_email: null }, {}, { code: 'PV4782', hint: /EMAIL_FROM/ }],
    [
      'a recipient that is not allowed',
      { to: 'eve@evil.example, BOB@example.net' },
      { recipients: ['@example.net', 'ada@example.org'] },
      {
        code: 'PV4783',
        message: 'nothing may be sent to eve@evil.example',
        hint: 'the setting recipients allows @example.net, ada@example.org',
      },
    ],
    [
      'a part of an allowed domain',
      { to: 'bob@sub.example.net' },
      { recipients: ['@example.net'] },
      { code: 'PV4783' },
    ],
  ])('%s', async (_what, args, options, failure) => {
    const { result, server } = await send(args, options);
    expect(result).toBeInstanceOf(EffectFailure);
    const { hint, ...rest } = failure as { hint?: unknown };
    expect(result).toMatchObject({ ...rest, mayHaveActed: false, answered: true });
    if (hint instanceof RegExp) expect((result as EffectFailure).hint).toMatch(hint);
    expect(server.sessions()).toBe(0);
  });

  test.each([
    ['SMTP_URL', 'http://mail.example.org'],
    ['SMTP_URL', 'smtp://me:hunter2-%zz@mail.example.org'],
    ['SMTP_PORT', 'many'],
  ])('%s that is none, %s: it repeats no password', async (name, value) => {
    const env = { SMTP_HOST: 'mail.example.org', [name]: value };
    const result = (await perform(plain, { env })) as EffectFailure;
    expect(result).toMatchObject({ code: 'PV4782', mayHaveActed: false });
    expect(`${result.message} ${result.hint}`).not.toContain('hunter2');
  });
});

describe('what a server says', () => {
  test('a recipient that it refuses is named, the others get the message', async () => {
    const recipient = (address: string): string | undefined =>
      address.startsWith('gone') ? '550 no such user' : undefined;
    const to = ['gone@example.net', 'bob@example.net'];
    const { result, context, server } = await send({ to }, { script: { recipient } });
    expect(result).toMatchObject({
      accepted: ['bob@example.net'],
      rejected: [{ address: 'gone@example.net', reason: '550 no such user' }],
    });
    expect(context.warnings).toEqual([
      'the mail server refused gone@example.net: 550 no such user',
    ]);
    expect(server.taken[0]?.to).toEqual(['bob@example.net']);
  });

  test.each<[string, MailScript, object]>([
    [
      'greylisting: later',
      { recipient: () => '450 greylisted, try later' },
      { code: 'PV4785', retryable: true, answered: true },
    ],
    [
      'nobody there: never',
      { recipient: () => '550 no such user' },
      { code: 'PV4786', retryable: false, answered: true },
    ],
    [
      'the whole message, for now',
      { message: () => '451 disk full' },
      { code: 'PV4785', retryable: true, answered: true },
    ],
    [
      'the whole message',
      { message: () => '554 looks like spam' },
      { code: 'PV4786', retryable: false, answered: true },
    ],
    [
      'no sign-in',
      { user: { name: 'ada', password: 'right-password' } },
      { code: 'PV4786', retryable: false, answered: true },
    ],
  ])('%s', async (_what, script, failure) => {
    const { result, server } = await send({}, { script });
    expect(result).toBeInstanceOf(EffectFailure);
    expect(result).toMatchObject({ ...failure, mayHaveActed: false });
    expect(server.taken).toEqual([]);
  });

  test('a cut while it takes the message leaves open whether it did', async () => {
    const { result, server } = await send({}, { script: { message: () => 'cut' } });
    expect(result).toMatchObject({ code: 'PV4787', mayHaveActed: true, answered: false });
    expect(server.sessions()).toBe(1);
  });

  test('a cut before it takes the message leaves nothing open', async () => {
    const { result } = await send({}, { script: { message: () => 'cut before' } });
    expect(result).toMatchObject({ code: 'PV4784', mayHaveActed: false, retryable: true });
  });

  test('nobody there is no doubt', async () => {
    const result = await perform(plain, { env: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    expect(result).toMatchObject({ code: 'PV4784', mayHaveActed: false, retryable: true });
  });

  test.each(['before it begins', 'in the midst of it'])(
    'an attempt that is given up %s ends at once',
    async (when) => {
      const context = attempt();
      const reason = new Error('given up');
      const recipient = (): undefined => context.abort(reason) as undefined;
      await using server = await startMailServer({ recipient });
      if (when === 'before it begins') context.abort(reason);
      const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}` };
      expect(await perform(plain, { env }, context)).toBe(reason);
      expect(server.taken).toEqual([]);
    },
  );
});

describe('signing in', () => {
  const user = { name: 'ada', password: 'correct horse battery' };

  test('by variables', async () => {
    await using server = await startMailServer({ user });
    const env = {
      ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port) },
      ...{ SMTP_USER: user.name, SMTP_PASSWORD: user.password },
    };
    expect(await perform(plain, { env })).toMatchObject({ status: 'sent' });
    expect(server.taken[0]?.user).toBe('ada');
  });

  test('a wrong password is told to nobody', async () => {
    await using server = await startMailServer({ user });
    const env = { SMTP_URL: `smtp://ada:wrong%20password@127.0.0.1:${server.port}` };
    const result = (await perform(plain, { env })) as EffectFailure;
    expect(result).toMatchObject({ code: 'PV4786', retryable: false, mayHaveActed: false });
    expect(result.hint).toContain('SMTP_PASSWORD');
    expect(`${result.message}${result.hint}`).not.toContain('wrong password');
  });
});

describe('the outbox', () => {
  const folder = mkdtemp(join(tmpdir(), 'planvm-outbox-'));
  afterAll(async () => await rm(await folder, { recursive: true }));

  test('takes the message as a file, says so, and writes a second attempt over the first', async () => {
    const outbox = join(await folder, 'deep', 'outbox');
    const context = attempt();
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:9' };
    const result = await perform(plain, { outbox, env: smtp }, context);
    const again = await perform(plain, { outbox }, attempt());
    const [name = '', ...more] = await readdir(outbox);
    expect(more).toEqual([]);
    const file = join(outbox, name);
    expect(result).toMatchObject({ status: 'outbox', file });
    expect(again).toMatchObject({ file });
    expect(context.warnings).toEqual([
      `an outbox is set: the message was written to ${file}, nothing was sent`,
    ]);
    const mail = await PostalMime.parse(readFileSync(file));
    expect(mail).toMatchObject({ subject: plain.subject });
  });

  test('that is a file is a failure', async () => {
    const outbox = join(await folder, 'file');
    await writeFile(outbox, '');
    expect(await perform(plain, { outbox })).toMatchObject({
      ...{ code: 'PV4789', mayHaveActed: false },
      hint: 'name a folder that can be written to: planvm:email?outbox=./outbox',
    });
  });
});

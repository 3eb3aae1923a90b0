/** How mail leaves: encrypted or not, and what the variables of a server mean. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SmtpSettings, smtpSettings } from '../../../src/effects/email/settings.ts';
import { deliver } from '../../../src/effects/email/smtp.ts';
import { attempt } from '../../support/attempt.ts';
import { certificate } from '../../support/certificate.ts';
import { type MailScript, startMailServer } from '../../support/mail-server.ts';

const authorities = getCACertificates('default');

const user = { name: 'ada', password: 'correct horse battery' };

async function sent(
  script: MailScript,
  changes: Partial<SmtpSettings>,
): Promise<{ result: unknown; isEncrypted: boolean | undefined }> {
  await using server = await startMailServer(script);
  const result = await deliver(
    { from: 'ada@example.org', to: ['bob@example.net'] },
    Buffer.from('Subject: x\r\n\r\ny\r\n'),
    { host: 'localhost', port: server.port, implicitTls: false, requireTls: false, ...changes },
    attempt(),
  ).catch((thrown: unknown) => thrown);
  return { result, isEncrypted: server.taken[0]?.isEncrypted };
}

describe('encryption that is trusted', () => {
  beforeAll(() => setDefaultCACertificates([...authorities, certificate.cert]));
  afterAll(() => setDefaultCACertificates(authorities));

  test('a line that is encrypted from the first byte on', async () => {
    const done = await sent({ implicitTls: true, user }, { implicitTls: true, user });
    expect(done).toMatchObject({ result: { accepted: ['bob@example.net'] }, isEncrypted: true });
  });

  test('a line that is encrypted before anything is said', async () => {
    const done = await sent({ startTls: true, user }, { requireTls: true, user });
    expect(done).toMatchObject({ result: { accepted: ['bob@example.net'] }, isEncrypted: true });
  });
});

describe('encryption', () => {
  test.each<[string, MailScript, Partial<SmtpSettings>]>([
    ['a server that offers none', { user }, { requireTls: true, user }],
    ['a certificate that nobody knows', { startTls: true, user }, { requireTls: true, user }],
    ['the same from the first byte on', { implicitTls: true }, { implicitTls: true }],
  ])(
    'where it is wanted, %s is a failure, and no password is sent',
    async (_what, script, more) => {
      const { result, isEncrypted } = await sent(script, more);
      expect(result).toMatchObject({ mayHaveActed: false, message: expect.any(String) });
      expect(['PV4784', 'PV4786']).toContain((result as { code: string }).code);
      expect(isEncrypted).toBeUndefined();
    },
  );
});

describe('variables', () => {
  test.each<[Readonly<Record<string, string>>, SmtpSettings | undefined]>([
    [{}, undefined],
    [
      { SMTP_URL: 'smtps://ada%40example.org:p%3Aw@mail.example.org' },
      {
        ...{ host: 'mail.example.org', port: 465, implicitTls: true, requireTls: false },
        user: { name: 'ada@example.org', password: 'p:w' },
      },
    ],
    [
      { SMTP_URL: 'smtp://mail.example.org:25' },
      { host: 'mail.example.org', port: 25, implicitTls: false, requireTls: false },
    ],
    [
      { SMTP_HOST: 'mail.example.org', SMTP_USER: 'ada', SMTP_PASSWORD: 'x' },
      {
        ...{ host: 'mail.example.org', port: 587, implicitTls: false, requireTls: true },
        user: { name: 'ada', password: 'x' },
      },
    ],
    [
      { SMTP_HOST: 'mail.example.org', SMTP_PORT: '25', SMTP_USER: 'ada' },
      {
        ...{ host: 'mail.example.org', port: 25, implicitTls: false, requireTls: true },
        user: { name: 'ada', password: '' },
      },
    ],
    [
      { SMTP_HOST: 'mail.example.org', SMTP_PORT: '465' },
      { host: 'mail.example.org', port: 465, implicitTls: true, requireTls: false },
    ],
    [
      { SMTP_URL: 'smtp://[::1]:1025' },
      { host: '::1', port: 1025, implicitTls: false, requireTls: false },
    ],
  ])('%j', (env, settings) => expect(smtpSettings(env)).toEqual(settings));
});

/** Tools of services through the real command line: every notation, approvals, doubt, secrets. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { type MailScript, startMailServer } from '../support/mail-server.ts';
import { finnhubAnswer, key, startMarket } from '../support/market-server.ts';

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

const plans: Readonly<Record<string, string>> = {
  'plan.star':
    'found = MarketHelpers.get_stock_price("AAPL", "2024-05-12")\n' +
    'answer("%s %s" % (found["price"], found["date"]))\n',
  'plan.llmcompiler':
    '1. MarketHelpers.get_stock_price["AAPL", "2024-05-12"]\n' +
    `2. join("${ref('1.price')} ${ref('1.date')}")\n`,
  'plan.json': JSON.stringify([
    calling(0, 'MarketHelpers.get_stock_price', { symbol: 'AAPL', date: '2024-05-12' }, 'found'),
    answering(1, `${ref('found.price')} ${ref('found.date')}`),
  ]),
};

describe('a price', () => {
  test.each(Object.entries(plans))(
    'in %s, by its class',
    { timeout: 60_000 },
    async (name, text) => {
      folder.write(name, text);
      await using server = await startMarket(finnhubAnswer);
      const env = { PLANVM_MARKET_URL: server.url, FINNHUB_API_KEY: key };
      const done = await folder.planvm(['run', name, '--tools', 'planvm:market'], { env });
      expect(done).toMatchObject({ code: 0, stdout: '183.05 2024-05-10\n' });
      expect(done.stderr).toContain('AAPL was not traded on 2024-05-12');
      const shown = await folder.planvm(['show', 'last', '--json']);
      expect(JSON.parse(shown.stdout).effects).toMatchObject([
        {
          name: 'get_stock_price',
          sources: [{ title: 'Finnhub: AAPL: price of 2024-05-10' }],
        },
      ]);
      expect(shown.stdout + done.stderr + everything()).not.toContain(key);
    },
  );
});

/** All that runs have left behind. */
const everything = (): string =>
  globSync('.planvm/**/*', { cwd: folder.path, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'))
    .join('');

const password = 'correct-Horse-Battery-7';
const mail = 'sent = EmailHelpers.send_email(None, "bob@example.net", "Notes", "It weaves.")\n';

async function mailing(
  script: MailScript,
  commands: readonly (readonly string[])[],
): Promise<{ codes: (number | null)[]; said: string; taken: number; sessions: number }> {
  folder.write('mail.star', `${mail}answer(sent["status"])\n`);
  await using server = await startMailServer({ user: { name: 'ada', password }, ...script });
  const env = {
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port), SMTP_USER: 'ada' },
    ...{ SMTP_PASSWORD: password, EMAIL_FROM: 'ada@example.org' },
  };
  const codes: (number | null)[] = [];
  let said = '';
  for (const args of commands) {
    const done = await folder.planvm(args, { env });
    codes.push(done.code);
    said += done.stdout + done.stderr;
  }
  expect(said + everything()).not.toContain(password);
  return { codes, said, taken: server.taken.length, sessions: server.sessions() };
}

const run = ['run', 'mail.star', '--tools', 'planvm:email'];

describe('a mail', () => {
  test('is sent once somebody has approved it, and once', async () => {
    const done = await mailing({}, [
      [...run, '--no-input'],
      ['approve', 'last'],
      ['resume', 'last'],
    ]);
    expect(done).toMatchObject({ codes: [4, 0, 0], taken: 1, sessions: 1 });
    expect(done.said).toContain('is to be approved (effect 0#1): it cannot be undone');
  });

  test('is not sent where somebody denies it', async () => {
    const done = await mailing({}, [
      [...run, '--no-input'],
      ['deny', 'last'],
    ]);
    expect(done).toMatchObject({ codes: [4, 1], sessions: 0 });
  });

  test('is sent again where a server has refused it for now', async () => {
    let asked = 0;
    const recipient = (): string | undefined => (asked++ === 0 ? '450 greylisted' : undefined);
    const done = await mailing({ recipient }, [[...run, '--yes', 'send_email']]);
    expect(done).toMatchObject({ codes: [0], taken: 1, sessions: 2 });
  });

  test('of which nobody knows whether it was taken waits for a decision', async () => {
    const cut = { message: () => 'cut' as const };
    const decided = ['resume', 'last', '--assume', 'done:{"status": "sent"}'];
    const done = await mailing(cut, [[...run, '--yes', 'send_email'], ['resume', 'last'], decided]);
    expect(done).toMatchObject({ codes: [6, 6, 0], taken: 0, sessions: 1 });
    expect(done.said).toContain('nobody knows whether this took effect: send_email');
    expect(done.said).toMatch(/sent\n/);
  });
});

test('an invitation is made after a yes, in an outbox', async () => {
  using own = new Folder({
    'plan.star': `made = send_calendar_invite(from_name = "Ada", from_email = "ada@example.org",
    attendees = "bob@example.net", subject = "Lunch", body = "Soup.",
    start = "2026-03-02T12:00Z", end = "2026-03-02T13:00Z")
answer(made["file"])
`,
  });
  const asked = await own.planvm(['run', 'plan.star', '--tools', 'planvm:email']);
  expect(asked).toMatchObject({ code: 4 });
  expect(globSync('outbox/*', { cwd: own.path })).toEqual([]);
  const said = await own.start(['approve', 'last', '--json']).ended;
  expect(said.code).toBe(0);
  const sent = calendarIn(own.read(JSON.parse(said.stdout).answer));
  expect(sent).toContain('METHOD:REQUEST');
  expect(sent).toContain('DTSTART:20260302T120000Z');
});

/** The calendar object of a message. */
function calendarIn(message: string): string {
  const [, coded = ''] = /invite\.ics[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(message) ?? [];
  return Buffer.from(coded, 'base64').toString('utf8');
}

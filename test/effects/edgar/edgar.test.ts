/** Forms from EDGAR: which one is found, what is read of it, and what a failure says. */
import { describe, expect, test } from 'vitest';
import { paceMs } from '../../../src/effects/edgar/client.ts';
import { edgarHandlers } from '../../../src/effects/edgar/handlers.ts';
import { EffectFailure } from '../../../src/engine/handler.ts';
import type { Source } from '../../../src/program/effect.ts';
import { attempt } from '../../support/attempt.ts';
import { startEdgar } from '../../support/edgar-server.ts';

const userAgent = 'Ada Lovelace ada@example.org';

interface Called {
  readonly result: Record<string, unknown>;
  readonly warnings: readonly string[];
  readonly sources: readonly Source[];
  readonly asked: readonly string[];
}

const tools = ['get_latest_form_text', 'get_report'] as const;

async function call(
  tool: (typeof tools)[number],
  args: Readonly<Record<string, unknown>>,
  instead?: Parameters<typeof startEdgar>[0],
  agent = userAgent,
  older = 12,
): Promise<Called> {
  await using server = await startEdgar(instead);
  const handlers = edgarHandlers({
    ...{ userAgent: agent, url: new URL(server.url), perSecond: 10_000 },
    ...{ fileBytes: 2 ** 26, exhibits: 8, older },
  });
  const sources: Source[] = [];
  const context = { ...attempt(), source: (source: Source) => void sources.push(source) };
  const result = await handlers[tools.indexOf(tool)]
    ?.perform(args, context)
    .catch((thrown: unknown) => thrown);
  return {
    result: result as Record<string, unknown>,
    warnings: context.warnings,
    sources,
    asked: server.requests.map(({ url }) => url.pathname),
  };
}

const latest = (args: Readonly<Record<string, unknown>>): Promise<Called> =>
  call('get_latest_form_text', args);

const folder = '/Archives/edgar/data/320193/000032019324000123';

describe('the latest form', () => {
  test('is found by symbol, with where it is from', async () => {
    const { result, sources, asked } = await latest({ symbol: 'aapl', form: '10k' });
    expect(result).toMatchObject({
      ...{ symbol: 'AAPL', company: 'Apple Inc.', cik: 320193, form: '10-K' },
      ...{ accessionNumber: '0000320193-24-000123', filingDate: '2024-11-01' },
      ...{ reportDate: '2024-09-28', section: null, truncated: false },
      url: expect.stringMatching(`${folder}/aapl-20240928.htm$`),
      indexUrl: expect.stringMatching(`${folder}/0000320193-24-000123-index.htm$`),
    });
    expect(asked).toEqual([
      '/files/company_tickers.json',
      '/submissions/CIK0000320193.json',
      `${folder}/aapl-20240928.htm`,
    ]);
    expect(sources).toEqual([
      {
        ...{ url: result.url, fetchedAt: result.fetchedAt },
        title: 'EDGAR: Apple Inc.: 10-K of 2024-11-01',
      },
    ]);
  });

  test('has its text with tables, and nothing that nobody sees', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-K' });
    const text = String(result.text);
    expect(text).toContain('The Company designs smartphones.');
    expect(text).toContain('\n• Demand may fall.\n');
    expect(text).toContain(
      [
        '| | 2024 | 2023 |',
        '| --- | --- | --- |',
        '| Net sales | $391,035 | $383,285 |',
        '| Change | (2)% | 3% |',
      ].join('\n'),
    );
    expect(text).not.toMatch(/for machines|eve@example/);
  });

  test('has its items, where they stand and not where they are listed', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-K' });
    expect(result.sections).toMatchObject([
      { id: '1', title: 'Business' },
      { id: '1A', title: 'Risk Factors' },
      { id: '7', title: 'Management’s Discussion and Analysis' },
    ]);
  });

  test.each([
    ['1A', '1A'],
    ['Item 1A.', '1A'],
    ['risk factors', '1A'],
    ['item 7', '7'],
  ])('gives the section %s alone', async (section, id) => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-K', section });
    expect(result.section).toBe(id);
    expect(String(result.text)).toMatch(/^Item (1A|7)\./);
    expect(String(result.text)).not.toContain('smartphones');
    expect(String(result.text).includes('Net sales')).toBe(id === '7');
  });

  test('tells of a later amendment', async () => {
    const { result, warnings } = await latest({ symbol: 'AAPL', form: '10-K' });
    expect(result.amendments).toMatchObject([{ form: '10-K/A', filingDate: '2025-01-10' }]);
    expect(warnings).toEqual([
      'there is a later 10-K/A, filed on 2025-01-10, which changes this one',
    ]);
    const amended = await latest({ symbol: 'AAPL', form: '10-K/A' });
    expect(amended.result).toMatchObject({ text: 'Amended.', amendments: [] });
  });

  test('is cut where it is longer than wanted, and says so', async () => {
    const { result, warnings } = await latest({
      ...{ symbol: 'AAPL', form: '10-Q', maxCharacters: 20 },
    });
    expect(result).toMatchObject({ truncated: true, text: expect.stringMatching(/^.{20}$/s) });
    expect(warnings).toEqual([expect.stringMatching(/was cut from \d+ to 20 characters$/)]);
  });

  test('is found by the number of a company, without the list', async () => {
    const { result, asked } = await latest({ symbol: 'CIK0000320193', form: '10-Q' });
    expect(result).toMatchObject({ symbol: 'AAPL', form: '10-Q' });
    expect(asked[0]).toBe('/submissions/CIK0000320193.json');
  });

  test('of long ago is one file with everything', async () => {
    const { result, asked } = await latest({ symbol: 'AAPL', form: '10-K405' });
    expect(asked).toContain('/submissions/CIK0000320193-submissions-001.json');
    expect(result.text).toBe(
      'ITEM 1.  BUSINESS\n\nApple Computer, Inc. makes personal computers.\n\n' +
        'Net sales      9,833',
    );
    expect(result.sections).toMatchObject([{ id: '1', title: 'BUSINESS' }]);
  });

  test('beyond the lists that are looked through is said not to have been looked for', async () => {
    const args = { symbol: 'AAPL', form: '10-K405' };
    const { result } = await call('get_latest_form_text', args, undefined, userAgent, 0);
    expect(result).toMatchObject({
      code: 'PV4762',
      hint: expect.stringMatching(/1 older lists were not looked through, planvm:edgar\?older=/),
    });
  });
});

describe('a quarterly report', () => {
  test.each([
    ['Part II, Item 1A', 'II.1A', 'As before.'],
    ['1A', 'II.1A', 'As before.'],
    ['Part I, Item 1', 'I.1', 'Assets of the quarter.'],
    ['ii.1', 'II.1', 'There are none.'],
  ])('has two parts: %s', async (section, id, words) => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-Q', section });
    expect(result).toMatchObject({ section: id, text: expect.stringContaining(words) });
  });

  test('numbers them alike: the part has to be said', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-Q', section: 'Item 1' });
    expect(result).toMatchObject({
      ...{ code: 'PV4763', message: 'several sections are called Item 1' },
      hint: 'there are I.1 Financial Statements; II.1 Legal Proceedings',
    });
  });
});

test('what has just happened is read with its press release', async () => {
  const { result, warnings, sources } = await latest({ symbol: 'AAPL', form: '8-K' });
  expect(result.text).toMatch(/issued a press release[\s\S]*EX-99\.1[\s\S]*first quarter results/);
  expect(result.exhibits).toMatchObject([
    { type: 'EX-99.1', title: 'PRESS RELEASE & TABLES' },
    { type: 'EX-99.2', title: 'SLIDES', url: expect.stringMatching(/slides\.pdf$/) },
  ]);
  expect(result.sections).toMatchObject([{ id: '2.02' }, { id: '9.01' }]);
  expect(warnings).toEqual(['1 exhibits of the filing were not read']);
  expect(sources).toHaveLength(2);
});

describe('a report of a day', () => {
  test.each([
    ['2024-10-31', '2023-11-03'],
    ['2024-11-01', '2024-11-01'],
  ])('until %s is that of %s', async (date, filingDate) => {
    const { result } = await call('get_report', { symbol: 'AAPL', form_type: '10-K', date });
    expect(result).toMatchObject({ form: '10-K', filingDate });
  });

  test('of a day that the calendar does not have', async () => {
    const args = { symbol: 'AAPL', form_type: '10-K', date: '2024-02-30' };
    const { result } = await call('get_report', args);
    expect(result).toMatchObject({
      ...{ code: 'PV4762', message: 'date: got 2024-02-30, want a day such as 2024-05-10' },
    });
  });

  test('of a day before the first', async () => {
    const { result } = await call('get_report', {
      ...{ symbol: 'AAPL', form_type: '10-K', date: '1990-01-01' },
    });
    expect(result).toMatchObject({
      code: 'PV4762',
      message: 'Apple Inc. has filed no 10-K until 1990-01-01',
    });
  });
});

describe('failures', () => {
  test.each([
    ['AAPPL', 'near: AAPL (Apple Inc.)'],
    ['Apple', 'near: AAPL (Apple Inc.), APLE (Apple Hospitality REIT, Inc.)'],
    ['berkshire', 'near: BRK-B (BERKSHIRE HATHAWAY INC)'],
    ['qqqqqqqq', 'look up its symbol, or give its number: CIK…'],
  ])('no company %s', async (symbol, hint) => {
    const { result } = await latest({ symbol, form: '10-K' });
    expect(result).toBeInstanceOf(EffectFailure);
    expect(result).toMatchObject({ code: 'PV4761', answered: true, retryable: false, hint });
  });

  test('no such form: which there are', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: 'DEF 14A' });
    expect(result).toMatchObject({
      ...{ code: 'PV4762', message: 'Apple Inc. has filed no DEF 14A' },
      hint: expect.stringMatching(/^it has filed 10-K \(2\), /),
    });
  });

  test('a foreign company files another form in its place', async () => {
    const { result } = await latest({ symbol: 'TSM', form: '10-K' });
    expect(result).toMatchObject({ code: 'PV4762', hint: 'it files 20-F in its place' });
  });

  test('no such section: which there are', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: '10-K', section: '99' });
    expect(result).toMatchObject({
      code: 'PV4763',
      hint: expect.stringContaining('there are 1 Business; 1A Risk Factors; 7'),
    });
  });

  test('a form that is no text', async () => {
    const { result } = await latest({ symbol: 'AAPL', form: 'ARS' });
    expect(result).toMatchObject({ code: 'PV4764', answered: true });
  });

  test.each(['', 'Ada Lovelace'])('nobody has said who asks: %j', async (agent) => {
    const args = { symbol: 'AAPL', form: '10-K' };
    const { result, asked } = await call('get_latest_form_text', args, undefined, agent);
    expect(result).toMatchObject({ code: 'PV4760', mayHaveActed: false });
    expect(result.hint).toContain('EDGAR_IDENTITY');
    expect(asked).toEqual([]);
  });

  test.each([
    ['kept out', { status: 403, body: 'no' }, { code: 'PV4765', retryable: false }],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '600' } },
      { code: 'PV4702', retryable: true, retryAfterMs: 600_000 },
    ],
    ['no JSON', { body: '<html>Maintenance' }, { code: 'PV4703' }],
  ])('%s', async (_what, answer, failure) => {
    const args = { symbol: 'AAPL', form: '10-K' };
    const { result } = await call('get_latest_form_text', args, () => answer);
    expect(result).toMatchObject({ ...failure, answered: true });
  });

  test('of a document that is missing', async () => {
    const { result } = await latest({ symbol: 'TSM', form: '20-F' });
    expect(result).toMatchObject({ code: 'PV4704', answered: true });
  });
});

test('requests of all tools together keep the pace', () => {
  const now = 1_000_000;
  const waits = [0, 0, 0, 250].map((later) => paceMs('https://pace.test', 10, now + later));
  expect(waits).toEqual([0, 100, 200, 50]);
  expect(paceMs('https://other.test', 10, now)).toBe(0);
});

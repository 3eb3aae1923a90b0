/** `datetime`: src/effects/clock/read-date.ts, and its effect by the clock of a run. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { clockHandlers } from '../../../src/effects/clock/handlers.ts';
import { readDate } from '../../../src/effects/clock/read-date.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import { startRun } from '../../../src/engine/run.ts';
import { byName } from '../../engine/support.ts';

const now = Date.parse('2024-03-31T15:04:05.678Z');

describe('a date', () => {
  test.each([
    ['now', '2024-03-31T15:04:05.678Z'],
    [' Today ', '2024-03-31'],
    ['tomorrow', '2024-04-01'],
    ['hier', '2024-03-30'],
    ['aujourd’hui', '2024-03-31'],
    ['-1 days', '2024-03-30T15:04:05.678Z'],
    ['-24 hours', '2024-03-30T15:04:05.678Z'],
    ['-1 months', '2024-02-29T15:04:05.678Z'],
    ['-13 months', '2023-02-28T15:04:05.678Z'],
    ['-1 years', '2023-03-31T15:04:05.678Z'],
    ['+2 weeks', '2024-04-14T15:04:05.678Z'],
    ['3 months ago', '2023-12-31T15:04:05.678Z'],
    ['in 1 day', '2024-04-01T15:04:05.678Z'],
    ['il y a 2 ans', '2022-03-31T15:04:05.678Z'],
    ['dans 1 mois', '2024-04-30T15:04:05.678Z'],
    ['Q1', '2024-03-31'],
    ['Q2 2025', '2025-06-30'],
    ['q3 2023', '2023-09-30'],
    ['4e trimestre 2022', '2022-12-31'],
    ['T2 2025', '2025-06-30'],
    ['2024-02-29', '2024-02-29'],
    ['2024-06-05T10:00', '2024-06-05T10:00:00.000Z'],
    ['2024-06-05T10:00:00+02:00', '2024-06-05T08:00:00.000Z'],
    ['2024-06-05 23:30:00.5 -0130', '2024-06-06T01:00:00.500Z'],
    ['June 5, 2025', '2025-06-05'],
    ['Sept. 1st 2025', '2025-09-01'],
    ['the 5th of June 2025', '2025-06-05'],
    ['Thursday, 5 June 2025', '2025-06-05'],
    ['5 juin 2025', '2025-06-05'],
    ['le 1er février 2024', '2024-02-01'],
    ['mardi 24 décembre 2024', '2024-12-24'],
    ['14 août 1999', '1999-08-14'],
    ['05.06.2025', '2025-06-05'],
    ['25/12/2025', '2025-12-25'],
    ['12/25/2025', '2025-12-25'],
  ])('%s is %s', (text, wanted) => {
    expect(readDate(text, now)).toBe(wanted);
  });

  test.each([
    ...['', 'soon', 'Q5', 'Q2 25', '2025-02-29', '2025-13-01', '2024-06-05T25:00', '05/06/2025'],
    ...[
      '31 June 2025',
      '5 Brumaire 2025',
      '-1 fortnights',
      '-99999999 years',
      '1 2 3',
      'June 2025',
    ],
  ])('is not %j', (text) => {
    expect(readDate(text, now)).toBeUndefined();
  });
});

describe('the effect', () => {
  const nature = { now: () => now, random: () => 0, below: () => 0, uuid: () => '' };

  async function ran(text: string) {
    const handlers = byName(...clockHandlers(nature));
    const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
    const dialect = 'starlark';
    const { program, diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
    if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
    const journal = memoryJournal();
    return await startRun({ journal, handlers, program, text, dialect }).result;
  }

  test('goes by the clock of the run', async () => {
    const { answer } = await ran('answer([datetime("-1 years"), datetime(expr="Q2")])');
    expect(answer).toEqual(['2023-03-31T15:04:05.678Z', '2024-06-30']);
  });

  test('fails at its place for what is no date, and says what is', async () => {
    expect(await ran('x = "05/06/2025"\nanswer(datetime(x))')).toMatchObject({
      status: 'failed',
      error: {
        ...{ code: 'PV4603', message: expect.stringContaining('got "05/06/2025"'), line: 2 },
        hint: expect.stringContaining('two days'),
      },
    });
  });
});

/**
 * Files of runs that somebody has forged, hashes and all: each is refused as a whole, with a place,
 * or the runs in it are as harmless as any other for all that reads the journal.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importedSettings } from '../../src/agent/record/imported.ts';
import { keptResult } from '../../src/agent/record/kept-result.ts';
import { load } from '../../src/agent/record/load.ts';
import { isDue, untilOf, waitsOf } from '../../src/engine/due.ts';
import { type ExportDocument, exportRuns, hashOfRun } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import { type EventBody, type Journal, JournalError } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { withinAny } from '../../src/engine/journal/run-identity.ts';
import { openWaits } from '../../src/engine/open-waits.ts';
import { familyOf } from '../../src/engine/views/family.ts';
import { showRun } from '../../src/engine/views/show.ts';
import { random } from '../support/draw.ts';
import { root } from '../support/repo.ts';
import { ending, record, resultText, settled, started } from './events.ts';

/** JSON that a test changes wherever it likes. */
type Loose = ReturnType<typeof JSON.parse>;

const loaded: EventBody = {
  ...{ type: 'program.loaded', text: '[]', dialect: 'stackvm-2', hash: 'c0de', tools: '[]' },
};

function exportOf(events: readonly EventBody[], more: object = {}): Loose {
  const journal = memoryJournal({ now: () => 1_000_000 });
  const run = record('r1', more);
  journal.create(run, 'one', [{ type: 'run.started', run }, loaded, ...events]);
  return JSON.parse(exportRuns({ journal, run: 'r1', now: 2_000_000 }));
}

const finished = ending('run.finished', undefined, resultText('r1'));

function signed(document: Loose): string {
  for (const run of document.runs) run.hash = hashOfRun(run);
  return JSON.stringify(document);
}

/** A journal with a run of its own, which no import may do anything to. */
function journalWithRun(): Journal {
  const journal = memoryJournal({ now: () => 3_000_000 });
  const run = record('own');
  const lease = journal.create(run, 'one', [{ type: 'run.started', run }, loaded, finished]);
  journal.release(lease);
  return journal;
}

const take = (journal: Journal, text: string, as?: string): readonly string[] =>
  importRuns(journal, readExport(text, 'e.json'), as, importedSettings);

/** What commands read of a journal and its runs. Fails where one of them does. */
async function readAll(journal: Journal): Promise<void> {
  const runs = journal.list({ within: withinAny });
  expect(runs.map(({ id }) => id)).toContain('own');
  for (const run of runs) {
    const { id } = run;
    for (const until of [untilOf(journal, run) ?? 0, run.createdAt, run.updatedAt]) {
      expect(new Date(until).toISOString()).toHaveLength(24);
    }
    isDue(journal, run, 0);
    waitsOf(journal, run);
    keptResult(journal, id);
    familyOf(journal, id);
    exportRuns({ journal, run: id, tree: true, now: 0 });
    await openWaits(journal, id, new Map());
    try {
      showRun({ journal, run: id, load });
    } catch (error) {
      // The program may be none, which is said by its code.
      expect(error).toMatchObject({ code: expect.stringMatching(/^PV5/) });
    }
  }
  journal.sweep({ dryRun: true });
}

const plain = JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort());
const expectCleanPrototypes = (): void => {
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype).sort())).toBe(plain);
};

describe('refused with a place', () => {
  const document = (): Loose => exportOf([started('0#1'), settled('0#1', '1'), finished]);
  const refusals: [string, (file: Loose) => void, RegExp][] = [
    ['large: a number', ({ runs }) => (runs[0].large = [5]), /runs\[0\]: want record/],
    ['large: no path', ({ runs }) => (runs[0].large = [[2, 'x', 'y']]), /runs\[0\]: want record/],
    ...['__proto__', 'constructor', 'nowhere'].flatMap(
      (key): [string, (file: Loose) => void, RegExp][] => [
        [
          `large at ${key}`,
          (file) => largeAt(file, [key, 'x']),
          /event 2: .*a large value belongs/,
        ],
        [`large below run.${key}`, (file) => largeAt(file, ['run', key, 'x']), /event 2: /],
      ],
    ),
    ['large in place of a text', (file) => largeAt(file, ['dialect']), /event 2: .*"dialect"/],
    ['settings: no JSON', ({ runs }) => (runs[0].record.settings = '{'), /record\.settings: got/],
    ['settings: null', ({ runs }) => (runs[0].record.settings = 'null'), /record\.settings/],
    ['settings: a list', ({ runs }) => (runs[0].record.settings = '[]'), /record\.settings/],
    ['inputs: no dict', ({ runs }) => (runs[0].record.inputs = '[1]'), /record\.inputs/],
    ['a run in an event', ({ runs }) => (runs[0].events[0].run.settings = '7'), /\[0\]\.run\.sett/],
    ['result: null', ({ runs }) => (runs[0].events[4].result = 'null'), /events\[4\]\.result/],
    ['result: {}', ({ runs }) => (runs[0].events[4].result = '{}'), /events\[4\]\.result\.run/],
    [
      'a wait of no kind',
      ({ runs }) => (runs[0].events[4].result = resultText('r1', { waits: [{ kind: 'x' }] })),
      /result\.waits\[0\]\.kind: got "x"/,
    ],
    [
      'a moment beyond all dates',
      ({ runs }) =>
        (runs[0].events[4].result = resultText('r1', {
          waits: [{ kind: 'pause', effect: '0#1', step: '', tool: 'sleep', until: 9e15 }],
        })),
      /result\.waits\[0\]\.until/,
    ],
    ['a time beyond all dates', ({ runs }) => (runs[0].record.createdAt = 9e15), /createdAt/],
    ['a time before 1970', ({ runs }) => (runs[0].events[1].at = -1), /events\[1\]\.at/],
    ['its own base', ({ runs }) => (runs[0].record.base = { run: 'r1', seq: 1 }), /base: .*itself/],
    [
      'its own parent',
      ({ runs }) => (runs[0].record.parent = { run: 'r1', effect: '0#1' }),
      /parent: got the run itself/,
    ],
    [
      'a fork that does not begin where its base ends',
      ({ runs }) => (runs[0].record.base = { run: 'r0', seq: 99 }),
      /base\.seq: got 99/,
    ],
    ['twice', (file) => file.runs.push(file.runs[0]), /runs\[1\]\.record\.id: .*second time/],
    ['an event of no effect', ({ runs }) => (runs[0].events[2].effect = 'x'), /\[2\]\.effect/],
    ['negative usage', ({ runs }) => (runs[0].events[3].usage = usageOf(-5)), /usage\.inputTokens/],
    ['no value', ({ runs }) => (runs[0].events[3].outcome.value = '{'), /outcome\.value/],
    ['tools: null', ({ runs }) => (runs[0].events[1].tools = 'null'), /events\[1\]\.tools/],
    ['tools: a text', ({ runs }) => (runs[0].events[1].tools = '["x"]'), /events\[1\]\.tools\[0\]/],
    ['no start', ({ runs }) => (runs[0].events[2].effect = '0#9'), /has not started/],
    [
      'another run',
      ({ runs }) => (runs[0].events[0].run.id = 'r9'),
      /no beginning of the run "r1"/,
    ],
    [
      'a key that is the prototype',
      (file) => (file.runs[0].events[3].more = JSON.parse('{"__proto__": {"x": 1}}')),
      /document\.runs\[0\]\.events\[3\]\.more: got "__proto__"/,
    ],
    [
      'nested without end',
      (file) => {
        let deep: Loose = {};
        for (let i = 0; i < 1000; i++) deep = [deep];
        file.runs[0].events[3].more = deep;
      },
      /document\.runs\[0\]\.events\[3\].*: got "more", want at most 100 levels/,
    ],
  ];

  test.each(refusals)('%s', (_, forge, place) => {
    const file = document();
    forge(file);
    const journal = journalWithRun();
    const before = JSON.stringify(journal.list());
    expect(() => take(journal, signed(file))).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^PV502[01]$/),
        message: expect.stringMatching(place),
      }),
    );
    expect(JSON.stringify(journal.list())).toBe(before);
    expectCleanPrototypes();
  });

  test('a document of nothing but brackets', () => {
    const deep = `{"format":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(() => take(journalWithRun(), deep)).toThrow(/document.*want at most 100 levels/);
  });

  test.each(['last', 'own.0-1.delegate', 'x.0_1.2-3.0.bind', 'a/b', '../r', ''])(
    'the id %j',
    (id) => {
      const file = document();
      file.runs[0].record.id = id;
      file.runs[0].events[0].run.id = id;
      expect(() => take(journalWithRun(), signed(file))).toThrow(
        /cannot be taken in as|record\.id/,
      );
    },
  );

  test('a run within an effect, without the run around it, unless it gets another id', () => {
    const journal = journalWithRun();
    const file = document();
    const id = 'own.0-1.delegate';
    file.runs[0].events[0].run.id = id;
    Object.assign(file.runs[0].record, { id, parent: { run: 'own', effect: '0#1' } });
    expect(() => take(journal, signed(file))).toThrow(/"own\.0-1\.delegate".*another id/);
    expect(take(journal, signed(file), 'alone')).toEqual(['alone']);
    expect(journal.find('alone')?.parent).toBeUndefined();
    expect(journal.list({ within: 'own' })).toEqual([]);
  });

  test('a run that would be a fork of itself by way of a run that is there', () => {
    const journal = journalWithRun();
    const run = record('x', { base: { run: 'ghost', seq: 0 } });
    const begun: EventBody = { type: 'run.forked', run, edit: { by: 'person' } };
    const start: EventBody = { type: 'run.started', run: record('ghost') };
    const shared = [start, begun].map((event, i) => ({ ...event, seq: i + 1, at: 1 }));
    const based = { ...run, base: { run: 'ghost', seq: 1 } };
    journal.adopt([{ record: based, events: shared, shares: false }]);
    const ghost = record('ghost', { base: { run: 'x', seq: 1 } });
    const first: EventBody = { type: 'run.started', run: record('x') };
    const source = memoryJournal();
    source.adopt([
      {
        record: ghost,
        events: [
          { ...first, seq: 1, at: 1 },
          { type: 'run.forked', run: ghost, edit: { by: 'person' }, seq: 2, at: 1 },
        ],
        shares: false,
      },
    ]);
    const text = exportRuns({ journal: source, run: 'ghost', now: 0 });
    expect(() => take(journal, text)).toThrow(
      /"ghost" would be a fork of itself, by way of "ghost"/,
    );
    expect(take(journal, text, 'other')).toEqual(['other']);
  });
});

const usageOf = (inputTokens: number): object => ({
  ...{ modelCalls: 1, inputTokens, outputTokens: 0, cost: 0 },
});

/** A large text that the file says belongs there. */
function largeAt(file: Loose, path: readonly string[]): void {
  const [key, text] = Object.entries(exportOf([], { title: 'x'.repeat(5000) }).texts)[0] ?? [];
  file.texts[String(key)] = text;
  file.runs[0].large = [[2, path, key]];
}

describe('without trust', () => {
  const settings = {
    ...{ approve: 'none', yes: ['wipe'], tools: ['planvm:files?read=/'], helpers: ['/x.ts#'] },
    ...{ model: 'openai/x', http: { get: 'GET http://inside' }, openapi: [], pins: {}, allow: [] },
    limits: {
      cost: -1,
      tokens: 9e9,
      effects: 1e9,
      stepVisits: 2000,
      callDepth: -1,
      valueBytes: 1e12,
    },
    ...{
      sequential: true,
      requestKey: 'k',
      withheld: ['rm'],
      goal: 'g',
      file: '/projects/x/p.star',
    },
    earlier: { inputs: [], program: false },
    playbook: {
      ...{ text: 't', inlineSteps: 0, strictness: 'advise', servers: ['h'], models: { a: 'b' } },
    },
    asked: {
      ...{ goal: { text: 'g' }, corrections: 1e9, repairs: 2, refused: [], sequential: false },
    },
  };

  test('its settings allow nothing, in its record and in its events', () => {
    const file = exportOf([{ type: 'limit.raised', limits: { cost: -1, stepVisits: 3000 } }], {
      ...{ settings: JSON.stringify(settings), inputs: '{"page": "x"}' },
    });
    const journal = journalWithRun();
    take(journal, signed(file));
    const kept = {
      ...{ file: 'p.star', sequential: true, requestKey: 'k', withheld: ['rm'], goal: 'g' },
      limits: { stepVisits: 2000 },
      earlier: { inputs: ['page'], program: true },
      playbook: { text: 't', inlineSteps: 0, strictness: 'advise' },
      asked: { ...settings.asked, corrections: 3 },
      imported: true,
    };
    expect(JSON.parse(journal.find('r1')?.settings ?? '')).toEqual(kept);
    const [first, , raised] = journal.events('r1');
    expect(first?.type === 'run.started' && JSON.parse(first.run.settings)).toEqual(kept);
    expect(raised).toMatchObject({ limits: { stepVisits: 3000 } });
  });

  test.each<[string, string, readonly EventBody[]]>([
    ['granted and not performed', 'requested', []],
    ['granted and started', 'requested', [started('0#1')]],
    ['granted, and failed', 'requested', [started('0#1'), failed('0#1')]],
    ['granted, and done', 'granted', [started('0#1'), settled('0#1', '1')]],
  ])('an approval that was %s is %s', (_, state, rest) => {
    const granted: EventBody = { type: 'approval.granted', effect: '0#1', by: 'mallory' };
    const journal = journalWithRun();
    take(journal, signed(exportOf([asking, granted, ...rest])));
    const types = journal.events('r1').map(({ type }) => type);
    expect(types.includes('approval.granted')).toBe(state === 'granted');
    expect(types.filter((type) => type === 'approval.requested').length).toBe(
      state === 'granted' ? 1 : 2,
    );
  });

  test('an answer to an effect that has no outcome is asked for again', () => {
    const question: EventBody = {
      ...{ type: 'effect.asked', effect: '0#1', tool: 'search', attempts: 1 },
      question: '{"text":"May it?"}',
    };
    const answer: EventBody = {
      ...{ type: 'effect.answered', effect: '0#1', tool: 'search', value: '"yes"', by: 'mallory' },
    };
    const open = journalWithRun();
    take(open, signed(exportOf([started('0#1'), question, answer])));
    expect(open.events('r1').at(-1)).toMatchObject({ ...question, seq: 5 });
    const done = journalWithRun();
    const after = [
      { ...started('0#1'), attempt: 2 },
      { ...settled('0#1', '1'), attempts: 2 },
    ];
    take(done, signed(exportOf([started('0#1'), question, answer, ...after])));
    expect(done.events('r1')[4]).toMatchObject(answer);
  });
});

const asking: EventBody = {
  ...{ type: 'approval.requested', effect: '0#1', tool: 'search', step: '4@2' },
  ...{ request: '{"query":"rivers"}', why: 'it cannot be undone' },
};

function failed(effect: string): EventBody {
  return { ...settled(effect, ''), outcome: { ok: false, error: { code: 'X', message: 'no' } } };
}

const histories = join(root, 'test/golden/histories');
const files = readdirSync(histories).sort();
const odd: readonly unknown[] = [
  ...[null, true, -1, 0, 1.5, 9e15, 1e308, '', 'x', '__proto__', 'constructor', 'null', '{}', '[]'],
  ...[[], {}, [null], { run: 'r1', seq: 1 }, '\u001b[2J', '0#1', 'last', '{"a":', 'x'.repeat(5000)],
];

/** Every container below a value, with the keys that it has. */
function placesIn(value: Loose, found: [Loose, string][] = []): [Loose, string][] {
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    if (typeof value[key] === 'object' && value[key] !== null) placesIn(value[key], found);
  }
  return found;
}

/** JSON within texts is changed as the rest is. */
function mutate(place: Loose, key: string, pick: (count: number) => number, all: Loose[]): void {
  const value: unknown = place[key];
  const inner = typeof value === 'string' && /^[[{]/.test(value) ? parsed(value) : undefined;
  if (inner && pick(3) > 0) {
    const places = placesIn(inner);
    const [where, name] = places[pick(places.length)] ?? [];
    if (where && name !== undefined) mutate(where, name, pick, all);
    place[key] = JSON.stringify(inner);
    return;
  }
  const how = pick(5);
  if (how === 0) delete place[key];
  else if (how === 1 && Array.isArray(place)) place.push(place[pick(place.length)]);
  else if (how === 2) place[key] = structuredClone(all[pick(all.length)]);
  else place[key] = structuredClone(odd[pick(odd.length)]);
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rounds = Number(process.env.PLANVM_TEST_ROUNDS ?? 40);
const seed = Number(process.env.PLANVM_TEST_SEED ?? Math.floor(Math.random() * 1e9));

test.each(files)(`%s changed anywhere does no harm (seed ${seed})`, async (name) => {
  const text = readFileSync(join(histories, name), 'utf8');
  const pick = random(seed);
  for (let round = 0; round < rounds; round++) {
    const document: ExportDocument = JSON.parse(text);
    for (let i = 0; i <= pick(3); i++) {
      const { runs } = document;
      const run: Loose = runs[pick(runs.length)];
      const places = placesIn(run);
      const [place, key] = places[pick(places.length)] ?? [run, 'record'];
      mutate(
        place,
        key,
        pick,
        places.map(([where, at]) => where[at]),
      );
    }
    const journal = journalWithRun();
    try {
      take(journal, signed(document));
    } catch (error) {
      expect(error, `round ${round}`).toBeInstanceOf(JournalError);
      expect(error).toMatchObject({ code: expect.stringMatching(/^PV50(0[346]|2[0-2])$/) });
      expect(journal.list({ within: withinAny })).toHaveLength(1);
    }
    await readAll(journal);
    expectCleanPrototypes();
  }
});

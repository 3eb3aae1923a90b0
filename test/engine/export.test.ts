/** Runs as files: what one journal exports another takes in, or refuses as a whole. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { largeTextChars } from '../../src/engine/journal/event-text.ts';
import { type ExportDocument, exportRuns, hashOfRun } from '../../src/engine/journal/export.ts';
import { importRuns, readExport } from '../../src/engine/journal/import.ts';
import type { Journal, RunRecord } from '../../src/engine/journal/journal.ts';
import { memoryJournal, openJournal } from '../../src/engine/journal/open-journal.ts';
import { ending, historyOf, record, resultText, settled, started } from './events.ts';
import { temporaryFolder } from './sqlite/folder.ts';

const folder = temporaryFolder();
let count = 0;
const journals: Journal[] = [];
afterAll(() => {
  for (const journal of journals) journal.close();
});

const places: [string, () => Journal][] = [
  ['memory', () => memoryJournal()],
  ['a file', () => openJournal(`${folder}/${count++}.db`)],
];

const large = (letter: string): string => letter.repeat(largeTextChars);

let from: Journal;
beforeEach(() => {
  let now = 1_000_000;
  from = memoryJournal({ now: () => now++ });
});

function add(id: string, base?: RunRecord['base']): string {
  const run = record(id, base && { base });
  const first =
    base === undefined
      ? [{ type: 'run.started', run } as const]
      : [{ type: 'run.forked', run, edit: { by: 'person' } } as const];
  const lease = from.create(run, 'one', first);
  from.append(lease, [started('0#1')]);
  from.append(lease, [
    settled('0#1', `"${large('v').slice(2)}"`),
    ending('run.finished', undefined, resultText(id)),
  ]);
  from.release(lease);
  return id;
}

const exported = (run: string, tree = false): string =>
  exportRuns({ journal: from, run, tree, now: 2_000_000 });

/** The events of a run without its settings, of which an import keeps little. */
const bodies = (journal: Journal, run: string): unknown[] =>
  journal
    .events(run)
    .map((event) => ('run' in event ? { ...event, run: { ...event.run, settings: '' } } : event));

/** The export with some of it changed, hashes and all: as somebody writes it on purpose. */
function forged(text: string, change: (document: ExportDocument) => void): string {
  const document: ExportDocument = JSON.parse(text);
  change(document);
  for (const run of document.runs) Object.assign(run, { hash: hashOfRun(run) });
  return JSON.stringify(document);
}

describe.each(places)('into %s', (_, make) => {
  let to: Journal;
  beforeEach(() => {
    to = make();
    journals.push(to);
  });
  const take = (text: string, as?: string): readonly string[] =>
    importRuns(to, readExport(text, 'run.json'), as);

  test('every event comes as it was, with its number and time, and nobody has the run', () => {
    const run = record('r1', { inputs: `{"text":"${large('i')}"}` });
    const history = historyOf(run);
    from.append(from.create(run, 'one'), history);
    expect(take(exported('r1'))).toEqual(['r1']);
    expect(bodies(to, 'r1')).toEqual(bodies(from, 'r1'));
    const { settings: _, ...rest } = from.find('r1') ?? {};
    expect(to.find('r1')).toMatchObject({ ...rest, owned: false });
    const next = to.append(to.claim('r1', 'two'), [{ type: 'run.resumed' }]);
    expect(next).toMatchObject({ seq: history.length + 1 });
  });

  test('a fork brings its whole history, and shares it where its base is there', () => {
    add('r1');
    add('r2', { run: 'r1', seq: 3 });
    take(exported('r2'));
    expect(bodies(to, 'r2')).toEqual(bodies(from, 'r2'));
    expect(to.children('r1')).toEqual([]);
    to.sweep({ runs: ['r2'] });
    take(exported('r1'));
    take(exported('r2'));
    expect(bodies(to, 'r2')).toEqual(bodies(from, 'r2'));
    expect(to.children('r1').map(({ id }) => id)).toEqual(['r2']);
  });

  test('a fork whose base is another run there keeps a history of its own', () => {
    add('r1');
    add('r2', { run: 'r1', seq: 3 });
    to.release(to.create(record('r1'), 'one', [started('0#5'), started('0#6'), started('0#7')]));
    take(exported('r2'));
    expect(bodies(to, 'r2')).toEqual(bodies(from, 'r2'));
    expect(to.children('r1')).toEqual([]);
  });

  test('a tree comes with all its forks', () => {
    add('r1');
    add('r2', { run: 'r1', seq: 3 });
    add('r3', { run: 'r2', seq: 5 });
    add('r4', { run: 'r1', seq: 2 });
    expect(take(exported('r1', true))).toEqual(['r1', 'r2', 'r3', 'r4']);
    for (const id of ['r1', 'r2', 'r3', 'r4']) expect(bodies(to, id)).toEqual(bodies(from, id));
    expect(to.children('r1').map(({ id }) => id)).toEqual(['r2', 'r4']);
    expect(to.children('r2').map(({ id }) => id)).toEqual(['r3']);
  });

  test('under another id, it is that run in all that is said of it', () => {
    add('r1');
    add('r2', { run: 'r1', seq: 2 });
    expect(take(exported('r1', true), 'copy')).toEqual(['copy', 'r2']);
    expect(to.find('r2')?.base).toEqual({ run: 'copy', seq: 2 });
    expect(to.events('copy')[0]).toMatchObject({ type: 'run.started', run: { id: 'copy' } });
    expect(to.events('copy').at(-1)).toMatchObject({ result: resultText('copy') });
    expect(to.events('r2').slice(0, 2)).toEqual(to.events('copy').slice(0, 2));
  });

  test('all or none: where one of them is there already, nothing is taken in', () => {
    add('r1');
    add('r2', { run: 'r1', seq: 2 });
    to.release(to.create(record('r2', { title: 'other' }), 'one', [started('0#1')]));
    const before = [to.list(), to.events('r2')];
    expect(() => take(exported('r1', true))).toThrow(expect.objectContaining({ code: 'PV5004' }));
    expect([to.list(), to.events('r2')]).toEqual(before);
    expect(to.find('r1')).toBeUndefined();
  });
});

test('what no file has room for is refused, with what to do instead', () => {
  add('r1');
  add('r2', { run: 'r1', seq: 2 });
  const refused = (tree: boolean): unknown =>
    expect.objectContaining({
      code: 'PV5023',
      message: expect.stringMatching(tree ? /one by one, or copy the file/ : /; copy the file/),
    });
  for (const tree of [false, true]) {
    const few = { journal: from, run: 'r1', tree, now: 2_000_000, charsMax: largeTextChars - 1 };
    expect(() => exportRuns(few)).toThrow(refused(tree));
    expect(() => exportRuns({ ...few, charsMax: largeTextChars })).not.toThrow();
  }
});

test('an id that leads out of a folder is refused, unless the run gets another one', () => {
  const text = exported(add('../r1'));
  const to = memoryJournal();
  const runs = readExport(text, 'run.json');
  expect(() => importRuns(to, runs)).toThrow(/cannot be taken in as "\.\.\/r1".*another id/);
  expect(importRuns(to, runs, 'r1')).toEqual(['r1']);
});

describe('a file that is', () => {
  const failing = (text: string): { code: string; message: string } => {
    try {
      readExport(text, 'run.json');
    } catch (error) {
      return error as { code: string; message: string };
    }
    throw new Error('it was read');
  };

  test.each([
    ['', /Unexpected end/],
    ['{"format": "planvm-run", }', /position \d+/],
    ['[1]', /got \[1\], want an object/],
    ['{"format":"diary"}', /format: got "diary", want "planvm-run"/],
    ['{"format":"planvm-run","version":"1"}', /version: got "1", want 1/],
    ['{"format":"planvm-run","version":1,"runs":[]}', /runs: got \[\], want a list/],
    ['{"format":"planvm-run","version":1,"runs":[1],"texts":{}}', /runs\[0\]: want record/],
    ['{"format":"planvm-run","version":1,"runs":[1]}', /texts: got nothing, want an object/],
    ['<!doctype html><p>a diary</p>', /the page holds no run/],
  ])('no export says why: %s', (text, why) => {
    const { code, message } = failing(text);
    expect(code).toBe('PV5020');
    expect(message).toMatch(/^run\.json is not an export of a run: /);
    expect(message).toMatch(why);
  });

  test('of a newer planvm says so', () => {
    const { code, message } = failing('{"format":"planvm-run","version":9}');
    expect(code).toBe('PV5022');
    expect(message).toMatch(/got version 9, want at most 1.*update planvm/);
  });

  test('damaged anywhere is refused', () => {
    add('r1');
    const text = exported('r1');
    expect(readExport(text, 'run.json')).toHaveLength(1);
    for (let at = 0; at < text.length; at += 7) {
      const letter = text.charAt(at) === 'x' ? 'y' : 'x';
      const other = text.slice(0, at) + letter + text.slice(at + 1);
      let read: unknown;
      try {
        read = readExport(other, 'run.json');
      } catch (error) {
        expect(error).toMatchObject({
          name: 'JournalError',
          code: expect.stringMatching(/^PV502/),
        });
        continue;
      }
      // Only when it was exported is not part of any run.
      expect(other.slice(0, at)).toMatch(/"exportedAt"?$|"export\w*$/);
      expect(read).toEqual(readExport(text, 'run.json'));
    }
  });

  test('edited says where: an event, a text', () => {
    add('r1');
    const edited = exported('r1').replace('"tool":"search"', '"tool":"delete"');
    expect(failing(edited)).toMatchObject({ code: 'PV5021', message: /runs\[0\].*another hash/ });
    const text = exported('r1').replace('vvvv', 'vvvw');
    expect(failing(text)).toMatchObject({ code: 'PV5021', message: /texts\.\w{64}/ });
  });

  test.each<[string, (document: ExportDocument) => void, RegExp]>([
    [
      'without an id',
      ({ runs }) => Object.assign(runs[0]?.record ?? {}, { id: 7 }),
      /record\.id: got 7/,
    ],
    [
      'with a gap',
      ({ runs }) => Object.assign(runs[0]?.events[1] ?? {}, { seq: 5 }),
      /events\[1\]\.seq: got 5, want 2/,
    ],
    [
      'without times',
      ({ runs }) => Object.assign(runs[0]?.events[1] ?? {}, { at: 'now' }),
      /events\[1\]\.at: got "now"/,
    ],
    [
      'with an unknown event',
      ({ runs }) => Object.assign(runs[0]?.events[1] ?? {}, { type: 'toString' }),
      /events\[1\]\.type: got "toString"/,
    ],
    [
      'with half a base',
      ({ runs }) => Object.assign(runs[0]?.record ?? {}, { base: { run: 'r0' } }),
      /record\.base\.seq: got nothing/,
    ],
    [
      'with a reason that is none',
      ({ runs }) => Object.assign(runs[0]?.events[3] ?? {}, { reason: 'boredom' }),
      /events\[3\]\.reason: got "boredom"/,
    ],
    [
      'with what a terminal would obey',
      ({ runs }) => Object.assign(runs[0]?.events[1] ?? {}, { step: '\u001b[2J' }),
      /events\[1\]\.step: got "\\u001b/,
    ],
    [
      'without one of its texts',
      ({ texts }) => Reflect.deleteProperty(texts, Object.keys(texts)[0] ?? ''),
      /got no text/,
    ],
  ])('forged %s is refused, too', (_, change, why) => {
    add('r1');
    const { code, message } = failing(forged(exported('r1'), change));
    expect(code).toMatch(/^PV502[01]$/);
    expect(message).toMatch(why);
  });
});

/**
 * Reads what `export.ts` wrote, or the page of a run that holds it, and gives it to a journal. What
 * was damaged or edited, or is something else, is refused as a whole, with the place.
 */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { distrusted, type KeptSettings } from './distrust.ts';
import { decode } from './event-text.ts';
import { type ExportedRun, exportFormat, exportVersion, hashOfRun } from './export.ts';
import { breaksIn } from './history.ts';
import { eventMisfit, hostile, isFields, type Misfit, recordMisfit } from './import-shape.ts';
import {
  type AdoptedRun,
  type Journal,
  JournalError,
  type RunEvent,
  type RunRecord,
} from './journal.ts';
import { innerRunStart, isInnerRunId } from './run-identity.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The runs of an export, each behind its base. Throws `JournalError` PV5020, PV5021 or PV5022. */
export function readExport(text: string, file: string): AdoptedRun[] {
  const document = documentIn(text, file);
  const { format, version, runs } = document;
  if (format !== exportFormat) {
    throw foreign(file, `format: got ${shown(format)}, want "${exportFormat}"`);
  }
  if (typeof version === 'number' && version > exportVersion) throw newer(file, version);
  if (version !== exportVersion) {
    throw foreign(file, `version: got ${shown(version)}, want ${exportVersion}`);
  }
  if (!Array.isArray(runs) || runs.length === 0) {
    throw foreign(file, `runs: got ${shown(runs)}, want a list of runs`);
  }
  const texts = textsIn(document, file);
  const read: AdoptedRun[] = [];
  for (const [i, run] of runs.entries()) {
    read.push(readRun(run, `runs[${i}]`, { file, texts, known: read }));
  }
  return read;
}

/**
 * Takes runs over, without any trust (distrust.ts). `kept` picks the settings of the caller's own
 * that allow nothing; none where it is absent. Throws as `readExport` and `Journal.adopt` do. Gives
 * the ids of the runs.
 */
export function importRuns(
  journal: Journal,
  runs: readonly AdoptedRun[],
  as?: string,
  kept: KeptSettings = () => ({}),
): readonly string[] {
  const [first] = runs;
  const named = as === undefined || !first ? runs : renamed(runs, first.record.id, as);
  requireNames(named);
  requireNoCircle(journal, named);
  const adopted = named.map((run) => {
    const { record, shares } = run;
    const own = distrusted(run, shares ? historyIn(named, record.base) : [], kept);
    return linked(journal, run, own);
  });
  journal.adopt(adopted);
  return adopted.map(({ record }) => record.id);
}

/** A page of a run has its export in a script that browsers do not run. */
const embedded = /<script type="application\/x-planvm-run\+json" id="run">([^<]*)<\/script>/;

function documentIn(text: string, file: string): Fields {
  const isPage = /^\uFEFF?\s*</.test(text);
  const json = isPage ? embedded.exec(text)?.[1] : text.replace(/^\uFEFF/, '');
  if (json === undefined) throw foreign(file, 'the page holds no run');
  try {
    const document: unknown = JSON.parse(json);
    const deep = hostile(document);
    if (deep) throw misfit(file, 'document', deep);
    if (isFields(document)) return document;
    throw foreign(file, `got ${shown(document)}, want an object`);
  } catch (error) {
    if (error instanceof SyntaxError) throw foreign(file, error.message);
    throw error;
  }
}

function textsIn({ texts }: Fields, file: string): ReadonlyMap<string, string> {
  if (!isFields(texts)) throw foreign(file, `texts: got ${shown(texts)}, want an object`);
  const read = new Map<string, string>();
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text !== 'string' || hash('sha256', text) !== key) {
      throw damaged(file, `texts.${key}: got a text with another hash`);
    }
    read.set(key, text);
  }
  return read;
}

interface Surroundings {
  readonly file: string;
  readonly texts: ReadonlyMap<string, string>;
  /** The runs before it in the file. */
  readonly known: readonly AdoptedRun[];
}

function readRun(given: unknown, at: string, world: Surroundings): AdoptedRun {
  const { file } = world;
  if (!isExported(given)) throw foreign(file, `${at}: want record, events, large and hash`);
  if (hashOfRun(given) !== given.hash) throw damaged(file, `${at}: got what has another hash`);
  const whole = (value: object, seq: number): Fields => {
    const large = given.large
      .filter(([of]) => of === seq)
      .map(([, path, key]) => ({ path, text: textOf(key, `${at}: event ${seq}`, world) }));
    try {
      return decode({ text: JSON.stringify(value), large });
    } catch (error) {
      throw damaged(file, `${at}: event ${seq}: ${(error as Error).message}`);
    }
  };
  const record = readRecord(whole(given.record, 0), `${at}.record`, world);
  const { base } = record;
  const shares = base !== undefined && world.known.some(({ record }) => record.id === base.run);
  const before = shares ? historyIn(world.known, base) : [];
  const places = new Set(given.large.map(([seq]) => seq));
  const events = given.events.map((event, i) => {
    const seq = before.length + i + 1;
    const read = places.has(seq) ? whole(event, seq) : (event as Fields);
    return readEvent(read, { at: `${at}.events[${i}]`, seq, file });
  });
  requireHistory(record, { before, events, at, file });
  return { record, events, shares };
}

function textOf(key: string, at: string, { file, texts }: Surroundings): string {
  const text = texts.get(key);
  if (text === undefined) throw damaged(file, `${at}: got no text ${key}`);
  return text;
}

function isExported(value: unknown): value is ExportedRun {
  if (!isFields(value)) return false;
  const { record, events, large, hash } = value;
  return (
    isFields(record) &&
    Array.isArray(events) &&
    events.every(isFields) &&
    Array.isArray(large) &&
    large.every(isLarge) &&
    typeof hash === 'string'
  );
}

const isLarge = (value: unknown): boolean => {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [seq, path, key] = value;
  const isPath = Array.isArray(path) && path.every((step) => typeof step === 'string');
  return Number.isSafeInteger(seq) && isPath && typeof key === 'string';
};

/** A base or a run around it comes before it in the file; so there is no circle within the file. */
function readRecord(fields: Fields, at: string, { file, known }: Surroundings): RunRecord {
  const wrong = recordMisfit(fields);
  if (wrong) throw misfit(file, at, wrong);
  const record = fields as unknown as RunRecord;
  const { id, base, parent } = record;
  const earlier = new Set(known.map((run) => run.record.id));
  if (earlier.has(id)) throw foreign(file, `${at}.id: got ${shown(id)} for the second time`);
  if (base?.run === id) throw foreign(file, `${at}.base: got the run itself, want another one`);
  if (parent?.run === id) throw foreign(file, `${at}.parent: got the run itself`);
  if (parent === undefined || earlier.has(parent.run)) return record;
  // It was exported without the run around it, and is none within an effect here.
  const { parent: _, ...alone } = record;
  return alone;
}

function readEvent(
  event: Fields,
  { at, seq, file }: { at: string; seq: number; file: string },
): RunEvent {
  if (event.seq !== seq) throw foreign(file, `${at}.seq: got ${shown(event.seq)}, want ${seq}`);
  const wrong = eventMisfit(event);
  if (wrong) throw misfit(file, at, wrong);
  return event as unknown as RunEvent;
}

interface History {
  /** What it shares with its base. */
  readonly before: readonly RunEvent[];
  readonly events: readonly RunEvent[];
  readonly at: string;
  readonly file: string;
}

/** Throws where events cannot be the history of the run. */
function requireHistory({ id, base }: RunRecord, { before, events, at, file }: History): void {
  const all = [...before, ...events];
  const [wrong] = breaksIn(all);
  if (wrong) throw foreign(file, `${at}: ${wrong.message}`);
  const begins = all.findLast((event) => 'run' in event);
  if (begins === undefined || !('run' in begins) || begins.run.id !== id) {
    throw foreign(file, `${at}.events: got no beginning of the run ${shown(id)}`);
  }
  if (base === undefined || (begins.type === 'run.forked' && begins.seq === base.seq + 1)) return;
  throw foreign(file, `${at}.base.seq: got ${base.seq}, want the event before the fork begins`);
}

/** All events of a run's base, up to where the run begins, out of the runs of a file. */
function historyIn(known: readonly AdoptedRun[], base: RunRecord['base']): readonly RunEvent[] {
  const run = known.find(({ record }) => record.id === base?.run);
  if (run === undefined || base === undefined) return [];
  const before = run.shares ? historyIn(known, run.record.base) : [];
  return [...before, ...run.events].filter(({ seq }) => seq <= base.seq);
}

/** Ids stand in commands and in names of files. */
function requireNames(runs: readonly AdoptedRun[]): void {
  for (const { record } of runs) {
    const { id, parent } = record;
    const start = parent && innerRunStart(parent.run, parent.effect);
    const isFree = start === undefined ? !isInnerRunId(id) : id.startsWith(start);
    if (/^\w[\w.-]{0,199}$/.test(id) && id !== 'last' && isFree) continue;
    const want = 'want up to 200 letters, digits, ., - and _, and no id of a run within an effect';
    const hint = 'it can be given another id';
    throw new JournalError('PV5020', `a run cannot be taken in as ${shown(id)}, ${want}; ${hint}`);
  }
}

/** The journal may have a run whose base is gone, and that is one of these runs. */
function requireNoCircle(journal: Journal, runs: readonly AdoptedRun[]): void {
  const bases = new Map(runs.map(({ record }) => [record.id, record.base?.run]));
  for (const { record } of runs) {
    const seen = new Set<string>();
    for (let id: string | undefined = record.id; id !== undefined; ) {
      if (seen.has(id)) {
        const circle = `run ${shown(record.id)} would be a fork of itself, by way of ${shown(id)}`;
        throw new JournalError('PV5020', `${circle}; it can be given another id`);
      }
      seen.add(id);
      id = bases.has(id) ? bases.get(id) : journal.find(id)?.base?.run;
    }
  }
}

/**
 * Where the journal has its base, with the same events, they are not stored again. The base may
 * have been imported itself: `run` is as the file has it, `own` as it is taken in.
 */
function linked(journal: Journal, run: AdoptedRun, own: AdoptedRun): AdoptedRun {
  const { record, shares } = run;
  const { base } = record;
  if (shares || base === undefined) return own;
  const there = journal.events(base.run).slice(0, base.seq);
  const isSame = ({ events }: AdoptedRun): boolean =>
    there.length === base.seq && isDeepStrictEqual(there, events.slice(0, base.seq));
  if (!isSame(run) && !isSame(own)) return own;
  return { record: own.record, events: own.events.slice(base.seq), shares: true };
}

/** The first run under another id, wherever the export speaks of it, and what is within it. */
function renamed(runs: readonly AdoptedRun[], from: string, to: string): AdoptedRun[] {
  const inner = new Set(runs.flatMap(({ record: { id, parent } }) => (parent ? [id] : [])));
  const name = (id: string): string =>
    id === from || (inner.has(id) && id.startsWith(`${from}.`)) ? to + id.slice(from.length) : id;
  const recordAs = (record: RunRecord): RunRecord => ({
    ...record,
    id: name(record.id),
    ...(record.base && { base: { ...record.base, run: name(record.base.run) } }),
    ...(record.parent && { parent: { ...record.parent, run: name(record.parent.run) } }),
  });
  return runs.map(({ record, events, shares }) => ({
    record: recordAs(record),
    events: events.map((event) => {
      if ('run' in event) return { ...event, run: recordAs(event.run) };
      if (!('result' in event)) return event;
      const result: unknown = JSON.parse(event.result);
      if (!isFields(result) || typeof result.run !== 'string') return event;
      const run = name(result.run);
      if (run === result.run) return event;
      return { ...event, result: JSON.stringify({ ...result, run }) };
    }),
    shares,
  }));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const foreign = (file: string, problem: string): JournalError =>
  new JournalError('PV5020', `${file} is not an export of a run: ${problem}`);

const misfit = (file: string, at: string, { path, got, want }: Misfit): JournalError =>
  foreign(file, `${at}${path}: got ${shown(got)}, want ${want}`);

const damaged = (file: string, problem: string): JournalError =>
  new JournalError('PV5021', `${file} was damaged or edited, export the run again: ${problem}`);

const newer = (file: string, version: number): JournalError => {
  const versions = `got version ${version}, want at most ${exportVersion}`;
  return new JournalError('PV5022', `${file} is of a newer planvm (${versions}); update planvm`);
};

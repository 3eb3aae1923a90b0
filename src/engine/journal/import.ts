/**
 * Reads what `export.ts` wrote, or the page of a run that holds it, and gives it to a journal. What
 * was damaged or edited, or is something else, is refused as a whole, with the place.
 */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { decode } from './event-text.ts';
import { type ExportedRun, exportFormat, exportVersion, hashOfRun } from './export.ts';
import {
  type AdoptedRun,
  type EventBody,
  type Journal,
  JournalError,
  type RunEvent,
  type RunRecord,
} from './journal.ts';
import { runReasons } from './run-status.ts';

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

/** Throws as `readExport` and `Journal.adopt` do. Gives the ids of the runs. */
export function importRuns(
  journal: Journal,
  runs: readonly AdoptedRun[],
  as?: string,
): readonly string[] {
  const [first] = runs;
  const named = as === undefined || !first ? runs : renamed(runs, first.record.id, as);
  for (const { record } of named) requireName(record.id);
  const adopted = named.map((run) => linked(journal, run));
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
    return decode({ text: JSON.stringify(value), large });
  };
  const record = readRecord(whole(given.record, 0), `${at}.record`, file);
  const { base } = record;
  const shares = base !== undefined && world.known.some(({ record }) => record.id === base.run);
  const from = shares ? base.seq : 0;
  const places = new Set(given.large.map(([seq]) => seq));
  const events = given.events.map((event, i) => {
    const seq = from + i + 1;
    const read = places.has(seq) ? whole(event, seq) : (event as Fields);
    return readEvent(read, { at: `${at}.events[${i}]`, seq, file });
  });
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
    typeof hash === 'string'
  );
}

const recordTexts = ['id', 'title', 'dialect', 'inputs', 'settings'] as const;

function readRecord(record: Fields, at: string, file: string): RunRecord {
  for (const name of recordTexts) {
    if (typeof record[name] === 'string') continue;
    throw foreign(file, `${at}.${name}: got ${shown(record[name])}, want a string`);
  }
  if (!Number.isSafeInteger(record.createdAt)) {
    throw foreign(file, `${at}.createdAt: got ${shown(record.createdAt)}, want milliseconds`);
  }
  if (control.test(String(record.dialect))) {
    throw foreign(file, `${at}.dialect: got ${shown(record.dialect)}, want a name`);
  }
  const { base } = record;
  if (base !== undefined && !(isFields(base) && isSeq(base.seq) && typeof base.run === 'string')) {
    throw foreign(file, `${at}.base: got ${shown(base)}, want { run, seq }`);
  }
  const { parent } = record;
  const isParent = isFields(parent) && typeof parent.run === 'string';
  if (parent !== undefined && !(isParent && typeof parent.effect === 'string')) {
    throw foreign(file, `${at}.parent: got ${shown(parent)}, want { run, effect }`);
  }
  return record as unknown as RunRecord;
}

function readEvent(
  event: Fields,
  { at, seq, file }: { at: string; seq: number; file: string },
): RunEvent {
  const { type } = event;
  if (event.seq !== seq) throw foreign(file, `${at}.seq: got ${shown(event.seq)}, want ${seq}`);
  if (!Number.isSafeInteger(event.at)) {
    throw foreign(file, `${at}.at: got ${shown(event.at)}, want milliseconds`);
  }
  if (typeof type !== 'string' || !Object.hasOwn(eventTypes, type)) {
    throw foreign(file, `${at}.type: got ${shown(type)}, want the type of an event`);
  }
  if ('reason' in event && type.startsWith('run.') && !isReason(event.reason)) {
    throw foreign(file, `${at}.reason: got ${shown(event.reason)}, want a reason to stop`);
  }
  for (const name of names) {
    const value = event[name];
    if (value === undefined || (typeof value === 'string' && !control.test(value))) continue;
    throw foreign(file, `${at}.${name}: got ${shown(value)}, want a name`);
  }
  return event as unknown as RunEvent;
}

/** What commands print as it is. */
const names = ['effect', 'tool', 'step', 'hash', 'channel', 'limit', 'by'] as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals obey.
const control = /[\u0000-\u001f\u007f-\u009f]/;

const isReason = (value: unknown): boolean => runReasons.some((reason) => reason === value);

/** Ids stand in commands and in names of files. */
function requireName(id: string): void {
  if (/^\w[\w.-]{0,99}$/.test(id)) return;
  const want = 'want up to 100 letters, digits, ., - and _; it can be given another id';
  throw new JournalError('PV5020', `a run cannot be taken in as ${shown(id)}, ${want}`);
}

/** Where the journal has its base, with the same events, they are not stored again. */
function linked(journal: Journal, run: AdoptedRun): AdoptedRun {
  const { record, events, shares } = run;
  const { base } = record;
  if (shares || base === undefined) return run;
  const there = journal.events(base.run).slice(0, base.seq);
  if (there.length < base.seq || !isDeepStrictEqual(there, events.slice(0, base.seq))) return run;
  return { record, events: events.slice(base.seq), shares: true };
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

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSeq = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const foreign = (file: string, problem: string): JournalError =>
  new JournalError('PV5020', `${file} is not an export of a run: ${problem}`);

const damaged = (file: string, problem: string): JournalError =>
  new JournalError('PV5021', `${file} was damaged or edited, export the run again: ${problem}`);

const newer = (file: string, version: number): JournalError => {
  const versions = `got version ${version}, want at most ${exportVersion}`;
  return new JournalError('PV5022', `${file} is of a newer planvm (${versions}); update planvm`);
};

/** A type that is missing here does not compile. */
const eventTypes: Readonly<Record<EventBody['type'], true>> = {
  'run.started': true,
  'run.forked': true,
  'program.loaded': true,
  'program.replaced': true,
  'effect.started': true,
  'effect.part': true,
  'effect.asked': true,
  'effect.answered': true,
  'effect.sampled': true,
  'effect.settled': true,
  'effect.reused': true,
  'effect.unknown': true,
  'effect.cancelled': true,
  'approval.requested': true,
  'approval.granted': true,
  'approval.denied': true,
  'answer.judged': true,
  'message.emitted': true,
  'run.resumed': true,
  'limit.reached': true,
  'limit.raised': true,
  'run.finished': true,
  'run.failed': true,
  'run.waiting': true,
  'run.suspended': true,
  'run.cancelled': true,
};

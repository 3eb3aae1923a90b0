/**
 * The shape of what an export holds: which fields records and events have, and what each may be.
 * A file may come from anybody, so that all that readers of a journal rely on is checked here. What
 * planvm writes as JSON text within a field is read, too.
 */
import { decode } from '../../program/json.ts';
import { isDict } from '../../program/value.ts';
import { runReasons } from './history.ts';
import type { EventBody } from './journal.ts';
import { metadataBytesMax, metadataProblem } from './run-identity.ts';

/** What is wrong with a value: where below it, and what it is to be there. */
export interface Misfit {
  /** `.outcome.ok`; empty for the value itself. */
  readonly path: string;
  readonly got: unknown;
  readonly want: string;
}

type Shape = (value: unknown) => Misfit | undefined;
type Fields = Readonly<Record<string, unknown>>;
type Shapes = Readonly<Record<string, Shape>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shape =
  (want: string, fits: (value: unknown) => boolean): Shape =>
  (got) =>
    fits(got) ? undefined : { path: '', got, want };

const text = shape('a text', (value) => typeof value === 'string');
const flag = shape('true or false', (value) => typeof value === 'boolean');
const data = shape('JSON data', (value) => value !== undefined);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals obey.
const control = /[\u0000-\u001f\u007f-\u009f]/;
const nameCharsMax = 1000;

/** Commands print it as it is. */
const name = shape(
  `a name of up to ${nameCharsMax} characters`,
  (value) => typeof value === 'string' && value.length <= nameCharsMax && !control.test(value),
);

/** `0.2~1#3` or `0#7.1`; `base:0#3` in approvals of what a fork does without. */
const effect = shape(
  'the id of an effect, such as 0#3',
  (value) =>
    typeof value === 'string' && /^(base:)?[\d.~]{1,1000}#\d{1,15}(\.\d{1,15})*$/.test(value),
);

const among = (...words: readonly string[]): Shape =>
  shape(`one of ${words.join(', ')}`, (value) => words.some((word) => word === value));

const count = shape(
  'a whole number from 0',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);

const amount = shape('a number from 0', (value) => Number.isFinite(value) && Number(value) >= 0);

/** The end of the year 9999: what comes later cannot be written as a date of four digits. */
const latest = 253_402_300_799_999;
const time = shape(
  'milliseconds since 1970',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latest,
);

const or =
  (first: Shape, second: Shape): Shape =>
  (value) =>
    first(value) && second(value);

const none = shape('null', (value) => value === null);
const absent = shape('nothing', (value) => value === undefined);
const maybe = (inner: Shape): Shape => or(absent, inner);

const list =
  (inner: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return { path: '', got: value, want: 'a list' };
    for (const [i, item] of value.entries()) {
      const misfit = inner(item);
      if (misfit) return { ...misfit, path: `[${i}]${misfit.path}` };
    }
    return undefined;
  };

const record =
  (inner: Shape): Shape =>
  (value) => {
    if (!isFields(value)) return { path: '', got: value, want: 'an object' };
    return firstMisfit(Object.entries(value), () => inner);
  };

/** Further fields may stand beside these. */
const fields =
  (shapes: Shapes): Shape =>
  (value) => {
    if (!isFields(value)) return { path: '', got: value, want: 'an object' };
    const own = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
    return firstMisfit(
      Object.keys(shapes).map((key) => [key, own(key)]),
      (key) => shapes[key] ?? data,
    );
  };

function firstMisfit(
  entries: readonly (readonly [string, unknown])[],
  shapeOf: (key: string) => Shape,
): Misfit | undefined {
  for (const [key, value] of entries) {
    const misfit = shapeOf(key)(value);
    if (misfit) return { ...misfit, path: `.${key}${misfit.path}` };
  }
  return undefined;
}

/** A field that holds JSON as a text. */
const json =
  (inner: Shape): Shape =>
  (value) => {
    if (typeof value !== 'string') return { path: '', got: value, want: 'JSON as a text' };
    try {
      const parsed: unknown = JSON.parse(value);
      return hostileKey(parsed) ?? inner(parsed);
    } catch {
      return { path: '', got: value, want: 'JSON as a text' };
    }
  };

/** Canonical tagged JSON, as `encode` writes it. */
const canonical =
  (fits: (value: ReturnType<typeof decode>) => boolean, want: string): Shape =>
  (value) => {
    try {
      if (typeof value === 'string' && fits(decode(value))) return undefined;
    } catch {
      // The text says what it is instead of a value.
    }
    return { path: '', got: value, want };
  };

const value = canonical(() => true, 'a value as planvm encodes it');
const values = canonical(isDict, 'a dict as planvm encodes it');

/** Levels of a file: its records and events, and what is around them. */
const depthMax = 100;
const pathCharsMax = 60;
const prototypeKey = '__proto__';

/**
 * Data that is nested too deep, or that has a key which assignment would take for the prototype.
 * Iterative: the depth is what is in question.
 */
export function hostile(root: unknown): Misfit | undefined {
  return hostileKey(root, depthMax);
}

function hostileKey(root: unknown, deepest = Number.POSITIVE_INFINITY): Misfit | undefined {
  const open: [value: object, path: string, depth: number][] = isNested(root)
    ? [[root, '', 0]]
    : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, path, depth] = next;
    if (depth > deepest) return { path, got: 'more', want: `at most ${deepest} levels` };
    if (Object.hasOwn(inner, prototypeKey)) return { path, got: prototypeKey, want: 'another key' };
    for (const [key, value] of Object.entries(inner)) {
      if (!isNested(value)) continue;
      const step = Array.isArray(inner) ? `[${key}]` : `.${key}`;
      open.push([value, path.length < pathCharsMax ? path + step : path, depth + 1]);
    }
  }
  return undefined;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const usage = fields({
  ...{ modelCalls: count, inputTokens: count, outputTokens: count },
  cost: maybe(or(none, amount)),
  estimated: maybe(count),
});

const effectError = fields({ code: name, message: text, hint: maybe(text), final: maybe(flag) });

const success = fields({ ok: shape('true or false', (ok) => ok === true), value });
const failure = fields({ ok: flag, error: effectError });
const outcome: Shape = (given) =>
  isFields(given) && given.ok === false ? failure(given) : success(given);

const sources = list(fields({ url: text, title: maybe(text), fetchedAt: maybe(time) }));

const spec = fields({
  ...{ name, description: text, parameters: record(data) },
  kind: maybe(among('model', 'tool', 'retrieve', 'person', 'clock')),
  effect: maybe(among('pure', 'read', 'write')),
  ...{ idempotent: maybe(flag), destructive: maybe(flag), ordered: maybe(flag) },
  ...{ blind: maybe(flag), aliases: maybe(list(name)), after: maybe(list(name)) },
  ...{ requires: maybe(list(name)), alternatives: maybe(list(name)), returns: maybe(record(data)) },
  ...{ conflicts: maybe(list(name)), limits: maybe(record(amount)), keys: maybe(list(name)) },
  ...{ untold: maybe(name), price: maybe(fields({ perCall: amount })) },
});

const program = {
  ...{ text, dialect: name, hash: name, tools: json(list(spec)) },
};

const question = fields({
  ...{ text, choices: maybe(list(data)), schema: maybe(record(data)) },
  approval: maybe(fields({ tool: name, request: data, why: text })),
  decides: maybe(among('doubt')),
});

const issued = { effect, step: name, tool: name };
const waits: Readonly<Record<string, Shape>> = {
  question: fields({
    ...{ ...issued, question: text, to: maybe(name), until: maybe(time) },
    ...{ choices: maybe(list(data)), schema: maybe(record(data)) },
  }),
  approval: fields({ ...issued, request: data, why: text }),
  pause: fields({ ...issued, until: time }),
};

const wait: Shape = (given) => {
  const kind = isFields(given) ? String(given.kind) : '';
  const known = Object.hasOwn(waits, kind) ? waits[kind] : undefined;
  return known ? known(given) : fields({ kind: among(...Object.keys(waits)) })(given);
};

const status = among('running', 'done', 'failed', 'invalid', 'waiting', 'suspended', 'cancelled');
const reason = maybe(among(...runReasons));
const verdict = {
  ...{ accept: flag, outcome: maybe(name), rewritten: maybe(text) },
  ...{ reason: text, suggestion: text, by: name },
};

const place = {
  ...{ code: maybe(name), step: maybe(name), effect: maybe(name), file: maybe(text) },
  ...{ line: maybe(count), column: maybe(count), hint: maybe(text), message: text },
};

const frame = fields({ name: maybe(text), line: maybe(count), column: maybe(count) });

const result = fields({
  ...{ run: name, status, reason, usage, variables: record(data) },
  answer: data,
  answers: list(fields({ value: data, step: name, verdict: maybe(fields(verdict)) })),
  error: maybe(fields({ ...place, code: name, trace: maybe(list(frame)) })),
  limit: maybe(fields({ name, enough: amount, tool: maybe(name) })),
  waits: maybe(list(wait)),
  warnings: list(fields(place)),
});

const ended = { reason, result: json(result) };

const base = fields({ run: name, seq: count });
const metadata = shape(
  `an object of JSON data of up to ${metadataBytesMax} bytes`,
  (given) => metadataProblem(given) === undefined,
);
const runRecord = fields({
  ...{ id: name, title: text, dialect: name, createdAt: time },
  ...{ inputs: values, settings: json(record(data)) },
  metadata: maybe(metadata),
  base: maybe(base),
  parent: maybe(fields({ run: name, effect })),
});

const edit = fields({
  at: maybe(name),
  set: maybe(record(value)),
  outcomes: maybe(record(outcome)),
  program: maybe(fields({ text, dialect: name })),
  perform: maybe(among('missing', 'models', 'all')),
  vanished: maybe(among('warn', 'ask')),
  by: among('person', 'repair', 'revise'),
  note: maybe(text),
});

const point = fields({
  ...{ step: name, generation: count, issued: count, spawned: count, messages: count },
});

const failed = fields({ startedAt: time, endedAt: time, code: name, message: text });
const about = { effect, tool: name };

/** A type that is missing here does not compile. */
const events: Readonly<Record<EventBody['type'], Shapes>> = {
  'run.started': { run: runRecord },
  'run.forked': { run: runRecord, edit, point: maybe(point), acted: maybe(list(effect)) },
  'program.loaded': program,
  'program.replaced': { ...program, reason: text },
  'effect.started': {
    ...{ ...about, attempt: count, step: name, hash: name, request: maybe(values) },
    ...{ queuedAt: time, handled: maybe(flag), failed: maybe(failed), startedAt: maybe(time) },
    ...{ standIn: maybe(name), model: maybe(name) },
  },
  'effect.part': { ...about, index: count, value },
  'effect.settled': {
    ...{ ...about, hash: name, outcome, once: maybe(text), as: maybe(effect), step: maybe(name) },
    ...{ request: maybe(values), by: maybe(name), attempts: count, startedAt: time },
    ...{ usage: maybe(usage), warnings: maybe(list(text)), sources: maybe(sources) },
    ...{ standIn: maybe(name), handled: maybe(flag) },
  },
  'effect.unknown': { ...about, hash: name, attempts: count, why: text },
  'effect.cancelled': { ...about, attempts: count, usage: maybe(usage) },
  'effect.asked': { ...about, attempts: count, question: json(question) },
  'effect.answered': { ...about, value, by: name },
  'effect.reused': { ...about, step: name, hash: name, from: count, once: maybe(text) },
  'approval.requested': { ...about, step: name, request: values, why: text },
  'approval.granted': { effect, by: name, note: maybe(text) },
  'approval.denied': { effect, by: name, note: maybe(text) },
  'approval.withdrawn': { effect },
  'answer.judged': { ...verdict, answer: count },
  'message.emitted': { channel: name, value, step: name },
  'run.resumed': { again: maybe(list(effect)) },
  'limit.reached': { limit: name, value: shape('a number', (given) => Number.isFinite(given)) },
  'limit.raised': { limits: record(shape('a number', (given) => Number.isFinite(given))) },
  'run.finished': ended,
  'run.failed': ended,
  'run.waiting': ended,
  'run.suspended': ended,
  'run.cancelled': ended,
};

/** What is wrong with a record. */
export const recordMisfit: Shape = runRecord;

/** What is wrong with an event; its number is for the caller to check. */
export function eventMisfit(event: Fields): Misfit | undefined {
  const { type } = event;
  if (typeof type !== 'string' || !Object.hasOwn(events, type)) {
    return { path: '.type', got: type, want: 'the type of an event' };
  }
  return fields({ at: time, ...events[type as EventBody['type']] })(event);
}

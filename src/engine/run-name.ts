/** Ids of runs: those that planvm makes, those that callers choose, and the run that one names. */
import { RunError } from './codes.ts';
import type { Journal, RunRecord, RunSummary } from './journal/journal.ts';
import {
  identityDifferences,
  identityOf,
  isInnerRunId,
  metadataBytesMax,
  metadataProblem,
  type RunIdentity,
  type RunMetadata,
  type RunRequest,
} from './journal/run-identity.ts';
import type { StartOptions } from './run-options.ts';

const runIdCharsMax = 128;

/** The run that a start asks for exists already, whether it goes on, has stopped or has ended. */
export class RunExists extends RunError {
  override readonly name = 'RunExists';
  readonly existing: RunSummary;

  constructor(existing: RunSummary) {
    const { id, status } = existing;
    super('PV5112', `run ${id} exists already: ${status}`, { run: id, facts: { status } });
    this.existing = existing;
  }
}

/** Throws `RunError` PV5111. Ids stand in commands and in names of files. */
export function requireRunId(id: string): void {
  const problem = runIdProblem(id);
  if (problem === undefined) return;
  const facts = { got: id.slice(0, 2 * runIdCharsMax) };
  throw new RunError('PV5111', `the id of a run: got ${JSON.stringify(facts.got)}, ${problem}`, {
    facts,
  });
}

function runIdProblem(id: string): string | undefined {
  if (id === 'last') return 'want another id: last means the latest run';
  if (isInnerRunId(id)) return 'want another id: runs within effects have such ids';
  if (id.length <= runIdCharsMax && /^\w[\w.-]*$/.test(id)) return undefined;
  return `want 1 to ${runIdCharsMax} letters, digits, ., - and _, the first of them no . or -`;
}

function requireMetadata(metadata: RunMetadata): void {
  const problem = metadataProblem(metadata);
  if (problem === undefined) return;
  const facts = { bytesMax: metadataBytesMax };
  throw new RunError('PV5114', `the metadata of a run: ${problem}`, { facts });
}

type RequestOptions = Pick<StartOptions, 'text' | 'dialect' | 'inputs' | 'request'>;

/** What the record of a run keeps of its name. Throws `RunError` PV5111, PV5114. */
export function nameInRecord(
  options: RequestOptions & Pick<StartOptions, 'id' | 'metadata' | 'parent'>,
): Pick<RunRecord, 'metadata' | 'identity'> {
  const { id, metadata, parent } = options;
  if (metadata) requireMetadata(metadata);
  // A run within an effect has the id that the engine gives it.
  const isNamed = id !== undefined && parent === undefined;
  if (isNamed) requireRunId(id);
  return {
    ...(metadata && { metadata }),
    ...(isNamed && { identity: identityOf(requestOf(options)) }),
  };
}

/** What the id of a run stands for: its program, unless the caller says otherwise. */
const requestOf = ({ text, dialect, inputs = new Map(), request }: RequestOptions): RunRequest => ({
  ...{ kind: 'program', text, dialect, inputs },
  ...request,
});

/**
 * The run that a start with these options would find in its place; undefined where it would create
 * one. Throws `RunError` PV5113 where the id stands for another request.
 */
export function existingRun(
  options: RequestOptions & Pick<StartOptions, 'journal' | 'id'>,
): RunSummary | undefined {
  const { journal, id } = options;
  const existing = id === undefined ? undefined : journal.find(id);
  if (existing === undefined) return undefined;
  const wanted = identityOf(requestOf(options));
  // A fork, an imported run and one that planvm has named are of another kind.
  const { identity } = existing;
  const differences = identity ? identityDifferences(identity, wanted) : (['kind'] as const);
  if (differences.length === 0) return existing;
  const got = differences.map((part) => otherPart[part]).join(' and ');
  const message = `run ${existing.id} is of another request: got ${got}, want those of its start`;
  const hint = 'take another id, or start what this id stands for';
  const facts = { differences: [...differences] };
  throw new RunError('PV5113', message, { run: existing.id, hint, facts });
}

const otherPart: Readonly<Record<keyof RunIdentity, string>> = {
  kind: 'another kind of run',
  text: 'another text',
  dialect: 'another dialect',
  inputs: 'other inputs',
};

// Names of runs: `r`, the time in nine and chance in five letters of Crockford's base 32. They
// sort by age, read aloud without doubt, and a short prefix is enough to name one.

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const chances = 32 ** 5;

/** The last name that was made with each source of chance. */
const last = new WeakMap<() => number, { readonly now: number; readonly chance: number }>();

/**
 * `now` in epoch milliseconds; `random` gives numbers from 0 up to 1. Names of one millisecond sort
 * in the order in which they are made, too.
 */
export function runId(now: number, random: () => number = Math.random): string {
  const drawn = Math.floor(random() * chances);
  const before = last.get(random);
  const isLater = before?.now !== now || drawn > before.chance;
  const chance = isLater ? drawn : (before.chance + 1) % chances;
  last.set(random, { now, chance });
  return `r${letters(now, 9)}${letters(chance, 5)}`;
}

function letters(value: number, count: number): string {
  let text = '';
  for (let i = 0, rest = value; i < count; i++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

// A run that somebody names.

/** Throws `RunError` PV5105 where the journal has none of this id. */
export function findRun(journal: Journal, run: string): RunSummary {
  const found = journal.find(run);
  if (found) return found;
  throw new RunError('PV5105', `there is no run ${run}`, { run });
}

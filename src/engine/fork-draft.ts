/** Everything that is known of a fork before it is made: its record, its events, its program. */
import { nearest } from '../program/diagnostic.ts';
import { decode, encode } from '../program/json.ts';
import { dict } from '../program/value.ts';
import { systemClock } from './clock.ts';
import { RunError } from './codes.ts';
import type { ForkOptions } from './fork.ts';
import type { ForkEdit } from './fork-edit.ts';
import type { EventBody, RunEvent, RunRecord } from './journal.ts';
import { type Loaded, loadProgram, programHash } from './load.ts';
import { locate } from './locate.ts';
import { type Past, readPast } from './past.ts';
import { changedLimits } from './run.ts';
import { runId } from './run-id.ts';
import { checkSame } from './same-steps.ts';
import { writeLimits } from './settings.ts';

export interface ForkDraft {
  readonly record: RunRecord;
  /** Its first events. */
  readonly events: readonly EventBody[];
  /** The history that it will have. */
  readonly history: readonly RunEvent[];
  readonly loaded: Loaded;
}

type DraftOptions = Omit<ForkOptions, 'owner'>;

/** Changes nothing. Throws as `forkRun` does. */
export function draftFork(options: DraftOptions): ForkDraft {
  const { journal, run, edit, clock = systemClock } = options;
  const summary = journal.find(run);
  if (!summary) throw new RunError('PV5105', `there is no run ${run}`, { hint: 'see planvm runs' });
  const shared = journal.events(run);
  const past = readPast(shared);
  const base = loadProgram(run, past, options.load);
  const place = edit.at === undefined ? undefined : locate(base, shared, edit.at);
  checkNames(base, past, edit);
  const last = shared.length;
  const inputs = edit.at === undefined ? withInputs(base, edit.set) : base.inputs;
  const record: RunRecord = {
    id: options.id ?? runId(clock.now(), options.random),
    title: options.title ?? summary.title,
    dialect: edit.program?.dialect ?? base.source.dialect,
    createdAt: clock.now(),
    inputs: encode(dict(inputs)),
    settings: JSON.stringify({ ...JSON.parse(summary.settings), ...options.settings }),
    base: { run, seq: last },
  };
  const program = edit.program && newProgram(base, edit.program, options);
  const { at: _, ...rest } = edit;
  const events: EventBody[] = [
    place
      ? { type: 'run.forked', run: record, edit: { ...rest, at: place.step }, point: place.point }
      : { type: 'run.forked', run: record, edit },
    ...(program ? [program.event] : []),
    ...raised(base, past, options),
  ];
  const at = clock.now();
  const history = [...shared, ...events.map((event, i) => ({ ...event, seq: last + 1 + i, at }))];
  const source = program ? { ...program.event, seq: last + 2, at } : base.source;
  const loaded: Loaded = { ...base, ...program, source, inputs };
  if (program && place) checkSame(loaded, history, place);
  return { record, events, history, loaded };
}

/** Throws where the edit names what there is not. */
function checkNames(base: Loaded, past: Past, { at, set = {}, outcomes = {} }: ForkEdit): void {
  const known = at === undefined ? [...base.inputs.keys()] : base.program.globals;
  const kind = at === undefined ? 'input' : 'variable';
  const wrong = Object.keys(set).find((name) => !known.includes(name));
  if (wrong !== undefined) {
    const hint = at === undefined ? 'to set a variable, say at which step' : 'see planvm show';
    throw new RunError('PV5132', `got ${wrong}, want ${wanted(kind, wrong, known)}`, { hint });
  }
  const effects = [...past.effects.keys()];
  const effect = Object.keys(outcomes).find((id) => !past.effects.has(id));
  if (effect !== undefined) {
    throw new RunError('PV5133', `got ${effect}, want ${wanted('effect', effect, effects)}`, {
      hint: 'planvm show lists the effects of a run',
    });
  }
}

function wanted(kind: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const meant = near === undefined ? '' : ` (did you mean ${near}?)`;
  const article = kind === 'variable' ? 'a' : 'an';
  return `${article} ${kind} that the run has${meant}`;
}

function withInputs(base: Loaded, set: ForkEdit['set'] = {}): Loaded['inputs'] {
  const changed = Object.entries(set).map(([name, text]) => [name, decode(text)] as const);
  return new Map([...base.inputs, ...changed]);
}

interface NewProgram extends Pick<Loaded, 'program' | 'specs' | 'warnings'> {
  readonly event: Extract<EventBody, { type: 'program.replaced' }>;
}

/** What was declared for the base stays as it was; what came since can be called, too. */
function newProgram(
  base: Loaded,
  { text, dialect }: NonNullable<ForkEdit['program']>,
  { handlers, load, edit }: DraftOptions,
): NewProgram {
  const today = [...handlers.values()].map(({ spec }) => [spec.name, spec] as const);
  const specs = new Map([...today, ...base.specs]);
  try {
    const { program, warnings = [] } = load(text, dialect, specs, [...base.inputs.keys()]);
    const hash = programHash(program);
    const tools = JSON.stringify([...specs.values()]);
    const reason = edit.note ?? edit.by;
    const event = { type: 'program.replaced', text, dialect, hash, tools, reason } as const;
    return { event, program, specs, warnings };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunError('PV5134', `the program of the fork is not valid: ${why}`, {
      hint: 'planvm check shows what is wrong with it',
      cause,
    });
  }
}

function raised(base: Loaded, past: Past, { limits = {} }: DraftOptions): EventBody[] {
  const changed = changedLimits({ ...base.settings.limits, ...past.raised }, limits);
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'limit.raised', limits: writeLimits(changed) }];
}

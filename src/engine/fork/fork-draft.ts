/** Everything that is known of a fork before it is made: its record, its events, its program. */
import { nearest } from '../../program/diagnostic.ts';
import { decode, encode } from '../../program/json.ts';
import { dict } from '../../program/value.ts';
import { systemClock } from '../clock.ts';
import { RunError } from '../codes.ts';
import type { ForkEdit } from '../journal/fork-edit.ts';
import type { EventBody, Journal, RunEvent, RunRecord } from '../journal/journal.ts';
import { type Load, type Loaded, limitsSoFar, loadProgram, programHash } from '../load.ts';
import type { Past } from '../past/past.ts';
import { readPast } from '../past/read-past.ts';
import { changedLimits, type EngineOptions } from '../run.ts';
import { findRun, requireRunId, runId } from '../run-name.ts';
import { writeLimits } from '../settings.ts';
import { type Found, locate, type Place, pointBehind } from '../views/locate.ts';
import { actedIn } from './acted.ts';
import { checkSame } from './same-steps.ts';

export interface ForkOptions extends EngineOptions {
  /** The base. */
  readonly run: string;
  readonly edit: ForkEdit;
  readonly load: Load;
  /** In place of what the base was started with: model, …; JSON data. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default: that of the base. */
  readonly title?: string;
  readonly id?: string;
}

export interface ForkDraft {
  readonly record: RunRecord;
  /** Its first events. */
  readonly events: readonly EventBody[];
  readonly loaded: Loaded;
  /** The history that it will have. */
  history(): readonly RunEvent[];
}

type DraftOptions = Omit<ForkOptions, 'owner'>;

/** Changes nothing. Throws as `forkRun` does. */
export function draftFork(options: DraftOptions): ForkDraft {
  const { journal, run, edit, clock = systemClock } = options;
  const summary = findRun(journal, run);
  const base = new Base(journal, run, summary.events);
  const { head } = base;
  const loaded = loadProgram(run, head, options.load);
  const { found, place } = whereTo(options, base, loaded);
  const point = found?.point;
  checkNames(found?.names ?? [...loaded.inputs.keys()], base, run, edit);
  const inputs = edit.at === undefined ? withInputs(loaded, edit.set) : loaded.inputs;
  if (options.id !== undefined) requireRunId(options.id);
  const record: RunRecord = {
    id: options.id ?? runId(clock.now(), options.random),
    title: options.title ?? summary.title,
    dialect: edit.program?.dialect ?? loaded.source.dialect,
    createdAt: clock.now(),
    inputs: encode(dict(inputs)),
    settings: JSON.stringify({ ...JSON.parse(summary.settings), ...options.settings }),
    ...(summary.metadata && { metadata: summary.metadata }),
    base: { run, seq: base.seq },
  };
  const program = edit.program && newProgram(loaded, edit.program, options);
  const { at: _, ...rest } = edit;
  const acted = actedIn(journal, run, () => base.past());
  const events: EventBody[] = [
    {
      ...{ type: 'run.forked', run: record },
      ...(point ? { edit: { ...rest, at: point.step }, point } : { edit }),
      ...(acted.length > 0 && { acted }),
    },
    ...(program ? [program.event] : []),
    ...(options.limits ? raised(loaded, base, options.limits) : []),
  ];
  const at = clock.now();
  const own = events.map((event, i) => ({ ...event, seq: base.seq + 1 + i, at }));
  const source = program ? { ...program.event, seq: base.seq + 2, at } : loaded.source;
  const draft: ForkDraft = {
    ...{ record, events },
    loaded: { ...loaded, ...program, source, inputs },
    history: () => [...base.events(), ...own],
  };
  if (program && place) checkSame(draft.loaded, draft.history(), place);
  return draft;
}

/** The run that is forked, read as far as it is needed. */
class Base {
  /** The last event that the fork shares. */
  readonly seq: number;
  /** What its first events say: record and program. */
  readonly head: Past;
  readonly #journal: Journal;
  readonly #run: string;
  #events: readonly RunEvent[] | undefined;
  #past: Past | undefined;

  constructor(journal: Journal, run: string, seq: number) {
    this.#journal = journal;
    this.#run = run;
    this.seq = seq;
    this.head = readPast(this.#first());
  }

  events(): readonly RunEvent[] {
    this.#events ??= this.#journal.events(this.#run, 0, this.seq);
    return this.#events;
  }

  past(): Past {
    this.#past ??= readPast(this.events());
    return this.#past;
  }

  /** The first events of the run and of those that it was forked from. */
  #first(): RunEvent[] {
    const starts: number[] = [];
    for (let base = this.#journal.find(this.#run)?.base; base; ) {
      starts.unshift(base.seq);
      base = this.#journal.find(base.run)?.base;
    }
    return [0, ...starts].flatMap((start, i) => {
      const end = Math.min(start + firstMost, starts[i] ?? this.seq);
      return this.#journal.events(this.#run, start, end);
    });
  }
}

/** A run's own events begin with so many, at most, before anything happens. */
const firstMost = 3;

/** Where the fork begins, with what came before where that is to be compared. */
function whereTo(
  { journal, run, edit }: DraftOptions,
  base: Base,
  loaded: Loaded,
): { readonly found?: Found; readonly place?: Place } {
  const { at, program } = edit;
  if (at === undefined) return {};
  const isPlain = program === undefined && !at.includes('#');
  const found = isPlain ? pointBehind({ journal, run, head: base.head }, loaded, at) : undefined;
  if (found) return { found };
  const place = locate(loaded, base.events(), at);
  return { found: place, place };
}

/** Throws where the edit names what there is not. */
function checkNames(
  known: readonly string[],
  base: Base,
  run: string,
  { at, set = {}, outcomes }: ForkEdit,
): void {
  const kind = at === undefined ? 'input' : 'variable';
  const wrong = Object.keys(set).find((name) => !known.includes(name));
  if (wrong !== undefined) {
    throw new RunError('PV5132', `got ${wrong}, want ${wanted(kind, wrong, known)}`, {
      run,
      ...(at === undefined ? { hint: 'to set a variable, say at which step' } : { step: at }),
    });
  }
  if (!outcomes) return;
  const { effects } = base.past();
  const effect = Object.keys(outcomes).find((id) => !effects.has(id));
  if (effect === undefined) return;
  const want = wanted('effect', effect, [...effects.keys()]);
  throw new RunError('PV5133', `got ${effect}, want ${want}`, { run });
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
      cause,
    });
  }
}

function raised(
  loaded: Loaded,
  base: Base,
  limits: NonNullable<DraftOptions['limits']>,
): EventBody[] {
  if (Object.keys(limits).length === 0) return [];
  const changed = changedLimits(limitsSoFar(loaded, base.past()), limits);
  if (Object.keys(changed).length === 0) return [];
  return [{ type: 'limit.raised', limits: writeLimits(changed) }];
}

/** The document that `show --at --json` prints: a state of a run, with names, sizes and texts. */
import type {
  FrameView,
  Inspection,
  LineView,
  OpenEntry,
  Waiting,
} from '../../machine/inspection.ts';
import type { MachineStatus } from '../../machine/turn.ts';
import type { EffectError, GuestError, Outcome } from '../../program/effect.ts';
import { decode, encode, toJson } from '../../program/json.ts';
import type { Step } from '../../program/program.ts';
import { settled, typeName, type Value } from '../../program/value.ts';
import { inspectArrived } from '../past/arrived.ts';
import type { StateAt } from '../past/time.ts';
import { shownOf } from '../result.ts';
import { type PreviewContext, plainOf, preview, sizeOf } from './preview.ts';

export interface StateView {
  readonly run: string;
  /** As it was asked for. */
  readonly at: string;
  /** `step`: as it was entered. */
  readonly moment: 'start' | 'step' | 'end';
  /** `going`: it has something to execute. */
  readonly status: 'going' | 'waiting' | 'done' | 'failed';
  /** The step that is executed, or that was last; none before the first. */
  readonly step: StepText | null;
  readonly variables: Readonly<Record<string, ValueView>>;
  /** The main line, then its fibers. */
  readonly lines: readonly LineDocument[];
  readonly answers: readonly { readonly value: unknown; readonly step: string }[];
  readonly error?: GuestError;
}

export interface StepText {
  /** `4@2`. */
  readonly id: string;
  readonly kind: string;
  readonly objective?: string;
  readonly source?: string;
  /** The text that the line is of, where that is not the program's own. */
  readonly file?: string;
  readonly line: number;
}

export interface ValueView {
  readonly type: string;
  /** Characters, bytes, items or fields. */
  readonly size?: number;
  /** Ordinary JSON data; absent where it is no data, not all there, or very large. */
  readonly value?: unknown;
  /** For people; cut where it is long. */
  readonly text: string;
  /** Of a value that is pending. */
  readonly waits?: OpenDocument;
  /** Of a value that is pending or has pending parts: what it became, where the journal knows. */
  readonly later?: { readonly value: unknown };
}

export interface LineDocument {
  readonly path: string;
  readonly step: string;
  /** Outermost first. */
  readonly frames: readonly FrameDocument[];
  readonly waits: WaitingDocument | null;
  /** What has not taken hold, in program order. */
  readonly open: readonly OpenDocument[];
}

export interface FrameDocument {
  readonly name: string;
  readonly file?: string;
  readonly line: number;
  readonly column: number;
  readonly locals: Readonly<Record<string, ValueView>>;
  /** The operand stack, its top last. */
  readonly stack: readonly ValueView[];
}

export interface WaitingDocument {
  readonly on: Waiting['on'];
  readonly for?: OpenDocument;
}

export interface OpenDocument {
  readonly kind: OpenEntry['kind'];
  readonly id?: string;
  readonly name: string;
  readonly step: string;
  readonly line: number;
  readonly state: OpenEntry['state'];
  /** What a person is asked. */
  readonly question?: string;
  /** How many values it waits for itself. */
  readonly missing: number;
  /** How it settled later, where the journal has it. */
  readonly later?: { readonly value: unknown } | { readonly error: EffectError };
}

/** Characters of a value's text. */
const textMost = 400;

export function stateView(state: StateAt, at: string): StateView {
  const { run, moment, inspection, loaded } = state;
  const { globals, lines, answers, error, pendings, status } = inspection;
  let arrived: Inspection | undefined;
  const context: ViewContext = {
    ...{ program: loaded.program, pendings, state },
    arrived: () => (arrived ??= inspectArrived(state)),
  };
  const main = lines[0];
  return {
    run,
    at,
    moment: moment.kind === 'outcome' ? 'end' : moment.kind,
    status: statusOf[status],
    step: main ? stepText(loaded.program.steps[main.stepIndex], main.step) : null,
    variables: valuesOf(globals, context, (inspection) => inspection.globals),
    lines: lines.map((line) => lineDocument(line, context)),
    answers: answers.map(({ value, step }) => ({ value: shownOf(encode(value)), step })),
    ...(error ? { error } : {}),
  };
}

interface ViewContext extends PreviewContext {
  readonly state: Pick<StateAt, 'past' | 'loaded'>;
  /** The same moment with the outcomes that the journal has for what was open. */
  readonly arrived: () => Inspection;
}

/** Finds variables again in another inspection of the same moment. */
type Scope = (inspection: Inspection) => ReadonlyMap<string, Value> | undefined;

const statusOf: Readonly<Record<MachineStatus, StateView['status']>> = {
  ready: 'going',
  paused: 'going',
  blocked: 'waiting',
  full: 'waiting',
  done: 'done',
  failed: 'failed',
};

function stepText(step: Step | undefined, id: string): StepText | null {
  if (!step) return null;
  const { kind, objective, source, file, line } = step;
  const said = { ...(objective && { objective }), ...(source && { source }) };
  return { id, kind, ...said, ...(file !== undefined && { file }), line };
}

/** Under other names than a program's own, compilers keep what is theirs. */
const ownName = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u;

function valuesOf(
  values: ReadonlyMap<string, Value>,
  context: ViewContext,
  scope: Scope,
): Record<string, ValueView> {
  return Object.fromEntries(
    [...values].flatMap(([name, value]) =>
      ownName.test(name)
        ? [[name, valueView(value, context, () => scope(context.arrived())?.get(name))]]
        : [],
    ),
  );
}

/** `arrivedValue`: the same value where the outcomes that came later are there. */
function valueView(
  original: Value,
  context: ViewContext,
  arrivedValue: () => Value | undefined = () => undefined,
): ValueView {
  const value = settled(original);
  const size = sizeOf(value);
  const plain = plainOf(value);
  const isPending = typeof value === 'object' && value?.kind === 'pending';
  const entry = isPending ? context.pendings.get(value) : undefined;
  return {
    type: typeName(value),
    ...(size === undefined ? {} : { size }),
    ...(plain ? { value: plain.value } : {}),
    text: preview(value, context, textMost),
    ...(entry ? { waits: openDocument(entry, context) } : {}),
    ...(plain ? {} : laterValue(arrivedValue())),
  };
}

function laterValue(arrived: Value | undefined): Pick<ValueView, 'later'> {
  const plain = arrived === undefined ? undefined : plainOf(settled(arrived));
  return plain ? { later: { value: plain.value } } : {};
}

function lineDocument(line: LineView, context: ViewContext): LineDocument {
  const { path, step, frames, waits, open } = line;
  return {
    path,
    step,
    frames: frames.map((frame, depth) =>
      frameDocument(frame, context, ({ lines }) => {
        const sameLine = lines.find((candidate) => candidate.path === path);
        return sameLine?.frames[depth]?.locals;
      }),
    ),
    waits: waits ? waitingDocument(waits, context) : null,
    open: open.map((entry) => openDocument(entry, context)),
  };
}

function frameDocument(frame: FrameView, context: ViewContext, scope: Scope): FrameDocument {
  const { name, file, line, column, locals, operands } = frame;
  return {
    name,
    ...(file === undefined ? {} : { file }),
    line,
    column,
    locals: valuesOf(locals, context, scope),
    stack: operands.map((value) => valueView(value, context)),
  };
}

function waitingDocument(waits: Waiting, context: ViewContext): WaitingDocument {
  const entry = 'entry' in waits ? waits.entry : undefined;
  return { on: waits.on, ...(entry ? { for: openDocument(entry, context) } : {}) };
}

function openDocument(entry: OpenEntry, { state }: ViewContext): OpenDocument {
  const { kind, id, name, step, line, missing } = entry;
  const outcome = id === undefined ? undefined : state.past().effects.get(id)?.outcome;
  const question = questionOf(entry, state);
  return {
    kind,
    ...(id === undefined ? {} : { id }),
    name,
    step,
    line,
    state: entry.state,
    ...(question === undefined ? {} : { question }),
    missing,
    ...(outcome ? { later: laterOf(outcome) } : {}),
  };
}

function questionOf(
  { name, args }: OpenEntry,
  { loaded }: ViewContext['state'],
): string | undefined {
  if (args === undefined || loaded.specs.get(name)?.kind !== 'person') return undefined;
  const given = toJson(decode(args));
  const isAsking = typeof given === 'object' && given !== null && 'question' in given;
  return isAsking && typeof given.question === 'string' ? given.question : undefined;
}

const laterOf = (outcome: Outcome): NonNullable<OpenDocument['later']> =>
  outcome.ok ? { value: shownOf(outcome.value) } : { error: outcome.error };

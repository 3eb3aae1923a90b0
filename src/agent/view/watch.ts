/** What a run has come to, from its events: the state that the live view draws. */
import type { WatchEvent } from '../../engine/events.ts';
import type { Usage } from '../../engine/handler.ts';
import { opcodeAt, operandOf } from '../../program/opcodes.ts';
import { isOfAnother, nameBy, type Program, type Step } from '../../program/program.ts';
import { duration, oneLine } from '../../text/words.ts';
import { playbooks, writtenIn } from '../record/asked.ts';

export interface Watch {
  readonly title: string;
  dialect: string;
  readonly run: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** None of a loop that plays playbooks: what they ask for says itself where it stands. */
  steps: readonly StepState[];
  /** Who does a step, by its id with the visit, where that is one of several. */
  readonly players: Map<string, string>;
  /** Index of a step by its label. */
  readonly labels: ReadonlyMap<string, number>;
  /** Effects under way, in the order of their start. */
  readonly running: Map<string, RunningEffect>;
  /** Effects that have settled, well or not. */
  settled: number;
  /** The most effects that were under way at the same time. */
  most: number;
  modelCalls: number;
  tokens: number;
  /** USD, as far as prices are known. */
  cost: number;
  /** Whether the price of a call is not known. */
  unpriced: boolean;
}

export interface StepState {
  readonly step: Step;
  /** Whether its code calls a tool, so that entering it is not doing it. */
  readonly calls: boolean;
  visits: number;
  status: 'waiting' | 'entered' | 'running' | 'done' | 'failed' | 'unknown' | 'cancelled';
}

export interface RunningEffect {
  readonly tool: string;
  /** Index of the step that issued it; undefined outside any. */
  readonly step: number | undefined;
  /** Its id with the visit, and who does it: `4@2`; empty outside any. */
  readonly visit: string;
  readonly startedAt: number;
  attempt: number;
  /** The end of the text that has arrived. */
  tail: string;
}

const tailCharacters = 400;

/** What a run that is taken up again brings along. */
export interface Before {
  readonly run: string;
  readonly past: readonly WatchEvent[];
}

export function watchOf(
  program: Program,
  title: string,
  startedAt: number,
  { run, past }: Before,
): Watch {
  const calling = stepsThatCall(program);
  // The steps of a loop are nobody's business, also before its run has said what it plays.
  const steps = isOfAnother(program) ? [] : program.steps;
  const watch: Watch = {
    title,
    dialect: steps === program.steps ? program.dialect : playbooks,
    run,
    startedAt,
    steps: steps.map((step, index) => ({
      step,
      calls: calling.has(index),
      visits: 0,
      status: 'waiting',
    })),
    players: new Map(),
    labels: new Map(program.steps.map(({ label }, index) => [label, index])),
    running: new Map(),
    settled: 0,
    most: 0,
    modelCalls: 0,
    tokens: 0,
    cost: 0,
    unpriced: false,
  };
  for (const event of past) observe(watch, event);
  // What was under way then is performed again, or in doubt.
  for (const { step } of watch.running.values()) mark(watch, step, 'entered');
  watch.running.clear();
  return watch;
}

/** Takes an event in. */
export function observe(watch: Watch, event: WatchEvent): void {
  switch (event.type) {
    case 'run.started':
    case 'run.forked':
      watch.dialect = writtenIn(event.run);
      if (watch.dialect === playbooks) watch.steps = [];
      return;
    case 'step.entered':
      enter(watch, event.index);
      if (event.by !== undefined) watch.players.set(event.step, event.by);
      return;
    case 'effect.started':
      if (!isAside(watch, event.tool)) start(watch, event);
      return;
    case 'effect.progress': {
      const effect = watch.running.get(event.effect);
      if (effect) effect.tail = (effect.tail + event.text).slice(-tailCharacters);
      return;
    }
    case 'effect.retries': {
      const effect = watch.running.get(event.effect);
      if (effect) effect.tail = retryText(event);
      return;
    }
    case 'effect.settled':
      use(watch, event.usage);
      end(watch, event.effect, event.outcome.ok ? 'done' : 'failed');
      return;
    case 'effect.reused':
      mark(watch, indexOf(watch, event.step), 'done');
      return;
    case 'effect.unknown':
      end(watch, event.effect, 'unknown');
      return;
    case 'effect.cancelled':
      use(watch, event.usage);
      end(watch, event.effect, 'cancelled');
      return;
    case 'run.finished':
      for (const state of watch.steps) if (state.status === 'entered') state.status = 'done';
      return;
    default:
      return;
  }
}

/** Why an attempt has failed, and when the next one is made. */
export const retryText = ({
  attempt,
  message,
  waitMs,
}: Extract<WatchEvent, { type: 'effect.retries' }>): string =>
  `attempt ${attempt} failed: ${oneLine(message)}; again in ${duration(waitMs)}`;

/** A wait that is shown where lines stay, in milliseconds: nobody wonders about less. */
export const noticedMs = 1000;

/**
 * Whether an effect is the loop's own business: what comes of it, a warning or a time, is told in
 * words of its own.
 */
export const isAside = ({ dialect }: Watch, tool: string): boolean =>
  dialect === playbooks && (tool === 'warn_of' || tool === 'due_time');

/** A step as people are shown it. */
export const seenStep = ({ players }: Watch, id: string): string => nameBy(id, players.get(id));

function start(watch: Watch, event: Extract<WatchEvent, { type: 'effect.started' }>): void {
  const { running } = watch;
  const step = indexOf(watch, event.step);
  const { tool, attempt } = event;
  const visit = seenStep(watch, event.step);
  const { startedAt = event.at } = running.get(event.effect) ?? {};
  running.set(event.effect, { tool, step, visit, startedAt, attempt, tail: '' });
  mark(watch, step, 'running');
  watch.most = Math.max(watch.most, running.size);
}

function enter(watch: Watch, index: number): void {
  const state = watch.steps[index];
  if (!state) return;
  state.visits++;
  // On its first visit a step may have settled already, in an earlier process.
  const fresh = state.visits > 1 ? state.status !== 'running' : state.status === 'waiting';
  if (fresh) state.status = state.calls ? 'entered' : 'done';
}

function end(watch: Watch, id: string, status: StepState['status']): void {
  const effect = watch.running.get(id);
  if (!effect) return;
  watch.running.delete(id);
  if (status !== 'cancelled') watch.settled++;
  const others = [...watch.running.values()].some(({ step }) => step === effect.step);
  mark(watch, effect.step, others && status === 'done' ? 'running' : status);
}

function mark(watch: Watch, index: number | undefined, status: StepState['status']): void {
  const state = index === undefined ? undefined : watch.steps[index];
  if (state) state.status = status;
}

/** `4@2` belongs to the step with the label `4`; undefined where that is not among those shown. */
function indexOf({ labels, steps }: Watch, id: string): number | undefined {
  const at = id.lastIndexOf('@');
  const index = labels.get(at < 0 ? id : id.slice(0, at));
  return index === undefined || steps[index] === undefined ? undefined : index;
}

function use(watch: Watch, usage: Usage | undefined): void {
  if (!usage) return;
  watch.modelCalls += usage.modelCalls;
  watch.tokens += usage.inputTokens + usage.outputTokens;
  watch.cost += usage.cost ?? 0;
  watch.unpriced ||= usage.cost === undefined;
}

/** A step calls where a tool is fetched between its own STEP and the next. */
function stepsThatCall(program: Program): Set<number> {
  const found = new Set<number>();
  for (const { code, constants } of program.chunks) {
    let step: number | undefined;
    for (const word of code) {
      const operand = operandOf(word);
      const kind = opcodeAt(word)?.operand;
      const value = kind === 'constant' ? constants[operand] : undefined;
      if (kind === 'step') step = operand;
      else if (step !== undefined && isTool(value)) found.add(step);
    }
  }
  return found;
}

const isTool = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'tool';

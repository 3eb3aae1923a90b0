/**
 * One run, from its first process to its end, through its accidents, by as many processes as it
 * takes; and what must hold of its journal whenever one of them has ended.
 */

import { cancelRun } from '../../src/engine/cancel.ts';
import { breaksIn } from '../../src/engine/journal/history.ts';
import { type Journal, leaseMs, type RunEvent } from '../../src/engine/journal/journal.ts';
import type { Load } from '../../src/engine/load.ts';
import { openWaits } from '../../src/engine/open-waits.ts';
import type { Assumption } from '../../src/engine/past/past-effect.ts';
import { answerRun, decideRun } from '../../src/engine/reply.ts';
import type { RunResult } from '../../src/engine/result.ts';
import { type EngineOptions, type RunHandle, resumeRun } from '../../src/engine/run.ts';
import { raceTool } from '../../src/program/effect.ts';
import { stringify } from '../../src/program/json.ts';
import { type LimitName, type Limits, limitNames } from '../../src/program/limits.ts';
import type { Accident } from './accidents.ts';
import { familyOf } from './family.ts';
import { readHistory } from './recorded.ts';
import { Died, type Ledger, recording } from './recording.ts';
import type { Stage } from './stage.ts';
import type { Life } from './world.ts';

export interface TrialParts {
  readonly id: string;
  readonly load: Load;
  /** Of a fork: the run that it was made from. */
  readonly base?: string;
  readonly accidents: readonly Accident[];
  /** Lets the first process begin. */
  readonly begin: (common: Common) => RunHandle;
}

/** What every process of a run is given. */
export type Common = EngineOptions & { readonly id: string; readonly limits: Partial<Limits> };

const livesMax = 80;
/** What each process has more than the one before. */
const more: Partial<Limits> = {
  ...{ effects: 4, tokens: 400, cost: 0.002, instructions: 400, wallMs: 7_200_000 },
};

export class Trial {
  readonly id: string;
  readonly #stage: Stage;
  readonly #parts: TrialParts;
  /** As nobody has it who takes part. */
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #budgets: Partial<Record<LimitName, number>>;
  /** The process that has the run now. */
  #current: { life: Life; handle: RunHandle } | undefined;
  /** The run was taken by another process while one still had it. */
  #stolen = false;
  /** The histories when a process last ended, by run. */
  readonly #before = new Map<string, readonly string[]>();
  /** How often it was taken up although it had failed. */
  #mended = 0;
  lives = 0;

  constructor(stage: Stage, parts: TrialParts) {
    this.id = parts.id;
    this.#stage = stage;
    this.#parts = parts;
    this.#journal = stage.journal();
    this.#budgets = { ...stage.settings.budgets };
    this.#ledger = {
      ...{ appends: 0, acknowledged: new Map(), epochs: new Map() },
      around: (moment, append, life) => this.#accident(moment, append, life),
    };
  }

  events(): RunEvent[] {
    return this.#journal.events(this.id);
  }

  /**
   * The end, good or bad; undefined where something was wrong on the way. `between` happens when a
   * process has ended and the run has not.
   */
  async run(between: () => Promise<void> = async () => {}): Promise<RunResult | undefined> {
    const { chance, wrongs } = this.#stage;
    while (wrongs.length === 0) {
      await this.#live();
      this.#examine();
      // A process may die when the end is written, and before it can say so.
      const result = this.#recorded();
      if (result?.status === 'done') return result;
      if (result?.status === 'failed' && (this.#mended > 1 || chance.flag(0.7))) return result;
      if (result?.status === 'failed') this.#mended++;
      if (this.lives > livesMax) {
        wrongs.push(`no end after ${livesMax} processes: ${stringify(result?.error ?? null)}`);
      }
      await between();
    }
    return undefined;
  }

  /** The result that the journal ends with. */
  #recorded(): RunResult | undefined {
    const last = this.events().at(-1);
    return last && 'result' in last ? JSON.parse(last.result) : undefined;
  }

  /** One process, from taking the run up to its end or death. */
  async #live(): Promise<void> {
    const { wrongs, chance, clock } = this.#stage;
    if (this.lives > 0) await this.#reply();
    // Whoever it was to be taken from has come to the end meanwhile.
    if (this.#recorded()?.status === 'done') return;
    // Days later.
    if (this.#recorded()?.status === 'waiting') clock.jump(86_400_000);
    const life = this.#stage.born();
    this.lives++;
    const handle = this.#begin(life);
    if (!handle) return;
    this.#current = { life, handle };
    let isOver = false;
    // A process that is dead, or whose run was taken, may end when the journal is closed.
    let isLeft = false;
    handle.result.then(
      (ended) => {
        isOver = true;
        if (isLeft) return;
        if (stringify(ended) !== stringify(this.#recorded())) wrongs.push('another result');
      },
      (error: unknown) => {
        isOver = true;
        const name = error instanceof Error ? error.name : '';
        if (name !== 'Died' && name !== 'LeaseLost') wrongs.push(`stopped: ${String(error)}`);
      },
    );
    await this.#stage.until(
      () => isOver || life.dead || this.#stolen || wrongs.length > 0,
      () => (chance.flag(0.02) ? this.#reply() : undefined),
    );
    isLeft = true;
  }

  /** Undefined where the process dies of it. */
  #begin(life: Life): RunHandle | undefined {
    try {
      return this.#takeUp(life);
    } catch (error) {
      if (error instanceof Died) return undefined;
      throw error;
    }
  }

  #takeUp(life: Life): RunHandle {
    const { clock, chance, world, settings } = this.#stage;
    const isFirst = this.lives === 1;
    const common = {
      ...{ journal: recording(this.#stage.journal(), this.#ledger, life), clock },
      ...{ handlers: world.handlers(life), owner: life.owner, random: chance.next },
      checkpointEvery: settings.checkpointEvery,
      approvals: { policy: settings.policy },
    };
    const limits: Partial<Limits> = { ...(isFirst && settings.limits), ...this.#budgets };
    if (isFirst) return this.#parts.begin({ ...common, limits, id: this.id });
    for (const name of limitNames) {
      const [now, step] = [this.#budgets[name], more[name]];
      if (now !== undefined && step !== undefined) this.#budgets[name] = 2 * now + step;
    }
    // Whoever still has it has slept: its lease is over.
    if (this.#stolen) clock.jump(leaseMs + 8 * 3_600_000);
    this.#stolen = false;
    const { load } = this.#parts;
    const assume = this.#decisions();
    return resumeRun({ ...common, run: this.id, load, assume, limits: { ...this.#budgets } });
  }

  /** What a person finds out about the effects in doubt: whether they have happened, and what of. */
  #decisions(): Map<string, Assumption> {
    const { world } = this.#stage;
    const { unknown, hashes, tools } = readHistory(this.events());
    const found = new Map<string, Assumption>();
    for (const effect of unknown) {
      const hash = hashes.get(effect) ?? '';
      const { value } = world.fate(tools.get(effect) ?? '', `${effect}/${hash}`);
      found.set(effect, this.#hasActed(effect, hash) ? { as: 'done', value } : { as: 'retry' });
    }
    return found;
  }

  /** Whether a write has happened: here, or as an equal one of the base that got no outcome there. */
  #hasActed(effect: string, hash: string): boolean {
    const { world } = this.#stage;
    if (world.written(this.id).includes(`${effect}/${hash}`)) return true;
    const { base } = this.#parts;
    if (base === undefined) return false;
    const { left, inherited } = readHistory(this.events());
    // What it shares with its base was not begun here.
    if (inherited.has(effect)) return world.written(base).includes(`${effect}/${hash}`);
    return [...left].some(
      ([id, one]) =>
        one.hash === hash && !one.outcome && world.written(base).includes(`${id}/${hash}`),
    );
  }

  /** Somebody answers and decides, from another process and not always at once. */
  async #reply(): Promise<void> {
    const { world, chance } = this.#stage;
    const journal = this.#stage.journal();
    const handlers = world.handlers({ owner: 'somebody', dead: false });
    const [run, by] = [this.id, 'somebody'];
    for (const { wait } of await openWaits(journal, run, handlers)) {
      if (wait.kind === 'pause' || chance.flag(0.2)) continue;
      const { effect } = wait;
      const said = chance.below(100);
      const isTwice = chance.flag(0.1);
      // What the base of a fork has written is never taken back here.
      const approved = said >= 25 || effect.startsWith('base:');
      if (wait.kind === 'question') {
        const answer = (): string => this.#answerTo(wait.choices, said);
        await answerRun({ journal, run, handlers, by, effect, answer }).catch(ignoreReplied);
        const isFree = wait.choices === undefined;
        if (isTwice && isFree) journal.post(run, { kind: 'answer', effect, value: '"or so"', by });
      } else {
        await decideRun({ journal, run, handlers, by, effects: [effect], approved }).catch(
          ignoreReplied,
        );
        if (isTwice) journal.post(run, { kind: approved ? 'deny' : 'approve', effect, by });
      }
    }
  }

  /** What is to be chosen among is an approval or a doubt of a run within an effect. */
  #answerTo(choices: readonly unknown[] | undefined, said: number): string {
    if (!choices) return `so ${said}`;
    if (!choices.includes('retry')) return said >= 25 ? 'yes' : 'no';
    const { world } = this.#stage;
    const hasActed = this.#family().some((run) => {
      const { unknown, hashes } = readHistory(this.#journal.events(run));
      const written = world.written(run);
      return [...unknown].some((effect) => written.includes(`${effect}/${hashes.get(effect)}`));
    });
    return hasActed ? 'done' : 'retry';
  }

  /** The run, and those within its effects. */
  #family(): string[] {
    return familyOf(this.#journal, this.id);
  }

  #accident(moment: 'before' | 'after', append: number, life: Life): 'die' | undefined {
    for (const accident of this.#parts.accidents) {
      if (accident.append !== append) continue;
      if (accident.kind === 'die-before' || accident.kind === 'die-after') {
        if (accident.kind === `die-${moment}`) return 'die';
      } else if (moment === 'after' && this.#current?.life === life) {
        this.#happen(accident);
      }
    }
    return undefined;
  }

  #happen({ kind }: Accident): void {
    const { handle } = this.#current ?? {};
    if (kind === 'steal') this.#stolen = true;
    else if (kind === 'rival') queueMicrotask(() => this.#want());
    else if (kind === 'interrupt') handle?.cancel('interrupted');
    else if (kind === 'cancel') handle?.cancel('cancelled');
    else if (kind === 'ask') queueMicrotask(() => this.#ask());
    else if (kind === 'forward') this.#stage.clock.jump(3_600_000);
    else if (kind === 'back') this.#stage.clock.jump(-3_600_000);
    else if (kind === 'sweep') queueMicrotask(() => this.#stage.journal().sweep());
  }

  /** Somebody cancels the run from outside, if it is still going on by then. */
  #ask(): void {
    const summary = this.#journal.find(this.id);
    if (summary?.status === 'running' && summary.owned) {
      cancelRun(this.#stage.journal(), this.id);
    }
  }

  /** Another process wants the run, which its owner has not let go. */
  #want(): void {
    if (!this.#journal.find(this.id)?.owned) return;
    try {
      this.#stage.journal().claim(this.id, 'rival');
      this.#stage.wrongs.push('a run was given to another process while one had it');
    } catch (error) {
      if (error instanceof Error && error.name === 'RunOwned') return;
      this.#stage.wrongs.push(`a rival got ${String(error)}`);
    }
  }

  /** What must hold whenever a process has ended. */
  #examine(): void {
    const { wrongs } = this.#stage;
    for (const run of this.#family()) {
      const events = this.#journal.events(run);
      const texts = events.map((event) => JSON.stringify(event));
      for (const { message } of breaksIn(events)) wrongs.push(message);
      if (this.#before.get(run)?.some((text, i) => texts[i] !== text)) {
        wrongs.push(`what was in the journal of ${run} has changed`);
      }
      for (const [seq, text] of this.#ledger.acknowledged.get(run) ?? []) {
        if (texts[seq - 1] !== text) wrongs.push(`event ${seq} was acknowledged and is gone`);
      }
      const epochs = this.#ledger.epochs.get(run) ?? [];
      if (epochs.some((epoch, i) => i > 0 && epoch <= (epochs[i - 1] ?? 0))) {
        wrongs.push(`epochs do not grow: ${epochs.join(' ')}`);
      }
      this.#before.set(run, texts);
      this.#examineBudgets(events);
      this.#examineApprovals(events);
    }
  }

  /** What cannot be undone is begun once a person has said so, whatever is in its arguments. */
  #examineApprovals(events: readonly RunEvent[]): void {
    const { wrongs, settings } = this.#stage;
    if (settings.policy !== 'destructive') return;
    const granted = new Set<string>();
    for (const event of events) {
      if (event.type === 'approval.granted') granted.add(event.effect);
      if (event.type !== 'effect.started' || event.tool !== 'wipe') continue;
      if (!granted.has(event.effect)) wrongs.push(`${event.effect} was begun without an approval`);
    }
  }

  /** No more effects than there may be; and a run stops for a budget only that it was given. */
  #examineBudgets(events: readonly RunEvent[]): void {
    const { wrongs } = this.#stage;
    const begun = new Set<string>();
    for (const event of events) {
      if (event.type === 'run.forked') begun.clear();
      // A further attempt at what a process before has begun is counted there.
      const isFirst = event.type === 'effect.started' && event.attempt === 1;
      if (isFirst && event.tool !== raceTool) begun.add(event.effect);
      if (event.type === 'limit.reached' && !(event.limit in this.#budgets)) {
        wrongs.push(`the limit ${event.limit} of ${event.value} was reached`);
      }
    }
    const { effects = Infinity } = this.#budgets;
    if (begun.size > effects) wrongs.push(`${begun.size} effects where ${effects} are allowed`);
  }
}

function ignoreReplied(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'PV5142') return;
  throw error;
}

/**
 * A journal as one process of the simulation has it: it counts appends, lets accidents happen around
 * them, remembers what was acknowledged, and does nothing more for a process that has died.
 */
import {
  type Appended,
  asWritten,
  type EventBody,
  type Journal,
  type Lease,
} from '../../src/engine/journal/journal.ts';
import type { Life } from './world.ts';

/** What all processes of a simulation share. */
export interface Ledger {
  /** Of all runs. */
  appends: number;
  /** Events that an append has numbered, by their run and number. */
  readonly acknowledged: Map<string, Map<number, string>>;
  /** Epochs of all leases of a run in the order in which they were given. */
  readonly epochs: Map<string, number[]>;
  /** Called around each append; what it returns ends the process there. */
  readonly around: (moment: 'before' | 'after', append: number, life: Life) => 'die' | undefined;
}

export class Died extends Error {
  override readonly name = 'Died';
}

export function recording(journal: Journal, ledger: Ledger, life: Life): Journal {
  return new Proxy(journal, {
    get(target, name: keyof Journal) {
      const method: unknown = target[name];
      if (typeof method !== 'function') return method;
      return (...args: unknown[]): unknown => {
        if (life.dead) throw new Died('the process is dead');
        const call = (): unknown => Reflect.apply(method, target, args);
        if (name === 'append') {
          const [{ run }, bodies] = args as [Lease, readonly EventBody[]];
          const append = call as () => Appended | undefined;
          return appending(append, ledger, life, (written) =>
            acknowledge(ledger, run, bodies, written),
          );
        }
        // A process may die there as well, and no event is written.
        if (name === 'keepSnapshot') return appending(call, ledger, life);
        const given = call();
        if (name === 'create' || name === 'claim') {
          const { run, epoch } = given as Lease;
          ledger.epochs.set(run, [...(ledger.epochs.get(run) ?? []), epoch]);
        }
        return given;
      };
    },
  });
}

function appending<T>(
  call: () => T,
  ledger: Ledger,
  life: Life,
  then: (given: T) => void = () => {},
): T {
  const append = ++ledger.appends;
  dieIf(ledger.around('before', append, life), life);
  const given = call();
  then(given);
  dieIf(ledger.around('after', append, life), life);
  return given;
}

function acknowledge(
  { acknowledged }: Ledger,
  run: string,
  bodies: readonly EventBody[],
  written: Appended | undefined,
): void {
  const known = acknowledged.get(run) ?? new Map<number, string>();
  acknowledged.set(run, known);
  for (const event of written ? asWritten(bodies, written) : []) {
    known.set(event.seq, JSON.stringify(event));
  }
}

function dieIf(fate: 'die' | undefined, life: Life): void {
  if (fate === undefined) return;
  life.dead = true;
  throw new Died('the process dies');
}

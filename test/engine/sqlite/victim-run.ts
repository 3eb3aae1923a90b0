/**
 * The run that is killed and taken up: a program with a read that fails once, a write and an answer,
 * a journal on disk, and a world on disk that shows which writes have happened.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { type Clock, systemClock } from '../../../src/engine/clock.ts';
import type { Journal } from '../../../src/engine/journal/journal.ts';
import { openJournal } from '../../../src/engine/journal/open-journal.ts';
import type { Assumption } from '../../../src/engine/past/past-effect.ts';
import { byName, programOf, quickTool, resume, start } from '../support.ts';

export interface Surroundings {
  /** Paths of the journal and of the world. */
  readonly journal: string;
  readonly world: string;
  /** Called before and after a write has happened. */
  point?(): void;
  /** Called with the journal before it is used. */
  watch?(journal: Journal): void;
}

const run = 'victim';

const program = programOf([
  { say: 'begin' },
  { tool: 'read' },
  { tool: 'write', from: 2 },
  { tool: 'read', from: 3 },
  { sayResult: 4 },
]);

/** Short waits are over at once: what is waited for is another attempt. */
const clock: Clock = {
  ...systemClock,
  after: (ms, fire) => systemClock.after(ms < 1000 ? 0 : ms, fire),
};

/** Starts the run, or takes it up where there is one; the world decides about writes in doubt. */
export async function carryOn({ journal: path, world, point, watch }: Surroundings) {
  const journal = openJournal(path);
  watch?.(journal);
  const handlers = byName(
    quickTool('read', ({ n }, { attempt }) => {
      if (attempt === 1) throw new Error('not yet');
      return `read ${String(n)}`;
    }),
    quickTool(
      'write',
      ({ n }, { effect }) => {
        point?.();
        appendFileSync(world, `${effect}\twrote ${String(n)}\n`);
        point?.();
        return `wrote ${String(n)}`;
      },
      { effect: 'write' },
    ),
  );
  const parts = { program, handlers, journal, clock };
  const before = journal.find(run);
  if (before?.status !== 'done') {
    const handle = before ? resume({ ...parts, run }) : start({ ...parts, id: run });
    const { reason } = await handle.result;
    if (reason === 'unknown') {
      await resume({ ...parts, run, assume: decisions(journal, world) }).result;
    }
  }
  const ends = journal
    .events(run)
    .flatMap((event) => (event.type === 'run.finished' ? [JSON.parse(event.result)] : []));
  const said = journal
    .events(run)
    .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));
  journal.close();
  return { ends: ends.map(({ answer, variables }) => ({ answer, variables })), said };
}

/** What can be seen in the world decides about the writes in doubt. */
function decisions(journal: Journal, world: string): Map<string, Assumption> {
  const written = new Map(
    readFileSync(world, 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([effect = '', value]) => [effect, value]),
  );
  return new Map(
    journal.events(run).flatMap((event): [string, Assumption][] => {
      if (event.type !== 'effect.unknown') return [];
      const value = written.get(event.effect);
      return [[event.effect, value === undefined ? { as: 'retry' } : { as: 'done', value }]];
    }),
  );
}

/**
 * A process that works on a journal as it is told, one command a line on its input, one answer a
 * line on its output. `open` opens and closes a journal whose path goes on as it says; `flood`
 * appends without end and answers each append once it is acknowledged; `hurry` puts its clock
 * forward, so that to it the leases of others have expired; `mark` appends an event with a name;
 * `start` starts a run under an id, of a program that says its text.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Journal, Lease } from '../../../src/engine/journal/journal.ts';
import { openJournal } from '../../../src/engine/journal/open-journal.ts';
import { processOwner } from '../../../src/engine/journal/owner.ts';
import { startRun } from '../../../src/engine/run.ts';
import { record, started } from '../events.ts';
import { programOf } from '../support.ts';
import { appendNumber } from './flood.ts';

const [path = ''] = process.argv.slice(2);
let journal: Journal | undefined;
let lease: Lease | undefined;
/** Milliseconds by which its clock is ahead. */
let ahead = 0;

function answer(text: string): void {
  writeSync(1, `${text}\n`);
}

function obey(command: string, run: string, name: string): string {
  if (command === 'open') {
    openJournal(`${path}${run}`).close();
    return 'opened';
  }
  if (command === 'hurry') {
    ahead += Number(run);
    return 'hurried';
  }
  journal ??= openJournal(path, { now: () => Date.now() + ahead });
  switch (command) {
    case 'create':
      lease = journal.create(record(run), processOwner());
      return `epoch ${lease.epoch}`;
    case 'claim':
      lease = journal.claim(run, processOwner());
      return `epoch ${lease.epoch}`;
    case 'append':
      return `seq ${appendNumber(journal, lease ?? { run, epoch: 0 })}`;
    case 'mark':
      journal.append(lease ?? { run, epoch: 0 }, [started(name)]);
      return `marked ${name}`;
    case 'start':
      startRun({
        ...{ journal, id: run, text: name, program: programOf([{ say: name }]) },
        ...{ handlers: new Map(), dialect: 'assembly' },
      });
      return `started ${run}`;
    case 'posts':
      return journal
        .posts(run)
        .map(({ post }) => post.kind)
        .join(' ');
    case 'flood':
      for (;;) answer(`seq ${appendNumber(journal, lease ?? { run, epoch: 0 })}`);
    default:
      throw new Error(`got '${command}', want another command`);
  }
}

answer(processOwner());
for await (const line of createInterface({ input: process.stdin })) {
  const [command = '', run = '', name = ''] = line.split(' ');
  try {
    answer(obey(command, run, name));
  } catch (error) {
    const { name, message } = error as Error;
    answer(`${name}: ${message}`);
  }
}

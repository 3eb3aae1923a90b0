/**
 * Runs a program against a journal on disk and a world on disk, and ends itself with SIGKILL at a
 * given point: before or after an append, before or after a write has happened. Started again
 * without a point, it takes the run up and prints how it ended.
 *
 *     node victim.ts JOURNAL WORLD [POINT]
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Assumption } from '../../../src/engine/assume.ts';
import type { Journal } from '../../../src/engine/journal.ts';
import { openJournal } from '../../../src/engine/open-journal.ts';
import { stringify } from '../../../src/program/json.ts';
import { byName, programOf, quickTool, resume, start } from '../support.ts';

const [path = '', world = '', fatal = ''] = process.argv.slice(2);
const run = 'victim';
let points = 0;

function point(): void {
  if (++points === Number(fatal)) process.kill(process.pid, 'SIGKILL');
}

const program = programOf([
  { say: 'begin' },
  { tool: 'read' },
  { tool: 'read' },
  { tool: 'write', from: 2 },
  { tool: 'read', from: 4 },
  { tool: 'write', from: 5 },
  { sayResult: 6 },
  { tool: 'write', from: 3 },
]);

const handlers = byName(
  quickTool('read', ({ n }) => `read ${String(n)}`),
  quickTool(
    'write',
    ({ n }, { effect }) => {
      point();
      appendFileSync(world, `${effect}\twrote ${String(n)}\n`);
      point();
      return `wrote ${String(n)}`;
    },
    { effect: 'write' },
  ),
);

/** What can be seen in the world decides about the writes in doubt. */
function decisions(journal: Journal): Map<string, Assumption> {
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

const file = openJournal(path);
const append = file.append.bind(file);
file.append = (lease, events, options) => {
  point();
  const done = append(lease, events, options);
  point();
  return done;
};

const parts = { program, handlers, journal: file };
const handle = file.find(run) ? resume({ ...parts, run }) : start({ ...parts, id: run });
let result = await handle.result;
if (result.reason === 'unknown') {
  result = await resume({ ...parts, run, assume: decisions(file) }).result;
}
const said = file
  .events(run)
  .flatMap((event) => (event.type === 'message.emitted' ? [event.value] : []));
process.stdout.write(
  stringify({ answer: result.answer, variables: result.variables, said, points }),
);
file.close();

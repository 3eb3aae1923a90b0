/**
 * Carries a run on and ends itself with SIGKILL at a given point. Points are: before each statement
 * of what the journal writes (so before, within and at the commit of every transaction), behind each
 * of its writes, and before and after a write to the world. Where it comes to its end it prints the
 * result, how many points there were, and at which of them the write had happened.
 *
 *     node victim.ts JOURNAL WORLD POINT
 */
import { StatementSync } from 'node:sqlite';
import { carryOn } from './victim-run.ts';

const [journal = '', world = '', fatal = ''] = process.argv.slice(2);
let points = 0;
let written = 0;
let writing = false;

function point(): void {
  if (++points === Number(fatal)) process.kill(process.pid, 'SIGKILL');
}

/** Puts a point before each call of a method. */
function count(methods: object, name: string): void {
  const original: (...parameters: unknown[]) => unknown = Reflect.get(methods, name);
  Reflect.set(methods, name, function (this: unknown, ...parameters: unknown[]) {
    if (writing) point();
    return original.apply(this, parameters);
  });
}

count(StatementSync.prototype, 'run');
count(StatementSync.prototype, 'get');

const result = await carryOn({
  journal,
  world,
  point() {
    point();
    written = points;
  },
  watch(used) {
    for (const name of ['create', 'claim', 'append', 'release'] as const) {
      const write = used[name].bind(used) as (...parameters: unknown[]) => never;
      used[name] = (...parameters: unknown[]) => {
        writing = true;
        const done = write(...parameters);
        writing = false;
        point();
        return done;
      };
    }
  },
});
process.stdout.write(JSON.stringify({ result, points, written }));

/** What an append, a read and a list of runs cost; bars from the budget of 150 µs an effect. */
import { journalFigures } from './journal.ts';
import { report } from './report.ts';

const figures = journalFigures();
report([
  { name: 'memory: append of two events', value: figures.memoryAppendUs, unit: 'µs' },
  { name: 'sqlite: append of two events', value: figures.sqliteAppendUs, unit: 'µs', bar: 150 },
  { name: 'sqlite: the same, synced', value: figures.sqliteDurableAppendUs, unit: 'µs' },
  { name: 'sqlite: with a new 64 KiB value', value: figures.sqliteLargeAppendUs, unit: 'µs' },
  {
    name: 'sqlite: synced / not synced',
    value: figures.sqliteDurableAppendUs / figures.sqliteAppendUs,
    unit: '×',
  },
  { name: 'sqlite: read an event', value: 1e6 / figures.sqliteEventsReadPerSecond, unit: 'µs' },
  { name: `list 20 of ${figures.runs} runs`, value: figures.listMs, unit: 'ms', bar: 100 },
  { name: `list 20 of them that are done`, value: figures.listByStatusMs, unit: 'ms', bar: 100 },
  { name: 'find one by its title', value: figures.listByTitleMs, unit: 'ms', bar: 100 },
  { name: 'find a run by its id', value: figures.findMs, unit: 'ms' },
]);

/** Saved plans in the file of the journal. It owns a connection of its own. */
import type { PlanStore, SavedPlan } from '../saved-plans.ts';
import { guarded, openDatabase } from './database.ts';

interface Row {
  readonly body: string;
}

/** Opens the store in this file; creates file and folder. Throws `JournalError`. */
export function sqlitePlans(path: string): PlanStore {
  const database = openDatabase(path);
  return {
    save({ id, savedAt, ...plan }) {
      const body = JSON.stringify({ id, ...plan, savedAt } satisfies SavedPlan);
      const text = 'insert or replace into plans (id, saved_at, body) values (?, ?, ?)';
      guarded(path, () => database.prepare(text).run(id, savedAt, body));
    },
    list() {
      const text = 'select body from plans order by saved_at desc, id';
      const rows = guarded(path, () => database.prepare(text).all() as unknown as Row[]);
      return rows.map(({ body }): SavedPlan => JSON.parse(body));
    },
    remove: (id) =>
      guarded(path, () => database.prepare('delete from plans where id = ?').run(id).changes === 1),
    close: () => guarded(path, () => database.close()),
  };
}

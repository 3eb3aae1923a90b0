/** Conversations in the file of the journal. It owns a connection of its own. */
import type { Thread, ThreadStore } from '../threads.ts';
import { guarded, openDatabase } from './database.ts';

interface Row {
  readonly version: number;
  readonly body: string;
}

/** Opens the store in this file; creates file and folder. Throws `JournalError`. */
export function sqliteThreads(path: string): ThreadStore {
  const database = openDatabase(path);
  const rows = (text: string, ...values: readonly string[]): Thread[] =>
    guarded(path, () => database.prepare(text).all(...values) as unknown as Row[]).map(threadOf);
  return {
    save(thread) {
      const { version, ...rest } = thread;
      const { id, updatedAt } = thread;
      const body = JSON.stringify(rest);
      const isNew = version === 0;
      const text = isNew
        ? `insert into threads (updated_at, version, body, id) values (?, 1, ?, ?)
             on conflict do nothing`
        : `update threads set updated_at = ?, version = version + 1, body = ?
             where id = ? and version = ?`;
      const given = [updatedAt, body, id, ...(isNew ? [] : [version])];
      const { changes } = guarded(path, () => database.prepare(text).run(...given));
      return changes === 1 ? { ...thread, version: version + 1 } : undefined;
    },
    find: (id) => rows('select version, body from threads where id = ?', id)[0],
    list: () => rows('select version, body from threads order by updated_at desc, id'),
    remove: (id) =>
      guarded(
        path,
        () => database.prepare('delete from threads where id = ?').run(id).changes === 1,
      ),
    close: () => guarded(path, () => database.close()),
  };
}

const threadOf = ({ version, body }: Row): Thread => ({ ...JSON.parse(body), version });

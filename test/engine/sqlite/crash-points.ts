/**
 * What a process that is killed leaves behind, at every point of its way: the files as they are
 * before each statement that SQLite is given. They are copied, which for the next process is the
 * same as a kill, and costs no process.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/** Shared memory is not among them: the next process makes it anew. */
const parts = ['', '-wal'];

/**
 * Runs `work` on the journal at `path` and gives the copies, in order; the last is of its end.
 * Their names begin with `name`.
 */
export function crashPoints(path: string, name: string, work: () => void): string[] {
  const copies: string[] = [];
  const copy = (): void => {
    const to = `${name}-${copies.length}`;
    for (const part of parts) if (existsSync(path + part)) copyFileSync(path + part, to + part);
    copies.push(to);
  };
  const undo = [
    wrap(StatementSync.prototype, 'run', copy),
    wrap(StatementSync.prototype, 'get', copy),
    wrap(StatementSync.prototype, 'all', copy),
    stepwise(copy),
  ];
  try {
    work();
  } finally {
    for (const one of undo) one();
  }
  copy();
  return copies;
}

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

/** Calls `before` before a method; gives what takes it back. */
function wrap(methods: object, name: string, before: () => void): () => void {
  const original: Method = Reflect.get(methods, name);
  const wrapped: Method = function (...parameters) {
    before();
    return original.apply(this, parameters);
  };
  Reflect.set(methods, name, wrapped);
  return () => Reflect.set(methods, name, original);
}

/** The statements of a script one by one, so that there is a point between them. */
function stepwise(before: () => void): () => void {
  const original = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, script: string) {
    const statements = script.replace(/--.*$/gm, '').split(';');
    for (const one of statements) {
      if (one.trim() === '') continue;
      before();
      original.call(this, one);
    }
  };
  return () => {
    DatabaseSync.prototype.exec = original;
  };
}

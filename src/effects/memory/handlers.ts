/** `remember` and the others of `planvm:memory`: from the arguments of a call to the file. */
import { type AttemptContext, type Handler, refusal } from '../../engine/handler.ts';
import { nearest } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { decode, encode, fromJson, toJson } from '../../program/json.ts';
import { memorySpecs } from './specs.ts';
import { MemoryStore, type Remembered, type Todo } from './store.ts';

type Perform = (
  store: MemoryStore,
  args: Readonly<Record<string, unknown>>,
  context: AttemptContext,
) => unknown;

/** Of the tools of the file at `path`, in the order of their declarations. */
export function memoryHandlers(path: string): Handler[] {
  const store = new MemoryStore(path);
  return memorySpecs.map((spec) => ({
    spec,
    perform: async (args, context) => store.using(() => performOf(spec)(store, args, context)),
  }));
}

const performs: Readonly<Record<string, Perform>> = {
  remember(store, { key, value, summary }, { queuedAt }) {
    const about = typeof summary === 'string' ? summary.trim() : '';
    const one = { key: String(key), summary: about, updatedAt: queuedAt ?? Date.now() };
    store.put(one, encode(fromJson(value)));
    return shown(one);
  },
  recall(store, { key }) {
    const value = store.get(String(key));
    if (value !== undefined) return toJson(decode(value));
    const meant = nearest(
      String(key),
      store.list().map((one) => one.key),
    );
    throw refusal('PV4970', `nothing is remembered under ${String(key)}`, {
      hint: meant === undefined ? 'memories() lists what is' : `did you mean ${meant}?`,
    });
  },
  memories(store, { query, limit = 50 }, { warn }) {
    const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/) : [];
    const found = store.list().filter(({ key, summary }) => {
      const text = `${key} ${summary}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const left = found.length - Number(limit);
    if (left > 0) warn(`${left} older memories are not listed: say more in query, or limit`);
    return found.slice(0, Number(limit)).map(shown);
  },
  forget: (store, { key }) => store.remove(String(key)),
  todo_add: (store, { text }, { idempotencyKey }) => store.addTodo(String(text), idempotencyKey),
  todos: (store, { all }) => store.todos().filter(({ done }) => all === true || !done),
  todo_done: (store, { id, done = true }) =>
    store.markTodo(Number(id), done === true) ?? missing(Number(id), store.todos()),
};

function performOf({ name }: ToolSpec): Perform {
  const found = performs[name];
  if (!found) throw new RangeError(`nothing performs ${name}`);
  return found;
}

const shown = ({ key, summary, updatedAt }: Remembered) => ({
  ...{ key, summary, updatedAt: new Date(updatedAt).toISOString() },
});

function missing(id: number, todos: readonly Todo[]): never {
  const open = todos.filter(({ done }) => !done).map((one) => one.id);
  throw refusal('PV4971', `there is no todo ${id}`, {
    hint: open.length === 0 ? 'nothing is on the list' : `open are ${open.slice(0, 20).join(', ')}`,
  });
}

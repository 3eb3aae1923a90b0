/** What differs between two states of a run: variables with the places inside them, and answers. */
import type { OpenEntry } from '../../machine/inspection.ts';
import { settled, typeName, type Value } from '../../program/value.ts';
import type { StateAt } from '../past/time.ts';
import { entryText, type PreviewContext, preview } from './preview.ts';

export interface StateDiff {
  readonly run: string;
  readonly from: string;
  readonly to: string;
  readonly variables: readonly Change[];
  /** More than are listed were changed. */
  readonly isCut: boolean;
  /** Released after the first, up to the second. */
  readonly answers: readonly { readonly text: string; readonly step: string }[];
  /** Effects whose outcomes came between the two, in the order of the journal. */
  readonly effects: readonly {
    readonly id: string;
    readonly name: string;
    readonly step: string;
  }[];
}

export interface Change {
  readonly change: 'added' | 'removed' | 'changed';
  /** The variable, and the way inside it: `notes[3].title`. */
  readonly path: string;
  /** For people, cut where it is long. */
  readonly before?: string;
  readonly after?: string;
}

const changesMost = 200;
const textMost = 200;
const depthMost = 100;

export function diffStates(
  [from, to]: readonly [StateAt, StateAt],
  [fromName, toName]: readonly [string, string],
): StateDiff {
  const contexts = [contextOf(from), contextOf(to)] as const;
  const comparison = diffValues(from.inspection.globals, to.inspection.globals, contexts);
  const { answers } = to.inspection;
  const past = to.past();
  return {
    run: to.run,
    from: fromName,
    to: toName,
    variables: comparison.changes,
    isCut: comparison.isCut,
    answers: answers.slice(from.inspection.answers.length).map(({ value, step }) => ({
      text: preview(value, contextOf(to), textMost),
      step,
    })),
    effects: past.order.slice(from.position, to.position).flatMap((id) => {
      const effect = past.effects.get(id);
      return effect ? [{ id, name: effect.tool, step: effect.step }] : [];
    }),
  };
}

/** What differs between values by name; without contexts, they are data. */
export function diffValues(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  [from, to]: readonly [PreviewContext, PreviewContext] = [nothing, nothing],
): Pick<StateDiff, 'isCut'> & { readonly changes: readonly Change[] } {
  const comparison = new Comparison(from, to);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    comparison.compare(name, before.get(name), after.get(name), 0);
  }
  return comparison;
}

const contextOf = ({ loaded, inspection }: StateAt): PreviewContext => ({
  program: loaded.program,
  pendings: inspection.pendings,
});

class Comparison {
  readonly changes: Change[] = [];
  isCut = false;
  readonly #before: PreviewContext;
  readonly #after: PreviewContext;
  /** Containers that are being compared with one another: a cycle is left at its second visit. */
  readonly #pairs = new Map<object, object>();

  constructor(before: PreviewContext, after: PreviewContext) {
    this.#before = before;
    this.#after = after;
  }

  compare(path: string, from: Value | undefined, to: Value | undefined, depth: number): void {
    if (this.isCut) return;
    const before = from === undefined ? undefined : settled(from);
    const after = to === undefined ? undefined : settled(to);
    if (before === undefined || after === undefined) {
      if (before !== after) this.#add(path, before, after);
      return;
    }
    if (!isObject(before) || !isObject(after)) {
      if (before !== after) this.#add(path, before, after);
      return;
    }
    if (this.#pairs.get(before) === after || depth > depthMost) return;
    this.#pairs.set(before, after);
    const [one, other] = [partsOf(before), partsOf(after)];
    if (typeName(before) !== typeName(after) || !one || !other) {
      const isSame = this.#text(before, this.#before) === this.#text(after, this.#after);
      if (!isSame) this.#add(path, before, after);
      return;
    }
    for (const [key, value] of one) this.compare(path + key, value, other.get(key), depth + 1);
    for (const [key, value] of other) {
      if (!one.has(key)) this.compare(path + key, undefined, value, depth + 1);
    }
  }

  #add(path: string, from: Value | undefined, to: Value | undefined): void {
    if (this.changes.length >= changesMost) {
      this.isCut = true;
      return;
    }
    const before = from === undefined ? undefined : preview(from, this.#before, textMost);
    const after = to === undefined ? undefined : preview(to, this.#after, textMost);
    this.changes.push({
      change: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    });
  }

  /** What has no parts is compared by its text; a value to come by what it waits for. */
  #text(value: Held, context: PreviewContext): string {
    if (value.kind !== 'pending') return preview(value, context, Number.MAX_SAFE_INTEGER);
    const entry: OpenEntry | undefined = context.pendings.get(value);
    return entry ? `${entry.path} ${entry.seq} ${entryText(entry)}` : '';
  }
}

type Held = Exclude<Value, null | boolean | number | bigint | string>;

const isObject = (value: Value): value is Held => value !== null && typeof value === 'object';

/** The parts of a container by how a path names them; undefined for what has none. */
function partsOf(value: Held): Map<string, Value> | undefined {
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return new Map(value.items.map((item, i) => [`[${i}]`, item]));
    case 'dict':
      return new Map(value.slots.flatMap((slot) => (slot ? [[keyText(slot[0]), slot[1]]] : [])));
    case 'struct':
      return new Map([...value.fields].map(([name, item]) => [`.${name}`, item]));
    default:
      return undefined;
  }
}

const keyText = (key: Value): string =>
  typeof key === 'string' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)
    ? `.${key}`
    : `[${typeof key === 'string' ? JSON.stringify(key) : preview(key, nothing, textMost)}]`;

const nothing: PreviewContext = {
  program: { dialect: '', chunks: [], globals: [], steps: [], open: false },
  pendings: new Map(),
};

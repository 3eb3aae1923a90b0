/** Collects the repairs of one value; the same slip a thousand times is said a few times. */
import type { Code, Repair } from './codes.ts';
import type { Source } from './source.ts';

/** Repairs of one kind that are listed one by one. */
const perCodeMax = 20;

const none: readonly Repair[] = [];

export class RepairList {
  readonly #source: Source;
  readonly #listed: Repair[] = [];
  /** Made on the first repair: most brackets in prose never come to one. */
  #counts: Map<Code, number> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  add(code: Code, message: string, start: number): void {
    this.#counts ??= new Map();
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count > perCodeMax) return;
    this.#listed.push({ code, message, ...this.#source.place(start), start });
  }

  /** In the order of the text, then what was too much to list. */
  all(): readonly Repair[] {
    if (!this.#counts) return none;
    const listed = this.#listed.toSorted((a, b) => a.start - b.start);
    for (const [code, count] of this.#counts) {
      const last = listed.findLast((repair) => repair.code === code);
      if (count <= perCodeMax || !last) continue;
      const message = `${count - perCodeMax} more repairs like the ${code} here`;
      listed.push({ ...last, code: 'PV1028', message });
    }
    return listed;
  }
}

/**
 * What differs between two texts, line by line, as a unified diff. The shortest edit by the greedy
 * algorithm of E. W. Myers, “An O(ND) Difference Algorithm and Its Variations” (1986); texts that
 * have hardly a line in common are shown as replaced.
 */

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Edits beyond which it is not worth while to look for what stayed. */
const editsMost = 1_000;

/** Lines shown around a change. */
const around = 3;

/** Without names of files; nothing where both are the same. */
export function unifiedDiff(before: string, after: string): string[] {
  const lines = editsOf(linesIn(before), linesIn(after));
  const changed = lines.flatMap(({ sign }, i) => (sign === ' ' ? [] : [i]));
  const hunks: { start: number; end: number }[] = [];
  for (const i of changed) {
    const last = hunks.at(-1);
    const [start, end] = [Math.max(0, i - around), Math.min(lines.length, i + around + 1)];
    if (last && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  return hunks.flatMap(({ start, end }) => hunkOf(lines, start, end));
}

const linesIn = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

function hunkOf(lines: readonly Line[], start: number, end: number): string[] {
  const inside = lines.slice(start, end);
  const numbers = (sign: '-' | '+'): string => {
    const isIn = (one: Line): boolean => one.sign === ' ' || one.sign === sign;
    const count = inside.filter(isIn).length;
    const first = lines.slice(0, start).filter(isIn).length + (count > 0 ? 1 : 0);
    return count === 1 ? `${first}` : `${first},${count}`;
  };
  const head = `@@ -${numbers('-')} +${numbers('+')} @@`;
  return [head, ...inside.map(({ sign, text }) => sign + text)];
}

function editsOf(a: readonly string[], b: readonly string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...kept(a.slice(0, head)), ...middle, ...kept(a.slice(a.length - tail))];
}

const signed = (sign: Line['sign'], lines: readonly string[]): Line[] =>
  lines.map((text) => ({ sign, text }));

const kept = (lines: readonly string[]): Line[] => signed(' ', lines);

/** Follows the furthest reaching path on each diagonal, edit by edit, then walks it back. */
function between(a: readonly string[], b: readonly string[]): Line[] {
  const trace: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(editsMost, a.length + b.length); edits++) {
    trace.push(furthest);
    const next = new Map(furthest);
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDown(furthest, k, edits) ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(a, b, trace);
    }
    furthest = next;
  }
  return [...signed('-', a), ...signed('+', b)];
}

const at = (furthest: ReadonlyMap<number, number>, k: number): number => furthest.get(k) ?? -1;

const isDown = (furthest: ReadonlyMap<number, number>, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && at(furthest, k - 1) < at(furthest, k + 1));

function walkBack(
  a: readonly string[],
  b: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): Line[] {
  const lines: Line[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits] ?? new Map();
    const k = x - y;
    const down = isDown(furthest, k, edits);
    const fromX = edits === 0 ? 0 : at(furthest, down ? k + 1 : k - 1);
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      x--;
      y--;
      lines.push({ sign: ' ', text: a[x] ?? '' });
    }
    if (edits === 0) break;
    if (down) lines.push({ sign: '+', text: b[--y] ?? '' });
    else lines.push({ sign: '-', text: a[--x] ?? '' });
  }
  return lines.reverse();
}

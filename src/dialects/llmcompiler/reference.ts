/**
 * References in text: to results, `$1`, `${1}`, `${1.a[0].b}`, `$1["k"]`, `$1[*].url`, and to
 * inputs of the run, `${city}`, `${city.name}`.
 */
import { everyElement, type PathKey } from '../../program/task.ts';

export interface Reference {
  /** The number of a task, or the name of an input. */
  readonly id: string;
  readonly isInput: boolean;
  readonly path: readonly PathKey[];
  /** As written. */
  readonly text: string;
  /** Offset in the text. */
  readonly at: number;
}

export type Piece = string | Reference;

const step = String.raw`(?:\.[A-Za-z_][\w-]*|\[\s*(?:-?\d{1,15}|\*|"[^"\]]*"|'[^'\]]*')\s*\])`;
const braced = String.raw`\{\s*(\d+)((?:\.\d+|${step})*)\s*\}`;
const reference = new RegExp(String.raw`\$(?:${braced}|(\d+)(${step}*))`, 'y');

const input = new RegExp(String.raw`\$\{\s*([A-Za-z_]\w*)((?:\.\d+|${step})*)\s*\}`, 'y');

/** `$1,000` and `$1.50` are amounts of money, whatever tasks there are. */
const amount = /\$\d+(?:,\d{3})*(?:\.\d+)?/y;

/** Takes a text apart; `fixed` are the offsets of dollar signs that are themselves. */
export function piecesOf(text: string, fixed?: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) {
    if (at < from) continue;
    const found = fixed?.has(at) ? undefined : referenceAt(text, at);
    if (!found) continue;
    if (at > from) pieces.push(text.slice(from, at));
    pieces.push(found);
    from = at + found.text.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

const behindBraces = new RegExp(`^${step}+`);

/** `${1}.people` as `${1.people}`, where it is no text that goes on behind a result. */
export function withPaths(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const before = found.at(-1);
    const isOpen = typeof before === 'object' && before.text.endsWith('}');
    const [path] = isOpen && typeof piece === 'string' ? (behindBraces.exec(piece) ?? []) : [];
    if (path === undefined || typeof before !== 'object' || typeof piece !== 'string') {
      found.push(piece);
      continue;
    }
    const text = before.text + path;
    found[found.length - 1] = { ...before, text, path: [...before.path, ...pathOf(path)] };
    if (piece.length > path.length) found.push(piece.slice(path.length));
  }
  return found;
}

/** `$$1` and `$${1}` are the text `$1` and `${1}`. */
export const isDoubled = (text: string, at: number): boolean =>
  text[at + 1] === '$' && /[\d{]/.test(text[at + 2] ?? '');

function referenceAt(text: string, at: number): Reference | undefined {
  reference.lastIndex = at;
  input.lastIndex = at;
  const found = reference.exec(text);
  if (found && isAmount(text, at)) return undefined;
  const [written, bracedId, bracedPath, id = bracedId, path = bracedPath] =
    found ?? input.exec(text) ?? [];
  if (written === undefined || id === undefined) return undefined;
  const plain = id.replace(/^0+(?=\d)/, '');
  return { id: plain, isInput: !found, path: pathOf(path ?? ''), text: written, at };
}

/** `$1,000` or `$1.50`. A reference that a comma and a number of three digits follow is none. */
function isAmount(text: string, at: number): boolean {
  amount.lastIndex = at;
  const [written = ''] = amount.exec(text) ?? [];
  return /[.,]/.test(written);
}

const keyShape = /\.([\w-]+)|\[\s*(?:(-?\d+)|(\*)|"([^"]*)"|'([^']*)')\s*\]/g;

function pathOf(path: string): PathKey[] {
  return [...path.matchAll(keyShape)].map(([, name, index, star, double, single]) => {
    if (index !== undefined) return Number(index);
    if (name !== undefined && /^\d+$/.test(name)) return Number(name);
    return star === undefined ? (name ?? double ?? single ?? '') : everyElement;
  });
}

/** References to results in text: `$1`, `${1}`, `${1.a[0].b}`, `$1["k"]`, `$1[*].url`, `$p1.3`. */
import { everyElement, type PathKey } from '../../program/task.ts';

export interface Reference {
  /** The plan of the run that is meant, counted from 1; undefined for the nearest. */
  readonly plan: string | undefined;
  readonly id: string;
  readonly path: readonly PathKey[];
  /** As written. */
  readonly text: string;
  /** Offset in the text. */
  readonly at: number;
}

export type Piece = string | Reference;

const step = String.raw`(?:\.[A-Za-z_][\w-]*|\[\s*(?:-?\d{1,15}|\*|"[^"\]]*"|'[^'\]]*')\s*\])`;
const braced = String.raw`\{\s*(?:p(\d+)\.)?(\d+)((?:\.\d+|${step})*)\s*\}`;
const reference = new RegExp(String.raw`\$(?:${braced}|(?:p(\d+)\.)?(\d+)(${step}*))`, 'y');

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

/** `$$1` and `$${1}` are the text `$1` and `${1}`. */
export const isDoubled = (text: string, at: number): boolean =>
  text[at + 1] === '$' && /[\d{p]/.test(text[at + 2] ?? '');

function referenceAt(text: string, at: number): Reference | undefined {
  reference.lastIndex = at;
  const found = reference.exec(text);
  if (!found || isAmount(text, at)) return undefined;
  const [written, bracedPlan, bracedId, bracedPath, plan = bracedPlan, id = bracedId, path] = found;
  return {
    plan,
    id: (id ?? '').replace(/^0+(?=\d)/, ''),
    path: pathOf(path ?? bracedPath ?? ''),
    text: written,
    at,
  };
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

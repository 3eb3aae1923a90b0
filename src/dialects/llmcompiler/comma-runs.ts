/**
 * Arguments that belong together, although a comma stands between them: what the text itself shows,
 * and what is left where all others are whole by themselves.
 */
import type { Argument } from './call.ts';

/** `say "hello, you"` and `over 1,000 people` are one each; `all` is what stands in brackets. */
export function unbroken(
  given: readonly Argument[],
  all: string,
  isNamed: (one: Argument) => boolean,
): readonly Argument[] {
  const inner = commasInText(given, isNamed);
  if (inner.size === 0) return given;
  const found: Argument[] = [];
  for (const [i, one] of given.entries()) {
    const before = found.pop();
    if (!before) found.push(one);
    else if (inner.has(i)) found.push(upTo(before, one, all));
    else found.push(before, one);
  }
  return found;
}

const opens = /(?:^|[\s(]|^[fF])"(?=\S)[^"]*$/;
const closes = /^[^"]*[^\s"(]"(?=$|[\s).,;:!?])/;

/** The arguments before which a comma stands in quotes or in a number of a longer text. */
function commasInText(
  given: readonly Argument[],
  isNamed: (one: Argument) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>();
  let opened: number | undefined;
  let before: Argument | undefined;
  for (const [i, one] of given.entries()) {
    const isBare = one.value.kind === 'bare';
    if (!isBare || isNamed(one)) opened = undefined;
    else if (opened !== undefined && closes.test(one.text)) {
      for (let at = opened + 1; at <= i; at++) found.add(at);
      opened = undefined;
    } else if (before && isThousands(before, one)) found.add(i);
    if (isBare && opens.test(one.text)) opened ??= i;
    before = isBare ? one : undefined;
  }
  return found;
}

/** Three digits right behind a comma, and words on one side: no list of numbers. */
const isThousands = (before: Argument, { at, text }: Argument): boolean =>
  at === before.at + before.text.length + 1 &&
  /\d$/.test(before.text) &&
  /^\d{3}(?!\d)/.test(text) &&
  (/\p{L}/u.test(before.text) || /\p{L}/u.test(text));

/** An argument without quotes with all behind it, up to the last, as its text. */
export function upTo(one: Argument, last: Argument, all: string): Argument {
  const value = one.value.kind === 'bare' ? one.value.text : '';
  const end = last.at + last.text.length;
  const { line, column } = one.value;
  const text = all.slice(one.at + one.text.length - value.length, end);
  return { ...one, text: all.slice(one.at, end), value: { kind: 'bare', text, line, column } };
}

/** A parameter, as far as commas go. */
export interface Place {
  readonly isRequired: boolean;
  readonly takesAnyText: boolean;
  /** Whether an argument may be for it. */
  readonly fits: (one: Argument) => boolean;
}

/** Arguments that are looked at: the readings of more are not worth their time. */
const partsMax = 40;

/**
 * How many of the arguments each place gets, in their order; undefined where there is no reading,
 * or more than one. Several go together as text that is required: `Mail[$1, Dear Ann, come soon]`.
 */
export function onlyReading(
  given: readonly Argument[],
  places: readonly Place[],
): readonly number[] | undefined {
  if (given.length > partsMax) return undefined;
  const found: (readonly number[])[] = [];
  const search = (from: number, lengths: readonly number[]): void => {
    const rest = places.slice(lengths.length);
    if (from === given.length && !rest.some(({ isRequired }) => isRequired)) found.push(lengths);
    const [place] = rest;
    for (let to = from + 1; place && to <= given.length && found.length < 2; to++) {
      if (isReading(given.slice(from, to), place)) search(to, [...lengths, to - from]);
    }
  };
  search(0, []);
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

function isReading(own: readonly Argument[], place: Place): boolean {
  const [only, ...more] = own;
  if (only && more.length === 0) return place.fits(only);
  return place.isRequired && place.takesAnyText && own.every(isOpen);
}

/** Words, and not a value by itself. */
const isOpen = ({ value }: Argument): boolean =>
  value.kind === 'bare' && !/^\$(?:\{[^{}]*\}|p?\d+)(?:[.[]\S*)?$/.test(value.text);

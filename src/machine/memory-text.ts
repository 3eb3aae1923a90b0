/**
 * Bytes of texts. A text has no identity: whether two places hold one or two equal ones cannot be
 * asked. So long ones are told apart by some of their characters and are then compared, and the
 * places of equal ones are given one and the same, which counts once.
 */

/** Longer texts are counted once. */
const shortMax = 1000;
/** Texts that look alike and are compared at most; more of them count each time. */
const alikeMax = 4;

export type TextTally = Map<string, string[]>;

export const newTextTally = (): TextTally => new Map();

/** What a text takes at most. */
export const textBytes = (text: string): number => 48 + 2 * text.length;

/** A text that is equal and has been counted, if there is one; or notes this one. */
export function knownText(known: TextTally, text: string): string | undefined {
  if (text.length <= shortMax) return undefined;
  const look = lookOf(text);
  const alike = known.get(look);
  const found = alike?.find((one) => one === text);
  if (found !== undefined) return found;
  if (!alike) known.set(look, [text]);
  else if (alike.length < alikeMax) alike.push(text);
  return undefined;
}

function lookOf(text: string): string {
  let look = `${text.length}`;
  for (let i = 0; i < 8; i++) look += text.charAt(Math.floor((i * (text.length - 1)) / 7));
  return look;
}

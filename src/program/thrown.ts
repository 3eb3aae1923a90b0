/** What was thrown, as text: code outside of planvm throws anything. */

/** `TypeError: no number`, and for what is no error its JSON: `{"code":7}`. */
export function thrownText(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : textOf(thrown);
}

/** The message alone, where there is one. */
export function thrownMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message || thrown.name : textOf(thrown);
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? Object.prototype.toString.call(thrown);
  } catch {
    // It has a cycle, or its getters throw.
    return Object.prototype.toString.call(thrown);
  }
}

/** Texts as literals of Starlark, for programs that are made here. */

/** Over several lines as it is, where nothing in it would end or escape anything. */
export function quoted(text: string): string {
  const whole = text.toWellFormed();
  const isPlain = whole.includes('\n') && !/["\\\r]|^\n/.test(whole);
  return isPlain ? `"""${whole}"""` : JSON.stringify(whole);
}

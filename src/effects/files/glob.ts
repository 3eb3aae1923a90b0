/**
 * Patterns of paths: `*` and `?` within a name, `**` for any folders. A pattern comes from a
 * program, so matching takes time in proportion to pattern and path, never more.
 */

/** Whether a path with forward slashes fits. */
export function matchesGlob(path: string, pattern: string): boolean {
  const fits = (part: string, name: string): boolean =>
    matches([...part], [...name], '*', (sign, letter) => sign === '?' || sign === letter);
  return matches(pattern.split('/'), path.split('/'), '**', fits);
}

/** Goes back to the last star alone: what an earlier one took can stay as it is. */
function matches(
  pattern: readonly string[],
  text: readonly string[],
  star: string,
  fits: (one: string, other: string) => boolean,
): boolean {
  let [at, seen] = [0, 0];
  let [starAt, starSeen] = [-1, 0];
  while (seen < text.length) {
    const part = pattern[at];
    if (part === star) {
      [starAt, starSeen] = [at, seen];
      at++;
    } else if (part !== undefined && fits(part, text[seen] ?? '')) {
      at++;
      seen++;
    } else if (starAt >= 0) {
      starSeen++;
      [at, seen] = [starAt + 1, starSeen];
    } else {
      return false;
    }
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}

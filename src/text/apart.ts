/** Two texts that differ, cut to the place where they do. */

const before = 40;
const shown = 160;

/** Both from a little before the first character that differs, on to a few lines' worth. */
export function apart(a: string, b: string): [string, string] {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const from = Math.max(0, same - before);
  return [part(a, from), part(b, from)];
}

function part(text: string, from: number): string {
  const head = from === 0 ? '' : '…';
  const tail = text.length > from + shown ? '…' : '';
  return `${head}${text.slice(from, from + shown)}${tail}`;
}

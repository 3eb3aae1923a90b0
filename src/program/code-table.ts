/**
 * Tables of diagnostic codes whose rows have names: a row is a code, a space and its meaning. The
 * code that uses them reads the names, the reference page reads codes and meanings.
 */

/** `PV` and four digits. */
const codeLength = 6;

/** The code of each name. */
export function codesByName<Name extends string>(
  table: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const rows = Object.entries<string>(table).map(([name, row]) => [name, codeOf(row)] as const);
  return Object.fromEntries(rows) as Record<Name, string>;
}

/** The meaning of each code. */
export function meaningsOf(table: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(table).map((row) => [codeOf(row), row.slice(codeLength + 1)]),
  );
}

const codeOf = (row: string): string => row.slice(0, codeLength);

/** The same where codes and meanings stand in two tables, so that only one of them is loaded. */
export function meaningsByName<Name extends string>(
  codes: Readonly<Record<Name, string>>,
  meanings: Readonly<Record<Name, string>>,
): Record<string, string> {
  const rows = Object.entries<string>(codes);
  return Object.fromEntries(rows.map(([name, code]) => [code, meanings[name as Name]]));
}

/** The same JSON data with the members of its objects in the order of their names, at any depth. */
export function inKeyOrder(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(inKeyOrder);
  if (typeof data !== 'object' || data === null) return data;
  const members = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inKeyOrder(member)]));
}

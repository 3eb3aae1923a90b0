/** What is to be closed before the process ends, where closing takes a moment. */

const closing = new Set<() => Promise<void>>();

/** Calls `close` at the end of the command; gives what takes that back. */
export function atEnd(close: () => Promise<void>): () => void {
  closing.add(close);
  return () => void closing.delete(close);
}

export async function closeAll(): Promise<void> {
  const all = [...closing];
  closing.clear();
  await Promise.allSettled(all.map((close) => close()));
}

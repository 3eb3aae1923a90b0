/** The signals that ask a process to end. */

export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Gives the function that stops listening. */
export function onEndSignal(hear: () => void): () => void {
  for (const signal of endSignals) process.on(signal, hear);
  return () => {
    for (const signal of endSignals) process.off(signal, hear);
  };
}

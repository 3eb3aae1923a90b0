/** Whether the process has OpenTelemetry set up: known without loading anything of it. */

/** By the place that the API documents for copies of it to find each other. */
export const isRegistered = (): boolean => {
  const registry: unknown = Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1'));
  const known = typeof registry === 'object' && registry !== null;
  return known && ('trace' in registry || 'metrics' in registry);
};

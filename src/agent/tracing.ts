/** Spans and metrics of runs: where the process has OpenTelemetry set up, or for a collector. */
import type { Otlp } from '../telemetry/otlp.ts';
import { isRegistered } from '../telemetry/registered.ts';
import type { Telemetry, Watched } from '../telemetry/telemetry.ts';
import type { Ports } from './port/workspace.ts';

export interface Tracing extends Required<Pick<Ports, 'traced' | 'watched'>> {
  /** Watches a run that was begun in this turn of the event loop. */
  observe(run: Parameters<Telemetry['watch']>[0], about: Watched): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface TracingOptions {
  /** Opens what sends to a collector; undefined where there is none. */
  exporter?(): Promise<Otlp | undefined>;
}

/** Providers may be registered after the agent was opened, but before its tools are. */
export function tracing({ exporter }: TracingOptions = {}): Tracing {
  let exporting: Promise<Otlp | undefined> | undefined;
  let opening: Promise<Telemetry | undefined> | undefined;
  let telemetry: Telemetry | undefined;
  const open = async (): Promise<Telemetry | undefined> => {
    exporting ??= exporter?.();
    const otlp = await exporting;
    if (!otlp && !isRegistered()) return undefined;
    const { openTelemetry } = await import('../telemetry/telemetry.ts');
    return await openTelemetry(otlp && { startRoot: otlp.startRoot });
  };
  const observe: Tracing['observe'] = (run, about) => telemetry?.watch(run, about);
  return {
    observe,
    async traced(handlers) {
      opening ??= open();
      telemetry = await opening;
      // Providers may be there the next time.
      if (!telemetry) opening = undefined;
      return telemetry?.tools(handlers) ?? handlers;
    },
    watched: ({ handle, program, title, past }) =>
      observe(handle, { title, dialect: program.dialect, resumed: past !== undefined }),
    async close() {
      // What could not be opened has been said.
      const otlp = await exporting?.catch(() => undefined);
      await (otlp ? otlp.close() : telemetry?.flush());
    },
  };
}

/** Spans of the runs of an agent, where the process has OpenTelemetry set up. */
import { isRegistered } from '../telemetry/registered.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Ports } from './port/workspace.ts';

/** Providers may be registered after the agent was opened, but before its tools are. */
export function tracingPorts(): Required<Pick<Ports, 'traced' | 'watched'>> {
  let telemetry: Telemetry | undefined;
  return {
    async traced(handlers) {
      if (!telemetry && isRegistered()) {
        const { openTelemetry } = await import('../telemetry/telemetry.ts');
        telemetry ??= await openTelemetry();
      }
      return telemetry?.tools(handlers) ?? handlers;
    },
    watched({ handle, program, title, past }) {
      telemetry?.watch(handle, { title, dialect: program.dialect, resumed: past !== undefined });
    },
  };
}

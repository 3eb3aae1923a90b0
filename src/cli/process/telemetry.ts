/**
 * Spans and metrics of the runs of this process. One of it per process, as OpenTelemetry's own
 * registry is: made with the first tools, asked by whoever drives a run, closed at the end.
 */
import type { Ports, Workspace } from '../../agent/port/workspace.ts';
import { type Tracing, tracing } from '../../agent/tracing.ts';
import type { Otlp } from '../../telemetry/otlp.ts';
import { CliError } from '../failure.ts';
import { say } from '../view/output.ts';

let current: Tracing | undefined;

/**
 * The tools, each attempt of which is a span where telemetry is on: with `--otlp`, with
 * OTEL_EXPORTER_OTLP_ENDPOINT, or where the configuration has registered providers. Throws
 * `CliError` PV6028 where packages are missing that were asked for.
 */
export function tracedBy({
  settings,
  origins,
  env,
}: Pick<Workspace, 'settings' | 'origins' | 'env'>): NonNullable<Ports['traced']> {
  const url = settings.otlp ?? env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  return async (handlers) => {
    current ??= tracing({
      ...(url && !isOff && { exporter: () => openExporter(url, origins.otlp) }),
    });
    return await current.traced(handlers);
  };
}

export const observe: Tracing['observe'] = (run, about) => current?.observe(run, about);

/** Sends what is left. */
export const closeTelemetry = async (): Promise<void> => await current?.close();

async function openExporter(url: string, origin: string | undefined): Promise<Otlp | undefined> {
  const { openOtlp, otlpPackages } = await import('../../telemetry/otlp.ts');
  try {
    return await openOtlp(url, (message) => say(`telemetry: ${message.split('\n')[0]}`));
  } catch (cause) {
    const missing =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing) throw cause;
    const what = 'spans and metrics need packages that are not installed';
    const hint = `npm install ${otlpPackages.join(' ')}`;
    if (origin !== undefined) throw new CliError('PV6028', `${origin}: ${what}`, { hint, cause });
    // A variable of the whole machine must not keep planvm from working.
    say(`OTEL_EXPORTER_OTLP_ENDPOINT: ${what}: ${hint}`);
    return undefined;
  }
}

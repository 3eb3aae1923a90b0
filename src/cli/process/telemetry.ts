/**
 * Spans and metrics of the runs of this process. One of it per process, as OpenTelemetry's own
 * registry is: opened with the tools, asked by whoever drives a run, closed at the end.
 */
import type { SpanContext } from '@opentelemetry/api';
import type { Workspace } from '../../agent/port/workspace.ts';
import type { Handler } from '../../engine/handler.ts';
import type { RunHandle } from '../../engine/run.ts';
import type { Otlp } from '../../telemetry/otlp.ts';
import { isRegistered } from '../../telemetry/registered.ts';
import type { Telemetry, Watched } from '../../telemetry/telemetry.ts';
import { CliError } from '../failure.ts';
import { say } from '../view/output.ts';

let opened: Promise<Telemetry | undefined> | undefined;
let current: Telemetry | undefined;
let exporter: Otlp | undefined;

/**
 * The tools, each attempt of which is a span where telemetry is on: with `--otlp`, with
 * OTEL_EXPORTER_OTLP_ENDPOINT, or where the configuration has registered providers. Throws
 * `CliError` PV6028 where packages are missing that were asked for.
 */
export async function traced(
  handlers: ReadonlyMap<string, Handler>,
  workspace: Pick<Workspace, 'settings' | 'origins' | 'env'>,
): Promise<ReadonlyMap<string, Handler>> {
  opened ??= open(workspace);
  current = await opened;
  return current?.tools(handlers) ?? handlers;
}

/** Watches a run that was begun in this turn of the event loop. */
export function observe(run: RunHandle, about: Watched): void {
  current?.watch(run, about);
}

/** Sends what is left. */
export async function closeTelemetry(): Promise<void> {
  if (exporter) await exporter.close();
  else await current?.flush();
}

async function open({
  settings,
  origins,
  env,
}: Pick<Workspace, 'settings' | 'origins' | 'env'>): Promise<Telemetry | undefined> {
  const asked = settings.otlp;
  const url = asked ?? env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  const off = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  if (url && !off) exporter = await openExporter(url, origins.otlp);
  else if (!isRegistered()) return undefined;
  const { openTelemetry } = await import('../../telemetry/telemetry.ts');
  const parent = parentOf(env.TRACEPARENT);
  return await openTelemetry({ ...(exporter && { startRoot: exporter.startRoot }), parent });
}

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

/** The span that a caller has handed on, by the W3C form: version, trace, span, flags. */
function parentOf(header: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(header?.trim() ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/**
 * Sends spans and metrics of this process to a collector that speaks OTLP over HTTP in JSON. Made
 * of the OpenTelemetry SDK, whose packages are imported here and nowhere else, when they are
 * needed.
 */
import type { Span, SpanContext } from '@opentelemetry/api';
import { importPackage } from './import-package.ts';

export interface Otlp {
  /** For `TelemetryOptions`. */
  readonly startRoot: (identity: SpanContext, start: () => Span) => Span;
  /** Sends what is left. Never throws: a collector that is gone harms no run. */
  close(): Promise<void>;
}

/** What has to be installed. */
export const otlpPackages = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/context-async-hooks',
] as const;

/** Longest wait for a collector at the end of a process. */
const closeMs = 3_000;

/**
 * Registers providers with the API. `url` is the base address of the collector,
 * `http://localhost:4318`; further settings are the OTEL_* variables of the SDK. `onError` hears
 * once of a collector that does not answer. Throws what importing a missing package throws.
 */
export async function openOtlp(url: string, onError: (message: string) => void): Promise<Otlp> {
  const [api, traces, metrics, resources, spanOut, metricOut, hooks] = await Promise.all([
    importPackage<typeof import('@opentelemetry/api')>('@opentelemetry/api'),
    importPackage<typeof import('@opentelemetry/sdk-trace')>('@opentelemetry/sdk-trace'),
    importPackage<typeof import('@opentelemetry/sdk-metrics')>('@opentelemetry/sdk-metrics'),
    importPackage<typeof import('@opentelemetry/resources')>('@opentelemetry/resources'),
    importPackage<typeof import('@opentelemetry/exporter-trace-otlp-http')>(
      '@opentelemetry/exporter-trace-otlp-http',
    ),
    importPackage<typeof import('@opentelemetry/exporter-metrics-otlp-http')>(
      '@opentelemetry/exporter-metrics-otlp-http',
    ),
    importPackage<typeof import('@opentelemetry/context-async-hooks')>(
      '@opentelemetry/context-async-hooks',
    ),
  ]);
  let told = false;
  const tell = (message: string): void => {
    if (!told) onError(message);
    told = true;
  };
  const ignore = (): void => {};
  const logger = { error: tell, warn: ignore, info: ignore, debug: ignore, verbose: ignore };
  api.diag.setLogger(logger, api.DiagLogLevel.ERROR);
  const base = url.replace(/\/+$/, '');
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'planvm' })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const ids = new RunIds(new traces.RandomIdGenerator());
  const exporter = new spanOut.OTLPTraceExporter({ url: `${base}/v1/traces` });
  const provider = new traces.TracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors: [new traces.BatchSpanProcessor({ exporter })],
  });
  const reader = new metrics.PeriodicExportingMetricReader({
    exporter: new metricOut.OTLPMetricExporter({ url: `${base}/v1/metrics` }),
  });
  const meters = new metrics.MeterProvider({ resource, readers: [reader] });
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(provider);
  api.metrics.setGlobalMeterProvider(meters);
  return {
    startRoot: (identity, start) => ids.within(identity, start),
    async close() {
      const sent = Promise.allSettled([provider.shutdown(), meters.shutdown()]);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        tell(`${base} has not taken in time what there was to send`);
        late.resolve();
      }, closeMs);
      await Promise.race([sent, late.promise]);
      clearTimeout(timer);
    },
  };
}

interface Generator {
  generateTraceId(): string;
  generateSpanId(): string;
}

/** Ids as they come, but for the span of a run, which has those of the run. */
class RunIds implements Generator {
  readonly #others: Generator;
  #next: SpanContext | undefined;

  constructor(others: Generator) {
    this.#others = others;
  }

  within(identity: SpanContext, start: () => Span): Span {
    this.#next = identity;
    try {
      return start();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId(): string {
    return this.#next?.traceId ?? this.#others.generateTraceId();
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? this.#others.generateSpanId();
  }
}

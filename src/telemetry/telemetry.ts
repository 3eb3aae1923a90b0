/**
 * Runs as spans: run → step → effect → attempt, with metrics beside. It speaks to the OpenTelemetry
 * API alone; whatever a process has registered there receives them. What it owns: the open spans.
 * What it does not own: providers and exporters (`otlp.ts`, or the program that uses planvm).
 *
 * Invariants:
 * - O1 It only looks on: a run has the same outcome with it and without.
 * - O2 All processes of a run add to one trace (`identity.ts`).
 * - O3 Spans hold names, times and counts. Arguments and results stay in the journal.
 */
import type { Link, Span, SpanContext, SpanOptions } from '@opentelemetry/api';
import type { Handler } from '../engine/handler.ts';
import type { RunResult } from '../engine/result.ts';
import type { RunHandle } from '../engine/run.ts';
import type { Api } from './api.ts';
import { traceIdentity } from './identity.ts';
import { importPackage } from './import-package.ts';
import { measuresOf } from './measures.ts';
import { isRegistered } from './registered.ts';
import { RunSpans } from './run-spans.ts';
import { tracedHandler } from './traced-handler.ts';

export interface Watched {
  readonly title: string;
  readonly dialect: string;
  /** Whether another process has had it before. */
  readonly resumed: boolean;
}

export interface Telemetry {
  /** The same tools; each attempt is a span, current while it is performed. */
  tools(handlers: ReadonlyMap<string, Handler>): ReadonlyMap<string, Handler>;
  /** Spans of a run that this process has begun, in the same turn of the event loop, to its end. */
  watch(run: RunHandle, about: Watched): void;
  /** Has the registered providers send what they hold back, as far as they can be asked. */
  flush(): Promise<void>;
}

export interface TelemetryOptions {
  /** Starts the span of a run that nobody has had before, with an identity of its own. */
  readonly startRoot?: (identity: SpanContext, start: () => Span) => Span;
}

/**
 * Telemetry by what the process has registered. Undefined where `@opentelemetry/api` is not
 * installed, or nothing is registered with it: then nothing has to be watched.
 */
export async function openTelemetry(
  options: TelemetryOptions = {},
): Promise<Telemetry | undefined> {
  if (!isRegistered()) return undefined;
  const api = await importApi();
  return api && telemetryOf(api, options);
}

async function importApi(): Promise<Api | undefined> {
  try {
    return await importPackage<Api>('@opentelemetry/api');
  } catch {
    return undefined;
  }
}

function telemetryOf(api: Api, options: TelemetryOptions = {}): Telemetry {
  const tracer = api.trace.getTracer('planvm');
  const measures = measuresOf(api.metrics.getMeter('planvm'));
  const runs = new Map<string, RunSpans>();

  function startRun(run: string, about: Watched): Span {
    const identity = { ...traceIdentity(run), traceFlags: api.TraceFlags.SAMPLED };
    const name = `invoke_workflow ${about.title}`.trim();
    const links: Link[] = linkedTo().map((context) => ({ context }));
    const attributes = {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': about.title,
      'gen_ai.conversation.id': run,
      'planvm.dialect': about.dialect,
    };
    const own: SpanOptions = { attributes, links };
    const { startRoot } = options;
    if (!about.resumed && startRoot) {
      return startRoot(identity, () => tracer.startSpan(name, { ...own, root: true }));
    }
    const above = api.trace.setSpanContext(api.ROOT_CONTEXT, { ...identity, isRemote: true });
    return tracer.startSpan(name, own, above);
  }

  /** Whatever was under way where the run was asked for, which has a trace of its own. */
  function linkedTo(): SpanContext[] {
    const current = api.trace.getActiveSpan()?.spanContext();
    return current && api.isSpanContextValid(current) ? [current] : [];
  }

  return {
    tools: (handlers) =>
      new Map(
        [...handlers].map(([name, handler]) => [
          name,
          tracedHandler(handler, { api, tracer, measures, spansOf: (run) => runs.get(run) }),
        ]),
      ),
    async flush() {
      const providers = [api.trace.getTracerProvider(), api.metrics.getMeterProvider()];
      await Promise.allSettled(providers.map(flushOf));
    },
    watch(handle, about) {
      const spans = new RunSpans({ api, tracer, measures, span: startRun(handle.id, about) });
      runs.set(handle.id, spans);
      const stop = handle.subscribe((event) => spans.take(event));
      const end = (result: RunResult | undefined, error: unknown): void => {
        stop();
        runs.delete(handle.id);
        spans.end(result, error);
      };
      handle.result.then(
        (result) => end(result, undefined),
        (error: unknown) => end(undefined, error),
      );
    },
  };
}

/** The SDK's providers can be flushed; the API's own stands for the one that is registered. */
async function flushOf(provider: object): Promise<void> {
  const delegate: unknown = call(provider, 'getDelegate') ?? provider;
  if (typeof delegate === 'object' && delegate !== null) await call(delegate, 'forceFlush');
}

function call(target: object, method: string): unknown {
  const found: unknown = Reflect.get(target, method);
  return typeof found === 'function' ? Reflect.apply(found, target, []) : undefined;
}

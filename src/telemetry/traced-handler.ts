/** A tool whose attempts are spans: as calls of a model where it asks one, else of a tool. */
import type { Span, Tracer } from '@opentelemetry/api';
import {
  type Arguments,
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
  type Usage,
} from '../engine/handler.ts';
import { addUsage } from '../engine/spent.ts';
import type { Api } from './api.ts';
import { modelAttributes, toolAttributes, usageAttributes } from './attributes.ts';
import type { Measures } from './measures.ts';
import type { RunSpans } from './run-spans.ts';

interface Parts {
  readonly api: Api;
  readonly tracer: Tracer;
  readonly measures: Measures;
  /** Undefined for a run that nobody watches. */
  readonly spansOf: (run: string) => RunSpans | undefined;
}

export function tracedHandler(handler: Handler, parts: Parts): Handler {
  return {
    ...handler,
    perform(args, context) {
      const spans = parts.spansOf(context.run);
      return spans ? perform(handler, args, context, spans, parts) : handler.perform(args, context);
    },
  };
}

async function perform(
  handler: Handler,
  args: Arguments,
  context: AttemptContext,
  spans: RunSpans,
  { api, tracer, measures }: Parts,
): Promise<unknown> {
  const { spec } = handler;
  const startedAt = Date.now();
  const { step = '', queuedAt = startedAt, effect, attempt } = context;
  const parent = spans.effect({ effect, tool: spec.name, step, queuedAt });
  const model = handler.model?.(args).name;
  const own = model === undefined ? toolAttributes(spec, effect) : modelAttributes(model);
  const name = `${own['gen_ai.operation.name']} ${own['gen_ai.request.model'] ?? spec.name}`;
  const kind = model === undefined ? api.SpanKind.INTERNAL : api.SpanKind.CLIENT;
  const attributes = { ...own, 'planvm.effect.attempt': attempt };
  const above = api.trace.setSpan(api.ROOT_CONTEXT, parent);
  const span = tracer.startSpan(name, { kind, attributes, startTime: new Date(startedAt) }, above);
  let used: Usage | undefined;
  let over = false;
  const end = (error?: unknown): void => {
    if (over) return;
    over = true;
    if (used) span.setAttributes(usageAttributes(used));
    const type = error === undefined ? undefined : markFailed(span, error, api);
    span.end();
    const seconds = (Date.now() - startedAt) / 1000;
    const measured = type === undefined ? own : { ...own, 'error.type': type };
    if (model !== undefined) measures.call(measured, used, seconds);
  };
  // An attempt that is given up is over, whenever its handler comes to an end.
  context.signal.addEventListener('abort', () => end(context.signal.reason), { once: true });
  const listening = listeningTo(context, span, (usage) => {
    used = addUsage(used, usage);
  });
  try {
    const current = api.trace.setSpan(api.context.active(), span);
    const result = await api.context.with(current, () => handler.perform(args, listening));
    end();
    return result;
  } catch (error) {
    end(error);
    throw error;
  }
}

function markFailed(span: Span, error: unknown, api: Api): string {
  const type = error instanceof EffectFailure ? error.code : nameOf(error);
  const message = error instanceof Error ? error.message : String(error);
  span.setAttribute('error.type', type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message });
  return type;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '_OTHER');

/** The same attempt; what it says of its use is heard, and its requests join the trace. */
function listeningTo(
  context: AttemptContext,
  span: Span,
  heard: (usage: Usage) => void,
): AttemptContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = traceFlags.toString(16).padStart(2, '0');
  return attemptWith(context, {
    use(usage) {
      heard(usage);
      context.use(usage);
    },
    headers: { ...context.headers, traceparent: `00-${traceId}-${spanId}-${flags}` },
    finish(reason) {
      span.setAttribute('gen_ai.response.finish_reasons', [reason]);
      context.finish(reason);
    },
  });
}

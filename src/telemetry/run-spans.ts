/** The spans of one run in this process: its own, those of its steps, those of its effects. */
import type { Attributes, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { WatchEvent } from '../engine/events.ts';
import type { RunResult } from '../engine/result.ts';
import type { Api } from './api.ts';
import type { Measures } from './measures.ts';

interface Parts {
  readonly api: Api;
  readonly tracer: Tracer;
  readonly measures: Measures;
  readonly span: Span;
}

interface OpenEffect {
  readonly span: Span;
  readonly step: string;
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
  startedAt: number;
}

interface OpenStep {
  readonly span: Span;
  /** Epoch milliseconds of the last end of an effect. */
  until: number;
}

export interface AskedEffect {
  readonly effect: string;
  readonly tool: string;
  readonly step: string;
  /** Epoch milliseconds. */
  readonly queuedAt: number;
}

export class RunSpans {
  readonly #parts: Parts;
  readonly #startedAt = Date.now();
  readonly #steps = new Map<string, OpenStep>();
  readonly #effects = new Map<string, OpenEffect>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The span of an effect, begun where it is not there yet. */
  effect({ effect, tool, step, queuedAt }: AskedEffect): Span {
    const known = this.#effects.get(effect);
    if (known) return known.span;
    const attributes = {
      'planvm.effect.id': effect,
      'planvm.tool': tool,
      ...(step !== '' && { 'planvm.step': step }),
    };
    const parent = step === '' ? this.#parts.span : this.#step(step, queuedAt).span;
    const span = this.#child(`effect ${tool}`, parent, queuedAt, attributes);
    this.#effects.set(effect, { span, step, tool, queuedAt, startedAt: queuedAt });
    return span;
  }

  take(event: WatchEvent): void {
    switch (event.type) {
      case 'effect.started': {
        this.effect(event);
        const open = this.#effects.get(event.effect);
        if (open && event.attempt === 1) open.startedAt = event.at;
        return;
      }
      case 'effect.settled': {
        const { outcome, attempts, startedAt, sources } = event;
        const open = this.#effects.get(event.effect);
        if (open) open.startedAt = Math.min(open.startedAt, startedAt);
        open?.span.setAttribute('planvm.effect.attempts', attempts);
        if (sources) open?.span.setAttribute('planvm.effect.sources', sources.map(urlOf));
        if (outcome.ok) this.#endEffect(event.effect, 'done', event.at);
        else this.#endEffect(event.effect, 'failed', event.at, outcome.error);
        return;
      }
      case 'effect.unknown':
        this.#endEffect(event.effect, 'unknown', event.at, { code: 'PV5102', message: event.why });
        return;
      case 'effect.cancelled':
        this.#endEffect(event.effect, 'cancelled', event.at);
        return;
      case 'limit.reached':
        this.#parts.span.addEvent(
          event.type,
          { 'planvm.limit': event.limit, 'planvm.value': event.value },
          new Date(event.at),
        );
        return;
      default:
    }
  }

  /** Ends whatever is open. */
  end(result: RunResult | undefined, error: unknown): void {
    const { api, span, measures } = this.#parts;
    for (const id of [...this.#effects.keys()]) this.#endEffect(id, 'interrupted', Date.now());
    for (const { span: step, until } of this.#steps.values()) step.end(new Date(until));
    const status = result?.status ?? 'stopped';
    const { inputTokens = 0, outputTokens = 0, cost } = result?.usage ?? {};
    span.setAttributes({
      'planvm.run.status': status,
      ...(result?.reason && { 'planvm.run.reason': result.reason }),
      'gen_ai.usage.input_tokens': inputTokens,
      'gen_ai.usage.output_tokens': outputTokens,
      ...(typeof cost === 'number' && { 'planvm.cost': cost }),
    });
    const failed = status === 'failed' ? result?.error : undefined;
    if (failed) {
      span.setAttribute('error.type', failed.code);
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: failed.message });
    } else if (error !== undefined) {
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: String(error) });
    }
    span.end();
    measures.run({ 'planvm.run.status': status }, (Date.now() - this.#startedAt) / 1000);
  }

  #step(id: string, at: number): OpenStep {
    const known = this.#steps.get(id);
    if (known) return known;
    const span = this.#child(`step ${id}`, this.#parts.span, at, { 'planvm.step': id });
    const made = { span, until: at };
    this.#steps.set(id, made);
    return made;
  }

  #child(name: string, parent: Span, at: number, attributes: Attributes): Span {
    const { api, tracer } = this.#parts;
    const options: SpanOptions = { startTime: new Date(at), attributes };
    return tracer.startSpan(name, options, api.trace.setSpan(api.ROOT_CONTEXT, parent));
  }

  #endEffect(
    id: string,
    status: string,
    at: number,
    error?: { readonly code: string; readonly message: string },
  ): void {
    const open = this.#effects.get(id);
    if (!open) return;
    this.#effects.delete(id);
    const { span, step, tool, queuedAt, startedAt } = open;
    span.setAttributes({
      'planvm.effect.status': status,
      'planvm.effect.queue_ms': startedAt - queuedAt,
      ...(error && { 'error.type': error.code }),
    });
    if (error) {
      const { ERROR: code } = this.#parts.api.SpanStatusCode;
      span.setStatus({ code, message: error.message });
    }
    span.end(new Date(at));
    const steps = this.#steps.get(step);
    if (steps) steps.until = Math.max(steps.until, at);
    const attributes = { 'planvm.tool': tool, 'planvm.effect.status': status };
    const [ran, queued] = [at - startedAt, startedAt - queuedAt];
    this.#parts.measures.effect(attributes, Math.max(0, ran) / 1000, Math.max(0, queued) / 1000);
  }
}

const urlOf = ({ url }: { readonly url: string }): string => url;

/** A collector of spans and metrics on the loopback, which speaks OTLP over HTTP in JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Attribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly arrayValue?: { readonly values: readonly Attribute['value'][] };
  };
}

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
  readonly service: unknown;
}

export interface CollectedPoint {
  readonly metric: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly sum: number | undefined;
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: CollectedSpan[];
  readonly points: CollectedPoint[];
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const points: CollectedPoint[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const body = JSON.parse(text);
      if (request.url === '/v1/traces') spans.push(...spansIn(body));
      if (request.url === '/v1/metrics') points.push(...pointsIn(body));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    points,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Raw = Readonly<Record<string, never>> & { readonly attributes?: readonly Attribute[] };

/** OTLP in JSON: resourceSpans → scopeSpans → spans. */
function spansIn(body: {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Raw[] }[];
  }[];
}): CollectedSpan[] {
  return (body.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) => {
    const service = valuesOf(resource?.attributes)['service.name'];
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => {
        const read: unknown = {
          links: [],
          ...span,
          attributes: valuesOf(span.attributes),
          service,
        };
        return read as CollectedSpan;
      }),
    );
  });
}

function pointsIn(body: {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly histogram?: Points;
        readonly sum?: Points;
      }[];
    }[];
  }[];
}): CollectedPoint[] {
  const metrics = (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  );
  return metrics.flatMap(({ name, histogram, sum }) =>
    ((histogram ?? sum)?.dataPoints ?? []).map((point) => ({
      metric: name,
      attributes: valuesOf(point.attributes),
      sum: point.sum ?? point.asDouble ?? Number(point.asInt),
    })),
  );
}

interface Points {
  readonly dataPoints: readonly {
    readonly attributes?: readonly Attribute[];
    readonly sum?: number;
    readonly asDouble?: number;
    readonly asInt?: number | string;
  }[];
}

function valuesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

function readValue(value: Attribute['value']): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(readValue);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue;
}

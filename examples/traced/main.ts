/** A run as spans, in a program that has OpenTelemetry set up: here they are kept and printed. */
import { createServer } from 'node:http';
import { trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { defineTool, run } from 'planvm';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
trace.setGlobalTracerProvider(provider);

let joined: string | undefined;
const service = createServer((request, response) => {
  joined = request.headers.traceparent?.toString();
  response.end('rain');
});
await new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready));
const address = service.address();
const weather = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

const forecast = defineTool({
  name: 'forecast',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  effect: 'read',
  run: async ({ city }, { headers }) => {
    const reply = await fetch(`${weather}/${city}`, { headers: { ...headers } });
    return await reply.text();
  },
});

const { answer } = await run('answer(forecast("Bergen"))', {
  tools: [forecast],
  dialect: 'starlark',
});
console.log(answer);

const spans = exporter.getFinishedSpans();
const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
for (const span of spans.toReversed()) {
  let depth = 0;
  for (let up = byId.get(span.parentSpanContext?.spanId ?? ''); up; depth++) {
    up = byId.get(up.parentSpanContext?.spanId ?? '');
  }
  console.log(`${'  '.repeat(depth)}${span.name}`);
}
const [, , caller = ''] = joined?.split('-') ?? [];
console.log(`the service was called by ${byId.get(caller)?.name}`);
service.close();
service.closeAllConnections();

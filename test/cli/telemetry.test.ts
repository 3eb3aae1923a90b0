/** Spans and metrics of runs, through the real SDK to a collector on the loopback. */
import { expect, test } from 'vitest';
import { traceIdentity } from '../../src/telemetry/identity.ts';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { type CollectedSpan, startCollector } from '../support/collector.ts';
import { startModelServer } from '../support/model-server.ts';

const tools = `
  import { existsSync } from 'node:fs';
  export default [
    { name: 'shelf', description: 'Looks.', effect: 'read', idempotent: false,
      run(args, { headers }) {
        if (!existsSync('open')) throw new Error('the shelf is closed');
        return headers.traceparent;
      } },
  ];`;

const plan = [
  { ...calling(0, 'llm_generate', { prompt: 'Name one.' }, 'a') },
  calling(1, 'shelf', {}, 'b'),
  answering(2, ref('b')),
];

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as CollectedSpan;
};

test('a run is a trace: run, steps, effects, attempts; a resumed one goes on with it', async () => {
  await using collector = await startCollector();
  await using server = await startModelServer(() => ({
    text: 'a river',
    usage: { input: 30, output: 4 },
  }));
  using folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
  const env = { ...server.env.openai, OTEL_SERVICE_NAME: 'rivers' };
  const args = ['--tools', 'tools.mjs', '--model', 'openai/gpt-5-mini', '--otlp', collector.url];
  const first = await folder.planvm(['run', 'plan.json', ...args, '--json'], { env });
  expect(first.code).toBe(1);
  const { run } = JSON.parse(first.stdout);
  const { traceId, spanId } = traceIdentity(run);
  const { spans } = collector;
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(spans.every(({ service }) => service === 'rivers')).toBe(true);

  const root = named(spans, 'invoke_workflow plan.json');
  expect(root).toMatchObject({
    spanId,
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'plan.json',
      'gen_ai.conversation.id': run,
      'planvm.run.status': 'failed',
      'gen_ai.usage.input_tokens': 30,
      'error.type': 'PV4202',
    },
    status: { code: 2, message: expect.stringContaining('the shelf is closed') },
  });
  expect(root.parentSpanId ?? '').toBe('');
  const step = named(spans, 'step 0');
  const effect = named(spans, 'effect llm_generate');
  const call = named(spans, 'chat gpt-5-mini');
  expect(step.parentSpanId).toBe(spanId);
  expect(effect.parentSpanId).toBe(step.spanId);
  expect(call.parentSpanId).toBe(effect.spanId);
  expect(effect.attributes).toMatchObject({
    'planvm.effect.id': '0#1',
    'planvm.step': '0',
    'planvm.effect.status': 'done',
    'planvm.effect.attempts': 1,
  });
  expect(call).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-5-mini',
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 4,
      'gen_ai.response.finish_reasons': ['stop'],
    },
  });
  expect(BigInt(step.startTimeUnixNano)).toBeLessThanOrEqual(BigInt(effect.startTimeUnixNano));
  expect(BigInt(effect.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(step.endTimeUnixNano));
  // The request of the model joins the trace.
  const traceparent = `00-${traceId}-${call.spanId}-01`;
  expect(server.requests[0]?.headers.traceparent).toBe(traceparent);
  expect(named(spans, 'execute_tool shelf')).toMatchObject({
    attributes: {
      'gen_ai.tool.name': 'shelf',
      'gen_ai.tool.call.id': '0#2',
      'error.type': 'PV4202',
    },
    status: { code: 2 },
  });

  collector.spans.length = 0;
  folder.write('open', '');
  const second = await folder.planvm(['resume', 'last', '--otlp', collector.url, '--json'], {
    env,
  });
  expect(second.code).toBe(0);
  expect(named(spans, 'invoke_workflow plan.json')).toMatchObject({
    traceId,
    parentSpanId: spanId,
    attributes: { 'planvm.run.status': 'done' },
  });
  const attempt = named(spans, 'execute_tool shelf');
  expect(JSON.parse(second.stdout).answer).toBe(`00-${traceId}-${attempt.spanId}-01`);
});

test('calls, tokens, effects and runs are measured; arguments and results are not sent', async () => {
  await using collector = await startCollector();
  await using server = await startModelServer(() => ({
    text: 'a quiet river',
    usage: { input: 30, output: 4 },
  }));
  using folder = new Folder({ 'plan.json': [plan[0], answering(1, ref('a'))] });
  const env = { ...server.env.openai, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` };
  const args = ['run', 'plan.json', '--model', 'openai/gpt-5-mini'];
  const { code } = await folder.planvm(args, { env });
  expect(code).toBe(0);
  const { points, spans } = collector;
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai' };
  const sums = (metric: string, attributes: Record<string, unknown>): (number | undefined)[] => {
    const own = points.filter((point) => point.metric === metric);
    expect(own.map((point) => point.attributes)).toContainEqual(
      expect.objectContaining(attributes),
    );
    return own.map((point) => point.sum);
  };
  const type = 'gen_ai.token.type';
  expect(sums('gen_ai.client.token.usage', { ...model, [type]: 'input' })).toEqual([30, 4]);
  sums('gen_ai.client.operation.duration', model);
  sums('planvm.effect.duration', { 'planvm.tool': 'llm_generate', 'planvm.effect.status': 'done' });
  sums('planvm.run.duration', { 'planvm.run.status': 'done' });
  expect(sums('planvm.cost', model)[0]).toBeCloseTo(30 * 0.25e-6 + 4 * 2e-6, 12);
  expect(JSON.stringify([spans, points])).not.toMatch(/quiet river|Name one/);
});

test('planning is a trace of its own, with the calls of the model', async () => {
  await using collector = await startCollector();
  await using server = await startModelServer(() => ({
    text: JSON.stringify([answering(0, 'Four.')]),
    usage: { input: 30, output: 4 },
  }));
  using folder = new Folder({});
  const model = ['--model', 'openai/gpt-5-mini', '--dialect', 'stackvm-2'];
  const args = ['ask', 'What is 2 + 2?', ...model, '--otlp', collector.url];
  const { code } = await folder.planvm(args, { env: server.env.openai });
  expect(code).toBe(0);
  const { spans } = collector;
  const planning = named(spans, 'invoke_workflow plan: What is 2 + 2?');
  const call = named(spans, 'chat gpt-5-mini');
  expect(call.traceId).toBe(planning.traceId);
  expect(call.attributes).toMatchObject({ 'gen_ai.usage.output_tokens': 4 });
  const runs = spans.filter(({ name }) => name.startsWith('invoke_workflow'));
  expect(new Set(runs.map(({ traceId }) => traceId)).size).toBe(2);
});

test('a collector that is not there harms no run, and is said once', async () => {
  const collector = await startCollector();
  await collector[Symbol.asyncDispose]();
  using folder = new Folder({ 'plan.json': [answering(0, 'fine')] });
  const { code, stdout, stderr } = await folder.planvm([
    ...['run', 'plan.json', '--otlp', collector.url],
  ]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'fine\n' });
  expect(stderr.match(/^telemetry: /gm)).toHaveLength(1);
});

test('providers that a configuration registers get the spans', async () => {
  await using collector = await startCollector();
  using folder = new Folder({
    'plan.json': [answering(0, 'fine')],
    'planvm.config.ts': `
      import { metrics, trace } from '@opentelemetry/api';
      import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
      import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
      const exporter = new OTLPTraceExporter({ url: '${collector.url}/v1/traces' });
      const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
      trace.setGlobalTracerProvider(provider);
      process.on('beforeExit', () => provider.forceFlush());
      export default {};`,
  });
  folder.linkModules();
  const { code } = await folder.planvm(['run', 'plan.json']);
  expect(code).toBe(0);
  const root = named(collector.spans, 'invoke_workflow plan.json');
  expect(root.parentSpanId).toMatch(/^[\da-f]{16}$/);
});

/** Node as if the packages were not there. */
const without = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
    throw Object.assign(new Error('no ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
  } });`)}`;

test('without the packages, asking for spans says what to install; a variable harms nothing', async () => {
  using folder = new Folder({ 'plan.json': [answering(0, 'fine')] });
  const env = { NODE_OPTIONS: without };
  const url = 'http://127.0.0.1:4318';
  const asked = await folder.planvm(['run', 'plan.json', '--otlp', url], { env });
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(/PV6028.*--otlp[\s\S]*npm install @opentelemetry\/api/);
  const { code, stdout, stderr } = await folder.planvm(['run', 'plan.json'], {
    env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: url },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'fine\n' });
  expect(stderr).toContain('npm install @opentelemetry/api');
  const off = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' };
  const silent = await folder.planvm(['run', 'plan.json'], { env: off });
  expect(silent.stderr).not.toContain('opentelemetry');
});

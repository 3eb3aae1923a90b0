/** Events and records for tests of journals, one of each type. */
import {
  type AppendOptions,
  asWritten,
  type EventBody,
  type Journal,
  type Lease,
  type RunEvent,
  type RunRecord,
} from '../../src/engine/journal/journal.ts';
import type { RunReason } from '../../src/engine/journal/run-state.ts';

/** Appends events; gives them as they were written. */
export function append(
  journal: Journal,
  lease: Lease,
  bodies: readonly EventBody[],
  options?: AppendOptions,
): RunEvent[] {
  const appended = journal.append(lease, bodies, options);
  return appended ? asWritten(bodies, appended) : [];
}

type Of<Type extends EventBody['type']> = Extract<EventBody, { readonly type: Type }>;

export function record(id: string, more: Partial<RunRecord> = {}): RunRecord {
  const plain = { title: 'plan.json', dialect: 'stackvm-2', inputs: '{}', settings: '{}' };
  return { id, createdAt: 900_000, ...plain, ...more };
}

export function started(effect: string): Of<'effect.started'> {
  return {
    type: 'effect.started',
    effect,
    attempt: 1,
    tool: 'search',
    step: '4@2',
    hash: 'ab12',
    request: '{"query":"rivers"}',
    queuedAt: 950_000,
  };
}

export function settled(effect: string, value: string): Of<'effect.settled'> {
  return {
    type: 'effect.settled',
    effect,
    tool: 'search',
    hash: 'ab12',
    outcome: { ok: true, value },
    attempts: 1,
    startedAt: 950_001,
  };
}

type Ending = 'run.finished' | 'run.failed' | 'run.waiting' | 'run.suspended' | 'run.cancelled';

export function ending(type: Ending, reason?: RunReason, result = '{}'): EventBody {
  return reason === undefined ? { type, result } : { type, reason, result };
}

export const everyEvent: readonly EventBody[] = [
  { type: 'run.started', run: record('r1', { inputs: '{"n":["int","90071992547409930"]}' }) },
  { type: 'program.loaded', text: '[]', dialect: 'stackvm-2', hash: 'c0de', tools: '[]' },
  started('0#1'),
  settled('0#1', '{"rivers":["Loire"]}'),
  {
    ...settled('0#2', ''),
    outcome: { ok: false, error: { code: 'PV4001', message: 'no', hint: 'yes' } },
    usage: { modelCalls: 1, inputTokens: 20, outputTokens: 3, cost: 0.00125 },
    warnings: ['mended a bracket'],
  },
  { type: 'effect.unknown', effect: '0#3', tool: 'send', hash: 'ef', attempts: 1, why: 'crash' },
  { type: 'effect.cancelled', effect: '0#4', tool: 'search', attempts: 2 },
  { type: 'message.emitted', channel: 'print', value: '"hello"', step: '5@1' },
  {
    ...{ type: 'answer.judged', answer: 0, accept: false, reason: 'No source.' },
    ...{ suggestion: 'Look it up.', by: 'openai/m' },
  },
  { type: 'limit.reached', limit: 'effects', value: 100 },
  { type: 'limit.raised', limits: { effects: 200 } },
  { type: 'run.resumed' },
  {
    type: 'program.replaced',
    text: '[ ]',
    dialect: 'stackvm-2',
    hash: 'c0df',
    tools: '[]',
    reason: 'repair',
  },
  {
    type: 'run.forked',
    run: record('r1', { base: { run: 'r0', seq: 7 } }),
    edit: {
      at: '4@2',
      set: { n: '3' },
      outcomes: { '0#1': { ok: true, value: '"Rhine"' } },
      program: { text: '[]', dialect: 'stackvm-2' },
      perform: 'models',
      vanished: 'ask',
      by: 'person',
      note: 'another river',
    },
  },
  { type: 'effect.reused', effect: '0#5', tool: 'search', step: '4@2', hash: 'ab12', from: 4 },
  {
    type: 'approval.requested',
    effect: '0#6',
    tool: 'drop',
    step: '6@1',
    request: '{"table":"rivers"}',
    why: 'destructive',
  },
  { type: 'approval.granted', effect: '0#6', by: 'ada', note: 'there is a backup' },
  { type: 'approval.denied', effect: '0#7', by: 'ada' },
  ending('run.suspended', 'limit'),
  ending('run.finished', undefined, '{"answer":"Loire"}'),
];

/** A result document that says no more than which run it is of. */
export const resultText = (run: string, more: object = {}): string =>
  JSON.stringify({
    ...{ run, status: 'done', answer: null, answers: [], variables: {} },
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
    ...{ warnings: [], ...more },
  });

/** A history that can be, with an event of nearly each type. */
export function historyOf(run: RunRecord): readonly EventBody[] {
  const about = (effect: string) => ({ effect, tool: 'search' });
  return [
    { type: 'run.started', run },
    { type: 'program.loaded', text: '[]', dialect: 'stackvm-2', hash: 'c0de', tools: '[]' },
    started('0#1'),
    { type: 'effect.part', ...about('0#1'), index: 0, value: '"Loire"' },
    settled('0#1', '{"rivers":["Loire"]}'),
    started('0#2'),
    {
      ...settled('0#2', ''),
      outcome: { ok: false, error: { code: 'PV4001', message: 'no', hint: 'yes' } },
      usage: { modelCalls: 1, inputTokens: 20, outputTokens: 3, cost: 0.00125 },
      warnings: ['a bracket was added'],
    },
    started('0#3'),
    { type: 'effect.unknown', ...about('0#3'), hash: 'ab12', attempts: 1, why: 'crash' },
    started('0#4'),
    { type: 'effect.cancelled', ...about('0#4'), attempts: 1 },
    started('0#5'),
    { type: 'effect.asked', ...about('0#5'), attempts: 1, question: '{"text":"Which?"}' },
    { type: 'effect.answered', ...about('0#5'), value: '"this"', by: 'ada' },
    { ...started('0#5'), attempt: 2 },
    { ...settled('0#5', '1'), attempts: 2 },
    {
      ...{ type: 'approval.requested', effect: '0#6', tool: 'search', step: '6@1' },
      ...{ request: '{"table":"rivers"}', why: 'destructive' },
    },
    { type: 'approval.granted', effect: '0#6', by: 'ada', note: 'there is a backup' },
    started('0#6'),
    settled('0#6', 'null'),
    { type: 'message.emitted', channel: 'print', value: '"hello"', step: '5@1' },
    { type: 'limit.reached', limit: 'effects', value: 100 },
    ending('run.suspended', 'limit', resultText(run.id, { status: 'suspended' })),
    { type: 'run.resumed' },
    { type: 'limit.raised', limits: { stepVisits: 2000 } },
    ending('run.failed', undefined, resultText(run.id, { status: 'failed' })),
  ];
}

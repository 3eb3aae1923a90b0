/**
 * The operations that a reply consists of: one schema, which reads them and documents them. An
 * object may hold several operations; they are done in the order `at`, `set`, `call`, `say`, …
 */
import { z } from 'zod';
import { lineNumber } from '../../../dialects/playbook/pbasm/read.ts';
import type { JsonSchema } from '../../../program/effect.ts';
import { stringify } from '../../../program/json.ts';

const yieldKinds = ['user', 'call', 'agent', 'meeting', 'event', 'timer', 'exit'] as const;

type YieldFor = (typeof yieldKinds)[number];

const anyData = z.unknown();

/** The keys of an operation, its own before those that go with it, and what is in them. */
const operationKeys = {
  at: { at: 'line', holds: 'holds' },
  set: { set: 'values' },
  call: { call: 'callee', args: 'args', into: 'into' },
  say: { say: 'text', to: 'to' },
  show: { show: 'names' },
  note: { note: 'text' },
  unexpected: { unexpected: 'text' },
  yield: { yield: 'for', for: 'whom', within: 'within' },
  return: { return: 'value' },
} as const;

const operations = Object.entries(operationKeys) as readonly [
  string,
  Readonly<Record<string, string>>,
][];

const operationShape = z
  .strictObject({
    at: z.union([z.string(), z.int()]).optional().describe('The open line that is done next.'),
    holds: z.boolean().optional().describe('Whether the condition or the loop at it goes on.'),
    set: z.record(z.string(), anyData).optional().describe('Variables that change.'),
    call: z.string().optional().describe('A playbook, a function or a tool.'),
    args: z
      .union([z.record(z.string(), anyData), z.array(anyData)])
      .optional()
      .describe('By the names of its parameters, or in their order.'),
    into: z.string().nullish().describe('The variable that takes the result.'),
    say: z.string().optional().describe('What the person is told.'),
    to: z.string().nullish().describe('Somebody else who is told it.'),
    yield: z.enum(yieldKinds).optional().describe('Ends the reply, and waits.'),
    for: z.string().optional().describe('The agent or event, or how long.'),
    within: z.string().optional().describe('How long it waits at most: "5 minutes".'),
    return: anyData.optional().describe('Ends the playbook with this value.'),
    show: z.array(z.string()).optional().describe('Variables to show whole.'),
    note: z.string().optional().describe('Something to remember.'),
    unexpected: z.string().optional().describe('Why no line fits.'),
  })
  .check((context) => {
    const keys = Object.keys(context.value);
    const mine = operations.filter(([op]) => keys.includes(op));
    const stray = keys.find((key) => !mine.some(([, parts]) => key in parts));
    if (stray === undefined && keys.length > 0) return;
    const [owner] = operations.find(([, parts]) => (stray ?? '') in parts) ?? [];
    const message =
      stray === undefined ? 'got {}, want an operation' : `got "${stray}" without "${owner}"`;
    context.issues.push({ code: 'custom', message, input: context.value });
  });

/** What operations stand under in the reply of a model that is held to a schema. */
export const operationsKey = 'operations';

/** The JSON Schema of such a reply. */
export function replySchema(): JsonSchema {
  const { $schema: _, ...items } = z.toJSONSchema(operationShape, {
    // Not all providers take these.
    override({ jsonSchema }) {
      delete jsonSchema.propertyNames;
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return {
    type: 'object',
    properties: { [operationsKey]: { type: 'array', items: items as JsonSchema } },
    required: [operationsKey],
    additionalProperties: false,
  };
}

/** One operation, with its line for the session. */
export type Operation = { readonly raw: string } & (
  | { readonly op: 'at'; readonly line: string; readonly holds?: boolean }
  | { readonly op: 'set'; readonly values: Readonly<Record<string, unknown>> }
  | {
      readonly op: 'call';
      readonly callee: string;
      readonly args: Readonly<Record<string, unknown>> | readonly unknown[];
      readonly into?: string;
    }
  | { readonly op: 'say'; readonly text: string; readonly to?: string }
  | {
      readonly op: 'yield';
      readonly for: YieldFor;
      /** The agent or the event; of `timer`: how long, in words. */
      readonly whom?: string;
      /** How long at most, in words. */
      readonly within?: string;
    }
  | { readonly op: 'return'; readonly value: unknown }
  /** Names as they are written. */
  | { readonly op: 'show'; readonly names: readonly string[] }
  | { readonly op: 'note' | 'unexpected'; readonly text: string }
);

/** The operations of an object in their order, or what is wrong with it. */
export function operationsIn(data: unknown): readonly Operation[] | string {
  const read = operationShape.safeParse(data);
  if (!read.success) return problemIn(read.error, data);
  const given: Readonly<Record<string, unknown>> = read.data;
  return operations.flatMap(([op, keys]) => {
    if (given[op] === undefined && !(op === 'return' && op in given)) return [];
    const written = Object.keys(keys).map((key) => [key, given[key]] as const);
    const parts = written.flatMap(([key, value]) => {
      const isLeftOut = value === undefined || (value === null && op !== 'return');
      return isLeftOut ? [] : [[keys[key] ?? key, value] as const];
    });
    const operation = {
      op,
      ...Object.fromEntries(parts),
      raw: stringify(Object.fromEntries(written)),
    };
    if (op === 'at') return [{ ...operation, line: numberIn(String(given.at)) } as Operation];
    return [(op === 'call' ? { args: {}, ...operation } : operation) as Operation];
  });
}

/** `04.01` of `4.1`, `line 04.01`, `04.01:`. */
function numberIn(written: string): string {
  const [, digits] = /^(?:\D{0,20}?[ :])?(\d{1,6}(?:\.\d{1,6})*)[.:]?$/.exec(written.trim()) ?? [];
  return digits === undefined ? written : lineNumber(digits);
}

const textMax = 120;

/** *got X, want Y* of the first thing that is wrong. */
function problemIn({ issues }: z.ZodError, data: unknown): string {
  const [issue] = issues;
  const keys = Object.keys(operationKeys).join(', ');
  if (issue?.code === 'unrecognized_keys') {
    const strange = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    return `got the key ${strange}, want one of ${keys}`;
  }
  if (!issue || issue.code === 'custom') return issue?.message ?? `want one of ${keys}`;
  const place = issue.path.join('.');
  const value = issue.path.reduce<unknown>((inner, key) => Object(inner)[key], data);
  const text = stringify(value ?? null);
  const shown = text.length > textMax ? `${text.slice(0, textMax)} …` : text;
  const wanted = 'expected' in issue ? String(issue.expected) : '';
  const choice = issue.code === 'invalid_value' ? issue.values.map(String).join(', ') : wanted;
  return `got ${place}: ${shown}, want ${choice === '' ? 'another form' : choice}`;
}

/** How `try_call`, `attempt` and `task` say how something went. */
import type { EffectError } from '../program/effect.ts';
import type { Program } from '../program/program.ts';
import { isPlan } from '../program/task.ts';
import { type Struct, settled, type Value } from '../program/value.ts';
import type { TaskFailure, View } from './machine.ts';
import { type Entry, type State, shownStep, stepHere, type TaskWork } from './state.ts';
import { textVariables } from './text-variables.ts';
import { faults } from './values/fault.ts';

/** `struct(ok, value, error)`; the error is `struct(code, message, hint)`, or None. */
export function resultStruct(value: Value, error: EffectError | undefined): Struct {
  return struct({
    ok: error === undefined,
    value,
    error: error === undefined ? null : errorStruct(error),
  });
}

/** `hint` only where there is one. */
const errorStruct = ({ code, message, hint }: EffectError): Struct =>
  struct({ code, message, ...(hint !== undefined && { hint }) });

/** The same of a task. What it gave is shown in its place where variables are. */
export const taskResult = (value: Value, error: EffectError | undefined): Struct => ({
  ...resultStruct(value, error),
  name: 'task',
});

/** What a task gives that has succeeded. */
export const taskValue = ({ plain }: TaskWork, value: Value): Value =>
  plain ? value : taskResult(value, undefined);

/** What a result says of how it went; undefined for a value that is no result. */
export function readResult(
  value: Value,
): { readonly value: Value; readonly error: Struct | undefined } | undefined {
  if (typeof value !== 'object' || value?.kind !== 'struct') return undefined;
  const { fields } = value;
  const isResult = fields.size === 3 && fields.has('ok') && fields.has('error');
  if (!isResult) return undefined;
  const error = settled(fields.get('error') ?? null);
  const given = settled(fields.get('value') ?? null);
  return {
    value: given,
    error: typeof error === 'object' && error?.kind === 'struct' ? error : undefined,
  };
}

/** Why a result says that something has failed; undefined where it has not. */
export function errorIn(result: Value): EffectError | undefined {
  const fields = readResult(result)?.error?.fields;
  if (!fields) return undefined;
  const text = (name: string): string => String(settled(fields.get(name) ?? ''));
  const hint = text('hint');
  return { code: text('code'), message: text('message'), ...(hint !== '' && { hint }) };
}

/** A variable as people see it: in a plan, what a task gave in place of how it went. */
export function shownValue({ program }: { readonly program: Program }, value: Value): Value {
  const seen = settled(value);
  const result = isPlan(program) ? readResult(seen) : undefined;
  return result && !result.error ? result.value : seen;
}

/** All variables as people see them, and, of a plan, why tasks have given nothing. */
export function shownVariables(state: State): Shown {
  const { program, globals } = state;
  const others = textVariables(state);
  if (others) return { variables: others, failures: new Map() };
  const variables = new Map<string, Value>();
  const failures = new Map<string, TaskFailure>();
  const isOfTasks = isPlan(program);
  for (let slot = 0; slot < globals.length; slot++) {
    const value = globals[slot];
    if (value === undefined) continue;
    const name = program.globals[slot] ?? '';
    const seen = settled(value);
    const result = isOfTasks ? readResult(seen) : undefined;
    variables.set(name, result && !result.error ? result.value : seen);
    if (result?.error) failures.set(name, failureOf(result.error));
  }
  return { variables, failures };
}

type Shown = Pick<View, 'variables' | 'failures'>;

const failureOf = ({ fields }: Struct): TaskFailure => ({
  skipped: fields.get('code') === faults.taskSkipped,
  message: String(settled(fields.get('message') ?? '')),
});

export const struct = (fields: Readonly<Record<string, Value>>): Struct => ({
  kind: 'struct',
  name: 'struct',
  fields: new Map(Object.entries(fields)),
});

// Texts that were mended to get a value from them: a tool or a model has answered in JSON that is
// none. The value is taken, and a warning on the step says what was done (design rule 9).

/** Puts what was mended just now down to the step of an entry, or that which is being executed. */
export function tellMended(state: State, entry?: Entry): void {
  const { meter, outbox } = state;
  if (meter.mended.length === 0) return;
  const label = entry?.work.kind === 'effect' ? entry.work.task?.step : undefined;
  const id = label || (entry ? shownStep(state, entry.site) : stepHere(state));
  for (const message of meter.mended.splice(0)) outbox.warnings.push({ message, step: id });
}

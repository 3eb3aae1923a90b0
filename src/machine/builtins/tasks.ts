/**
 * What the end of a plan makes of the results of its tasks: a value with references in it, all
 * results by id, or a list of what was done, for a model that says what came of it.
 */
import { dict, dictGet, isDict, list, settled, type Value } from '../../program/value.ts';
import { errorIn, readResult } from '../result-struct.ts';
import { fillValue } from '../task-arguments.ts';
import { Fault, faults } from '../values/fault.ts';
import { anything, aString, type Call, define, items, positional } from './arguments.ts';
import type { BuiltinSpec } from './builtin.ts';

/** All of them wait: by the end of a plan everything is there. */
export const tasks: readonly BuiltinSpec[] = [
  define('task_answer', {}, (call) => {
    const shapes = [anything, textItems, textItems, textItems, items] as const;
    const [value, needs, used, ids, results] = positional(call, shapes);
    const byId = new Map(ids.map((id, i) => [id, results[i] ?? null]));
    const others = new Map(byId);
    for (const id of used) others.delete(id);
    for (const [id, result] of others) tellFailure(id, result, call.around);
    const valuesOf = (names: readonly string[]): Value[] =>
      succeeded(
        names,
        names.map((id) => byId.get(id) ?? null),
      );
    valuesOf(used);
    return fillValue(value, needs, valuesOf(needs), call.around);
  }),
  define('task_results', {}, (call) => {
    const [ids, results] = positional(call, [textItems, items]);
    const values = succeeded(ids, results);
    return dict(ids.map((id, i) => [id, values[i] ?? null]));
  }),
  define('task_records', {}, (call) => {
    const [rows, results] = positional(call, [items, items]);
    return list(rows.map((row, i) => record(row, results[i] ?? null)));
  }),
  define('task_joined', {}, (call) => {
    const [made] = positional(call, [anything]);
    const joined = isDict(made) ? made : dict();
    if (dictGet(joined, 'action') !== 'replan') return dictGet(joined, 'answer') ?? null;
    throw new Fault(
      faults.taskReplan,
      `the results are not enough for an answer: ${String(dictGet(joined, 'reason') ?? '')}`,
      'let a model revise the plan, or make it in rounds',
    );
  }),
  define('task_note', {}, (call) => {
    const [text] = positional(call, [aString]);
    call.around.warn?.(text);
    return null;
  }),
];

const textItems = (value: Value, around: Call['around']): readonly string[] =>
  items(value, around).map((item) => aString(settled(item), around));

/** The values of results; the first failure is that of the program. */
function succeeded(ids: readonly string[], results: readonly Value[]): Value[] {
  const failures = ids.flatMap((id, i) => failureOf(id, results[i] ?? null) ?? []);
  // What was skipped says which failure it was; that one says it best itself.
  const failure = failures.find(({ code }) => code !== faults.taskSkipped) ?? failures[0];
  if (failure) throw failure;
  return results.map((given) => {
    const value = settled(given);
    return readResult(value)?.value ?? (readResult(value) ? null : value);
  });
}

/** Tells of a failure that the answer needs nothing of; what was skipped has said so. */
function tellFailure(id: string, result: Value, { warn }: Call['around']): void {
  const failure = failureOf(id, result);
  if (!failure || failure.code === faults.taskSkipped) return;
  warn?.(`${failure.message}; the answer needs none of it`);
}

function failureOf(id: string, given: Value): Fault | undefined {
  const error = errorIn(settled(given));
  if (!error) return undefined;
  const { code, message, hint } = error;
  const how = code === faults.taskSkipped ? 'was' : 'failed:';
  return new Fault(code, `task ${id} ${how} ${message}`, hint, id);
}

/** A row of what is known before, with how it went: `observation`, or `error`. */
function record(row: Value, given: Value): Value {
  const value = settled(given);
  const result = readResult(value);
  const known = typeof row === 'object' && row?.kind === 'tuple' ? row.items : [];
  const [id = '', thought = '', action = ''] = known;
  const error = errorIn(value);
  const hint = error?.hint === undefined ? '' : ` (${error.hint})`;
  return dict([
    ['id', id],
    ['thought', thought],
    ['action', action],
    error ? ['error', error.message + hint] : ['observation', result ? result.value : value],
  ]);
}

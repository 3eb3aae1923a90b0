/** Calls library functions and methods in tests; results are shown as `repr` shows them. */
import { allBuiltins } from '../../../src/machine/builtins/index.ts';
import { Fault } from '../../../src/machine/values/fault.ts';
import type { Surroundings } from '../../../src/machine/values/surroundings.ts';
import { repr } from '../../../src/machine/values/text.ts';
import { callBuiltin, callMethod } from '../../../src/machine/window/lift.ts';
import * as V from '../../../src/program/value.ts';

export const around: Surroundings = {
  valueBytes: 1_000_000,
  functionName: (chunk) => `f${chunk}`,
};

export const library = { builtins: allBuiltins, around };

/** A guest value: arrays are lists, plain objects dicts, fractions floats, values themselves. */
export function value(data: unknown): V.Value {
  if (typeof data === 'number') return Number.isSafeInteger(data) ? data : V.float(data);
  if (typeof data === 'bigint') return V.int(data);
  if (Array.isArray(data)) return V.list(data.map(value));
  if (data === null || typeof data !== 'object') return data as V.Value;
  if ('kind' in data) return data as V.Value;
  return V.dict(Object.entries(data).map(([key, item]) => [key, value(item)]));
}

export const f = V.float;
export const t = (...items: unknown[]): V.Tuple => V.tuple(items.map(value));
export const s = (...items: unknown[]): V.SetValue => V.set(items.map(value));
export const d = (...pairs: [unknown, unknown][]): V.Dict =>
  V.dict(pairs.map(([key, item]) => [value(key), value(item)]));
export const b = (text: string): V.Bytes => V.bytes(new TextEncoder().encode(text));
export const raw = (...bytes: number[]): V.Bytes => V.bytes(Uint8Array.from(bytes));
export const struct = (fields: Record<string, unknown>, name = 'struct'): V.Struct => ({
  kind: 'struct',
  name,
  fields: new Map(Object.entries(fields).map(([key, item]) => [key, value(item)])),
});

type Named = Record<string, unknown>;

const names = (named: Named): Map<string, V.Value> =>
  new Map(Object.entries(named).map(([key, item]) => [key, value(item)]));

/** What an action gives, shown; or the message of its fault after `error: `. */
export function shown(action: () => V.Value): string {
  try {
    return repr(action(), around);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `error: ${error.message}`;
  }
}

/** `name(…)` */
export const call = (name: string, args: readonly unknown[] = [], named: Named = {}): string =>
  shown(() => callBuiltin(library, name, args.map(value), names(named)));

/** `receiver.name(…)` */
export const method = (
  receiver: unknown,
  name: string,
  args: readonly unknown[] = [],
  named: Named = {},
): string => shown(() => callMethod(library, value(receiver), name, args.map(value), names(named)));

/** How `try_call` and `attempt` say how something went. */
import type { EffectError } from '../program/effect.ts';
import type { Struct, Value } from '../program/value.ts';

/** `struct(ok, value, error)`; the error is `struct(code, message)`, or None. */
export function resultStruct(value: Value, error: EffectError | undefined): Struct {
  return struct({
    ok: error === undefined,
    value,
    error: error === undefined ? null : struct({ code: error.code, message: error.message }),
  });
}

export const struct = (fields: Readonly<Record<string, Value>>): Struct => ({
  kind: 'struct',
  name: 'struct',
  fields: new Map(Object.entries(fields)),
});

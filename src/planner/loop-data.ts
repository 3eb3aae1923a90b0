/** What a control loop hands to its effects: data whose form a loop of a user may have changed. */
import { z } from 'zod';
import { EffectFailure } from '../engine/handler.ts';
import type { JsonSchema } from '../program/effect.ts';

/** `what` is as in *got … of another form*. Throws `EffectFailure` PV7006. */
export function readData<T>(shape: z.ZodType<T>, data: unknown, what: string, hint: string): T {
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  const why = z.prettifyError(read.error);
  throw new EffectFailure('PV7006', `got ${what} of another form: ${why}`, {
    ...{ hint, mayHaveActed: false },
  });
}

/** The parameters of an effect, as the shape has them that reads its arguments. */
export function parametersOf(shape: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  return schema as JsonSchema;
}

/** How effects want an input variable of their loop. */
export const asItIs = (name: string): string => `hand on the input variable ${name} as it is`;

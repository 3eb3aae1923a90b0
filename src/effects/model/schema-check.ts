/** Checks data that a model wrote against a JSON Schema that a program wrote. */
import { refusal } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { compileReplySchema, type SchemaCheck } from '../json-schema.ts';

/** Throws `EffectFailure` PV4116 for a schema that is none. */
export async function schemaCheck(schema: JsonSchema): Promise<SchemaCheck> {
  try {
    return await compileReplySchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal('PV4116', `response_format is not a JSON Schema: ${reason}`, {
      hint: 'correct the schema, or write {"keys": ["a", "b"]}',
    });
  }
}

/** Formats of texts are one rule, whoever holds data against a schema. */
import { expect, test } from 'vitest';
import { compileSchema } from '../../src/effects/json-schema.ts';
import { schemaCheck } from '../../src/effects/model/schema-check.ts';

const schema = {
  type: 'object',
  properties: { on: { type: 'string', format: 'date' }, to: { type: 'string', format: 'email' } },
};

const checks = [
  ['what people and servers answer', await compileSchema(schema, 'the answer')],
  ['what a model answers', await schemaCheck(schema)],
] as const;

test.each(checks)('%s', (_, check) => {
  expect(check({ on: '2024-02-29', to: 'nobody' })).toBeUndefined();
  expect(check({ on: '2023-02-29' })).toMatch(/on must match format "date"/);
});

/** The thread in which data is held against schemas that have patterns. */
import { serve } from './apart/serve.ts';
import { compileRules, type SchemaRules } from './json-schema-rules.ts';

/** What the thread is sent. */
export interface PatternInput {
  readonly rules: SchemaRules;
  readonly data: unknown;
}

serve(async ({ rules, data }: PatternInput) => (await compileRules(rules))(data));

/** What a configuration file may hold. It is loaded where there is one. */
import { z } from 'zod';
import { ways } from '../../effects/bind/specs.ts';
import { fits } from '../../effects/digest/fit.ts';
import { approvalPolicies } from '../../engine/perform/approvals.ts';
import { routes } from '../../planner/goal.ts';
import { limitNames, toolLimitNames } from '../../program/limits.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.union([z.string(), z.array(z.string())]).optional();
const names = z.array(z.string().min(1)).optional();
const record = z.record(z.string(), z.unknown());
const effects = {
  effect: z.enum(['pure', 'read', 'write']).optional(),
  idempotent: flag,
  destructive: flag,
};
const byText = <Kind extends z.ZodType>(kind: Kind) => z.record(z.string(), kind).optional();
const price = z.number().nonnegative();
const quantity = z.union([z.number(), z.string()]).optional();
const object = (members: readonly string[], kind: z.ZodType) =>
  z.strictObject(Object.fromEntries(members.map((name) => [name, kind]))).optional();

// What is said of servers and of tools.

const server = z.strictObject({
  enabled: flag,
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
  tools: byText(z.strictObject({ ...effects, limits: object(toolLimitNames, quantity) })),
  startMs: quantity,
  timeoutMs: quantity,
  protocol: z.enum(['legacy', 'auto']).optional(),
});
const auth = z.strictObject({ env: text, username: text, password: text });
const api = z.strictObject({
  source: z.string().min(1),
  name: text,
  server: z.url().optional(),
  auth: byText(auth),
  headers: byText(z.string()),
  allow: names,
});
const request = z.strictObject({
  request: z.string(),
  description: text,
  headers: byText(z.string()),
  parameters: byText(record),
  optional: names,
  body: z.enum(['json', 'form', 'multipart']).optional(),
  returns: record.optional(),
  ...effects,
  aliases: names,
  limits: object(toolLimitNames, z.int().positive().optional()),
});
const override = z.strictObject({
  ...effects,
  description: text,
  price: z.strictObject({ perCall: price }).optional(),
});

const pattern = z.string().refine(isExpression, 'no regular expression');

export const configSchema: z.ZodObject = z.strictObject({
  model: text,
  models: object(['planner', 'worker', 'judge'], text),
  embeddings: text,
  tools: texts,
  helpers: texts,
  dialect: text,
  route: z.enum(routes).optional(),
  system: text,
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.int().positive().optional(),
  contextWindow: z.union([z.int().positive(), z.record(z.string(), z.int().positive())]).optional(),
  fit: z.enum(fits).optional(),
  unbound: z.enum(ways).optional(),
  approve: z.enum(approvalPolicies).optional(),
  yes: z.array(z.string()).optional(),
  home: text,
  gcOlderThan: text,
  gcKeep: z.int().nonnegative().optional(),
  gcMaxSize: quantity,
  otlp: z.url().optional(),
  prices: byText(z.strictObject({ input: price, output: price })),
  toolLimits: byText(
    z.strictObject(Object.fromEntries(toolLimitNames.map((name) => [name, quantity]))),
  ),
  playbooks: record.optional(),
  mcp: z.union([z.literal(false), z.record(z.string(), server)]).optional(),
  redact: z
    .strictObject({
      variables: z.array(z.string()).optional(),
      patterns: z.array(pattern).optional(),
      keep: z.array(z.string()).optional(),
    })
    .optional(),
  limits: object(limitNames, quantity),
  openapi: z.union([z.string(), z.array(z.union([z.string(), api]))]).optional(),
  http: byText(z.union([z.string(), request])),
  toolsets: byText(z.array(z.string().min(1))),
  allow: names,
  deny: names,
  pins: byText(record),
  toolOverrides: byText(override),
});

/** What is wrong with a file, a line each. */
export const problemsOf = (error: z.ZodError): string => z.prettifyError(error);

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'g').global && pattern !== '';
  } catch {
    return false;
  }
}

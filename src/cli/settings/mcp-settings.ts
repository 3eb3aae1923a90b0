/** What configuration files say of MCP servers. */
import type { z as Zod } from 'zod';
import { readLimit } from '../../agent/settings/quantity.ts';
import { readToolLimits } from '../../agent/settings/tool-limits.ts';
import { type ServerPolicy, samplings, type ToolOverride } from '../../effects/mcp/policy.ts';
import { type ToolLimitName, type ToolLimits, toolLimitNames } from '../../program/limits.ts';

type Quantity = number | string;

interface GivenTool extends Omit<ToolOverride, 'limits'> {
  readonly limits?: Readonly<Partial<Record<ToolLimitName, Quantity>>>;
}

interface GivenServer extends Omit<ServerPolicy, 'tools' | 'startMs' | 'timeoutMs'> {
  readonly tools?: Readonly<Record<string, GivenTool>>;
  readonly startMs?: Quantity;
  readonly timeoutMs?: Quantity;
}

/** `false`, or by name of the server what is said of it. */
export type GivenMcp = false | Readonly<Record<string, GivenServer>>;

export function mcpSchema(z: typeof Zod): Zod.ZodType {
  const quantity = z.union([z.number(), z.string()]).optional();
  const tool = z.strictObject({
    effect: z.enum(['pure', 'read', 'write']).optional(),
    idempotent: z.boolean().optional(),
    destructive: z.boolean().optional(),
    limits: z
      .strictObject(Object.fromEntries(toolLimitNames.map((name) => [name, quantity])))
      .optional(),
  });
  const server = z.strictObject({
    enabled: z.boolean().optional(),
    allow: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
    tools: z.record(z.string(), tool).optional(),
    roots: z.array(z.string()).optional(),
    startMs: quantity,
    timeoutMs: quantity,
    protocol: z.enum(['legacy', 'auto']).optional(),
    sampling: z.enum(samplings).optional(),
    samplesMax: z.int().min(1).optional(),
  });
  return z.union([z.literal(false), z.record(z.string(), server)]).optional();
}

/** Throws `BadQuantity`. */
export function readMcp(
  given: GivenMcp | undefined,
): false | Readonly<Record<string, ServerPolicy>> | undefined {
  if (given === undefined || given === false) return given;
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, policyOf(one)]));
}

function policyOf({ tools, startMs, timeoutMs, ...rest }: GivenServer): ServerPolicy {
  const overrides = Object.entries(tools ?? {}).map(([name, { limits, ...own }]) => [
    name,
    { ...own, ...(limits && { limits: limitsOf(limits) }) },
  ]);
  return {
    ...rest,
    ...(tools && { tools: Object.fromEntries(overrides) }),
    ...(startMs !== undefined && { startMs: readLimit('timeoutMs', startMs) }),
    ...(timeoutMs !== undefined && { timeoutMs: readLimit('timeoutMs', timeoutMs) }),
  };
}

function limitsOf(given: NonNullable<GivenTool['limits']>): ToolLimits {
  const pairs = Object.entries(given).map(([name, value]) => `tool.${name}=${value}`);
  return readToolLimits(pairs).tool ?? {};
}

/** The settings about tools that a configuration file makes: what there is, and what a run may. */
import { resolve } from 'node:path';
import type { ZodType, z as zod } from 'zod';
import type { ToolSettings } from '../../agent/port/settings.ts';
import type { ApiSource } from '../../effects/http/openapi/source.ts';
import { toolLimitNames } from '../../program/limits.ts';

type ShapedSettings = Pick<
  ToolSettings,
  'openapi' | 'http' | 'toolsets' | 'allow' | 'deny' | 'pins' | 'toolOverrides'
>;

export const toolSettingNames: readonly (keyof ShapedSettings)[] = [
  ...(['openapi', 'http', 'toolsets', 'allow', 'deny', 'pins', 'toolOverrides'] as const),
];

/** What they are like in a file; `z` is zod, which is imported where a file is read. */
export function toolSettingShape(z: typeof zod): Readonly<Record<string, ZodType>> {
  const names = z.array(z.string().min(1)).optional();
  const record = z.record(z.string(), z.unknown());
  const effect = z.enum(['pure', 'read', 'write']).optional();
  const flag = z.boolean().optional();
  const auth = z.strictObject({
    env: z.string().optional(),
    username: z.string().optional(),
    password: z.string().optional(),
    clientId: z.string().optional(),
    clientSecret: z.string().optional(),
    scopes: names,
    tokenUrl: z.url().optional(),
  });
  const source = z.strictObject({
    source: z.string().min(1),
    name: z.string().optional(),
    server: z.url().optional(),
    auth: z.record(z.string(), auth).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    allow: names,
  });
  const limits = Object.fromEntries(
    toolLimitNames.map((name) => [name, z.int().positive().optional()]),
  );
  const request = z.strictObject({
    request: z.string(),
    description: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    parameters: z.record(z.string(), record).optional(),
    optional: names,
    body: z.enum(['json', 'form', 'multipart']).optional(),
    returns: record.optional(),
    ...{ effect, idempotent: flag, destructive: flag },
    aliases: names,
    limits: z.strictObject(limits).optional(),
  });
  return {
    openapi: z.union([z.string(), z.array(z.union([z.string(), source]))]).optional(),
    http: z.record(z.string(), z.union([z.string(), request])).optional(),
    toolsets: z.record(z.string(), z.array(z.string().min(1))).optional(),
    allow: names,
    deny: names,
    pins: z.record(z.string(), record).optional(),
    toolOverrides: z
      .record(
        z.string(),
        z.strictObject({
          ...{ effect, idempotent: flag, destructive: flag, description: z.string().optional() },
          price: z.strictObject({ perCall: z.number().nonnegative() }).optional(),
        }),
      )
      .optional(),
  };
}

/** A document as options and files name it: a path, an address, or `name=` before either. */
export function readApiSource(given: string | ApiSource, folder: string): ApiSource {
  const api = typeof given === 'string' ? namedSource(given) : given;
  const { source } = api;
  return /^https?:/.test(source) ? api : { ...api, source: resolve(folder, source) };
}

function namedSource(given: string): ApiSource {
  const [, name, source] = /^([A-Za-z_][\w-]*)=(.+)$/s.exec(given) ?? [];
  return source === undefined ? { source: given } : { source, name };
}

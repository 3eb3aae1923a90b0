/**
 * What a server offers, as it says: tools, resources, prompts. It is kept in a file by the hash of
 * the server's configuration, so that programs are checked and written without starting anything.
 * Texts of strangers: bounded, without control characters, and data wherever they are shown.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { JsonSchema } from '../../program/effect.ts';
import type { McpServer } from './config.ts';
import { withoutControls } from './stderr-log.ts';

export interface Listing {
  readonly format: typeof format;
  /** As it calls itself. */
  readonly server: { readonly name: string; readonly version: string };
  /** Epoch milliseconds. */
  readonly listedAt: number;
  readonly tools: readonly ListedTool[];
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  /** What it offers and is not taken, and why. */
  readonly left: readonly string[];
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly returns?: JsonSchema;
  readonly hints: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
  };
}

export interface ListedResource {
  /** Or the template of one. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly template?: true;
}

export interface ListedPrompt {
  readonly name: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}

const format = 1;
const toolsMax = 1000;
const schemaCharsMax = 100_000;
const textMax = 4000;
const nameMax = 128;

/** Asks for everything that it offers. */
export async function readListing(client: Client, signal?: AbortSignal): Promise<Listing> {
  const offers = client.getServerCapabilities() ?? {};
  const left: string[] = [];
  const pages = (name: keyof typeof methods): Promise<readonly unknown[]> =>
    pagesOf(client, name, signal);
  const tools = offers.tools ? await pages('tools') : [];
  const resources = offers.resources ? await pages('resources') : [];
  // Many servers have resources and no templates, and do not know the method.
  const templates = offers.resources ? await pages('resourceTemplates').catch(() => []) : [];
  const prompts = offers.prompts ? await pages('prompts') : [];
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  if (tools.length > toolsMax) left.push(`${tools.length - toolsMax} tools beyond ${toolsMax}`);
  return {
    format,
    server: { name: text(name, nameMax), version: text(version, nameMax) },
    listedAt: Date.now(),
    tools: readAll(tools, toolForm, left),
    resources: readAll([...resources, ...templates], resourceForm, []),
    prompts: readAll(prompts, promptForm, left),
    left,
  };
}

const methods = {
  ...{ tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list' },
  resourceTemplates: 'resources/templates/list',
} as const;

/** A list of a server, page by page. */
async function pagesOf(
  client: Client,
  name: keyof typeof methods,
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const method = methods[name];
  const entries: unknown[] = [];
  const seen = new Set<unknown>();
  for (let cursor: unknown; entries.length <= toolsMax && !seen.has(cursor); ) {
    seen.add(cursor);
    const params = typeof cursor === 'string' ? { cursor } : {};
    const page = await client.request({ method, params }, anyPage, signal ? { signal } : {});
    const list = page[name];
    if (Array.isArray(list)) for (const entry of list) entries.push(entry);
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return entries;
}

const anyPage = z.looseObject({});

/** Each entry is read for itself: an odd one hides no other, and is left out with its name. */
const readAll = <Read>(entries: readonly unknown[], form: z.ZodType<Read>, left: string[]) =>
  entries.slice(0, toolsMax).flatMap((entry): Read[] => {
    const { success, data, error } = form.safeParse(entry);
    if (success) return [data];
    const [{ path, message } = { path: [], message: 'it cannot be read' }] = error.issues;
    left.push(`${nameOf(entry)}: ${text([...path, message].join(': '), 300)}`);
    return [];
  });

const nameOf = (entry: unknown): string =>
  isFields(entry) && typeof entry.name === 'string' ? text(entry.name, nameMax) : 'an entry';

const isFields = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** One rule for what servers write: a member that is null is not there. */
const fields = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (entry) =>
      isFields(entry)
        ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
        : entry,
    z.object(shape),
  );

const textTo = (max: number) => z.string().transform((given) => text(given, max));
const longText = textTo(textMax).exactOptional();
const flag = z.boolean().exactOptional();

const resourceForm = fields({
  uri: longText,
  uriTemplate: longText,
  name: textTo(nameMax).default(''),
  description: longText,
  mimeType: textTo(nameMax).exactOptional(),
}).transform(({ uri, uriTemplate, ...rest }, context): ListedResource => {
  if (uri !== undefined) return { uri, ...rest };
  if (uriTemplate !== undefined) return { uri: uriTemplate, ...rest, template: true };
  context.addIssue('no address');
  return z.NEVER;
});

const promptForm = fields({
  name: z.string(),
  description: longText,
  arguments: z
    .array(fields({ name: z.string(), description: longText, required: flag }))
    .default([]),
});

/** Schemas that are nested deeper than this are not read. */
const depthMax = 100;

const isDeep = (data: unknown, depth: number): boolean =>
  typeof data === 'object' &&
  data !== null &&
  (depth > depthMax || Object.values(data).some((value) => isDeep(value, depth + 1)));

const sizeOf = (schema: unknown): number => JSON.stringify(schema).length;

/** Which draft it is of is of no matter to who reads it. */
const schemaForm = z
  .record(z.string(), z.unknown())
  .refine((schema) => !isDeep(schema, 1), {
    ...{ abort: true, error: `it is nested deeper than ${depthMax}` },
  })
  .refine((schema) => sizeOf(schema) <= schemaCharsMax, {
    error: ({ input }) => `got ${sizeOf(input)} characters, want ${schemaCharsMax} at most`,
  })
  .refine(({ properties }) => isFields(properties ?? {}), {
    ...{ path: ['properties'], error: 'it is no object' },
  })
  .transform(({ $schema: _draft, ...rules }) => cleaned(rules) as JsonSchema)
  .exactOptional();

const toolForm = fields({
  name: z.string().regex(/^[\w./-]{1,128}$/, 'it is none that a program can call'),
  title: longText,
  description: longText,
  inputSchema: schemaForm,
  outputSchema: schemaForm,
  annotations: fields({
    ...{ title: longText, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag },
  }).default({}),
}).transform(({ name, title, description, inputSchema, outputSchema, annotations }): ListedTool => {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  return {
    name,
    description: description ?? title ?? annotations.title ?? '',
    parameters: inputSchema ?? {},
    ...(outputSchema && { returns: outputSchema }),
    hints: {
      ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
      ...(destructiveHint !== undefined && { destructive: destructiveHint }),
      ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
    },
  };
});

/** Without control characters, wherever a text is. */
function cleaned(data: unknown): unknown {
  if (typeof data === 'string') return text(data, textMax);
  if (Array.isArray(data)) return data.map(cleaned);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data)
      .filter(([key, value]) => value !== null || isValue(key))
      .map(([key, value]) => [key, isValue(key) ? value : cleaned(value)]),
  );
}

/** What is compared and not shown stays as it is. */
const isValue = (key: string): boolean => ['pattern', 'const', 'enum', 'default'].includes(key);

const text = (given: string, max: number): string => {
  const clean = withoutControls(given);
  return clean.length <= max ? clean : `${clean.slice(0, max - 1)}…`;
};

/** Where the list of a server is kept in the folder `mcp` of `.planvm`. */
export const listingPath = (folder: string, { name, hash }: McpServer): string =>
  join(folder, `${name}-${hash}.json`);

/** What was kept; undefined where nothing was, or what nobody can read. */
export function keptListing(path: string): Listing | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const data: Listing = JSON.parse(readFileSync(path, 'utf8'));
    const isWhole = [data.tools, data.resources, data.prompts].every(Array.isArray);
    return data.format === format && isWhole ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Whole or not at all: others may read it meanwhile. */
export function keepListing(path: string, listing: Listing): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, JSON.stringify(listing));
  renameSync(draft, path);
}

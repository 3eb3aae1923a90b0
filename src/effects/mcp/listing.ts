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
  const tools = offers.tools ? await pagesOf(client, 'tools', signal) : [];
  const resources = offers.resources ? await resourcesOf(client, signal) : [];
  const prompts = offers.prompts ? await pagesOf(client, 'prompts', signal) : [];
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  if (tools.length > toolsMax) left.push(`${tools.length - toolsMax} tools beyond ${toolsMax}`);
  return {
    format,
    server: { name: text(name, nameMax), version: text(version, nameMax) },
    listedAt: Date.now(),
    tools: tools.slice(0, toolsMax).flatMap((tool) => listedTool(tool, left)),
    resources,
    prompts: prompts.slice(0, toolsMax).flatMap((prompt) => listedPrompt(prompt, left)),
    left,
  };
}

/** A list of a server, page by page. Each entry is read for itself: an odd one hides no other. */
async function pagesOf(
  client: Client,
  name: 'tools' | 'prompts' | 'resources' | 'resourceTemplates',
  signal: AbortSignal | undefined,
): Promise<readonly unknown[]> {
  const method = name === 'resourceTemplates' ? 'resources/templates/list' : `${name}/list`;
  const entries: unknown[] = [];
  const seen = new Set<unknown>();
  for (let cursor: unknown; entries.length <= toolsMax && !seen.has(cursor); ) {
    seen.add(cursor);
    const params = typeof cursor === 'string' ? { cursor } : {};
    const page = await client.request({ method, params }, anyPage, signal ? { signal } : {});
    const list = page[name];
    if (Array.isArray(list)) for (const entry of list) entries.push(withoutNulls(entry));
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  return entries;
}

const anyPage = z.looseObject({});

/** One rule for what servers write: a member that is null is not there. */
const withoutNulls = (entry: unknown): unknown =>
  isFields(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
    : entry;

const isFields = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

async function resourcesOf(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<ListedResource[]> {
  const resources = await pagesOf(client, 'resources', signal);
  // Many servers have resources and no templates, and do not know the method.
  const templates = await pagesOf(client, 'resourceTemplates', signal).catch(() => []);
  return [...resources, ...templates].slice(0, toolsMax).flatMap((entry) => {
    const read = resourceForm.safeParse(entry);
    if (!read.success) return [];
    const { uri, uriTemplate, name = '', description, mimeType } = read.data;
    const address = uri ?? uriTemplate;
    if (address === undefined) return [];
    return [
      {
        uri: text(address, textMax),
        name: text(name, nameMax),
        ...described(description),
        ...(mimeType !== undefined && { mimeType: text(mimeType, nameMax) }),
        ...(uri === undefined && { template: true as const }),
      },
    ];
  });
}

const optionalText = z.string().optional();

const resourceForm = z.looseObject({
  uri: optionalText,
  uriTemplate: optionalText,
  name: optionalText,
  description: optionalText,
  mimeType: optionalText,
});

const promptForm = z.looseObject({
  name: z.string(),
  description: optionalText,
  arguments: z
    .array(
      z.preprocess(
        withoutNulls,
        z.looseObject({
          name: z.string(),
          description: optionalText,
          required: z.boolean().optional(),
        }),
      ),
    )
    .optional(),
});

function listedPrompt(entry: unknown, left: string[]): ListedPrompt[] {
  const read = promptForm.safeParse(entry);
  if (!read.success) {
    left.push(`${nameOf(entry)}: ${problemOf(read.error)}`);
    return [];
  }
  const { name, description, arguments: parameters = [] } = read.data;
  return [
    {
      name,
      ...described(description),
      arguments: parameters.map((one) => ({
        name: one.name,
        ...described(one.description),
        ...(one.required !== undefined && { required: one.required }),
      })),
    },
  ];
}

const schemaForm = z.preprocess(
  (schema) => withoutNulls(schema),
  z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }),
);

const toolForm = z.looseObject({
  name: z.string(),
  title: optionalText,
  description: optionalText,
  inputSchema: schemaForm.optional(),
  outputSchema: schemaForm.optional(),
  annotations: z
    .preprocess(
      withoutNulls,
      z.looseObject({
        title: optionalText,
        readOnlyHint: z.boolean().optional(),
        destructiveHint: z.boolean().optional(),
        idempotentHint: z.boolean().optional(),
      }),
    )
    .optional(),
});

const nameOf = (entry: unknown): string =>
  isFields(entry) && typeof entry.name === 'string' ? text(entry.name, nameMax) : 'an entry';

const problemOf = ({ issues }: z.ZodError): string => {
  const [first] = issues;
  return text(`${first?.path.join('.') ?? ''}: ${first?.message ?? 'it cannot be read'}`, 300);
};

/** A tool as it says; one that cannot be read is left out, with its name. */
function listedTool(entry: unknown, left: string[]): ListedTool[] {
  const shown = nameOf(entry);
  const read = toolForm.safeParse(entry);
  if (!read.success) {
    left.push(`${shown}: ${problemOf(read.error)}`);
    return [];
  }
  const { name, title, description, inputSchema = {}, outputSchema, annotations = {} } = read.data;
  if (!/^[\w./-]{1,128}$/.test(name)) {
    left.push(`${shown}: no name that a program can call`);
    return [];
  }
  if (isDeep([inputSchema, outputSchema], 0)) {
    left.push(`${shown}: its schemas are nested deeper than ${depthMax}`);
    return [];
  }
  const size = JSON.stringify([inputSchema, outputSchema]).length;
  if (size > schemaCharsMax) {
    left.push(`${shown}: its schemas have ${size} characters, want ${schemaCharsMax} at most`);
    return [];
  }
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  return [
    {
      name,
      description: text(description ?? title ?? annotations.title ?? '', textMax),
      parameters: schemaOf(inputSchema),
      ...(outputSchema && { returns: schemaOf(outputSchema) }),
      hints: {
        ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
        ...(destructiveHint !== undefined && { destructive: destructiveHint }),
        ...(idempotentHint !== undefined && { idempotent: idempotentHint }),
      },
    },
  ];
}

/** Schemas that are nested deeper than this are not read. */
const depthMax = 100;

const isDeep = (data: unknown, depth: number): boolean =>
  typeof data === 'object' &&
  data !== null &&
  (depth > depthMax || Object.values(data).some((value) => isDeep(value, depth + 1)));

/** Which draft it is of is of no matter to who reads it. */
function schemaOf(schema: object): JsonSchema {
  const { $schema: _draft, ...rules } = cleaned(schema) as Record<string, unknown>;
  return rules;
}

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

const described = (given: string | undefined): { readonly description?: string } =>
  given === undefined ? {} : { description: text(given, textMax) };

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

/**
 * What a server offers, as it says: tools, resources, prompts. It is kept in a file by the hash of
 * the server's configuration, so that programs are checked and written without starting anything.
 * Texts of strangers: bounded, without control characters, and data wherever they are shown.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
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
  const options = { ...(signal && { signal }), cacheMode: 'refresh' as const };
  const left: string[] = [];
  const tools = offers.tools ? (await client.listTools(undefined, options)).tools : [];
  const resources = offers.resources ? await resourcesOf(client, options) : [];
  const prompts = offers.prompts ? (await client.listPrompts(undefined, options)).prompts : [];
  const { name = '', version = '' } = client.getServerVersion() ?? {};
  if (tools.length > toolsMax) left.push(`${tools.length - toolsMax} tools beyond ${toolsMax}`);
  return {
    format,
    server: { name: text(name, nameMax), version: text(version, nameMax) },
    listedAt: Date.now(),
    tools: tools.slice(0, toolsMax).flatMap((tool) => listedTool(tool, left)),
    resources,
    prompts: prompts.slice(0, toolsMax).map((prompt) => ({
      name: prompt.name,
      ...described(prompt.description),
      arguments: (prompt.arguments ?? []).map((one) => ({
        name: one.name,
        ...described(one.description),
        ...(one.required !== undefined && { required: one.required }),
      })),
    })),
    left,
  };
}

type ListOptions = Parameters<Client['listTools']>[1];

async function resourcesOf(client: Client, options: ListOptions): Promise<ListedResource[]> {
  const { resources } = await client.listResources(undefined, options);
  // Many servers have resources and no templates, and do not know the method.
  const templates = await client.listResourceTemplates(undefined, options).then(
    ({ resourceTemplates }) => resourceTemplates,
    () => [],
  );
  const all = [
    ...resources.map((one) => ({ ...one, template: false })),
    ...templates.map((one) => ({ ...one, uri: one.uriTemplate, template: true })),
  ];
  return all.slice(0, toolsMax).map(({ uri, name, description, mimeType, template }) => ({
    uri: text(uri, textMax),
    name: text(name, nameMax),
    ...described(description),
    ...(mimeType !== undefined && { mimeType: text(mimeType, nameMax) }),
    ...(template && { template }),
  }));
}

type Offered = Awaited<ReturnType<Client['listTools']>>['tools'][number];

function listedTool(tool: Offered, left: string[]): ListedTool[] {
  const { name, title, description, inputSchema, outputSchema, annotations = {} } = tool;
  const shown = text(name, nameMax);
  if (!/^[\w./-]{1,128}$/.test(name)) {
    left.push(`${shown}: no name that a program can call`);
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
    Object.entries(data).map(([key, value]) => [key, isPattern(key) ? value : cleaned(value)]),
  );
}

/** What is compared and not shown stays as it is. */
const isPattern = (key: string): boolean => ['pattern', 'const', 'enum'].includes(key);

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

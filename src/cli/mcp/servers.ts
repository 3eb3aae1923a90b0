/** `planvm mcp ls`, `refresh`, `resources` and `prompts`: what the servers of `.mcp.json` offer. */
import { mcpFileName, type ServerHere } from '../../agent/port/server.ts';
import { servedHere } from '../../agent/tools/known-mcp.ts';
import { knownListing, refreshed } from '../../agent/tools/mcp-servers.ts';
import type { McpServer } from '../../effects/mcp/config.ts';
import type { ListedPrompt, ListedResource, Listing } from '../../effects/mcp/listing.ts';
import { nearest } from '../../program/diagnostic.ts';
import { stringify } from '../../program/json.ts';
import { clip, columns, count, duration, oneLine } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError, failureOf } from '../failure.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { print, say, styleOf } from '../view/output.ts';

export interface ServersFlags {
  readonly json?: true;
  readonly verbose?: true;
}

/** Starts nothing. */
export async function listServers({ json }: ServersFlags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const found = workspace.servers().map((here) => ({
    here,
    listing: knownListing(workspace, here),
  }));
  if (json) print(stringify(found.map(documentOf), 2));
  else if (found.length === 0) say(`no servers: ${mcpFileName} names none; see planvm help mcp`);
  else for (const line of tableOf(found)) print(line);
  return exit.done;
}

interface Found {
  readonly here: ServerHere;
  readonly listing: Listing | undefined;
}

/** Of headers and variables only the names: their values may be keys. */
function documentOf({ here, listing }: Found): Record<string, unknown> {
  const { name, file, transport } = here.server;
  return {
    server: name,
    file,
    transport: transport.kind,
    at: placeOf(here.server),
    listedAt: listing?.listedAt ?? null,
    calls: listing ? `${listing.server.name} ${listing.server.version}`.trim() : null,
    tools: listing ? servedHere(here, listing).map(({ name: tool }) => tool) : null,
    resources: listing?.resources ?? null,
    prompts: listing?.prompts ?? null,
    left: listing?.left ?? [],
  };
}

function placeOf({ transport }: McpServer): string {
  return transport.kind === 'stdio'
    ? [transport.command, ...transport.args].join(' ')
    : transport.url;
}

function tableOf(found: readonly Found[]): string[] {
  const rows = found.map(({ here, listing }) => [
    here.server.name,
    here.server.transport.kind,
    ...(listing
      ? [
          String(servedHere(here, listing).length),
          String(listing.resources.length),
          String(listing.prompts.length),
          `${duration(Math.max(0, Date.now() - listing.listedAt))} ago`,
        ]
      : ['?', '?', '?', 'not yet']),
    clip(oneLine(placeOf(here.server)), 60),
  ]);
  const names = ['server', 'by', 'tools', 'resources', 'prompts', 'listed', 'where'];
  const [head = '', ...lines] = columns([names, ...rows]);
  return [styleOf(process.stdout).dim(head), ...lines];
}

/** A command such as `npx` may have to fetch the server first. */
const patientMs = 60_000;

/** Starts the servers, all at once, and keeps what they offer. */
export async function refreshServers(
  names: readonly string[],
  { json, verbose }: ServersFlags,
): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const options = { verbose: verbose === true, startMs: patientMs };
  const results = await Promise.all(
    chosen(workspace, names).map(async (here) => {
      const server = here.server.name;
      try {
        const listing = await refreshed(workspace, here, options);
        const tools = servedHere(here, listing).length;
        const { resources, prompts, left } = listing;
        return {
          server,
          ok: true,
          tools,
          resources: resources.length,
          prompts: prompts.length,
          left,
        };
      } catch (thrown) {
        const { code, message, hint = null } = failureOf(thrown);
        return { server, ok: false, error: { code, message, hint } } as const;
      }
    }),
  );
  if (json) print(stringify(results, 2));
  else for (const result of results) print(lineOf(result));
  return results.every(({ ok }) => ok) ? exit.done : exit.failed;
}

type Refreshed = { readonly server: string } & (
  | {
      readonly ok: boolean;
      readonly tools: number;
      readonly resources: number;
      readonly prompts: number;
      readonly left: readonly string[];
      readonly error?: undefined;
    }
  | {
      readonly ok: false;
      readonly error: { readonly message: string; readonly hint: string | null };
    }
);

function lineOf(result: Refreshed): string {
  const style = styleOf(process.stdout);
  if (result.error) {
    const { message, hint } = result.error;
    const next = hint === null ? '' : `\n    ${style.dim('hint:')} ${oneLine(hint)}`;
    return `${style.error('✖')} ${result.server}: ${oneLine(message)}${next}`;
  }
  const { server, tools, resources, prompts, left } = result;
  const what = [count(tools, 'tool'), count(resources, 'resource'), count(prompts, 'prompt')];
  const notes = left.map((one) => `\n    ${style.dim('left out:')} ${oneLine(one)}`);
  return `${style.good('✔')} ${server}: ${what.join(', ')}${notes.join('')}`;
}

export async function listResources(
  names: readonly string[],
  flags: ServersFlags,
): Promise<ExitCode> {
  const row = (server: string, one: ListedResource): string[] => [
    ...[server, one.uri, one.mimeType ?? ''],
    clip(oneLine(one.description ?? one.name), 60),
  ];
  const head = ['server', 'resource', 'type', 'what it is'];
  return await listOf(names, flags, head, ({ resources }) => resources, row);
}

export async function listPrompts(
  names: readonly string[],
  flags: ServersFlags,
): Promise<ExitCode> {
  const row = (server: string, one: ListedPrompt): string[] => [
    ...[server, one.name],
    one.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(' '),
    clip(oneLine(one.description ?? ''), 60),
  ];
  const head = ['server', 'prompt', 'arguments', 'what it is'];
  return await listOf(names, flags, head, ({ prompts }) => prompts, row);
}

async function listOf<T extends object>(
  names: readonly string[],
  { json, verbose }: ServersFlags,
  head: readonly string[],
  pick: (listing: Listing) => readonly T[],
  row: (server: string, one: T) => readonly string[],
): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const options = { ...(verbose && { wrote }) };
  const found: { server: string; one: T }[] = [];
  for (const here of chosen(workspace, names)) {
    const listing = knownListing(workspace, here) ?? (await refreshed(workspace, here, options));
    for (const one of pick(listing)) found.push({ server: here.server.name, one });
  }
  if (json) {
    const list = found.map(({ server, one }) => ({ server, ...one }));
    print(stringify(list, 2));
    return exit.done;
  }
  const [first = '', ...lines] = columns([
    head,
    ...found.map(({ server, one }) => row(server, one)),
  ]);
  print(styleOf(process.stdout).dim(first));
  for (const line of lines) print(line);
  return exit.done;
}

/** The servers of these names; all where there are none. Throws `CliError` PV6901. */
export function chosen(workspace: Workspace, names: readonly string[]): readonly ServerHere[] {
  const all = workspace.servers();
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find(({ server }) => server.name === name);
    if (found) return found;
    const known = all.map(({ server }) => server.name);
    const meant = nearest(name, known);
    const listed = known.length === 0 ? 'it names none' : `it names ${known.join(', ')}`;
    throw new CliError('PV6901', `${mcpFileName} names no server ${name}`, {
      hint: meant === undefined ? listed : `did you mean ${meant}?`,
    });
  });
}

export const wrote = (line: string): void => say(styleOf(process.stderr).dim(line));

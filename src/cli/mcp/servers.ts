/** `planvm mcp ls` and `refresh`: what the servers of `.mcp.json` offer. */
import { mcpFileName, type ServerHere } from '../../agent/port/settings.ts';
import { servedHere } from '../../agent/tools/known-mcp.ts';
import { knownListing, refreshed } from '../../agent/tools/mcp-servers.ts';
import type { McpServer } from '../../effects/mcp/config.ts';
import type { Listing } from '../../effects/mcp/listing.ts';
import { nearest } from '../../program/diagnostic.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError, failureOf } from '../failure.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { ago, present, say, styleOf, tableLines } from '../view/output.ts';

export interface ServersFlags {
  readonly json?: true;
  readonly verbose?: true;
}

/** All servers, or what those of these names offer. Starts none. */
export async function listServers(
  names: readonly string[],
  { json }: ServersFlags,
): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const found = chosen(workspace, names).map((here): Found => {
    return { here, listing: knownListing(workspace, here) };
  });
  if (found.length === 0 && !json) {
    say(`no servers: ${mcpFileName} names none; see planvm help mcp`);
  } else {
    present(json, found.map(documentOf), () =>
      names.length > 0 ? found.flatMap(offerLines) : tableOf(found),
    );
  }
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
          ago(listing.listedAt),
        ]
      : ['?', '?', '?', 'not yet']),
    clip(oneLine(placeOf(here.server)), 60),
  ]);
  const names = ['server', 'by', 'tools', 'resources', 'prompts', 'listed', 'where'];
  return tableLines(names, rows);
}

/** A command such as `npx` may have to fetch the server first. */
const patientMs = 60_000;

/** Starts the servers, all at once, and keeps what they offer. */
export async function refreshServers(
  names: readonly string[],
  { json, verbose }: ServersFlags,
): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const found = chosen(workspace, names);
  const results = await Promise.all(found.map((here) => refresh(workspace, here, verbose)));
  present(json, results, () => results.map(lineOf));
  return results.every(({ ok }) => ok) ? exit.done : exit.failed;
}

async function refresh(workspace: Workspace, here: ServerHere, verbose = false) {
  const server = here.server.name;
  try {
    const listing = await refreshed(workspace, here, {
      ...{ startMs: patientMs, ...(verbose && { wrote }) },
    });
    const tools = servedHere(here, listing).length;
    const [resources, prompts] = [listing.resources.length, listing.prompts.length];
    return { server, ok: true, tools, resources, prompts, left: listing.left } as const;
  } catch (thrown) {
    const { code, message, hint = null } = failureOf(thrown);
    return { server, ok: false, error: { code, message, hint } } as const;
  }
}

function lineOf(result: Awaited<ReturnType<typeof refresh>>): string {
  const style = styleOf(process.stdout);
  if (!result.ok) {
    const { message, hint } = result.error;
    const next = hint === null ? '' : `\n    ${style.dim('hint:')} ${oneLine(hint)}`;
    return `${style.error('✖')} ${result.server}: ${oneLine(message)}${next}`;
  }
  const { server, tools, resources, prompts, left } = result;
  const what = [count(tools, 'tool'), count(resources, 'resource'), count(prompts, 'prompt')];
  const notes = left.map((one) => `\n    ${style.dim('left out:')} ${oneLine(one)}`);
  return `${style.good('✔')} ${server}: ${what.join(', ')}${notes.join('')}`;
}

const offerNames = ['server', 'offers', 'named', 'what it is'];

/** The tools, resources and prompts of a server. */
function offerLines({ here, listing }: Found): string[] {
  const server = here.server.name;
  if (!listing) return [`${server} was not asked yet: planvm mcp refresh ${server}`];
  const row = (kind: string, named: string, about: string): string[] => [
    ...[server, kind, named, clip(oneLine(about), 60)],
  ];
  return tableLines(offerNames, [
    ...servedHere(here, listing).map((tool) => row('tool', tool.name, tool.description)),
    ...listing.resources.map((one) => row('resource', one.uri, one.description ?? one.name)),
    ...listing.prompts.map((one) => {
      const given = one.arguments.map(({ name, required }) => (required ? name : `[${name}]`));
      return row('prompt', [one.name, ...given].join(' '), one.description ?? '');
    }),
  ]);
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

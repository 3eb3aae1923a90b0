/**
 * What a file of playbooks wants besides itself: MCP servers, which are agents. It may describe one
 * itself, under `remote:`, or name one of `.mcp.json`. What it describes is had only as far as a
 * person has allowed: a file may come from anybody, and a process, an address within or a key are
 * not for it to take.
 */
import { dirname, join, resolve } from 'node:path';
import { readTree } from '../../dialects/playbook/reader.ts';
import type { Agent } from '../../dialects/playbook/source/tree.ts';
import { isOfProject, type McpServer } from '../../effects/mcp/config.ts';
import { reachOf, readRemote } from '../../effects/mcp/remote.ts';
import { secretsIn } from '../../effects/mcp/secrets.ts';
import type { RunRecord } from '../../engine/journal/journal.ts';
import { nearest } from '../../program/diagnostic.ts';
import { AgentError } from '../port/errors.ts';
import type { ServerHere } from '../port/settings.ts';
import { shortPath, type Workspace } from '../port/workspace.ts';
import type { Source } from '../program/source.ts';
import { keptOf } from '../record/kept.ts';
import { fileOf } from '../settings/kept-settings.ts';

export interface AgentOptions {
  /** `now`: before a run starts; `later`: when one of its tools is called; `never`: by no means. */
  readonly contact: 'now' | 'later' | 'never';
  /** Whether everything is allowed that the file names. */
  readonly trusts?: boolean | undefined;
  /** Hashes of servers that were allowed before. */
  readonly allowed?: readonly string[];
  /** Whether somebody at this terminal may be asked. */
  readonly asks?: boolean;
}

/** Whether a text may name servers at all: most do not, and need none of this. */
const mayNameServers = (text: string): boolean => /:\s*MCP\b|\bremote["']?\s*:/i.test(text);

/**
 * The workspace with the servers of the file among its own, each by the name of its agent. Throws
 * `AgentError` PV6904 for what nobody has allowed, PV6905 for an agent that is no server, and
 * `BadMcpFile` for one that is described in a wrong way.
 */
export async function withAgents(
  workspace: Workspace,
  source: Pick<Source, 'text' | 'file'>,
  options: AgentOptions,
): Promise<Workspace> {
  const { mcp } = workspace.settings;
  if (mcp === false || !mayNameServers(source.text)) return workspace;
  const agents = readTree(source.text).tree.file.agents.filter(({ kind }) => kind === 'mcp');
  const names = agents.map(({ name }) => name);
  const servers = workspace.servers(names);
  const found: ServerHere[] = [];
  for (const agent of agents) {
    const here = serverOf(agent, source, workspace, servers);
    const allowed = options.contact === 'never' ? here : await allow(here, options, workspace);
    found.push({ ...allowed, agent: agentOf(agent, source, options) });
  }
  const own = new Set(found.map(({ server }) => server.name));
  const all = [...servers.filter(({ server }) => !own.has(server.name)), ...found];
  return { ...workspace, servers: () => all, hasServers: workspace.hasServers || all.length > 0 };
}

/** The same for a run that is taken up again, with what was allowed to it. */
export async function withAgentsOf(
  record: Pick<RunRecord, 'settings' | 'title'>,
  workspace: Workspace,
): Promise<Workspace> {
  const { playbook, file } = keptOf(record);
  if (!playbook) return workspace;
  const source = { text: playbook.text, file: file ?? fileOf(record) };
  const { servers: allowed = [] } = playbook;
  return await withAgents(workspace, source, { contact: 'later', allowed });
}

/** Of servers that a file describes, those that were allowed: what a run keeps of them. */
export const allowedServers = (workspace: Workspace): string[] =>
  workspace.servers().flatMap(({ agent, server }) => (agent ? [server.hash] : []));

const placeOf = ({ place }: Agent, { file }: Pick<Source, 'file'>): string =>
  `${shortPath(place.file === undefined ? file : join(dirname(file), place.file))}:${place.line}`;

const agentOf = (
  agent: Agent,
  source: Pick<Source, 'text' | 'file'>,
  { contact }: AgentOptions,
) => ({
  ...{ name: agent.name, at: placeOf(agent, source), contact },
  calls: [...source.text.matchAll(calledOf)].flatMap(([, name, tool = '']) =>
    name === agent.name ? [tool] : [],
  ),
});

/** `Library.find_books`, wherever it stands. */
const calledOf = /(?<![\p{XIDC}.])(\p{XIDS}\p{XIDC}*)\.([\p{XIDC}-]+)/gu;

function serverOf(
  agent: Agent,
  source: Pick<Source, 'file'>,
  workspace: Workspace,
  servers: readonly ServerHere[],
): ServerHere {
  const { remote } = agent.metadata;
  if (remote === undefined) return named(agent, source, servers);
  const place = { name: agent.name, file: placeOf(agent, source) };
  const { server, policy } = readRemote(remote, place);
  const mcp = workspace.settings.mcp;
  const said = mcp ? mcp[agent.name] : undefined;
  // What settings say comes before the file.
  const isOver = said?.timeoutMs !== undefined;
  return {
    server,
    policy: { ...policy, ...said, ...(isOver && { timeoutHint: undefined }) },
    folder: dirname(resolve(source.file)),
    secrets: secretsIn(server),
  };
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `# Weather:MCP` alone is the server `Weather` of `.mcp.json`, or `weather`. */
function named(
  agent: Agent,
  source: Pick<Source, 'file'>,
  servers: readonly ServerHere[],
): ServerHere {
  const found =
    servers.find(({ server }) => server.name === agent.name) ??
    servers.find(({ server }) => plain(server.name) === plain(agent.name));
  if (found) return found;
  const known = servers.map(({ server }) => server.name);
  const near = nearest(agent.name, known);
  const at = placeOf(agent, source);
  throw new AgentError('PV6905', `${at}: agent ${agent.name} is a server that nobody names`, {
    hint:
      (near === undefined ? '' : `did you mean ${near}? `) +
      `write remote: below # ${agent.written}, with url: or command: below that; or name ` +
      `${agent.name} in .mcp.json`,
  });
}

/** The server as it may be had. Throws `AgentError` PV6904. */
async function allow(
  here: ServerHere,
  { trusts, allowed = [], asks }: AgentOptions,
  { allowsServer }: Pick<Workspace, 'allowsServer'>,
): Promise<ServerHere> {
  const { server, policy } = here;
  if (isOfProject(server) || trusts || policy.enabled === true) return here;
  const reach = reachOf(server);
  if (reach === undefined) return { ...here, server: guarded(server) };
  if (allowed.includes(server.hash)) return here;
  const question = `${server.file}: agent ${server.name} wants ${reach}`;
  if (asks && (await allowsServer?.(question))) return here;
  throw new AgentError('PV6904', question, {
    hint: `in the configuration, "mcp": { "${server.name}": { "enabled": true } } allows it`,
    facts: { file: server.file },
  });
}

/** Its name may lead within, too, which nobody has allowed. */
const guarded = ({ transport, ...server }: McpServer): McpServer => ({
  ...server,
  transport: transport.kind === 'stdio' ? transport : { ...transport, isGuarded: true },
});

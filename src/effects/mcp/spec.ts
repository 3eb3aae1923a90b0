/** Declarations of a server's tools, of what it says and what the settings say instead. Pure. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { optional, record, text } from '../tool/fields.ts';
import type { ListedPrompt, ListedResource, ListedTool, Listing } from './listing.ts';
import { mayCall, type ServerPolicy } from './policy.ts';

/** The name that programs call it by. */
const toolName = (server: string, tool: string): string => `${server}.${tool}`;

const readResource = 'read_resource';
const getPrompt = 'get_prompt';

export interface ServedTool {
  readonly spec: ToolSpec;
  /** What its server calls it; for a resource or a prompt, one of the two names above. */
  readonly tool: string;
  readonly kind: 'tool' | 'resource' | 'prompt';
}

/** The tools of a server that a run may call; by the name of an agent, too, where it is one. */
export function servedTools(
  server: string,
  listing: Listing,
  policy: ServerPolicy,
  agent: string = server,
): readonly ServedTool[] {
  const own = listing.tools.map((tool): ServedTool => {
    const spec = specOf(server, tool, policy);
    return { spec, tool: tool.name, kind: 'tool' };
  });
  const names = new Set(listing.tools.map(({ name }) => name));
  const more: ServedTool[] = [];
  if (listing.resources.length > 0 && !names.has(readResource)) {
    const spec = resourceSpec(server, listing.resources, policy);
    more.push({ spec, tool: readResource, kind: 'resource' });
  }
  if (listing.prompts.length > 0 && !names.has(getPrompt)) {
    more.push({
      spec: promptSpec(server, listing.prompts, policy),
      tool: getPrompt,
      kind: 'prompt',
    });
  }
  const allowed = [...own, ...more].filter(({ tool }) => mayCall(policy, tool));
  return agent === server ? allowed : allowed.map((one) => alsoOf(agent, one));
}

/** Those that its settings keep from a run: who names one is told so. */
export function deniedTools(
  server: string,
  listing: Listing,
  policy: ServerPolicy,
): readonly ToolSpec[] {
  const { allow: _allow, deny: _deny, ...open } = policy;
  const all = servedTools(server, listing, open);
  return all.flatMap(({ tool, spec }) => (mayCall(policy, tool) ? [] : [spec]));
}

/**
 * What a server does not say of a tool is what the specification takes for granted: it writes, and
 * destroys (https://modelcontextprotocol.io/specification, ToolAnnotations).
 */
function specOf(server: string, tool: ListedTool, policy: ServerPolicy): ToolSpec {
  const { hints, description, parameters, returns, name } = tool;
  const override = policy.tools?.[name] ?? {};
  const effect = override.effect ?? (hints.readOnly === true ? 'read' : 'write');
  const writes = effect === 'write';
  return named(server, name, {
    description: description === '' ? `${name} of the MCP server ${server}.` : description,
    effect,
    idempotent: override.idempotent ?? (!writes || hints.idempotent === true),
    destructive: override.destructive ?? (writes && (hints.destructive ?? true)),
    parameters: { ...parameters, type: 'object' },
    ...(returns && { returns }),
    ...limitsOf(policy, name),
  });
}

function named(
  server: string,
  name: string,
  rest: Partial<ToolSpec> & Pick<ToolSpec, 'description'>,
): ToolSpec {
  const canonical = toolName(server, name);
  return toolSpec({ name: canonical, ...aliasesOf(canonical, name), ...rest });
}

/** Names that are no identifiers have one that is: `every.get-sum` is `every.get_sum`, too. */
function aliasesOf(canonical: string, name: string): Pick<ToolSpec, 'aliases'> {
  const plain = (one: string): string => one.replace(/[^\w.]/g, '_');
  const aliases = [plain(canonical), plain(name)].filter((one) => ![canonical, name].includes(one));
  return aliases.length === 0 ? {} : { aliases };
}

function limitsOf(policy: ServerPolicy, name: string): Pick<ToolSpec, 'limits'> {
  const { timeoutMs } = policy;
  const own = policy.tools?.[name]?.limits;
  if (timeoutMs === undefined && !own) return {};
  return { limits: { ...(timeoutMs !== undefined && { timeoutMs }), ...own } };
}

function alsoOf(agent: string, { spec, tool, kind }: ServedTool): ServedTool {
  const { aliases = [] } = aliasesOf(toolName(agent, tool), tool);
  const names = [...(spec.aliases ?? []), toolName(agent, tool), ...aliases];
  return { spec: { ...spec, aliases: [...new Set(names)] }, tool, kind };
}

/** Names of a server's own that a description gives, so that a model finds them. */
const shownMax = 12;

function some(names: readonly string[]): string {
  const shown = names.slice(0, shownMax).map((name) => JSON.stringify(name.slice(0, 120)));
  const more = names.length > shownMax ? ` and ${names.length - shownMax} more` : '';
  return shown.join(', ') + more;
}

function resourceSpec(
  server: string,
  resources: readonly ListedResource[],
  policy: ServerPolicy,
): ToolSpec {
  const known = some(resources.map(({ uri }) => uri));
  const about = `Reads a resource of the MCP server ${server}: ${known}.`;
  return named(server, readResource, {
    description: about,
    kind: 'retrieve',
    effect: 'read',
    parameters: record({ uri: text('Its URI.', { minLength: 1 }) }),
    ...limitsOf(policy, readResource),
  });
}

function promptSpec(
  server: string,
  prompts: readonly ListedPrompt[],
  policy: ServerPolicy,
): ToolSpec {
  const known = some(prompts.map(({ name }) => name));
  const about = `Gives a prompt of the MCP server ${server}, as messages: ${known}.`;
  return named(server, getPrompt, {
    description: about,
    kind: 'retrieve',
    effect: 'read',
    parameters: record({
      name: text('Its name.', { minLength: 1 }),
      arguments: optional({
        type: 'object',
        description: 'Texts by name, where it has arguments.',
      }),
    }),
    ...limitsOf(policy, getPrompt),
  });
}

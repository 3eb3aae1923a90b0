/**
 * The server that offers planvm to clients of MCP. One instance serves one client; runs are in the
 * journal of the folder, like those that any command starts.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { savedPlans } from '../../agent/record/plan-store.ts';
import { compileSchema } from '../../effects/json-schema.ts';
import { noValidator } from '../../effects/mcp/no-validator.ts';
import { stringify } from '../../program/json.ts';
import { version } from '../../telemetry/version.ts';
import { type CallArguments, type Client, ownCalls, reply, run, type ServerHost } from './calls.ts';
import { failureOf } from './failure.ts';
import { type Offer, ownOffers, planOffer } from './offers.ts';
import { planTools } from './plan-tools.ts';
import { progressOf } from './progress.ts';
import { canAsk, nextRound, type Round, requestState, roundOf, roundsMax } from './rounds.ts';

const instructions =
  'Runs programs that models write: plans as lists of instructions in JSON, Starlark, ' +
  'lists of tasks. Check a program before you run it; the diagnostics say what to fix. A run ' +
  'that waits is not lost: its result says for what.';

interface Entry {
  readonly offer: Offer;
  call(args: CallArguments, client: Client): Promise<object>;
}

/**
 * What the clients of a process have in common: calls that are under way, so that a server that
 * ends can wait for them.
 */
export class Calls {
  readonly #open = new Set<Promise<unknown>>();
  readonly host: ServerHost;

  constructor(host: ServerHost) {
    this.host = host;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#open.add(work);
    try {
      return await work;
    } finally {
      this.#open.delete(work);
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}

export function newServer(open: Calls): Server {
  const server = new Server(
    { name: 'planvm', version: version() },
    {
      capabilities: { tools: {} },
      instructions,
      requestState,
      inputRequired: { maxRounds: roundsMax + 1 },
      jsonSchemaValidator: noValidator,
    },
  );
  server.setRequestHandler('tools/list', async () => {
    const entries = await entriesHere(open.host);
    const tools = [...entries.values()].map(({ offer }) => offer);
    return { tools: tools as unknown as ListToolsResult['tools'] };
  });
  server.setRequestHandler(
    'tools/call',
    async ({ params }: CallToolRequest, context: ServerContext) =>
      await open.during(perform(open.host, server, params, context)),
  );
  return server;
}

async function perform(
  host: ServerHost,
  server: Server,
  { name, arguments: args = {} }: CallToolRequest['params'],
  context: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const entries = await entriesHere(host);
  const entry = entries.get(name);
  if (!entry) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`);
  const { signal } = context.mcpReq;
  try {
    const check = await compileSchema(entry.offer.inputSchema, 'arguments');
    const problem = await check(args, { signal });
    if (problem !== undefined) {
      return refusal({ code: 'PV6002', message: `${name}: ${problem}`, hint: null });
    }
    const client = { signal, hear: progressOf(context) };
    const round = roundOf(context, name);
    if (round) return await further(host, server, round, name, client);
    const document = await entry.call(args, client);
    return (canAsk(server) && (await nextRound(document, name, undefined))) || answerOf(document);
  } catch (thrown) {
    return refusal(failureOf(thrown));
  }
}

/** What comes of what the user of the client has said; nobody is asked twice who said nothing. */
async function further(
  host: ServerHost,
  server: Server,
  round: Round,
  tool: string,
  client: Client,
): Promise<CallToolResult | InputRequiredResult> {
  const by = `a person at ${server.getClientVersion()?.name ?? 'an MCP client'}`;
  const { document, problems, isReplied } = await reply(host, round, by, client);
  return (isReplied && (await nextRound(document, tool, round, problems))) || answerOf(document);
}

async function entriesHere(host: ServerHost): Promise<ReadonlyMap<string, Entry>> {
  const workspace = await host.openWorkspace();
  const asks = workspace.settings.approve !== 'none';
  const own = ownOffers(asks).map(
    (offer): Entry => ({ offer, call: (args, client) => ownCalls[offer.name](host, args, client) }),
  );
  const plans = planTools(savedPlans(workspace)).map(
    (plan): Entry => ({
      offer: planOffer(plan, asks),
      call: (inputs, client) => {
        const { text: program, dialect, goal } = plan;
        return run(host, { program, dialect, inputs }, client, goal);
      },
    }),
  );
  return new Map([...own, ...plans].map((entry) => [entry.offer.name, entry]));
}

/** The document as data and as text; what has failed says so to whoever reads no further. */
function answerOf(document: object): CallToolResult {
  const text = stringify(document, 2);
  const isError = 'status' in document && ['failed', 'invalid'].includes(String(document.status));
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text),
    ...(isError && { isError }),
  };
}

const refusal = (error: object): CallToolResult => ({
  content: [{ type: 'text', text: stringify({ error }, 2) }],
  structuredContent: { error },
  isError: true,
});

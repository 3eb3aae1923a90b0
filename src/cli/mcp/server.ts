/**
 * The server that offers planvm to clients of MCP. One instance serves one client; runs are in the
 * journal of the folder, like those that any command starts.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { compileSchema } from '../../effects/json-schema.ts';
import { stringify } from '../../program/json.ts';
import { failureOf } from '../failure.ts';
import { savedPlans } from '../planning/plan-store.ts';
import type { Remote } from '../run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { version } from '../version.ts';
import type { CallArguments } from './calls.ts';
import * as calls from './calls.ts';
import { type Offer, ownOffers, planOffer } from './offers.ts';
import { planTools } from './plan-tools.ts';
import { progressView } from './progress.ts';

const instructions =
  'planvm runs programs that models write: plans as lists of instructions in JSON, Starlark, ' +
  'lists of tasks. Check a program before you run it; the diagnostics say what to mend. A run ' +
  'that waits is not lost: its result says for what.';

interface Entry {
  readonly offer: Offer;
  call(args: CallArguments, remote: Remote): Promise<object>;
}

/** Calls that are under way, so that a server that ends can wait for them. */
export class Calls {
  readonly #open = new Set<Promise<unknown>>();

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
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', async () => {
    const entries = await entriesHere();
    const tools = [...entries.values()].map(({ offer }) => offer);
    return { tools: tools as unknown as ListToolsResult['tools'] };
  });
  server.setRequestHandler(
    'tools/call',
    async ({ params }: CallToolRequest, context: ServerContext): Promise<CallToolResult> =>
      await open.during(perform(params, context)),
  );
  return server;
}

async function perform(
  { name, arguments: args = {} }: CallToolRequest['params'],
  context: ServerContext,
): Promise<CallToolResult> {
  const entries = await entriesHere();
  const entry = entries.get(name);
  if (!entry) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name}`);
  const check = await compileSchema(entry.offer.inputSchema, 'arguments');
  const problem = check(args);
  if (problem !== undefined) {
    return refusal({ code: 'PV6002', message: `${name}: ${problem}`, hint: null });
  }
  try {
    const { signal } = context.mcpReq;
    return answerOf(await entry.call(args, { signal, view: progressView(context) }));
  } catch (thrown) {
    const { code, message, hint = null } = failureOf(thrown);
    return refusal({ code, message, hint });
  }
}

async function entriesHere(): Promise<ReadonlyMap<string, Entry>> {
  const workspace = await openWorkspace();
  const asks = workspace.settings.approve?.value !== 'none';
  const own = ownOffers(asks).map((offer): Entry => ({ offer, call: ownCall(offer.name) }));
  const plans = planTools(savedPlans(workspace)).map(
    (plan): Entry => ({
      offer: planOffer(plan, asks),
      call: (inputs, remote) =>
        calls.run({ program: plan.text, dialect: plan.dialect, inputs }, remote, plan.goal),
    }),
  );
  return new Map([...own, ...plans].map((entry) => [entry.offer.name, entry]));
}

function ownCall(name: string): Entry['call'] {
  switch (name) {
    case 'check':
      return (args) => calls.check(args);
    case 'run':
      return (args, remote) => calls.run(args, remote, 'a program by MCP');
    case 'ask':
      return (args, remote) => calls.ask(args, remote);
    case 'resume':
      return (args, remote) => calls.resume(args, remote);
    case 'answer':
      return (args, remote) => calls.answer(args, remote);
    case 'show':
      return (args) => calls.show(args);
    default:
      return (args) => calls.runs(args);
  }
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

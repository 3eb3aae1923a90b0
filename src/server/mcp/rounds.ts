/**
 * Runs that wait, where the client can ask its user: a call comes back with forms in place of its
 * result, and is made again with what the user has said. Between the two there is only the run; the
 * state that goes to and fro says which one, and is signed, since clients could say another.
 */
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { OpenWait } from '../../engine/perform/person.ts';
import { type Asked, formOf, isAsked } from './forms.ts';

interface State {
  readonly run: string;
  /** The tool that was called, and with what, so that no other call takes it for its own. */
  readonly tool: string;
  /** From 1. */
  readonly round: number;
}

/** Signed for this process: a client that comes back to another one finds the run by its tools. */
const codec = createRequestStateCodec<State>({ key: randomBytes(32), ttlSeconds: 24 * 3600 });

export const requestState: NonNullable<ServerOptions['requestState']> = { verify: codec.verify };

/** How often a call asks; a run that goes on asking waits then as it would for anybody. */
export const roundsMax = 32;
/** Forms at once. */
const formsMax = 8;

export interface Round {
  readonly run: string;
  readonly round: number;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The round that a call comes with; undefined for one that begins. */
export function roundOf({ mcpReq }: ServerContext, tool: string): Round | undefined {
  const state = mcpReq.requestState<State>();
  if (!state || state.tool !== tool) return undefined;
  return { run: state.run, round: state.round, responses: mcpReq.inputResponses ?? {} };
}

/** Whether the user of this client can be asked. */
export const canAsk = (server: Server): boolean => {
  const { elicitation } = server.getClientCapabilities() ?? {};
  // One that says no more than that has forms: there was nothing else once.
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
};

/**
 * The forms for what a document of a run says that it waits for; undefined where it waits for
 * nothing that a user could say. `problems` are what was wrong with answers before, by effect.
 */
export async function nextRound(
  document: object,
  tool: string,
  before: Round | undefined,
  problems: ReadonlyMap<string, string> = new Map(),
): Promise<InputRequiredResult | undefined> {
  const { run, waits } = document as { run?: unknown; waits?: readonly OpenWait[] };
  const asked = (waits ?? []).filter(isAsked).slice(0, formsMax);
  const round = (before?.round ?? 0) + 1;
  if (typeof run !== 'string' || asked.length === 0 || round > roundsMax) return undefined;
  const requests = asked.map((wait: Asked) => [
    wait.effect,
    inputRequired.elicit({ mode: 'form', ...formOf(wait, problems.get(wait.effect)) }),
  ]);
  return inputRequired({
    inputRequests: Object.fromEntries(requests),
    requestState: await codec.mint({ run, tool, round }),
  });
}

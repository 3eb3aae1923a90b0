/** What a client that has asked for it hears of a run while it goes on. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { AgentEvent, RunEvents } from '../../agent/port/events.ts';
import type { Warning } from '../../engine/result.ts';

/** Counts what has ended, since nobody knows how much is to come. */
export function progressOf({ mcpReq }: ServerContext): (event: AgentEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const warned = new Set<string>();
  let progress = 0;
  return (event) => {
    const message = wordsOf(event);
    if (message === undefined || warned.has(message)) return;
    if (message.startsWith('warning')) warned.add(message);
    const params = { progressToken, progress: ++progress, message };
    // A client that has gone misses nothing that the journal does not have.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function wordsOf(event: AgentEvent): string | undefined {
  if (event.type === 'warned') return warningWords(event.warning);
  return event.type === 'run.event' ? runWords(event) : undefined;
}

function runWords({ run, event }: RunEvents): string | undefined {
  const call = `${event.tool} (${event.effect})`;
  switch (event.type) {
    case 'run.started':
      return `run ${run} has started`;
    case 'run.forked':
      return `run ${run} goes on from another`;
    case 'effect.settled':
      return `${call} ${'error' in Object(event.outcome) ? 'has failed' : 'is done'}`;
    case 'approval.requested':
      return `${call} is to be approved`;
    case 'run.warned':
      return warningWords(event.warning as Warning);
    default:
      return undefined;
  }
}

const warningWords = ({ code, message }: Warning): string =>
  `warning${code === undefined ? '' : ` ${code}`}: ${message}`;

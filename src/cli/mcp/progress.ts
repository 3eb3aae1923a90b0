/** What a client that has asked for it hears of a run while it goes on. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { WatchEvent } from '../../engine/events.ts';
import type { View } from '../view/view.ts';

/** Counts what has ended, since nobody knows how much is to come. */
export function progressView({ mcpReq }: ServerContext): View {
  const token = mcpReq._meta?.progressToken;
  let progress = 0;
  const tell = (message: string): void => {
    if (token === undefined) return;
    const params = { progressToken: token, progress: ++progress, message };
    // A client that has gone misses nothing that the journal does not have.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return {
    show(event) {
      const message = wordsOf(event);
      if (message !== undefined) tell(message);
    },
    note: tell,
    end() {},
  };
}

function wordsOf(event: WatchEvent): string | undefined {
  switch (event.type) {
    case 'run.started':
      return `run ${event.run.id} has started`;
    case 'run.forked':
      return `run ${event.run.id} goes on from another`;
    case 'effect.settled':
      return `${event.tool} (${event.effect}) ${event.outcome.ok ? 'is done' : 'has failed'}`;
    case 'approval.requested':
      return `${event.tool} (${event.effect}) is to be approved`;
    default:
      return undefined;
  }
}

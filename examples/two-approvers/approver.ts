/** Approves a run when it is told to, and says what came of it. */
import { once } from 'node:events';
import { openAgent, RunError } from 'planvm';

const [run = '', by = ''] = process.argv.slice(2);
const agent = await openAgent({ journal: 'shop.db' });
process.send?.('ready');
await once(process, 'message');
try {
  await agent.reply(run, { approved: true, by });
  process.send?.({ by });
} catch (error) {
  if (!(error instanceof RunError)) throw error;
  // "ann has replied to effect 0#1 already"
  process.send?.({ by, refused: error.message });
}
await agent.close();
process.disconnect();

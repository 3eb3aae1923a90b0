/** A refund whose process is killed before the bank has answered. Started again, it only asks. */
import { appendFileSync } from 'node:fs';
import { defineTool, openAgent } from 'planvm';

const refund = defineTool({
  name: 'refund',
  description: 'Pays the money of an order back. Returns the number of the receipt.',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  effect: 'write',
  destructive: true,
  run({ order }): string {
    appendFileSync('bank.txt', `refund of order ${order}\n`);
    process.kill(process.pid, 'SIGKILL');
    return 'nobody hears of the receipt';
  },
});

await using agent = await openAgent({ journal: 'shop.db', tools: [refund], yes: ['refund'] });
const { status, reason, next, run } = await agent.run('answer(refund(order = 7))', {
  id: 'refund-7',
}).end;
console.log(status, reason, next);

// Somebody has looked at the account: the money is there.
const assume = { as: 'done', value: 'R-70' } as const;
console.log((await agent.resume(run, { assume }).end).answer);

/** Two people approve the same refund at the same moment, each in a process of their own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { defineTool, openAgent } from 'planvm';

const refund = defineTool({
  name: 'refund',
  description: 'Pays the money of an order back.',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  effect: 'write',
  destructive: true,
  run({ order }) {
    appendFileSync('bank.txt', `refund of order ${order}\n`);
    return 'paid back';
  },
});

await using agent = await openAgent({ journal: 'shop.db', tools: [refund] });
const { run, status } = await agent.run('answer(refund(order = 7))').end;
console.log(status);

const people = ['ann', 'bo'].map((name) => fork('approver.ts', [run, name]));
await Promise.all(people.map((process) => once(process, 'message')));
const replies = people.map((process) => once(process, 'message'));
for (const process of people) process.send('now');
const said = (await Promise.all(replies)).map(([reply]) => reply);
const first = said.find(({ refused }) => refused === undefined);
const second = said.find(({ refused }) => refused !== undefined);
console.log('who was first is told to the other:', second.refused.startsWith(first.by));

for (const session of agent.resumeDue()) console.log((await session.end).answer);
console.log(readFileSync('bank.txt', 'utf8').trim());

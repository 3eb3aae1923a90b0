/** A support agent: it plans, asks before it refunds, and goes on in whichever process there is. */
import { openAgent } from 'planvm';
import { tools } from './tools.ts';

const options = { journal: 'support.db', model: 'replay/transcript.ndjson', tools };
const goal = 'Refund order 7 if we cannot deliver it.';
const ticket = { id: 'ticket-42', route: 'program' } as const;

const first = await openAgent(options);
const session = first.ask(goal, ticket);
for await (const message of session) {
  const event = message.type === 'run.event' ? message.event : undefined;
  if (event?.type === 'effect.settled') console.log('done', event.tool);
}
const { status, next } = await session.end;
console.log(status);
await first.close();

// At a desk, which has the journal and neither tools nor a model.
const desk = await openAgent({ journal: options.journal });
for (const step of next) {
  if (step.do !== 'reply' || step.wait.kind !== 'approval') continue;
  console.log('approved:', step.wait.tool, step.wait.request);
  await desk.reply(step.run, { effect: step.wait.effect, approved: true, by: 'ann' });
}
await desk.close();

// The same goal under the same id goes on, and does nothing twice.
await using agent = await openAgent(options);
console.log((await agent.ask(goal, ticket).end).answer);

const talk = await agent.play({ file: 'returns.playbook.md' }).end;
const reply = { answer: '8', by: 'a visitor' };
console.log((await agent.resume(talk.run, { reply }).end).answer);

console.log((await agent.react('Is there a chair for me?').end).answer);
console.log((await agent.tasks('How many lamps and chairs are there?').end).answer);

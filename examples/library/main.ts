/** Runs a plan from a program: a tool of its own, a budget that is too small, and a second try. */
import { defineTool, InvalidProgram, openAgent } from 'planvm';

const price = defineTool({
  name: 'price',
  description: 'The price of an article in euros.',
  parameters: {
    type: 'object',
    properties: { article: { type: 'string' } },
    required: ['article'],
  },
  effect: 'read',
  run: ({ article }) => (article === 'bread' ? 3 : 2),
});

const agent = await openAgent({ tools: [price], journal: 'runs.db' });

const session = agent.run(
  { file: 'plan.json' },
  { inputs: { first: 'bread', second: 'milk' }, limits: { effects: 1 } },
);
for await (const message of session) {
  const event = message.type === 'run.event' ? message.event : undefined;
  if (event?.type === 'effect.settled') console.log(`${event.tool} has answered`);
}
const first = await session.end;
console.log(first.status, first.reason);

const second = await agent.resume(first.run, { limits: { effects: 10 } }).end;
console.log(second.answer);

try {
  await agent.run('[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": 7}}]').end;
} catch (error) {
  if (!(error instanceof InvalidProgram)) throw error;
  for (const { line, column, code, message } of error.diagnostics) {
    console.log(`${line}:${column} ${code} ${message}`);
  }
}
await agent.close();

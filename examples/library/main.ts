/** Runs a plan from a program: a tool of its own, a budget that is too small, and a second try. */
import { readFileSync } from 'node:fs';
import { defineTool, InvalidProgram, resume, run } from 'planvm';

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

const tools = [price];
const journal = 'runs.db';

const first = await run(readFileSync('plan.json', 'utf8'), {
  tools,
  journal,
  inputs: { first: 'bread', second: 'milk' },
  limits: { effects: 1 },
  onEvent(event) {
    if (event.type === 'effect.settled') console.log(`${event.tool} has answered`);
  },
});
console.log(first.status, first.reason);

const second = await resume(first.run, { tools, journal, limits: { effects: 10 } });
console.log(second.answer);

try {
  await run('[{"seq_no": 0, "type": "jmp", "parameters": {"target_seq": 7}}]');
} catch (error) {
  if (!(error instanceof InvalidProgram)) throw error;
  for (const { line, column, code, message } of error.diagnostics) {
    console.log(`${line}:${column} ${code} ${message}`);
  }
}

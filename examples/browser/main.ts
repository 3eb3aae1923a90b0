/** A plan that a page checks and steps by itself; the page does what the plan asks for. */
import { readFileSync } from 'node:fs';
import {
  argumentsOf,
  check,
  createMachine,
  dataOf,
  openDialect,
  outcomeOf,
  restoreMachine,
} from 'planvm/browser';

const tools = [
  {
    name: 'price',
    description: 'The price of an article in euros.',
    parameters: { type: 'object', properties: { article: { type: 'string' } } },
    effect: 'read',
  },
] as const;
const prices = new Map<unknown, number>([['bread', 3]]);

const checked = check(readFileSync('plan.json', 'utf8'), { tools, inputs: ['article'] });
if (!checked.program) throw new Error(checked.diagnostics.map(({ message }) => message).join('\n'));

const machine = createMachine(checked.program, { tools, inputs: { article: 'bread' } });
const { status, requests } = machine.run(10_000);
console.log(status, requests.length);

const snapshot = JSON.stringify(machine.snapshot());
const resumed = restoreMachine(checked.program, JSON.parse(snapshot), { tools });
for (const request of resumed.run(10_000).requests) {
  resumed.settle(request.id, outcomeOf(prices.get(argumentsOf(request).article)));
}
console.log(resumed.run(10_000).status);
console.log(resumed.view().answers.map(({ value }) => dataOf(value)));

await openDialect('starlark');
const { program } = check('answer(", ".join(["bread", "milk"]))', { dialect: 'starlark' });
if (program)
  console.log(
    createMachine(program)
      .run(10_000)
      .emits.map(({ value }) => dataOf(value)),
  );

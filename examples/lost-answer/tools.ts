/** A shop and a bank whose first answers get lost on the way: the work is done, nobody hears of it. */
import { appendFileSync } from 'node:fs';

interface Context {
  readonly signal: AbortSignal;
  readonly idempotencyKey: string;
}

const lost = (): Error => Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' });
const orders = new Map<string, number>();

export default [
  {
    name: 'order',
    description: 'Orders an article. Returns the number of the order.',
    parameters: {
      type: 'object',
      properties: { article: { type: 'string' } },
      required: ['article'],
    },
    effect: 'write',
    idempotent: true,
    limits: { timeoutMs: 10_000 },
    run({ article }: { article: string }, { idempotencyKey }: Context): number {
      const known = orders.get(idempotencyKey);
      if (known !== undefined) return known;
      orders.set(idempotencyKey, orders.size + 1);
      appendFileSync('shop.txt', `order ${orders.size}: ${article}\n`);
      throw lost();
    },
  },
  {
    name: 'pay',
    description: 'Pays an order. Returns { number } of the receipt.',
    parameters: {
      type: 'object',
      properties: { order: { type: 'integer' } },
      required: ['order'],
    },
    effect: 'write',
    run({ order }: { order: number }): { number: number } {
      appendFileSync('shop.txt', `paid for order ${order}\n`);
      throw lost();
    },
  },
];

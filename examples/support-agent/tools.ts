/** A shop in files: two tools look, one writes and may be called twice, one cannot be undone. */
import { appendFileSync } from 'node:fs';
import { defineTool } from 'planvm';

const text = { type: 'string' } as const;

export const tools = [
  defineTool({
    name: 'find_order',
    description: 'Returns { article, euros } of an order.',
    parameters: { type: 'object', properties: { order: text }, required: ['order'] },
    effect: 'read',
    run: ({ order }) => ({ article: order === '7' ? 'lamp' : 'chair', euros: 40 }),
  }),
  defineTool({
    name: 'stock',
    description: 'How many pieces of an article there are.',
    parameters: { type: 'object', properties: { article: text }, required: ['article'] },
    effect: 'read',
    run: ({ article }) => (article === 'lamp' ? 0 : 5),
  }),
  defineTool({
    name: 'add_note',
    description: 'Notes something about an order.',
    parameters: {
      type: 'object',
      properties: { order: text, note: text },
      required: ['order', 'note'],
    },
    effect: 'write',
    idempotent: true,
    run: ({ order, note }) => appendFileSync('shop.txt', `order ${order}: ${note}\n`) ?? null,
  }),
  defineTool({
    name: 'refund',
    description: 'Pays the money of an order back. Returns the number of the receipt.',
    parameters: {
      type: 'object',
      properties: { order: text, euros: { type: 'number' } },
      required: ['order', 'euros'],
    },
    effect: 'write',
    destructive: true,
    run({ order, euros }) {
      appendFileSync('shop.txt', `refund of ${euros} euros for order ${order}\n`);
      return 'R-1';
    },
  }),
];

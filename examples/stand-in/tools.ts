/** Prices of shares: of now where the exchange answers, else those that it closed with. */
import type { FunctionTool } from 'planvm';

const parameters = {
  type: 'object',
  properties: { share: { type: 'string', description: 'Its short name, such as ACME.' } },
  required: ['share'],
} as const;

/** What both return. */
const returns = {
  type: 'object',
  properties: { euro: { type: 'number' }, of: { type: 'string' } },
  required: ['euro', 'of'],
} as const;

let isOpen = false;

export default [
  {
    name: 'open_exchange',
    description: 'Asks whether the exchange is open.',
    effect: 'read',
    run: () => isOpen,
  },
  {
    name: 'price_now',
    description: 'The price of a share at this moment.',
    parameters,
    effect: 'read',
    after: ['open_exchange'],
    requires: ['share'],
    returns,
    alternatives: ['price_at_close'],
    limits: { timeoutMs: 5_000, attempts: 1, callsPerMinute: 30 },
    run(): never {
      throw new Error('the exchange is closed');
    },
  },
  {
    name: 'price_at_close',
    description: 'The price of a share when the exchange last closed.',
    parameters,
    effect: 'read',
    returns,
    run: ({ share }: { share: string }) => ({ euro: share.length * 10.5, of: 'yesterday' }),
  },
  {
    name: 'rebuild_prices',
    description: 'Rebuilds the table of prices; nobody can read it meanwhile.',
    effect: 'write',
    conflicts: ['price_now', 'price_at_close'],
    run(): string {
      isOpen = true;
      return 'rebuilt';
    },
  },
] satisfies readonly FunctionTool[];

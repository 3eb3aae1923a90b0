/**
 * A stand-in for the chart interface of a provider of prices, which needs no key: two weeks of one
 * stock. `node server.ts [PORT]` listens at 8720, or at a free port with 0, and says where.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** No trade on the 11th and 12th, a weekend. */
const closes = {
  '2024-05-08': 182.74,
  '2024-05-09': 184.57,
  '2024-05-10': 183.05,
  '2024-05-13': 186.28,
};

const meta = { currency: 'USD', symbol: 'AAPL', exchangeTimezoneName: 'America/New_York' };

function answer(path: string): { status: number; body: unknown } {
  if (path !== '/v8/finance/chart/AAPL') {
    const error = { code: 'Not Found', description: 'No data found, symbol may be delisted' };
    return { status: 404, body: { chart: { result: null, error } } };
  }
  // A day stands at the hour at which the exchange opens.
  const timestamp = Object.keys(closes).map((day) => Date.parse(`${day}T13:30:00Z`) / 1000);
  const indicators = { quote: [{ close: Object.values(closes) }] };
  return {
    status: 200,
    body: { chart: { result: [{ meta, timestamp, indicators }], error: null } },
  };
}

const server = createServer((request, response) => {
  const { status, body } = answer(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});
server.listen(Number(process.argv[2] ?? 8720), '127.0.0.1');
await once(server, 'listening');
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

/**
 * A stand-in for a Node-RED server with three flows over a table of thirty days: what Node-RED
 * answers, this answers. `node server.ts [PORT]` listens at 1880, or at a free port with 0, and says
 * where.
 *
 * - `GET /query/temperature?date=YYYY-MM-DD`: the measurement of a day, 404 where there is none.
 * - `GET /list/temperatures`: all of them, the newest first.
 * - `GET /joke`
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Degrees Celsius and percent, a line for each day from 6 January 2025 on. */
const table = `
  8.42 81
  7.95 83
  6.18 88
  5.07 90
  3.64 86
  2.21 84
  1.58 79
  0.93 77
  2.76 80
  4.31 85
  5.49 87
  6.82 84
  7.37 82
  9.05 78
 10.14 74
 11.63 70
 12.08 69
 10.97 73
  9.46 79
  8.71 83
  7.23 88
  6.66 91
  8.19 86
  9.87 80
 11.25 75
 12.94 71
 14.36 67
 15.78 63
 17.02 60
 18.36 57`;

const firstDay = Date.UTC(2025, 0, 6);
const dayMs = 86_400_000;

export interface Measurement {
  readonly date: string;
  readonly temperature: number;
  readonly humidity: number;
}

export const measurements: readonly Measurement[] = table
  .trim()
  .split('\n')
  .map((line, index) => {
    const [temperature = 0, humidity = 0] = line.trim().split(/\s+/).map(Number);
    const date = new Date(firstDay + index * dayMs).toISOString().slice(0, 10);
    return { date, temperature, humidity };
  });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const metadata = { unit: '°C', source: 'measurements' };

function temperatureOf(date: string | null, now: string): Answer {
  if (date === null || date === '') {
    const error = 'the parameter date is missing';
    return { status: 400, body: { error, status: 'invalid_request', code: 400 } };
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    const error = 'the date has to be written as YYYY-MM-DD';
    return { status: 400, body: { error, status: 'invalid_format', code: 400 } };
  }
  const found = measurements.find((one) => one.date === date);
  const error = `no measurement of ${date}`;
  return found
    ? { status: 200, body: { ...found, metadata, query_timestamp: now } }
    : { status: 404, body: { error, status: 'not_found', code: 404 } };
}

/** What a request is answered with; undefined where no flow has its path. */
export function answer(url: URL, now: string): Answer | undefined {
  switch (url.pathname) {
    case '/query/temperature':
      return temperatureOf(url.searchParams.get('date'), now);
    case '/list/temperatures': {
      const newest = measurements.toReversed();
      const about = { ...metadata, count: newest.length };
      return { status: 200, body: { measurements: newest, metadata: about, query_timestamp: now } };
    }
    case '/joke':
      return {
        status: 200,
        body: {
          response: 'A thermometer walks into a bar. "Warm in here," it says. It says that a lot.',
          metadata: { source: 'server.ts' },
        },
      };
    default:
      return undefined;
  }
}

/** Resolves once it listens. */
export async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const given = answer(url, new Date().toISOString());
    if (given) {
      response.writeHead(given.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(given.body));
    } else {
      // As Node-RED does for a path that no flow has.
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end(`<pre>Cannot ${request.method} ${url.pathname}</pre>`);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

if (import.meta.main) {
  const { url } = await listen(Number(process.argv[2] ?? 1880));
  console.log(url);
}

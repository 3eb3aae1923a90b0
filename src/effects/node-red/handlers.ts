/**
 * The Node-RED tools of LLMCompiler's syntax glossary, against a server's flows
 * `GET /list/temperatures`, `GET /query/temperature?date=` and `GET /joke`. A day that nobody has
 * measured is not available: whatever the flow answers, never the value of another day.
 */
import { type AttemptContext, EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import { dataOf } from '../foreign-json.ts';
import { getJson, type JsonAnswer } from '../web/get-json.ts';
import {
  dayOf,
  isUnread,
  listedIn,
  type Measurement,
  measurementOf,
  notAvailable,
} from './measurements.ts';
import { jokeSpec, rangeSpec, statusSpec, temperatureSpec } from './specs.ts';

export interface NodeRedOptions {
  /** Where its flows answer: `http://127.0.0.1:1880`. */
  readonly url: URL;
  /** Sent as bearer. */
  readonly token?: string | undefined;
}

type Ask = (flow: string, context: AttemptContext) => Promise<JsonAnswer>;

export function nodeRedHandlers({ url, token }: NodeRedOptions): Handler[] {
  const ask: Ask = async (flow, context) => {
    const address = new URL(`${url.pathname.replace(/\/$/, '')}${flow}`, url);
    const answer = await getJson(address, {
      ...{ service: 'Node-RED', context, accept: [400, 404] },
      hint: 'start Node-RED, or name its address: planvm:node-red?url=http://127.0.0.1:1880',
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    }).catch((thrown: unknown) => Promise.reject(asUndeployed(thrown, flow)));
    return answer;
  };
  return [statusHandler(url, ask), temperatureHandler(ask), rangeHandler(ask), jokeHandler(ask)];
}

const statusHandler = (url: URL, ask: Ask): Handler => ({
  spec: statusSpec,
  async perform(_args, context) {
    const known = await allMeasurements(ask, context);
    return {
      status: 'operational',
      url: url.href,
      measurements: known.length,
      from: known[0]?.date ?? null,
      to: known.at(-1)?.date ?? null,
    };
  },
});

const temperatureHandler = (ask: Ask): Handler => ({
  spec: temperatureSpec,
  async perform({ date }, context) {
    const day = dayOf('date', date);
    const { status, data } = await ask(`/query/temperature?date=${day}`, context);
    const found = measurementOf(data);
    if (status === 200 && found?.date === day) return found.temperature;
    if (status === 400) throw refused('/query/temperature', data);
    if (status === 200 && isUnread(data, day)) throw otherForm('/query/temperature', data);
    throw notAvailable(day, await allMeasurements(ask, context));
  },
});

const rangeHandler = (ask: Ask): Handler => ({
  spec: rangeSpec,
  async perform({ start_date, end_date }, context) {
    const start = dayOf('start_date', start_date);
    const end = dayOf('end_date', end_date);
    if (start > end) {
      const message = `start_date ${start} is after end_date ${end}`;
      throw refusal('PV4721', message, { hint: 'swap them' });
    }
    const known = await allMeasurements(ask, context);
    const found = known.filter(({ date }) => date >= start && date <= end);
    if (found.length === 0) throw notAvailable(`${start} to ${end}`, known);
    const days = Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1;
    if (found.length < days) {
      const missing = days - found.length;
      const lack = missing === 1 ? '1 day has' : `${missing} days have`;
      context.warn(`of ${days} days from ${start} to ${end}, ${lack} no measurement`);
    }
    return Object.fromEntries(found.map(({ date, temperature }) => [date, temperature]));
  },
});

const dayMs = 86_400_000;

const jokeHandler = (ask: Ask): Handler => ({
  spec: jokeSpec,
  async perform(_args, context) {
    const { status, data } = await ask('/joke', context);
    const { response } = dataOf(data);
    if (status === 200 && typeof response === 'string') return response;
    throw refused('/joke', data);
  },
});

/** A server without a single measurement says 404, which is an answer as well. */
async function allMeasurements(ask: Ask, context: AttemptContext): Promise<readonly Measurement[]> {
  const { status, data } = await ask('/list/temperatures', context);
  const listed = listedIn(data);
  if (status === 200) {
    if (listed === undefined) throw otherForm('/list/temperatures', data);
    const [first] = listed.unread;
    const count = listed.unread.length;
    const many = count === 1 ? '1 measurement is' : `${count} measurements are`;
    if (count > 0) context.warn(`${many} left out, no temperature: ${JSON.stringify(first)}`);
    return listed.known;
  }
  if (dataOf(data).status === 'not_found') return [];
  throw refused('/list/temperatures', data);
}

function refused(flow: string, data: unknown): EffectFailure {
  const { error } = dataOf(data);
  const why = typeof error === 'string' ? error : 'it does not say why';
  return refusal('PV4704', `Node-RED refused ${flow}: ${why}`);
}

function otherForm(flow: string, data: unknown): EffectFailure {
  const got = JSON.stringify(data).slice(0, 200);
  return refusal('PV4724', `Node-RED answered ${flow} in another form: ${got}`, {
    hint: 'its flows give { date, temperature }, a number, and { measurements: […] } of these',
  });
}

/** A path without a flow is answered by a page. */
function asUndeployed(thrown: unknown, flow: string): unknown {
  const isPage = thrown instanceof EffectFailure && thrown.code === 'PV4703';
  if (!isPage || !thrown.message.includes('(404)')) return thrown;
  const [path = flow] = flow.split('?');
  return refusal('PV4723', `Node-RED answers, but has no flow ${path}`, {
    hint: 'deploy the flows, or check the address and the path in front of them',
  });
}

/**
 * `sleep`, `now`, `datetime`, `random`, `uuid`: time and chance, each journaled like any other
 * effect.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { type Handler, refusal } from '../../engine/handler.ts';
import { datetimeSpec, nowSpec, randomSpec, sleepSpec, uuidSpec } from './specs.ts';

/** About 31 years: what is longer is a mistake. */
const sleepSecondsMax = 1e9;

/** Where time and chance come from. */
export interface Nature {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** From 0 up to a bound, itself excluded. */
  readonly below: (bound: number) => number;
  readonly uuid: () => string;
}

/** What `randomInt` can do. */
const belowMax = 2 ** 48 - 1;

const ours: Nature = {
  now: Date.now,
  random: Math.random,
  below: (bound) => randomInt(bound),
  uuid: randomUUID,
};

export const clockHandlers = (nature: Nature = ours): Handler[] => [
  sleepHandler,
  {
    spec: nowSpec,
    async perform({ format }) {
      const now = nature.now();
      return format === 'seconds' ? now / 1000 : new Date(now).toISOString();
    },
  },
  {
    spec: datetimeSpec,
    async perform({ expr }) {
      const text = String(expr);
      const { readDate } = await import('./read-date.ts');
      const read = readDate(text, nature.now());
      if (read !== undefined) return read;
      throw refusal('PV4603', `expr: got ${JSON.stringify(text)}, want a date`, {
        hint: 'write "now", "-1 days", "Q2 2025", "2025-06-05" or "5 June 2025"; 05/06 is two days',
      });
    },
  },
  {
    spec: randomSpec,
    async perform({ below }) {
      if (below === undefined || below === null) return nature.random();
      const bound = Number(below);
      if (bound >= 1 && bound <= belowMax) return nature.below(bound);
      throw refusal('PV4602', `below: got ${bound}, want an integer from 1 to ${belowMax}`);
    },
  },
  { spec: uuidSpec, perform: async () => nature.uuid() },
];

const sleepHandler: Handler = {
  spec: sleepSpec,
  wait: ({ seconds }) => ({ for: 'time', ms: milliseconds(seconds) }),
  /** Outside of a run, where no engine waits. */
  perform({ seconds }, { signal }) {
    const ms = milliseconds(seconds);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(null), ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  },
};

function milliseconds(seconds: unknown): number {
  const given = Number(seconds);
  if (given >= 0 && given <= sleepSecondsMax) return Math.ceil(given * 1000);
  throw refusal('PV4601', `seconds: got ${given}, want a number from 0 to ${sleepSecondsMax}`);
}

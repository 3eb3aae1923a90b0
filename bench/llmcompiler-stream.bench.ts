/**
 * How soon a task begins that a plan names while it is still being written: from the moment at which
 * its line has been sent and the last result that it needs is there, to the call of its tool. In
 * between are HTTP, the reader of the plan, the loop, the journal on disk and the machine.
 */
import { openAsking } from './qa/asking.ts';
import type { Call, Scenario } from './qa/scenario.ts';
import { report } from './report.ts';

/** When the line of each task was whole, and when each call began and ended. */
const lines = new Map<string, number>();
const began = new Map<string, number>();
const ended = new Map<string, number>();
let written = '';

const asking = await openAsking({
  wrote(piece, at) {
    written += piece;
    const end = written.lastIndexOf('\n');
    for (const [, query = ''] of written.slice(0, end + 1).matchAll(/^\d+\. \w+\("(\w+)".*$/gm)) {
      if (!lines.has(query)) lines.set(query, at);
    }
  },
  called: ({ query }, at) => began.set(query, at),
  returned: ({ query }, at) => ended.set(query, at),
});

let state = 11;
const random = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** Each needs one or two of the five before it; results come before and after the lines. */
function scenarioOf(count: number, lineMs: number): Scenario {
  const calls = Array.from({ length: count }, (_, i): Call => {
    const on = [random(5), random(5)].slice(0, 1 + random(2)).map((back) => i - 1 - back);
    const needs = [...new Set(on)].filter((need) => need >= 0);
    return { tool: 'search', query: `q${i + 1}`, on: needs, ms: lineMs / 2 + random(3 * lineMs) };
  });
  return {
    ...{ name: 'streamed', question: 'What comes of all of it?', calls, pace: 1 },
    ...{ plannerMs: count * lineMs, joinerMs: 10, thoughtMs: 10, paper: { react: 0, whole: 0 } },
  };
}

/** What each task was late, milliseconds, ascending. */
function delays({ calls }: Scenario): number[] {
  const times = calls.flatMap(({ query, on }) => {
    const inputs = on.map((need) => ended.get(calls[need]?.query ?? '') ?? Number.NaN);
    const whole = Math.max(lines.get(query) ?? Number.NaN, ...inputs);
    return on.length === 0 ? [] : [(began.get(query) ?? Number.NaN) - whole];
  });
  if (times.some(Number.isNaN)) throw new Error('a task was not seen to begin');
  return times.sort((a, b) => a - b);
}

await asking.ask('llmcompiler', scenarioOf(5, 2), true);
for (const map of [lines, began, ended]) map.clear();
written = '';
const scenario = scenarioOf(100, 20);
await asking.ask('llmcompiler', scenario, true);
const times = delays(scenario);
const quantile = (part: number): number => times[Math.floor(times.length * part)] ?? Number.NaN;
const name = 'streamed dependant, from line and inputs to its start';
report([
  { name: `${name}: median`, value: quantile(0.5), unit: 'ms' },
  { name: `${name}: p95`, value: quantile(0.95), unit: 'ms', bar: 5 },
  { name: `${name}: worst of ${times.length}`, value: quantile(1 - 1e-9), unit: 'ms' },
]);
asking.close();

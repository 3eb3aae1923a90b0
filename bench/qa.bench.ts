/**
 * How long a question takes by each way of planning, beside what its model and its tools take: the
 * paper's three tasks, on a model that writes at a pace over HTTP and tools that take their time,
 * all some times as fast as the paper's. What is measured is the way that `planvm ask` takes, with
 * the journal on disk. The bar is the time that the planner writes, the critical path of the tools
 * and the joiner, one after the other; a plan that runs while it is written may be quicker.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { planned } from '../src/cli/bench/prepare.ts';
import { exitOf } from '../src/cli/exit.ts';
import { reach } from '../src/cli/planning/reach.ts';
import { openWorkspace } from '../src/cli/settings/workspace.ts';
import type { Toolbox } from '../src/cli/tools/toolbox.ts';
import { builtInTools } from '../src/effects/built-in.ts';
import { openModel } from '../src/effects/model/open.ts';
import type { Handler } from '../src/engine/handler.ts';
import { sqliteJournal } from '../src/engine/journal/sqlite/journal.ts';
import { toolSpec } from '../src/program/effect.ts';
import { pacedServer } from './qa/paced-server.ts';
import { answer, arrivals, repliesOf } from './qa/replies.ts';
import {
  type Call,
  criticalPathMs,
  oneByOneMs,
  type Scenario,
  scaled,
  scenarios,
} from './qa/scenario.ts';
import { type Figure, report } from './report.ts';

const rounds = 2;

/** A tool that takes the time that the scenario gives the call. */
function slow(tool: Call['tool'], { calls }: Scenario): Handler {
  const spec = toolSpec({
    ...{ name: tool, description: `Does ${tool}.`, effect: 'read' },
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, context: { type: 'array' } },
      required: ['query'],
    },
  });
  return {
    spec,
    async perform({ query }, { signal }) {
      const call = calls.find((one) => one.tool === tool && one.query === query);
      if (!call) throw new Error(`nobody has said how long ${tool}(${query}) takes`);
      await after(call.ms, undefined, { signal });
      return `what ${tool} knows of ${query}`;
    },
  };
}

function toolboxOf(scenario: Scenario): Toolbox {
  const builtIn = builtInTools({
    openModel: () => openModel('openai/paced', { env: server.env }),
    openKnowledge: () => {
      throw new Error('there is no knowledge base');
    },
  });
  const own = (['search', 'math'] as const).map((tool) => slow(tool, scenario));
  const all = [...builtIn.handlers, ...own];
  const handlers = new Map(all.map((handler) => [handler.spec.name, handler]));
  return {
    handlers,
    specs: new Map(all.map(({ spec }) => [spec.name, spec])),
    origins: new Map(),
    model: builtIn.model,
    prepare: () => [],
    callsFunctions: () => false,
    kept: {},
    close: builtIn.close,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
process.chdir(folder);
const server = await pacedServer();
const journal = sqliteJournal(join(folder, 'runs.db'));

/** Milliseconds from the question to its answer. */
async function ask(method: string, scenario: Scenario, streamed: boolean): Promise<number> {
  server.say(repliesOf[method]?.(scenario) ?? [], streamed);
  const toolbox = toolboxOf(scenario);
  const workspace = await openWorkspace({ flags: { dialect: method } });
  const start = performance.now();
  const result = await reach(
    {
      ...{ workspace, toolbox, goal: { text: scenario.question }, inputs: new Map() },
      flags: { quiet: true, journal: true, prompts: false, saved: false },
    },
    { journal, kept: true, report: exitOf },
  );
  const took = performance.now() - start;
  if (result.status === 'done' && result.answer === answer) return took;
  throw new Error(`${method} ended as ${result.status}: ${result.error?.message ?? result.answer}`);
}

/** The least of several times: whatever else the computer does only adds to it. */
async function least(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return Math.min(...times);
}

const isThere = (method: string): boolean => planned.includes(method);

/** Plans that are run once they are whole, and those that run while they are written. */
async function plans(scenario: Scenario): Promise<Figure[]> {
  const { name, plannerMs, joinerMs, paper } = scenario;
  const bound = plannerMs + criticalPathMs(scenario) + joinerMs;
  const figures: Figure[] = [];
  const add = (what: string, value: number, bar?: number): void => {
    figures.push({ name: `${name}: ${what}`, value, unit: '×', ...(bar && { bar }) });
  };
  add('starlark / bound', (await least(() => ask('starlark', scenario, true))) / bound, 1.05);
  if (!isThere('llmcompiler')) return figures;
  const streamed = await least(() => ask('llmcompiler', scenario, true));
  const whole = await least(() => ask('llmcompiler', scenario, false));
  const starts = arrivals(scenario).map((part) => part * plannerMs);
  const overlapped = Math.max(plannerMs, criticalPathMs(scenario, starts)) + joinerMs;
  add('llmcompiler streamed / bound', streamed / bound, 1.05);
  add('llmcompiler whole / bound', whole / bound, 1.05);
  add('llmcompiler streamed / overlapped bound', streamed / overlapped);
  add(`llmcompiler whole / streamed (paper ${paper.whole})`, whole / streamed);
  if (!isThere('react')) return figures;
  const react = await ask('react', scenario, true);
  add('react / one thing at a time', react / oneByOneMs(scenario));
  add(`react / llmcompiler (paper ${paper.react})`, react / streamed);
  return figures;
}

for (const method of Object.keys(repliesOf).filter(isThere)) {
  for (const scenario of scenarios) await ask(method, scaled(scenario, 0.002), true);
}
for (const scenario of scenarios) report(await plans(scaled(scenario)));
journal.close();
server.close();
rmSync(folder, { recursive: true });

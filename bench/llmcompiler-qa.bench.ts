/**
 * How long a question takes by each way of planning, beside what its model and its tools take: the
 * paper's three tasks, on a model that writes at a pace over HTTP and tools that take their time,
 * all some times as fast as the paper's. What is measured is the way that `planvm ask` takes, with
 * the journal on disk. The bar is the time that the planner writes, the critical path of the tools
 * and the joiner, one after the other; a plan that runs while it is written may be quicker.
 */
import { planningMethods } from '../src/bench/options.ts';
import { openAsking } from './qa/asking.ts';
import { arrivals, repliesOf } from './qa/replies.ts';
import { criticalPathMs, oneByOneMs, type Scenario, scaled, scenarios } from './qa/scenario.ts';
import { type Figure, report } from './report.ts';

const rounds = 2;
const asking = await openAsking();

/** The least of several times: whatever else the computer does only adds to it. */
async function least(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure());
  return Math.min(...times);
}

const isThere = (method: string): boolean => planningMethods.includes(method);

/** Plans that are run once they are whole, and those that run while they are written. */
async function plans(scenario: Scenario): Promise<Figure[]> {
  const { name, plannerMs, joinerMs, paper } = scenario;
  const bound = plannerMs + criticalPathMs(scenario) + joinerMs;
  const figures: Figure[] = [];
  const add = (what: string, value: number, bar?: number): void => {
    figures.push({ name: `${name}: ${what}`, value, unit: '×', ...(bar && { bar }) });
  };
  add(
    'starlark / bound',
    (await least(() => asking.ask('starlark', scenario, true))) / bound,
    1.05,
  );
  if (!isThere('llmcompiler')) return figures;
  const streamed = await least(() => asking.ask('llmcompiler', scenario, true));
  const whole = await least(() => asking.ask('llmcompiler', scenario, false));
  const starts = arrivals(scenario).map((part) => part * plannerMs);
  const overlapped = Math.max(plannerMs, criticalPathMs(scenario, starts)) + joinerMs;
  add('llmcompiler streamed / bound', streamed / bound, 1.05);
  add('llmcompiler whole / bound', whole / bound, 1.05);
  add('llmcompiler streamed / overlapped bound', streamed / overlapped);
  add(`llmcompiler whole / streamed (paper ${paper.whole})`, whole / streamed);
  if (!isThere('react')) return figures;
  const react = await asking.ask('react', scenario, true);
  add('react / one thing at a time', react / oneByOneMs(scenario));
  add(`react / llmcompiler (paper ${paper.react})`, react / streamed);
  return figures;
}

for (const method of Object.keys(repliesOf).filter(isThere)) {
  for (const scenario of scenarios) await asking.ask(method, scaled(scenario, 0.002), true);
}
for (const scenario of scenarios) report(await plans(scaled(scenario)));
asking.close();

/** Which saved plans are the plan, and which are examples. */
import { expect, test } from 'vitest';
import {
  exactPlan,
  nearPlans,
  type PlanFor,
  planId,
  planKey,
} from '../../src/planner/known-plans.ts';
import { named } from './scripted.ts';

const environment = { tools: new Map([named('search', 'query')]), inputs: ['city'] };
const wantedFor = (text: string, more: object = {}): PlanFor => ({
  ...{ goal: { text, ...more }, inputs: ['city'], dialect: 'starlark' },
});
const saved = (text: string, program = 'answer(search(query = city))\n', label = '') => ({
  ...{ label, goal: text, dialect: 'starlark', text: program, key: planKey(wantedFor(text)) },
});
const upgrade = saved('How do I upgrade from v7.5 to v8.0?');

test.each(['How do I upgrade from v7.5 to v8.0?', '  how do I  upgrade\nfrom v7.5 to v8.0? '])(
  '%j has the plan',
  (goal) => {
    expect(exactPlan([upgrade], wantedFor(goal), environment)).toBe(upgrade);
  },
);

test.each([
  wantedFor('How do I upgrade from v8.5 to v8.0?'),
  wantedFor('How do I upgrade from v7.5 to v8.1?'),
  wantedFor('How do I upgrade from v75 to v8.0?'),
  wantedFor('How do I upgrade from v7.5 to V8.0?'),
  wantedFor('How do I upgrade from v7.5 to v8.0?', { language: 'French' }),
  wantedFor('How do I upgrade from v7.5 to v8.0?', { format: 'a table' }),
  { ...wantedFor('How do I upgrade from v7.5 to v8.0?'), inputs: [] },
  { ...wantedFor('How do I upgrade from v7.5 to v8.0?'), dialect: 'stackvm-2' },
])('%j has none', (wanted) => {
  expect(exactPlan([upgrade], wanted, environment)).toBeUndefined();
});

test('a plan that today’s tools do not allow is neither the plan nor an example', () => {
  const other = { tools: new Map([named('look', 'query')]), inputs: ['city'] };
  const wanted = wantedFor(upgrade.goal);
  expect(exactPlan([upgrade], wanted, other)).toBeUndefined();
  expect(nearPlans([upgrade], wanted, other)).toEqual([]);
});

test('a goal that is near takes its plans as examples, the likest first, two at most', () => {
  const program = (n: number): string => `answer(search(query = "${n}"))\n`;
  const plans = [
    saved('How do I upgrade from v6.0 to v7.0?', program(1)),
    upgrade,
    saved('How do I upgrade from v7.5 to v8.0 on ARM?', program(2)),
    saved('Who wrote the tide tables?', program(3)),
  ];
  const near = nearPlans(plans, wantedFor('How do I upgrade from v7.5 to v8.5?'), environment);
  expect(near.map(({ goal }) => goal)).toEqual([plans[1]?.goal, plans[2]?.goal]);
});

test('a label brings a plan near whose words are others', () => {
  const weekly = saved('Sum the sales up', 'answer(city)\n', 'reports/weekly');
  const wanted = { ...wantedFor('What did we ship?'), label: 'reports/monthly' };
  expect(nearPlans([weekly], wanted, environment)).toEqual([weekly]);
  expect(nearPlans([weekly], { ...wanted, label: 'mail' }, environment)).toEqual([]);
});

test('one goal has a plan for each label', () => {
  expect(planId(upgrade.key, 'a')).toMatch(/^p[0-9a-f]{10}$/);
  expect(planId(upgrade.key, 'a')).not.toBe(planId(upgrade.key, 'b'));
});

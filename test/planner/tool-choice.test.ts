/** Prompts with hundreds of tools: what fits the goal is shown, and the rest can be asked for. */
import { expect, test } from 'vitest';
import { builtInSpecs } from '../../src/effects/built-in-specs.ts';
import { dialectNamed, planningHandlers } from '../../src/planner/planner.ts';
import { opening } from '../../src/planner/prompt.ts';
import { chooseTools, moreTools } from '../../src/planner/tool-choice.ts';
import { type ToolSpec, toolSpec } from '../../src/program/effect.ts';
import { runLoop } from './run-loop.ts';
import { scripted } from './scripted.ts';

const verbs: readonly (readonly [string, string])[] = [
  ['list', 'Lists all'],
  ['get', 'Returns one of the'],
  ['create', 'Makes a new one of the'],
  ['update', 'Changes one of the'],
  ['delete', 'Removes one of the'],
];
const nouns: Readonly<Record<string, readonly string[]>> = {
  github: ['issues', 'pull_requests', 'branches', 'releases', 'commits', 'labels', 'milestones'],
  jira: ['tickets', 'sprints', 'boards', 'epics', 'worklogs', 'components', 'versions'],
  shop: ['orders', 'refunds', 'customers', 'coupons', 'shipments', 'products', 'carts'],
  hr: ['employees', 'vacations', 'payslips', 'contracts', 'trainings', 'positions', 'offices'],
  bank: ['accounts', 'transfers', 'statements', 'cards', 'loans', 'mandates', 'currencies'],
  mail: ['messages', 'folders', 'drafts', 'attachments', 'filters', 'contacts', 'signatures'],
  calendar: ['events', 'invitations', 'rooms', 'reminders', 'holidays', 'attendees', 'slots'],
  cloud: ['servers', 'disks', 'networks', 'snapshots', 'images', 'volumes', 'certificates'],
  crm: ['leads', 'deals', 'companies', 'campaigns', 'calls', 'notes', 'pipelines'],
  files: ['documents', 'folders', 'permissions', 'revisions', 'comments', 'shares', 'templates'],
  travel: ['flights', 'hotels', 'trains', 'bookings', 'passengers', 'seats', 'itineraries'],
  weather: ['forecasts', 'stations', 'warnings', 'radars', 'measurements', 'tides', 'seasons'],
  school: ['courses', 'students', 'grades', 'exams', 'teachers', 'classrooms', 'timetables'],
  clinic: ['patients', 'appointments', 'prescriptions', 'diagnoses', 'doctors', 'wards', 'beds'],
};

const specOf = (space: string, noun: string, verb: string, about: string): ToolSpec =>
  toolSpec({
    name: `${space}.${verb}_${noun}`,
    description: `${about} ${noun.replace('_', ' ')} of the ${space} account, with all its fields.`,
    effect: verb === 'list' || verb === 'get' ? 'read' : 'write',
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The identifier, as the list has it.' },
        fields: { type: 'array', items: { type: 'string' }, description: 'Which fields to have.' },
        page: { type: 'integer', minimum: 1, description: 'The page, where there are several.' },
      },
      required: ['id'],
    },
  });

const many = Object.entries(nouns).flatMap(([space, names]) =>
  names.flatMap((noun) => verbs.map(([verb, about]) => specOf(space, noun, verb, about))),
);
const tools = new Map(
  [...builtInSpecs, ...many].map((spec) => [
    spec.name,
    spec.kind === 'retrieve' ? ({ ...spec, untold: 'all' } as const) : spec,
  ]),
);
const { signal } = new AbortController();
const options = { tokensMax: 3000, signal };

test('few tools are all shown, and nothing is said of others', async () => {
  const few = new Map([...tools].slice(0, 20));
  expect(await chooseTools(few, 'anything', options)).toEqual({ shown: few, others: '' });
});

test.each([
  [
    'List the flights to Oslo, get the forecast there and create a calendar event for the trip.',
    ['travel.list_flights', 'weather.get_forecasts', 'calendar.create_events'],
  ],
  [
    'Find the order of the customer Ann, refund it and mail her a message.',
    ['shop.list_orders', 'shop.create_refunds', 'mail.create_messages'],
  ],
  [
    'Which employees have a vacation next week, and which of them have open tickets?',
    ['hr.list_employees', 'hr.list_vacations', 'jira.list_tickets'],
  ],
  ['Call bank.delete_loans for loan 7.', ['bank.delete_loans']],
])('of 500 tools the prompt shows those of the goal: %s', async (goal, needed) => {
  expect(many.length).toBeGreaterThan(480);
  const { shown } = await chooseTools(tools, goal, options);
  expect([...shown.keys()]).toEqual(expect.arrayContaining(needed));
});

test('a prompt for 500 tools has at most 6000 tokens, and names every tool', async () => {
  const goal = { text: 'List the flights to Oslo and create a calendar event.' };
  const environment = { tools, inputs: [] };
  const choice = await chooseTools(tools, goal.text, options);
  const dialect = dialectNamed('starlark');
  const messages = opening({ goal, dialect, environment, tools: choice, at: 0 });
  const text = messages.map(({ content }) => content).join('\n');
  expect(text.length / 4).toBeLessThan(6000);
  for (const [space, names] of Object.entries(nouns)) {
    const line = text.split('\n').find((one) => one.startsWith(`- \`${space}\``)) ?? '';
    for (const [verb] of verbs) {
      const group = new RegExp(`${verb}_\\{([^}]*)\\}`).exec(line)?.[1]?.split(',') ?? [];
      const isShown = (noun: string) => choice.shown.has(`${space}.${verb}_${noun}`);
      expect(group.toSorted()).toEqual(names.filter((noun) => !isShown(noun)).toSorted());
    }
  }
});

test('a model sees further tools by name or by words', async () => {
  const more = await moreTools(tools, 'TOOLS crm.list_deals\nTOOLS medicine of a patient', options);
  expect(more).toContain('`crm.list_deals(id: string');
  const exact = await moreTools(tools, 'TOOLS crm.list_deals', options);
  expect(exact.match(/^- `/gm)).toHaveLength(1);
  expect(more).toContain('clinic.get_patients');
  expect(more.length).toBeLessThan(6000);
  const pair = await moreTools(tools, 'TOOLS hr.get_{offices,payslips}', options);
  expect(pair.match(/^- `[^(]*\(/gm)?.slice(0, 2)).toEqual([
    '- `hr.get_payslips(',
    '- `hr.get_offices(',
  ]);
  expect(await moreTools(tools, 'answer(1)', options)).toBe('');
});

test('those of a server are told by its name, in words of it, and nothing else is', async () => {
  const all = await moreTools(tools, 'TOOLS crm', options);
  for (const noun of nouns.crm ?? []) expect(all).toContain(`crm.delete_${noun}`);
  const some = await moreTools(tools, 'TOOLS crm campaigns', options);
  expect(some.split('\n')[1]).toContain('crm.');
  expect(some).not.toContain('llm_generate');
  const none = await moreTools(tools, 'TOOLS zzz', options);
  expect(none).toMatch(/^No tool has such words. There are tools of github, jira, shop, /);
});

test('what has no word of the goal is not shown before what has; short lines leave their room', async () => {
  const goal = 'Send a postcard.';
  const { shown } = await chooseTools(tools, goal, options);
  expect([...shown.values()].filter(({ kind }) => kind === 'tool')).toEqual([]);
  const few = specOf('post', 'postcards', 'send', 'Sends');
  const more = new Map([...many.slice(0, 260), few].map((spec) => [spec.name, spec]));
  expect((await chooseTools(more, goal, options)).shown.has('post.send_postcards')).toBe(true);
  const small = await chooseTools(more, 'Which tickets are there?', options);
  expect(small.others).toContain('- `post`, 1: send_postcards\n'.trimEnd());
});

test('asking for tools uses up no round, and a correction has the signatures', async () => {
  const { model, requests } = scripted(
    'TOOLS exams of a student',
    'x = school.list_exams(nothing = 1)\nanswer(x)\n',
    'x = school.list_exams(id = "7")\nanswer(x)\n',
  );
  const handlers = planningHandlers({
    ...{ dialect: 'starlark', environment: { tools, inputs: [] }, model: () => model },
  });
  const goal = { text: 'What comes next?' };
  const { status } = await runLoop('plan', handlers, { goal, rounds: 2 });
  expect(status).toBe('done');
  const [, second, third] = requests.map(({ messages }) => messages.at(-1)?.content ?? '');
  expect(second).toContain('`school.list_exams(id: string');
  expect(third).toContain('The tools that it calls:\n- `school.list_exams(id: string');
});

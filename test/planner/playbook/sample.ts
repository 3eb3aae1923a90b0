/** A desk that rents bikes, linked by hand, and what a reply at it comes to. */
import type { CompiledAgent, CompiledPlaybook } from '../../../src/dialects/playbook/compiled.ts';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import type { LinkedFile } from '../../../src/dialects/playbook/link/linked.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import type { Part } from '../../../src/planner/playbook/parts.ts';
import { type TurnOptions, turnHandler } from '../../../src/planner/playbook/turn.ts';
import { type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import {
  agent,
  expression,
  line,
  place,
  playbook,
  state,
} from '../../dialects/playbook/link/lines.ts';
import { attempt } from '../../support/attempt.ts';
import { named, scripted } from '../scripted.ts';

const say = (text: string) =>
  ({ is: 'say', to: { kind: 'user' }, text: [text], waits: false }) as const;

/** Lines of both kinds: a question, a condition of each kind, a jump, calls. */
export const rent: CompiledPlaybook = playbook(
  'RentBike',
  [
    line(
      '01',
      { is: 'ask', to: { kind: 'user' }, wants: [state('day')] },
      { text: 'Ask user for $day', names: [state('day')] },
    ),
    line(
      '02',
      {
        ...{ is: 'call', callee: { kind: 'tool', name: 'FreeBikes' }, into: state('bikes') },
        ...{ args: { day: expression('day_') }, value: expression('FreeBikes(day_)') },
      },
      { text: '$bikes = FreeBikes($day)', names: [state('bikes'), state('day')] },
    ),
    line(
      '03',
      { is: 'test', kind: 'if', test: expression('len(bikes_) == 0') },
      {
        text: 'If len($bikes) == 0',
        children: [
          line('03.01', { is: 'open' }, { text: 'Suggest another day' }),
          line('03.02', { is: 'go', to: '01' }, { text: 'Go to step 01' }),
        ],
      },
    ),
    line(
      '04',
      { is: 'test', kind: 'if' },
      {
        text: 'If they come with children',
        children: [line('04.01', { is: 'open' }, { text: 'Offer a trailer' })],
      },
    ),
    line(
      '05',
      { is: 'set', to: state('bike'), type: 'str' },
      {
        text: '$bike: str = the one that they choose',
        block: '```\ncity or race\n```',
        names: [state('bike')],
      },
    ),
    line('06', say('Booked.'), { text: 'Say("Booked.")' }),
    line('07', { is: 'note', note: 'N1' }, { text: 'CHK N1' }),
    line('08', { is: 'return', value: expression('bike_') }, { text: 'Return $bike' }),
  ],
  {
    description: 'Rents a bike.\nFor a day.',
    parameters: [{ name: 'count', hasDollar: true, type: 'int', default: '1' }],
    notes: [{ id: 'N1', text: 'No e-bikes', place }],
  },
);

export const refund: CompiledPlaybook = playbook('Refund', [line('01', { is: 'open' })], {
  written: 'Give a refund',
  description: 'Gives money back.',
  parameters: [
    { name: 'euros', type: 'float' },
    { name: 'reason', default: '""' },
  ],
  returns: 'bool',
});

export const tools: ReadonlyMap<string, ToolSpec> = new Map([
  named('FreeBikes', 'day'),
  named('weather', 'city'),
  [
    'order',
    toolSpec({
      name: 'order',
      description: 'Orders.',
      parameters: {
        type: 'object',
        properties: { n: { type: 'integer' }, size: { enum: ['S', 'M'] } },
        required: ['n'],
      },
    }),
  ],
]);

export const desk = (
  playbooks: readonly CompiledPlaybook[],
  more: Partial<CompiledAgent> = {},
): CompiledAgent =>
  agent(playbooks, {
    description: 'You rent bikes. You may use order.',
    code: [{ text: 'def count(items, least = 0):\n    "Counts."\n    return len(items)\n', place }],
    ...more,
  });

export const fileOf = (...agents: readonly CompiledAgent[]): LinkedFile =>
  link({ metadata: {}, agents }, { inlineSteps: 0 });

export const rental: LinkedFile = fileOf(desk([rent, refund]));

export interface SampleTurn {
  readonly file?: LinkedFile;
  readonly frame?: Readonly<Record<string, unknown>>;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<TurnOptions>;
  /** In place of one that gives the reply at once. */
  readonly model?: Model;
}

/** What a turn with this reply reports and was asked. */
export async function turn(reply: string, given: SampleTurn = {}) {
  const { file = rental, frame = {}, args = {}, options = {} } = given;
  const script = scripted(reply);
  const model = given.model ?? script.model;
  const handler = turnHandler({ file, tools, model: () => model, ...options });
  const context = attempt();
  const own = { playbook: 'Desk.RentBike', line: '04', call: 'RentBike()', today: 'Sunday' };
  const all = { frame: { ...own, ...frame }, kind: 'start', session: [], variables: [], ...args };
  const end = await handler.perform(all, context);
  const [asked, ...parts] = context.parts as Part[];
  const { messages = [], native } = script.requests[0] ?? {};
  return { asked, parts, end, messages, native, warnings: context.warnings };
}

/** Operations as a reply has them. */
export const ops = (...operations: readonly unknown[]): string =>
  operations.map((operation) => `${JSON.stringify(operation)}\n`).join('');

/** A playbook with its graph for tests, and what a reply comes to when it is held against it. */
import type { Step } from '../../../src/dialects/playbook/compiled/compiled.ts';
import type {
  Edge,
  EdgeKind,
  LinkedAgent,
  LinkedFile,
  LinkedPlaybook,
} from '../../../src/dialects/playbook/compiled/linked.ts';
import type { Strictness } from '../../../src/dialects/playbook/source/manner.ts';
import { TurnCheck } from '../../../src/planner/playbook/check/turn/turn-check.ts';
import { directoryOf } from '../../../src/planner/playbook/check/values/directory.ts';
import type { Part, Variable } from '../../../src/planner/playbook/parts.ts';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import type { ToolSpec } from '../../../src/program/effect.ts';
import { named } from '../scripted.ts';

const place = { line: 1, column: 1 };

/** `['03.01', 'QUE', 'Say(…)', 'next 04', {…}]`; several edges stand with commas. */
export type SampleLine = readonly [
  number: string,
  code: Step['code'],
  text: string,
  edges: string,
  more?: Partial<Step>,
];

export function playbookOf(
  name: string,
  lines: readonly SampleLine[],
  more: Partial<LinkedPlaybook> = {},
): LinkedPlaybook {
  const linked = lines.map(([number, code, text, edges, own]) => {
    const step: Step = { number, code, text, children: [], place, writes: [], reads: [], ...own };
    return [number, { step, edges: edgesIn(edges), live: [] }] as const;
  });
  return {
    ...{ name, written: name, id: `Desk.${name}`, parameters: [], description: '', metadata: {} },
    ...{
      mode: 'steps',
      isPublic: false,
      isHidden: false,
      place,
      triggers: [],
      steps: [],
      notes: [],
    },
    ...{ lines: new Map(linked), first: lines[0]?.[0] ?? '', needs: new Set(), ...more },
  };
}

const edgesIn = (text: string): Edge[] =>
  text.split(', ').map((edge) => {
    const [kind = '', to = ''] = edge.split(' ');
    return { kind: kind as EdgeKind, to };
  });

/** One of each code, with a loop, a branch and a way back. */
export const rent = playbookOf(
  'RentBike',
  [
    [
      '01',
      'QUE',
      '$bikes = FreeBikes($day)',
      'next 02',
      {
        writes: ['$bikes'],
        reads: ['$day'],
        call: { callee: 'FreeBikes', args: '$day', into: '$bikes' },
      },
    ],
    ['02', 'YLD', 'for call', 'next 03', { waits: 'call' }],
    ['03', 'CND', 'If $bikes is empty', 'true 03.01, false 04'],
    [
      '03.01',
      'QUE',
      'Say(suggest another day)',
      'next 03.02',
      {
        say: { text: 'suggest another day', isLiteral: false, to: 'user' },
        asks: ['$day'],
      },
    ],
    ['03.02', 'YLD', 'for user', 'next 03.03', { waits: 'user', asks: ['$day'] }],
    ['03.03', 'JMP', '01', 'jump 01', { jump: '01' }],
    ['04', 'ELS', 'Otherwise', 'next 04.01'],
    ['04.01', 'LOP', 'For each $bike in $bikes', 'loop 04.01.01, exit 05'],
    [
      '04.01.01',
      'QUE',
      'Say(describe $bike)',
      'loop 04.01',
      {
        say: { text: 'describe it', isLiteral: false, to: 'user' },
      },
    ],
    ['05', 'EXE', '$choice = the nicest', 'next 06', { writes: ['$choice'] }],
    ['06', 'CHK', 'N1', 'next 07', { note: 'N1' }],
    ['07', 'RET', '$choice', 'return', { value: '$choice', reads: ['$choice'] }],
  ],
  {
    parameters: [{ name: 'day', scope: 'state' }],
    notes: [{ id: 'N1', text: 'No e-bikes', place }],
  },
);

export const tools: ReadonlyMap<string, ToolSpec> = new Map([
  named('FreeBikes', 'day'),
  named('weather', 'city', 'days'),
]);

export const refund = playbookOf('Refund', [], {
  parameters: [{ name: 'reason', scope: 'local', default: '""' }],
});

export function fileOf(...playbooks: readonly LinkedPlaybook[]): LinkedFile {
  const agent: LinkedAgent = {
    ...{ name: 'Desk', written: 'Desk', kind: 'ai', description: 'You rent bikes.', metadata: {} },
    ...{ code: [{ text: 'def count(items, least = 0):\n    return len(items)\n', place }], place },
    ...{ playbooks, quiet: new Set(), setting: new Set(), sets: new Map() },
  };
  return { metadata: {}, agents: [agent], inlining: [], bodies: new Map() };
}

export interface SampleTurn {
  readonly playbook?: LinkedPlaybook;
  readonly line?: string;
  readonly variables?: readonly Variable[];
  readonly done?: readonly Part[];
  readonly strictness?: Strictness;
  /** Where the text is cut into pieces. */
  readonly cuts?: readonly number[];
  readonly isCut?: boolean;
  /** What an attempt before has come to whose process has ended. */
  readonly stood?: readonly Part[];
}

export const day: Variable = { name: 'day', scope: 'state' };

/** The parts of a reply, and its warnings. */
export function partsOf(reply: string, turn: SampleTurn = {}) {
  const { playbook = rent, line = playbook.first, variables = [day], done = [] } = turn;
  const parts: Part[] = [];
  const warnings: string[] = [];
  const file = fileOf(playbook, refund);
  const [agent] = file.agents;
  if (!agent) throw new Error('there is no agent');
  const check = new TurnCheck({
    ...{ playbook, line, variables, done, directory: directoryOf(file, agent, tools) },
    strictness: turn.strictness ?? 'repair',
    emit: (part) => parts.push(part),
    warn: (warning) => warnings.push(warning),
  });
  if (turn.stood) {
    parts.push(...turn.stood);
    check.restore(turn.stood);
    check.interrupt();
  }
  const reader = new ReplyReader();
  const pieces = [0, ...(turn.cuts ?? []), reply.length];
  for (const [index, from] of pieces.entries()) {
    for (const { said, beside } of reader.feed(reply.slice(from, pieces[index + 1] ?? from)))
      check.take(said, beside);
  }
  for (const { said, beside } of reader.end(turn.isCut)) check.take(said, beside);
  check.end(reply, { beside: reader.rest() });
  return { parts, warnings };
}

/** The parts in short: `call FreeBikes 01`, `problem PV7302`, `end 03`. */
export function shortly(reply: string, turn: SampleTurn = {}): string[] {
  return partsOf(reply, turn).parts.map((part) => {
    switch (part.op) {
      case 'call':
        return `call ${part.callee} ${part.line}`;
      case 'yield':
        return `yield ${part.for} ${part.line}`;
      case 'problem':
        return `problem ${part.code}`;
      case 'set':
        return `set ${part.scope === 'state' ? '$' : ''}${part.name} ${part.line}`;
      case 'end':
        return `end ${part.line}${part.isWhole ? '' : ' broken'}`;
      case 'step':
      case 'say':
      case 'return':
        return `${part.op} ${part.line}`;
      case 'show':
        return 'show';
      default:
        return part.op;
    }
  });
}

import { expect, it } from 'vitest';
import type {
  CompiledPlaybook,
  Does,
  Expression,
  Line,
} from '../../../../src/dialects/playbook/compiled.ts';
import { type LinkOptions, link } from '../../../../src/dialects/playbook/link/link.ts';
import type { LinkedPlaybook } from '../../../../src/dialects/playbook/link/linked.ts';
import { agent, expression, line, local, open, playbook, set, state, test } from './lines.ts';

const linkAll = (
  playbooks: readonly CompiledPlaybook[],
  options: LinkOptions = { inlineSteps: 0 },
  more: Parameters<typeof agent>[1] = {},
) => link({ metadata: {}, agents: [agent(playbooks, more)] }, options);

const call = (
  number: string,
  name: string,
  into?: string,
  args: Readonly<Record<string, Expression>> = {},
): Line => {
  const callee = { kind: 'playbook', name: `Desk.${name}` } as const;
  const value = expression(`${name}()`, [name]);
  const to = into === undefined ? {} : { into: state(into) };
  return line(number, { is: 'call', callee, args, value, ...to }, { text: `${name}()` });
};

const returned = (number: string, code?: string): Line =>
  line(
    number,
    { is: 'return', ...(code !== undefined && { value: expression(code) }) },
    { text: `Return ${code ?? ''}`.trim() },
  );

/** The first playbook, a line each: number, what it does, what comes of it. */
const shown = ({ lines }: LinkedPlaybook): string[] =>
  [...lines.values()].map(({ number, does }) => [number, does.is, ...factsOf(does)].join(' '));

function factsOf(does: Does): string[] {
  if (does.is === 'set') {
    const reads = does.value?.reads.map(({ name }) => name) ?? [];
    return [
      `${does.to.scope} ${does.to.name} = ${does.value?.code}`,
      ...reads.map((x) => `(${x})`),
    ];
  }
  return does.is === 'go' ? [does.to] : [];
}

it('knows which variables each line and those after it need', () => {
  const wants = [state('day')];
  const [main] =
    linkAll([
      playbook('Main', [
        line('01', { is: 'ask', to: { kind: 'user' }, wants }),
        set('02', 'bikes', 'free(day_)'),
        line(
          '03',
          { is: 'each', item: state('bike'), of: expression('bikes_') },
          {
            children: [open('03.01', [], ['bike', 'price'])],
          },
        ),
        line('04', { is: 'return', value: expression('day_') }),
      ]),
    ]).agents[0]?.playbooks ?? [];
  const live = [...(main?.lines.values() ?? [])].map((one) => one.live?.toSorted().join(' '));
  expect(live).toEqual([
    '$day $price',
    '$day $price',
    '$bikes $day $price',
    '$bike $bikes $day $price',
    '$day',
  ]);
});

it('shows the own variables of a playbook as it writes them', () => {
  const asking = line(
    '01',
    { is: 'open' },
    {
      names: [local('day'), local('count')],
      text: 'Tell them about $day by the count',
    },
  );
  const file = linkAll([playbook('Main', [asking, set('02', 'x', '1')])]);
  const [main] = file.agents[0]?.playbooks ?? [];
  expect(main?.lines.get('01')?.live).toEqual(['$day', 'count']);
  expect(file.agents[0]?.state).toEqual(['x']);
});

it('finds calls that are the last thing that a playbook does', () => {
  const tails = (lines: readonly Line[], other: CompiledPlaybook = playbook('F', [open('01')])) => {
    const [main] = linkAll([playbook('Main', lines), other]).agents[0]?.playbooks ?? [];
    return [...(main?.lines.values() ?? [])].flatMap((one) => (one.tail ? [one.number] : []));
  };
  const callee = { kind: 'playbook', name: 'Desk.F' } as const;
  const direct = line('01', {
    is: 'return',
    value: expression('F()', ['F']),
    call: { callee, args: {} },
  });
  expect(tails([direct])).toEqual(['01']);
  expect(tails([call('01', 'F', 'r'), returned('02', 'r_')])).toEqual(['01']);
  expect(tails([call('01', 'F', 'r'), returned('02', 'r_ + 1')])).toEqual([]);
  expect(tails([call('01', 'F', 'r'), open('02'), returned('03', 'r_')])).toEqual([]);
  const names = playbook('F', [open('01', [], ['r'])]);
  expect(tails([call('01', 'F', 'r'), returned('02', 'r_')], names)).toEqual([]);
  expect(tails([direct], playbook('F', [open('01')], { returns: 'int' }))).toEqual(['01']);
});

it('lets all variables be needed where there are too many to follow', () => {
  const lines = Array.from({ length: 300 }, (_, at) =>
    set(`${at + 1}`, `x${at}`, `y${'z'.repeat(at)}_`),
  );
  const [main] = linkAll([playbook('Main', lines)]).agents[0]?.playbooks ?? [];
  expect([...(main?.lines.values() ?? [])].filter((one) => one.live)).toEqual([]);
});

const parameter = { name: 'day' };

const find = playbook(
  'Find',
  [
    test('01', 'if', [set('01.01', 'bike', '0')], 'bike_'),
    line('02', { is: 'go', to: '03' }),
    line('03', { is: 'open' }, { text: 'Look up $day', names: [local('day')] }),
  ],
  { parameters: [parameter] },
);

it('puts a small playbook in the place of its call', () => {
  const days = { day: expression('when_') };
  const main = playbook('Main', [
    set('01', 'when', '1'),
    line('02', { is: 'open' }, { text: 'Mind $day', names: [local('day')] }),
    call('03', 'Find', 'price', days),
    returned('04', 'price_'),
  ]);
  const file = linkAll([main, find], {});
  expect(shown(file.agents[0]?.playbooks[0] as LinkedPlaybook)).toEqual([
    '01 set state when = 1',
    '02 open',
    '03 note',
    '03.01 set local Find__day = when_ (when)',
    '03.02 test',
    '03.02.01 set state bike = 0',
    '03.03 go 03.04',
    '03.04 open',
    '03.05 set state price = None',
    '04 return',
  ]);
  const lines = file.agents[0]?.playbooks[0]?.lines;
  expect(lines?.get('03.04')).toMatchObject({ text: 'Look up $Find__day', live: ['$Find__day'] });
  expect(lines?.get('03.05')?.edges).toEqual([{ to: '04', kind: 'next' }]);
  expect(file.inlining).toEqual([
    { at: 'Desk.Main:03', callee: 'Find', lines: 4, isInlined: true, why: '4 lines, at most 8' },
  ]);
});

it('puts playbooks in those that it puts somewhere', () => {
  const playbooks = [
    playbook('Main', [call('01', 'Outer'), call('02', 'Outer')]),
    playbook('Outer', [call('01', 'Inner', 'x')]),
    playbook('Inner', [returned('01', '1')]),
  ];
  expect(shown(linkAll(playbooks, {}).agents[0]?.playbooks[0] as LinkedPlaybook)).toEqual([
    '01 note',
    '01.01 note',
    '01.01.01 set state x = 1',
    '02 note',
    '02.01 note',
    '02.01.01 set state x = 1',
  ]);
});

const reasons: Readonly<Record<string, [Partial<CompiledPlaybook>, string]>> = {
  'too large': [
    { lines: ['01', '02', '03'].map((number) => open(number)) },
    '3 lines, more than 2',
  ],
  'of another mode': [{ mode: 'raw', lines: [] }, 'it has no lines'],
  recursive: [{ lines: [call('01', 'F')] }, 'it comes to call itself'],
  'a meeting': [{ metadata: { meeting: true } }, 'it is a meeting'],
  'with notes': [
    { notes: [{ id: 'N1', text: 'Be brief', place: { line: 1, column: 1 } }] },
    'it has notes, which are for it alone',
  ],
  'with a placeholder': [
    { description: 'About {$x}.' },
    'its description is filled in when it starts',
  ],
  'with another model': [{ metadata: { model: 'a/b' } }, 'it has another model than its caller'],
  'returning words': [{ lines: [line('01', { is: 'return', inWords: true })] }, 'it returns words'],
  'returning in its midst': [
    { lines: [test('01', 'if', [returned('01.01')], 'x_')] },
    'it returns in its midst',
  ],
  'with a parameter that is left out': [
    { parameters: [{ name: 'n' }] },
    'its arguments do not fit its parameters',
  ],
  'with a variable that begins anew': [
    { lines: [line('01', { is: 'open' }, { names: [local('total')] })] },
    'each call of it begins without total',
  ],
};

it.each(Object.entries(reasons))('leaves a playbook where it is: %s', (_, [more, why]) => {
  const callee = playbook('F', [open('01')], more);
  const { inlining } = linkAll([playbook('Main', [call('01', 'F')]), callee], { inlineSteps: 2 });
  expect(inlining.find(({ at }) => at === 'Desk.Main:01')).toMatchObject({ isInlined: false, why });
});

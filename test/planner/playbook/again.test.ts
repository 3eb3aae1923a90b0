/** What a mended reply, or one behind a trigger, does again: repeated, or the next round of a loop. */
import { describe, expect, test } from 'vitest';
import { noting } from '../../playbooks/noting.ts';
import { ops, played } from './played.ts';

const loop = `# Shop
## Main
### Triggers
- At the beginning
### Steps
- For each $kind in ["a", "b"]
  - send(kind=$kind)
- Return 1
`;

describe('a mended reply', () => {
  test('goes on with the next round of a loop', async () => {
    const calls: unknown[] = [];
    const first =
      '{"step":"01"}\n{"set":{"$kind":"a"}}\n{"step":"01.01"}\n' +
      '{"call":"send","args":{"kind":"$kind"}}\n{"step":"99"}';
    const second =
      '{"step":"01"}\n{"set":{"$kind":"b"}}\n{"step":"01.01"}\n' +
      '{"call":"send","args":{"kind":"$kind"}}\n{"step":"01"}\n{"step":"02"}\n{"return":1}';
    const { result } = await played(loop, {
      replies: [first, second],
      tools: [noting(calls, 'send', ['kind'], () => 'sent')],
    });
    expect(result).toMatchObject({ status: 'done' });
    expect(calls).toEqual([
      ['send', 'a'],
      ['send', 'b'],
    ]);
  });
});

describe('with `--strictness advise`', () => {
  const round = (kind: string): readonly object[] => [
    ...[{ step: '01' }, { set: { kind } }, { step: '01.01' }],
    { call: 'send', args: { kind: '$kind' } },
  ];
  const end = [{ step: '02' }, { return: 1 }];

  test.each([
    ['again behind it', [...round('a'), ...round('a'), ...round('b')]],
    ['again behind the last', [...round('a'), ...round('b'), ...round('b'), ...round('a')]],
  ])('a round %s is left out, with a warning', async (_, rounds) => {
    const calls: unknown[] = [];
    const { result, journal } = await played(loop, {
      replies: [ops(...rounds, ...end)],
      strictness: 'advise',
      tools: [noting(calls, 'send', ['kind'], () => 'sent')],
    });
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(calls).toEqual([
      ['send', 'a'],
      ['send', 'b'],
    ]);
    expect(JSON.stringify(journal.events(result.run))).toContain('what it does there is left out');
  });
});

const till = `# Till
## Main
### Triggers
- At the beginning
### Steps
- $total = 3
- $total = $total + 2
- Return $total
## Dear
### Triggers
- When $total > 4
### Steps
- Say("Dear.")
`;

describe('behind a trigger', () => {
  test('a sum is not computed twice', async () => {
    const { result, said } = await played(till, {
      replies: [
        '{"step":"01"}\n{"set":{"$total":3}}\n{"step":"02"}\n{"set":{"$total":"$total + 2"}}',
        '{"step":"01"}\n{"say":"Dear."}\n{"return":null}',
        '{"step":"02"}\n{"set":{"$total":"$total + 2"}}\n{"step":"03"}\n{"return":"$total"}',
      ],
    });
    expect(said).toEqual(['Dear.']);
    expect(result).toMatchObject({ status: 'done', answer: 5 });
  });
});

describe('a trigger that may fire again', () => {
  const shop = (trigger: string) => `# Shop
## Main
### Triggers
- At the beginning
### Steps
- $pin = what the customer has given
- Say("Noted.")
## Check
retrigger: edge

### Triggers
- ${trigger}
### Steps
- Say("Checked {$pin}.")
`;

  test.each(['When $pin is given', 'When $pin == "12"', 'When $pin looks odd'])(
    '%s: what is told again behind its cut fires nothing',
    async (trigger) => {
      const { result, said } = await played(shop(trigger), {
        matches: ({ conditions }) => (conditions as { id: string }[]).map(({ id }) => id),
        replies: [
          '{"step":"01"}\n{"set":{"$pin":"12"}}\n{"step":"02"}\n{"say":"never"}',
          '{"step":"01"}\n{"say":"Checked {$pin}."}',
          '{"step":"01"}\n{"set":{"$pin":"12"}}\n{"step":"02"}\n{"say":"Noted."}',
        ],
      });
      expect(result.error).toBeUndefined();
      expect(said).toEqual(['Checked 12.', 'Noted.']);
    },
  );
});

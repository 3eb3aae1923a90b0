/** A parameter `$x` is the variable of its agent: what arguments set fires triggers. */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

const program = (trigger: string, call: string, head = 'Put($level)'): string => `# Meter

## Main
### Triggers
- At the beginning
### Steps
- $level = 1
- ${call}
- Say("level {$level}")

## ${head}
### Steps
- Say("put {$level}")

## Alarm
### Triggers
- ${trigger}
### Steps
- Say("alarm")
`;

const alarm = ops({ step: '01' }, { say: 'alarm' }, { return: null });
const put = ops({ step: '01' }, { say: 'put {$level}' }, { return: null });
const called = (args: readonly unknown[]): string =>
  ops({ set: { level: 1 } }, { step: '02' }, { call: 'Put', args: [...args] }, { yield: 'call' });
const end = ops({ step: '04' }, { say: 'level {$level}' }, { return: null });

describe('by a call', () => {
  test('before the first line of the playbook', async () => {
    const { result, said } = await played(program('When $level > 10', 'Put(20)'), {
      replies: [called([20]), alarm, put, end],
    });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['alarm', 'put 20', 'level 20']);
  });

  test('those that only a model can judge are put to it with the value', async () => {
    const asked: unknown[] = [];
    const { said } = await played(program('When $level is alarming', 'Put(20)'), {
      matches({ changed, conditions }) {
        asked.push(changed);
        const [{ id }] = conditions as [{ id: string }];
        return JSON.stringify(changed).includes('20') ? [id] : [];
      },
      replies: [called([20]), alarm, put, end],
    });
    expect(asked).toEqual([{ $level: 1 }, { $level: 20 }]);
    expect(said).toEqual(['alarm', 'put 20', 'level 20']);
  });

  test('but not where it hands on what the variable has', async () => {
    const { said } = await played(program('When $level > 0', 'Put($level)'), {
      replies: [
        ops({ set: { level: 1 } }),
        alarm,
        ops({ step: '02' }, { call: 'Put', args: ['$level'] }, { yield: 'call' }),
        put,
        ops({ step: '03' }, { say: 'level {$level}' }, { return: null }),
      ],
    });
    expect(said).toEqual(['alarm', 'put 1', 'level 1']);
  });
});

test('what a run is given fires as well, and what a person gives for it', async () => {
  const text = `# Meter

## Main($level:int)
### Triggers
- At the beginning
### Steps
- Say("level {$level}")

## Alarm
### Triggers
- When $level > 10
### Steps
- Say("alarm")
`;
  const replies = [alarm, ops({ step: '01' }, { say: 'level {$level}' }, { return: null })];
  const given = await played(text, { given: { level: 20 }, replies });
  expect(given.said).toEqual(['alarm', 'level 20']);
  const asked = await played(text, { answers: ['11'], replies });
  expect(asked.said.slice(-2)).toEqual(['alarm', 'level 11']);
});

test('what is left out has its default value', async () => {
  const text = program('When $other > 10', 'Put()', 'Put($level=5)');
  const { said } = await played(text, { replies: [called([]), put, end] });
  expect(said).toEqual(['put 5', 'level 5']);
  const marked =
    '```tools\n@playbook(triggers = ["When $w > 3"])\ndef Note(n = 3):\n    Say(n)\n```';
  const code =
    `# Desk\n${marked}\n## Main\n### Triggers\n- At the beginning\n### Steps\n` +
    '- $n = 7\n- Note()\n';
  const noted = await played(code, {
    replies: [ops({ set: { n: 7 } }, { step: '02' }, { call: 'Note' }, { return: null })],
  });
  expect(noted.said).toEqual(['3']);
});

test('a trigger calls nobody: what it sets off has what the agent has', async () => {
  const text = program('When $level > 10', 'Put(20)').replace('## Alarm', '## Alarm($level=5)');
  const { said } = await played(text, {
    replies: [called([20]), ops({ step: '01' }, { say: 'alarm' }, { return: null }), put, end],
  });
  expect(said).toEqual(['alarm', 'put 20', 'level 20']);
});

/** Triggers that code, a model, and the machine look into, for 123, 1234, test@ and an address. */
import { describe, expect, test } from 'vitest';
import { ops, played } from '../planner/playbook/played.ts';
import type { Turn } from './forms.ts';
import { tell } from './story.ts';

const set = (name: string, value: unknown): Turn => ({
  ...{ of: 'Main', isCutByTrigger: true },
  ops: [{ set: { [name]: value } }, { say: 'never said' }, { yield: 'user' }],
});

const ask = (step: string, say: string): Turn => ({
  of: 'Main',
  ops: [{ step }, { say }, { yield: 'user' }],
});

const isPin: Turn = {
  of: 'CheckPin',
  ops: [
    ...[{ step: '01' }, { call: 'IsPin', args: { text: '$pin' }, into: '$ok' }],
    ...[{ step: '02' }, { yield: 'call' }],
  ],
};

describe('inputs are checked when they are there, and the loop over them goes on', () => {
  tell({
    program: 'triggers',
    answers: ['123', '1234', 'test@', 'test@playbooks.com'],
    judged: 4,
    matches: ({ changed }) =>
      Object.keys(changed as object).map((name) =>
        name === '$pin' ? 'Door.CheckPin:T1' : 'Door.CheckEmail:T1',
      ),
    turns: [
      ask('01', 'PIN?'),
      set('$pin', '123'),
      isPin,
      { of: 'CheckPin', ops: [{ step: '03' }, { return: null }] },
      ask('03.01', 'PIN again?'),
      set('$pin', '1234'),
      isPin,
      {
        of: 'CheckPin',
        ops: [
          ...[{ step: '03' }, { step: '03.01' }, { set: { $x: 1 } }],
          ...[{ step: '03.02' }, { say: 'PIN {$pin}' }, { return: null }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ step: '04' }, { set: { $x: 10 } }, { step: '05' }],
          ...[{ say: 'Mail?' }, { yield: 'user' }],
        ],
      },
      set('$email', 'test@'),
      { of: 'CheckEmail', ops: [{ step: '02' }, { step: '02.01' }, { say: 'no address' }] },
      ask('07.01', 'Mail again?'),
      set('$email', 'test@playbooks.com'),
      {
        of: 'CheckEmail',
        ops: [{ step: '01' }, { step: '01.01' }, { say: 'mail {$email}' }, { return: null }],
      },
      {
        ...{ of: 'Main', isCutByTrigger: true },
        ops: [{ step: '08' }, { set: { $x: 1000 } }, { step: '09' }, { say: 'never said' }],
      },
      {
        of: 'TooBig',
        ops: [
          ...[{ step: '01' }, { call: 'Left', args: { x: '$x' }, into: '$x' }],
          ...[{ step: '02' }, { say: 'Too big' }, { return: null }],
        ],
      },
      { of: 'Main', ops: [{ step: '09' }, { say: '{$x}' }, { step: '10' }, { return: '$x' }] },
    ],
    said: [
      ...['PIN?', 'PIN again?', 'PIN 1234', 'Mail?', 'no address', 'Mail again?'],
      ...['mail test@playbooks.com', 'Too big', '8999'],
    ],
    answer: 8999,
    skip: { turn: 16, ops: [{ step: '10' }, { return: '$x' }] },
  });
});

test('a function that a message sets off is given what the message says', async () => {
  const text = `# Gate
\`\`\`tools
@playbook(triggers = ["When somebody gives a PIN"])
def CheckPin(pin, tries = 1):
    state["ok"] = len(pin) == 4
    Say("PIN %s, try %d" % (pin, tries))
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- Ask user for the PIN
- Say("{$ok}")
`;
  const asked: unknown[] = [];
  const { said } = await played(text, {
    replies: [
      ops({ step: '01' }, { say: 'PIN?' }, { step: '02' }, { yield: 'user' }),
      ops({ step: '03' }, { say: '{$ok}' }, { return: null }),
    ],
    answers: ['1234, please'],
    matches(request) {
      asked.push(request.conditions);
      return [{ id: 'Gate.CheckPin:T1', values: { pin: '1234' } }];
    },
  });
  expect(said).toEqual(['PIN?', 'PIN 1234, try 1', 'true']);
  expect(asked).toEqual([
    [
      {
        ...{ id: 'Gate.CheckPin:T1', text: 'When somebody gives a PIN' },
        wants: { pin: '', tries: '' },
      },
    ],
  ]);
});

test('a line that a trigger has cut off behind what it sets is not computed once more', async () => {
  const text = `# Scale
## Main
### Triggers
- At the beginning
### Steps
- $x = 10
- $x = $x + 990
- Say("{$x}")
## TooBig
### Triggers
- When $x > 15
### Steps
- $x = 9999 - $x
`;
  const { said, prompts } = await played(text, {
    replies: [
      ops(
        { step: '01' },
        { set: { $x: 10 } },
        { step: '02' },
        { set: { $x: 1000 } },
        { say: 'no' },
      ),
      ops({ step: '01' }, { set: { $x: 8999 } }, { return: null }),
      ops({ step: '03' }, { say: '{$x}' }, { return: null }),
    ],
  });
  expect(prompts.at(-1)).toContain('Go on at line 03.');
  expect(said).toEqual(['8999']);
});

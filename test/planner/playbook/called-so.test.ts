/** Playbooks whose names are words of replies as there once were: a call of one is that call. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const program = (name: string): string => `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $r = ${name}(1)
- Say("got {$r}")
- Return $r

## ${name}(n)
### Steps
- Return n
`;

const at = (step: string) => ({ step });
const own = ops(at('01'), { return: '$n' });
const rest = ops(at('03'), { say: 'got {$r}' }, at('04'), { return: '$r' });

test.each(['Step', 'Trigger', 'LogTrigger', 'Exit', 'Think', 'Plan'])(
  'a playbook called %s is called',
  async (name) => {
    const call = { call: name, args: { n: 1 }, into: '$r' };
    const first = ops(at('01'), call, at('02'), { yield: 'call' });
    const { result, said } = await played(program(name), { replies: [first, own, rest] });
    expect([result.error, result.answer, said]).toEqual([undefined, 1, ['got 1']]);
  },
);

const python = (...lines: readonly string[]) => ['```python', ...lines, '```'].join('\n');

test('lines of old are lines also where a playbook is called Step', async () => {
  const first = python(
    'await self.Step("Main:01:QUE")',
    'self.state.r = await self.Step(1)',
    'await self.Step("Main:02:YLD")',
    'await self.Yield("call")',
  );
  const { result, said } = await played(program('Step'), { replies: [first, own, rest] });
  expect([result.error, result.answer, said]).toEqual([undefined, 1, ['got 1']]);
});

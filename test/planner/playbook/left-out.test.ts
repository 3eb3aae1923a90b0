/** Arguments that a line has and a reply leaves out: what they have by themselves is not the same. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const program = (call: string): string => `# Desk

\`\`\`tools
def Add(n, more = 6):
    return n + more
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $b = 2
- $r = ${call}
- Return $r

## Put($a, more = 6)
### Steps
- Return $a
`;

const find = quickTool('find', (args) => JSON.stringify(args), {
  ...{ effect: 'read' as const },
  parameters: { type: 'object', properties: { n: {}, most: {} }, required: ['n'] },
});

/** What comes of a call without the second argument, and then, where it is told, with it. */
async function calledShort(call: string, callee: string) {
  const of = (...args: readonly unknown[]): string =>
    ops({ step: '02' }, { call: callee, args, into: '$r' }, { step: '03' }, { return: '$r' });
  const { result } = await played(program(call), {
    tools: [find],
    replies({ prompt }) {
      if (prompt.includes('user: ## Put(')) return ops({ step: '01' }, { return: '$a' });
      if (prompt.includes('could not be taken further')) return of(1, '$b');
      return `${ops({ step: '01' }, { set: { b: 2 } })}\n${of(1)}`;
    },
  });
  return { error: result.error, answer: result.answer, told: result.warnings[0]?.message };
}

test.each([
  ['a playbook', 'Put(1, $b)', 'Put', '$b'],
  ['a playbook, by name', 'Put(1, more=5)', 'Put', '5'],
  ['a function', 'Add(1, 5)', 'Add', '5'],
  ['a function, in a variable', 'Add(1, $b)', 'Add', '$b'],
  ['a tool', 'find(1, $b)', 'find', '$b'],
])('%s is not called without what its line gives it', async (_, call, callee, want) => {
  const { told } = await calledShort(call, callee);
  const name = callee === 'find' ? 'most' : 'more';
  expect(told).toContain(`PV7306 line 02 calls ${callee} with ${name} = ${want}, got nothing`);
});

test.each([
  ['a playbook', 'Put(1, 6)', 'Put', 1],
  ['a function', 'Add(1, more=6)', 'Add', 7],
  ['a function whose line has no more', 'Add(1)', 'Add', 7],
  ['a tool, with nothing', 'find(1, None)', 'find', '{"n":1}'],
])('what it has by itself may be left out: %s', async (_, call, callee, answer) => {
  const came = await calledShort(call, callee);
  expect(came).toEqual({ error: undefined, answer, told: undefined });
});

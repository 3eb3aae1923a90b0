/** What cannot stand moves nothing: whoever mends it goes on at the line that comes next. */
import { expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const program = `# Trips\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say("Hi.")\n- If it rains
  - Say("Rain.")\n- order("Ann")\n- Return 1\n`;

const order = quickTool('order', () => 'ok', {
  effect: 'write',
  parameters: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
});

test('a call without a line', async () => {
  const call = { call: 'order', args: { who: 'Bob' } };
  const { prompts } = await played(program, {
    replies: [ops({ step: '01' }, { say: 'Hi.' }, call), ops({ step: '04' }, { return: 1 })],
    tools: [order],
  });
  expect(prompts[1]).toContain('calls order with who = "Ann", got "Bob"');
  expect(prompts[1]).toContain('Go on at line 02');
});

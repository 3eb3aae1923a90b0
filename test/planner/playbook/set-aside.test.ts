/** What is set aside of a budget for a turn counts what it sends, not its arguments alone. */
import { expect, test } from 'vitest';
import { example, instructions } from '../../../src/planner/playbook/prompt/instructions.ts';
import { turnHandler } from '../../../src/planner/playbook/turn.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { fileOf, rent } from './sample.ts';

test('a turn is taken to send its instructions, and its playbook where it begins', () => {
  const scripted = scriptedModel(() => '').model;
  const { model } = turnHandler({ file: fileOf(rent), tools: new Map(), model: () => scripted });
  const frame = { playbook: rent.id, line: rent.first, call: 'Rent()' };
  const sends = (session: readonly object[]): number => model?.({ frame, session }).sends ?? 0;
  const going = sends([{ is: 'turn', text: '', shown: {} }]);
  expect(going).toBeGreaterThan(instructions.length + example.length);
  expect(sends([])).toBeGreaterThan(going + rent.lines.size * 10);
  expect(model?.({ frame: { playbook: 'Nobody' } })).not.toHaveProperty('sends');
});

/** Lines that say the type of a variable alone: nothing is to be done there. */
import { expect, test } from 'vitest';
import { program } from '../../dialects/playbook/written.ts';
import { played } from './played.ts';

const steps = program('- $n:int\n- $n = the number of days in a week\n- Return $n');

test('they are passed without a word, and hold who sets the variable', async () => {
  const { result, prompts } = await played(steps, {
    replies: ['`Var[$n, "many"]`', '`Step["Main:02:EXE"]`\n`Var[$n, 7]`\n`Return[$n]`'],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe(7);
  expect(JSON.stringify(result.warnings)).toContain('many');
  expect(result.warnings).toHaveLength(1);
  expect(prompts).toHaveLength(2);
});

/** Behind a wait at a line that leaves open what to do, its model goes on there, or behind it. */
import { describe, expect, test } from 'vitest';
import { ops, played } from './played.ts';

const desk = (line: string): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Say("Put it in.")\n- ${line}\n` +
  '- Say("Done.")\n- Return 1\n';

const begun = [{ step: '01' }, { say: 'Put it in.' }];
const asked = [...begun, { step: '02' }, { say: 'Is it hot?' }, { yield: 'user' }];
const end = [{ say: 'Done.' }, { step: '04' }, { return: 1 }];

describe.each(['Wait for the oven to be hot', 'Talk with them until they are happy'])(
  '%s',
  (line) => {
    test.each<readonly [string, readonly object[]]>([
      ['the line', [{ step: '02' }, { step: '03' }, ...end]],
      ['only the next one', [{ step: '03' }, ...end]],
      ['none', end],
    ])('who names %s then is not warned', async (_, second) => {
      const { result } = await played(desk(line), {
        ...{ answers: ['It is.'], strictness: 'enforce' },
        replies: [ops(...asked), ops(...second)],
      });
      expect(result).toMatchObject({ status: 'done', answer: 1, warnings: [] });
    });

    test('who has not come there is', async () => {
      const { result } = await played(desk(line), {
        replies: [ops(...begun, { step: '03' }, ...end)],
      });
      const warnings = result.warnings.map(({ message }) => message);
      expect(warnings).toEqual([expect.stringContaining('line 02 was passed without a report')]);
    });
  },
);

test('a line that sets a variable still has to set it', async () => {
  const { prompts, result } = await played(desk('$n = the heat that they want'), {
    answers: ['200'],
    replies: [
      ops(...asked),
      ops({ step: '03' }, ...end),
      ops({ step: '02' }, { set: { $n: 200 } }, { step: '03' }, ...end),
    ],
  });
  expect(prompts.at(-1)).toContain('line 02 was not done');
  expect(result.status).toBe('done');
});

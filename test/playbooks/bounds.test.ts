/** How many agents there may be, and how deep triggers may set each other off. */
import { expect, test } from 'vitest';
import { played } from '../planner/playbook/played.ts';

const begins = '@playbook(triggers = ["At the beginning"])';

test('agents are made as far as there may be any, and a call that would make more fails', async () => {
  const text =
    `# Desk\n\n\`\`\`tools\n${begins}\ndef Main():\n    made = []\n` +
    '    for n in range(5):\n        found = attempt(lambda: CreateAgent("Player", "P%d" % n))\n' +
    '        made.append(found.value if found.ok else found.error.message)\n' +
    '    return made\n```\n\n# Player\nPlays.\n';
  const { result } = await played(text, { replies: [], agents: 4 });
  const why = expect.stringContaining('there are 4 agents, and may be no more (--agents)');
  expect(result.answer).toEqual(['P0', 'P1', why, why, why]);
});

test('triggers set each other off as deep as they may', async () => {
  const step = (n: number): string =>
    `@playbook(triggers = ["When $a${n} is set"])\ndef Step${n}():\n` +
    `    Say("${n}")\n    state["a${n + 1}"] = 1\n`;
  const text =
    `# Desk\n\n\`\`\`tools\n${begins}\ndef Main():\n    state["a0"] = 1\n\n` +
    `${[0, 1, 2, 3].map(step).join('\n')}\n\`\`\`\n`;
  const whole = await played(text, { replies: [], nested: 4 });
  expect(whole.result.error).toBeUndefined();
  expect(whole.said).toEqual(['0', '1', '2', '3']);
  const cut = await played(text, { replies: [], nested: 3 });
  expect(cut.said).toEqual(['0', '1', '2']);
  expect(cut.result.error).toMatchObject({
    code: 'PV7326',
    hint: expect.stringContaining('--trigger-depth'),
  });
});

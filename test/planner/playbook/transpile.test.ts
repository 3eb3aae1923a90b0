/** The loop in which a model proposes steps for the lines of playbooks. */
import { expect, test } from 'vitest';
import { hasOpenLines, transpileHandlers } from '../../../src/planner/playbook/transpile.ts';
import { runLoop } from '../run-loop.ts';
import { scripted } from '../scripted.ts';

const text = `# Desk
You rent bikes.

\`\`\`tools
def free(day):
    "The bikes that are free on a day."
    return ["tandem"]
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask the visitor for the $day
- Look up the $bikes that are free on $day
- If there are none
  - Say("We are sorry.")
- Return $bikes

## Bye
Says goodbye.
### Steps
- Say("Bye")

# Kim:Human
`;

const task = {
  text,
  tools: [
    {
      name: 'weather',
      description: 'The weather of a day',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
    },
  ],
};

async function transpile(...replies: string[]) {
  const { model, requests } = scripted(...replies);
  const result = await runLoop(
    'transpile',
    transpileHandlers(() => model),
    { task, rounds: 2 },
  );
  return { result, answer: Object(result.answer), requests };
}

const good = `## Desk.Main
01 QUE Ask user for $day
02 QUE $bikes = free($day)
03 CND If not $bikes
03.01 QUE Say("We are sorry.")
04 RET $bikes`;

test('what a model is asked that is to propose steps', async () => {
  const { requests } = await transpile(good);
  const [system, user] = requests[0]?.messages ?? [];
  const shown = `${system?.content}\n\n---\n\n${user?.content}\n`;
  await expect(shown).toMatchFileSnapshot('../../golden/planner/steps-prompt.txt');
  expect(requests).toHaveLength(1);
});

test('steps that hold are printed with the places of their lines', async () => {
  const { answer } = await transpile(`\`\`\`\n${good}\n\`\`\``);
  expect(answer.problems).toEqual([]);
  expect(answer.compiled).toContain(`
- 01:QUE? Ask user for $day; YLD for user
- 02:QUE $bikes = free($day); YLD for call
- 03:CND If not $bikes
  - 03.01:QUE Say("We are sorry.")
- 04:RET Return $bikes
`);
  expect(answer.compiled).toContain('\nDesk.Main:02 15:3\n');
});

test('what does not hold is said once, and then stays as it is written', async () => {
  const wrong = good.replace('free($day)', 'lookUp($day)').replace('## Desk', 'Here:\n## Desk');
  const { answer, requests } = await transpile(wrong, wrong);
  const problem =
    'Desk.Main:02: there is no playbook, function or tool lookUp: want the name of a playbook, ' +
    'of a function or of a tool';
  expect(requests[1]?.messages.at(-1)?.content).toBe(
    `These steps do not hold:\n- got Here:, want a step, such as 01 EXE Greet them\n- ${problem}\n\n` +
      'Give all steps again, with these put right, in the form asked for.',
  );
  expect(answer.problems).toContain(problem);
  expect(answer.compiled).toContain('- 02:EXE? Look up the $bikes that are free on $day\n');
  expect(answer.compiled).toContain('- 03:CND If not $bikes\n');
});

test('steps without a heading, and playbooks without steps, are said', async () => {
  const { answer } = await transpile('01 EXE Ask', '## Desk.Bye\n');
  expect(answer.problems).toEqual(
    ['01', '02', '03'].map((line) => `Desk.Main:${line}: it has no step`),
  );
});

test('playbooks whose lines are all formal need no model', () => {
  expect(hasOpenLines(task)).toBe(true);
  expect(hasOpenLines({ ...task, text: '# Desk\n## Main\n### Steps\n- Return 1\n' })).toBe(false);
});

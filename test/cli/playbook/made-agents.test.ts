/** Agents that are made while a program runs: whose line it is, wherever lines are shown. */

import { expect, test } from 'vitest';
import { replying } from '../../playbooks/story.ts';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';

const text = `# Host

## Main
### Triggers
- At the beginning
### Steps
- Create a Player named Ann as $ann, and one named Bob as $bob
- $a = $ann.Guess(1)
- $b = $bob.Guess(2)
- Return $b

# Player
You guess.

## Guess(n)
public: true
### Steps
- Say what you guess
- Return n
`;

const make = (name: string) => ({ call: 'CreateAgent', args: { like: 'Player', name } });

test('each of several that are alike is named beside the line that they share', async () => {
  const systems: string[] = [];
  await using models = await startModelServer((request) => {
    systems.push(request.messages[0]?.content ?? '');
    return replying({
      'Main:01': [
        { ...make('Ann'), into: '$ann' },
        { ...make('Bob'), into: '$bob' },
      ],
      'Main:02': [{ call: '$ann.Guess', args: { n: 1 }, into: '$a' }],
      'Main:03': [{ call: '$bob.Guess', args: { n: 2 }, into: '$b' }],
      'Guess:01': [{ say: 'My guess is {n}.' }],
    })(request);
  });
  using folder = new Folder({ 'x.playbook.md': text });
  const env = { ...models.env.openai };
  const run = ['run', 'x.playbook.md', '--model', 'openai/test', '--inline', '0'];
  const ran = await folder.planvm([...run, '--verbose'], { env });
  expect(ran.stderr).toContain('✔ Player.Guess:01 (Ann) turn');
  expect(ran.stderr).toContain('✔ Player.Guess:01@2 (Bob) turn');
  expect(ran.stdout).toBe('My guess is 1.\nMy guess is 2.\n2\n');
  // Nobody could know otherwise who of them it is.
  const who = systems.map((system) => /^You are .*\.$/m.exec(system)?.[0]);
  expect(new Set(who)).toEqual(
    new Set(['You are Host.', 'You are Ann, a Player.', 'You are Bob, a Player.']),
  );

  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout).toContain('Host.Main:02 > Player.Guess:01 (Ann) EXE');
  expect(stdout).toContain('Host.Main:03 > Player.Guess:01@2 (Bob) EXE');
  const { steps } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
  const named = steps.map(({ id, by }: { id: string; by?: string }) => [id, by]);
  expect(named).toContainEqual(['Player.Guess:02@2', 'Bob']);
  expect(named).toContainEqual(['Host.Main:04', undefined]);
  expect((await folder.planvm(['show', 'last', '--trace'])).stdout).toContain(
    'Player.Guess:01@2 (Bob)',
  );
  const at = await folder.planvm(['show', 'last', '--at', 'Player.Guess:01@2']);
  expect(at.stdout).toMatch(/Host\.Main .*\n +▶ Player\.Guess \(Bob\) line/);
  const debugged = await folder.planvm(['debug', 'last'], { input: 'go Player.Guess:01@2\nq\n' });
  expect(debugged.stdout).toContain('step Player.Guess:01@2 (Bob)');

  const events = (await folder.planvm([...run, '--events'], { env })).stdout.trim().split('\n');
  const entered = events.map((line) => JSON.parse(line));
  expect(entered.filter(({ by }) => by === 'Ann')).toMatchObject([
    { type: 'step.entered', step: 'Player.Guess:01' },
    { type: 'step.entered', step: 'Player.Guess:02' },
  ]);
  // Steps of the loop that plays them are nobody's business.
  const all = entered.flatMap(({ type, step }) => (type === 'step.entered' ? [step] : []));
  expect(all.filter((step: string) => !/^[A-Z][\w.]*:\d/.test(step))).toEqual([]);
});

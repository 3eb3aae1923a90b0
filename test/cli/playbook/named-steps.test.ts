/** Lines of playbooks as a person would name them: the same for a look, a fork and the debugger. */

import { expect, test } from 'vitest';
import { load } from '../../../src/agent/record/load.ts';
import { loadProgram } from '../../../src/engine/load.ts';
import { readPast } from '../../../src/engine/past/read-past.ts';
import { stateAt } from '../../../src/engine/past/time.ts';
import { locate } from '../../../src/engine/views/locate.ts';
import { played } from '../../planner/playbook/played.ts';

const main = `# Front desk

## Main
### Triggers
- At the beginning
### Steps
- $n = 1
- While $n < 3
  - $n = $n + 1
- Look it up
- Return $n

## Look it up
### Steps
- $found = True
- Return
`;

/** Where a look, and where a fork at a place begin; or what is said of it. */
async function placesOf(text: string) {
  const { journal, result } = await played(text, { replies: [] });
  expect(result.error).toBeUndefined();
  const events = journal.events(result.run);
  const loaded = loadProgram(result.run, readPast(events), load);
  return (at: string): readonly string[] => {
    const looks = [
      () => {
        const { moment } = stateAt({ journal, run: result.run, load, at });
        return moment.kind === 'step' ? moment.step.id : moment.kind;
      },
      () => locate(loaded, events, at).point.step,
    ];
    const found = looks.map((look) => {
      try {
        return look();
      } catch (error) {
        return String(Object(error).hint);
      }
    });
    return [...new Set(found)];
  };
}

test('case, leading zeros, blanks, the agent and the line of the file name a step', async () => {
  const at = await placesOf(main);
  for (const name of [
    ...['Main:03', 'main:3', 'MAIN:03', 'main 3', 'FrontDesk.Main:03', 'front desk.main:3'],
    ...['x.playbook.md:10', '10', ':10', 'main:3@1', 'Main:03@01'],
  ]) {
    expect([name, ...at(name)]).toEqual([name, 'Main:03']);
  }
  for (const name of ['Main:02.01@2', 'main:2.1@2', 'frontdesk.main:2.01@2']) {
    expect([name, ...at(name)]).toEqual([name, 'Main:02.01@2']);
  }
  for (const name of ['LookItUp:01', 'look it up:1', 'Look it up', 'main:3 > lookitup:1']) {
    expect([name, ...at(name)]).toEqual([name, 'LookItUp:01']);
  }
});

test('what is near is asked about, and what is of somebody else is not taken', async () => {
  const at = await placesOf(main);
  expect(at('Mian:03')).toEqual(['did you mean Main:03?']);
  expect(at('Clerk.Main:03')).toEqual(['did you mean Main:03?']);
  expect(at('main:3@2')[0]).toContain('its steps: Main:01');
  for (const [name, near] of [
    ...[
      ['Main:99', 'Main:04'],
      ['main 5', 'Main:04'],
      ['Main:02.09', 'Main:02.01'],
      ['Main:0', 'Main:01'],
      ['front desk.main:12', 'Main:04'],
      ['look it up:07', 'LookItUp:02'],
    ],
  ] as const) {
    expect([name, ...at(name)]).toEqual([name, `did you mean ${near}?`]);
  }
});

test('of several agents a playbook alone is enough where one has it', async () => {
  const clerk =
    '\n# Clerk\n\n## Main\n### Steps\n- Return 1\n\n' +
    '## File\npublic: true\n### Steps\n- Return 2\n';
  const desk = main.replace('- Look it up\n', '- $x = Clerk.File()\n');
  const at = await placesOf(`${desk}${clerk}`);
  expect(at('file:1')).toEqual(['Clerk.File:01']);
  expect(at('clerk.file')).toEqual(['Clerk.File:01']);
  expect(at('frontdesk.main:1')).toEqual(['FrontDesk.Main:01']);
  expect(at('main:1')).toEqual(['did you mean FrontDesk.Main:01 or Clerk.Main:01?']);
});

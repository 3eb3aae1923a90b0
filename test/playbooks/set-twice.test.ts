/**
 * A variable that a trigger is about, set by two calls of one reply: each value is looked at before
 * anything else is done, whatever gives it, and the same wherever the process ends.
 */
import { describe, expect, test } from 'vitest';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../engine/support.ts';
import { atEachDeath, stageOf } from '../planner/playbook/played.ts';
import { seenIn } from '../planner/playbook/seen.ts';
import { followedIn } from './following.ts';
import { forms, jsonLines } from './forms.ts';

const ways = {
  'a tool': 'look',
  'a function': 'Same',
  'a playbook': 'Gives',
  'a playbook that nobody notices': 'Computes',
};

const programOf = (first: string, second: string, trigger: string): string => `# Desk

\`\`\`tools
def Same(n):
    return n
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $v = ${first}(90)
- $v = ${second}(10)
- Return $v

## Gives(n)
### Steps
- Say("gives {n}")
- Return n

## Computes(n)
### Steps
- Return n

## Hot
### Triggers
- When $v ${trigger}
### Steps
- Say("hot {$v}")
`;

const pairs = Object.entries(ways).flatMap(([first, one]) =>
  Object.entries(ways).map(([second, other]) => [first, second, one, other] as const),
);

describe.each(Object.entries(forms).filter(([name]) => /a line each|log/.test(name)))(
  'in the form of %s',
  (_, form) => {
    test.each(pairs)('%s, then %s', async (_, __, first, second) => {
      for (const trigger of ['> 50', 'is large']) {
        const program = programOf(first, second, trigger);
        const parameters = { type: 'object', properties: { n: {} }, required: ['n'] };
        const stage = (journal: Journal) =>
          stageOf(program, {
            ...{ journal, replies: followedIn(form, program) },
            tools: [quickTool('look', ({ n }) => n, { parameters })],
            matches: ({ changed }) => (Object(changed).$v > 50 ? ['Desk.Hot:T1'] : []),
          });
        const whole = memoryJournal();
        const ended = await stage(whole).start();
        expect([ended.error, ended.answer]).toEqual([undefined, 10]);
        const log = seenIn(whole, ended.run);
        const given = [90, 10].map((n, at) => [first, second][at] === 'Gives' && `gives ${n}`);
        const said = [given[0], 'hot 90', given[1]].filter(Boolean);
        expect(log.says.map((one) => one.replace(/^\S+ /, ''))).toEqual(said);
        expect(log.ids).toContain('Main:01 > Hot:01');
        // Who judges it and the form of replies make no difference to that.
        if (trigger !== '> 50' || form !== jsonLines) continue;
        await atEachDeath(
          () => ({ stage }),
          ({ fatal, journal, run, result }) => {
            expect([fatal, result.error, result.answer]).toEqual([fatal, undefined, 10]);
            expect([fatal, seenIn(journal, run)]).toEqual([fatal, log]);
          },
        );
      }
    });
  },
);

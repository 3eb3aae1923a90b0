/**
 * A loop with a write, whose process ends at any moment, and that of the one who goes on with it,
 * too: whoever goes on with that comes to the same lines, visits, messages, calls and values.
 */
import { expect, test } from 'vitest';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../engine/support.ts';
import { atEachTwoDeaths, stageOf } from '../planner/playbook/played.ts';
import { seenIn } from '../planner/playbook/seen.ts';
import { followedIn, slowly } from './following.ts';
import { forms } from './forms.ts';

const program = `# Notes

## Main
### Triggers
- At the beginning
### Steps
- For each $x in ["a", "b", "c"]
  - note($x)
  - Say("{$x} goes well")
- Return "ok"
`;

const note = {
  effect: 'write',
  idempotent: true,
  parameters: { type: 'object', properties: { text: {} }, required: ['text'] },
} as const;

test.each(['JSON, a line each', 'a trace in YAML'])(
  'with replies in the form of %s',
  async (name) => {
    const form = forms[name];
    if (!form) throw new Error('no such form');
    const make = () => {
      const noted = new Map<string, unknown>();
      const write = quickTool(
        'note',
        ({ text }, { idempotencyKey }) => {
          noted.set(idempotencyKey, text);
          return text;
        },
        note,
      );
      const tools = [write];
      const model = slowly(followedIn(form, program));
      const stage = (journal: Journal) => stageOf(program, { model, replies: [], tools, journal });
      return { noted, stage };
    };
    const whole = memoryJournal();
    const { run, error } = await make().stage(whole).start();
    expect(error).toBeUndefined();
    const log = seenIn(whole, run);
    expect(log.says).toHaveLength(3);
    const times = await atEachTwoDeaths(
      make,
      ({ fatal, again, journal, run, result }, { noted }) => {
        const at = [fatal, again];
        expect([...at, result.error, result.answer]).toEqual([...at, undefined, 'ok']);
        expect([...at, seenIn(journal, run)]).toEqual([...at, log]);
        expect([...at, ...noted.values()]).toEqual([...at, 'a', 'b', 'c']);
      },
      15,
    );
    expect(times).toBeGreaterThan(10);
  },
);

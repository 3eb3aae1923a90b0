/** `planvm approve`: lets a run do what it asks for, and go on. */
import type { CommandSpec } from '../command.ts';
import { decision } from '../run/decision.ts';

export const command: CommandSpec = decision(true, {
  about:
    'Let a run do what it asks for, and go on with it. From any process, at any time: where ' +
    'another process has the run, it takes the approval within a second.',
  examples: [
    ['planvm approve last', 'what the latest run asks for, if that is one thing'],
    ['planvm approve r0abc 0#3 0#4', 'two effects, by their ids'],
    ['planvm approve r0abc --all --note "checked the list"', 'all that it asks for by now'],
  ],
});

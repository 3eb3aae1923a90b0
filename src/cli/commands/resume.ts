/** `planvm resume`: goes on with a run where its journal ends. */
import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { journalPath } from '../../agent/port/workspace.ts';
import { findRun } from '../../agent/record/find-run.ts';
import { allowedNames } from '../../dialects/playbook/manner.ts';
import type { Assume, Assumption } from '../../engine/past/past-effect.ts';
import type { Allowed } from '../../planner/playbook/ends.ts';
import { toJson } from '../../program/json.ts';
import { readStrictJson } from '../../text/json-text.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import { withJournal } from '../run/journal.ts';
import { resumeAll, type Wanted } from '../run/resume-all.ts';
import { resumeHere } from '../run/resume-run.ts';
import { type RunFlags, runOptions, toolOptions } from '../run/run-options.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { print } from '../view/output.ts';

interface Flags extends RunFlags, Allowed, Wanted {
  readonly explain?: true;
  readonly assume?: ReadonlyMap<string, Assumption>;
}

export const command: CommandSpec = {
  about:
    'Go on with a run that was stopped, killed or suspended. What the journal has is not done ' +
    'again. Model and tools are those that the run was started with, unless options say ' +
    'otherwise. Lines piped in are messages, where planvm chat has begun it.',
  takes: [['[run]', 'The beginning of a run id, or last.']],
  options: [
    [
      '--assume <[effect=]decision>',
      'What to make of effects in doubt: done, done:JSON, failed or retry; of one by its id.',
      decided,
    ],
    new Option(
      '--due',
      'All waiting runs whose moment has come, or that were left a reply: for cron or systemd.',
    ).conflicts('assume'),
    new Option('--interrupted', 'All runs whose process has died.').conflicts('assume'),
    ...toolOptions(),
    ...runOptions(),
    ...playbookOptions(['explain', 'agentModel', ...allowedNames]),
  ],
  examples: [
    ['planvm resume last', 'go on with the latest run'],
    ['planvm resume r0abc --tokens 200k', 'with a larger budget'],
    ['planvm resume last --assume retry', 'perform what is in doubt again'],
    ['planvm resume --due --interrupted', 'every minute, by a timer: whatever can go on by itself'],
    [
      'planvm resume last --assume \'0#3=done:{"id": 7}\'',
      'one effect: it happened, with this result',
    ],
  ],
  act: resume,
};

/** The decision for effects that no other names. */
const all = '';

function decided(
  given: string,
  before: ReadonlyMap<string, Assumption> = new Map(),
): ReadonlyMap<string, Assumption> {
  const [, effect = all, word, value] =
    /^(?:([^=:]+)=)?(done|failed|retry)(?::([\s\S]+))?$/.exec(given) ?? [];
  if (word === undefined) {
    const want = 'done, done:JSON, failed, failed:TEXT or retry, or EFFECT=… for one effect';
    throw new InvalidArgumentError(`got ${given}, want ${want}`);
  }
  if (before.has(effect)) throw new InvalidArgumentError(`${given}: decided already`);
  return new Map([...before, [effect, assumption(word, value)]]);
}

function assumption(word: string, value: string | undefined): Assumption {
  if (word === 'failed')
    return value === undefined ? { as: 'failed' } : { as: 'failed', message: value };
  if (word === 'retry') {
    if (value === undefined) return { as: 'retry' };
    throw new InvalidArgumentError(`retry takes no value, got ${value}`);
  }
  if (value === undefined) return { as: 'done' };
  const result = readStrictJson(value);
  if (result === undefined) throw new InvalidArgumentError(`done:${value} is no JSON`);
  return { as: 'done', value: toJson(result) };
}

/** The engine takes one decision for all effects, or one for each. */
function assumeOf(decisions: Flags['assume']): Assume | undefined {
  const general = decisions?.get(all);
  if (decisions === undefined || general === undefined) return decisions;
  if (decisions.size === 1) return general;
  throw new CliError('PV6002', '--assume decides for all effects and for single ones at once', {
    hint: 'decide for all, or for each effect that planvm show marks as unknown',
  });
}

async function resume(name: string | undefined, flags: Flags): Promise<ExitCode> {
  const { due, interrupted } = flags;
  const place = await openWorkspace({ flags });
  if (due || interrupted) {
    if (name === undefined) return await resumeWanted(place, flags);
    throw new CliError('PV6002', `got the run ${name}, and --${due ? 'due' : 'interrupted'}`, {
      hint: 'resume one run, or all that can go on by themselves',
    });
  }
  if (name === undefined) {
    const hint = 'planvm resume RUN, or planvm resume --due; planvm runs lists them';
    throw new CliError('PV6002', 'got no run, want one to go on with', { hint });
  }
  const assume = assumeOf(flags.assume);
  return await withJournal(place, (journal) =>
    resumeHere(journal, findRun(journal, name), { ...flags, hears: true }, { assume }),
  );
}

/** Where there is no journal yet, nothing is due: a timer is no failure then. */
async function resumeWanted(place: Workspace, flags: Flags): Promise<ExitCode> {
  if (existsSync(journalPath(place)))
    return await withJournal(place, (journal) => resumeAll(journal, flags, flags));
  if (flags.json) print('[]');
  return exit.done;
}

/** `planvm judge`: a model's verdict on the answer of a run, kept with the run. */
import type { Verdict } from '../../engine/journal/verdict.ts';
import { stringify } from '../../program/json.ts';
import { type CommandSpec, json, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { modelOptions, type RunFlags } from '../run/run-options.ts';
import { workOnRun } from '../run/work-here.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { verdictLines } from '../view/notice-lines.ts';
import { print, say, styleOf } from '../view/output.ts';

interface Flags extends RunFlags {
  readonly goal?: string;
}

export const command: CommandSpec = {
  about:
    'Let a model say whether the answer of a run will do, by the goal and by the calls that it ' +
    'was made from. The verdict is kept with the run, which planvm show shows. Exits with 0 ' +
    'where the answer is accepted, with 1 where it is rejected.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [
    ['--goal <text>', 'What was asked for, where the run does not know.'],
    json('Print { run, accept, reason, suggestion, by } as one JSON document.'),
    quiet('Only the verdict, and what went wrong.'),
    ...modelOptions(),
    ...limitOptions(['tokens', 'cost', 'attempts', 'timeoutMs']),
  ],
  examples: [
    ['planvm judge last', 'with the model of the run'],
    ['planvm judge r0abc --model openai/gpt-5 --json', 'with another one, for another program'],
    ['planvm judge last --goal "Which river is longer?"', 'where no goal is known'],
  ],
  act: judge,
};

async function judge(name: string, flags: Flags): Promise<ExitCode> {
  return await workOnRun(name, flags, async ({ agent, base }) => {
    const { goal } = flags;
    const { result } = await agent.judge(base.id, goal === undefined ? {} : { goal }).worked;
    const verdict = result.answer as Verdict;
    if (flags.json) print(stringify({ run: base.id, ...verdict }, 2));
    else verdictLines(verdict, styleOf(process.stderr)).forEach(say);
    return verdict.accept ? exit.done : exit.failed;
  });
}

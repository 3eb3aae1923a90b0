/** `planvm cancel`: stops a run, also one that another process has. */
import { cancelRun } from '../../engine/cancel.ts';
import { stringify } from '../../program/json.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withRun } from '../run/journal.ts';
import { print, say } from '../view/output.ts';

export const command: CommandSpec = {
  about: 'Cancel a run. A process that has it is asked to stop, and does so in a moment.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [json('Print { run, cancelled }.')],
  examples: [
    ['planvm cancel last', 'cancel the latest run'],
    ['planvm cancel r0abc --json', 'by the beginning of its id, for another program'],
  ],
  act: cancel,
};

async function cancel(name: string, { json }: { json?: true }): Promise<ExitCode> {
  return await withRun(name, ({ id }, journal) => {
    const how = cancelRun(journal, id);
    if (json) print(stringify({ run: id, cancelled: how === 'cancelled' }, 2));
    else say(how === 'cancelled' ? `run ${id} is cancelled` : `run ${id} was asked to stop`);
    return exit.done;
  });
}

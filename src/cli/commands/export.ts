/** `planvm export`: a run as one file, for another journal or for a browser. */
import { load } from '../../agent/record/load.ts';
import { exportRuns } from '../../engine/journal/export.ts';
import { lookAt } from '../../engine/views/show.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withRun } from '../run/journal.ts';
import { pageOf, writePage } from '../run/run-page.ts';
import { print, printText, say } from '../view/output.ts';

interface Flags {
  readonly output?: string | undefined;
  readonly tree?: true;
}

export const command: CommandSpec = {
  about:
    'Write a run with its whole history into one file, which planvm import takes in anywhere. ' +
    'A file that ends in .html also opens in a browser. It holds all that the run has seen.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [
    ['-o, --output <file>', 'The file; - for stdout. Default: RUN.json.'],
    ['--tree', 'With all forks of the run.'],
  ],
  examples: [
    ['planvm export last', 'the latest run, as RUN.json'],
    ['planvm export last -o run.html', 'a page that can be looked at, and imported again'],
    ['planvm export r0abc --tree -o - | gzip > runs.json.gz', 'a run with its forks, packed'],
  ],
  act: exportRun,
};

async function exportRun(name: string, { output, tree }: Flags): Promise<ExitCode> {
  return await withRun(name, async (summary, journal) => {
    const file = output ?? `${summary.id}.json`;
    let text = exportRuns({ journal, run: summary.id, tree: tree === true, now: Date.now() });
    if (file.endsWith('.html')) {
      const look = lookAt({ journal, run: summary.id, load });
      text = await pageOf(journal, summary, look, text);
    }
    if (file === '-') {
      printText(text);
      return exit.done;
    }
    writePage(file, text);
    print(file);
    say(`take it in elsewhere: planvm import ${file}`);
    return exit.done;
  });
}

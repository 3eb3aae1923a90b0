/** `planvm ingest`: loads files into the knowledge base. */
import { openBase } from '../../agent/tools/knowledge-base.ts';
import { type FileReport, type IngestReport, ingest } from '../../effects/retrieve/ingest.ts';
import { stringify } from '../../program/json.ts';
import { count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { print, say, styleOf } from '../view/output.ts';

interface Flags {
  readonly prune?: true;
  readonly json?: true;
  readonly quiet?: true;
}

export const command: CommandSpec = {
  about:
    'Load Markdown, text, CSV, JSON and Turtle into the knowledge base. Files that have not ' +
    'changed are left alone; what is skipped is reported.',
  takes: [['<paths...>', 'Files and folders.']],
  options: [
    ['--prune', 'Also remove what was loaded from these paths and is gone.'],
    json('Print a JSON report.'),
    quiet('Only what was skipped.'),
  ],
  examples: [
    ['planvm ingest docs/', 'every file of a folder'],
    ['planvm ingest facts.csv world.ttl --json', 'two files; the report as JSON'],
    ['planvm ingest docs/ --prune', 'and forget files that are gone'],
  ],
  act: load,
};

async function load(paths: readonly string[], flags: Flags): Promise<ExitCode> {
  const workspace = await openWorkspace();
  const knowledge = openBase(workspace);
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error('interrupted'));
  process.once('SIGINT', interrupt);
  try {
    const report = await ingest(knowledge, paths, {
      signal: stop.signal,
      prune: flags.prune === true,
      onProgress: ({ file }) => {
        const isQuiet = flags.quiet || file.status === 'unchanged';
        if (file.status === 'skipped' || !isQuiet) say(lineOf(file));
      },
    });
    if (flags.json) print(stringify(report, 2));
    else if (!flags.quiet) say(`${summary(report)} → ${knowledge.path}`);
    return exit.done;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say('interrupted; the files that were done stay, the same command goes on');
    return exit.interrupted;
  } finally {
    process.off('SIGINT', interrupt);
    knowledge.close();
  }
}

function summary(report: IngestReport): string {
  const { files, loaded, updated, unchanged, skipped, removed } = report;
  const parts = Object.entries({ loaded, updated, unchanged, skipped, removed })
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${n} ${name}`);
  return [count(files.length, 'file'), ...parts].join(', ');
}

function lineOf({ name, status, chunks, facts, refusal, kept }: FileReport): string {
  const style = styleOf(process.stderr);
  if (status !== 'skipped') {
    const holds = [chunks > 0 ? count(chunks, 'piece') : '', facts > 0 ? count(facts, 'fact') : ''];
    const what = holds.filter((part) => part !== '').join(', ');
    return `${status} ${oneLine(name)}${what === '' ? '' : ` (${what})`}`;
  }
  const where = refusal?.line === undefined ? '' : `:${refusal.line}`;
  const still = kept ? '; what was loaded before stays' : '';
  const why = `${refusal?.code ?? ''} ${refusal?.reason ?? ''}`.trim();
  return `${style.warning('skipped')} ${oneLine(name)}${where}: ${oneLine(why)}${still}`;
}

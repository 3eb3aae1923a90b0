/** `planvm replay`: runs a run again purely from its journal, and says what differs. */

import { load } from '../../agent/record/load.ts';
import type { Journal, RunSummary } from '../../engine/journal/journal.ts';
import { type Difference, type Verification, verifyRun } from '../../engine/past/verify.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withRun } from '../run/journal.ts';
import { present, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';
import { apartLines } from '../view/state-text.ts';

interface Flags {
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Run a run again purely from its journal: nothing is performed, no model is called. Every ' +
    'request, message, answer and the end must be as they were; the exit code is 6 where one ' +
    'is not.',
  takes: [['<run>', 'The beginning of a run id, or last.']],
  options: [json('Print { runs: [{ run, ok, differences }] }.')],
  examples: [
    ['planvm replay last', 'the latest run'],
    ['planvm replay r0abc --json', 'for another program'],
  ],
  act: replay,
};

async function replay(name: string, flags: Flags): Promise<ExitCode> {
  const verify = (summary: RunSummary, journal: Journal): ExitCode => {
    const replayed = verifyRun({ journal, run: summary.id, load });
    present(flags.json, { runs: [replayed] }, () => linesOf(replayed, summary));
    const { ok, run, sameProgram } = replayed;
    if (ok || flags.json) return ok ? exit.done : exit.undecided;
    if (!sameProgram) say('  the program compiles to other code than the run had');
    say(styleOf(process.stderr).dim(`  ${ourName} show ${run} --verbose`));
    return exit.undecided;
  };
  return await withRun(name, verify, { execute: false });
}

const titleColumns = 40;

function linesOf(replayed: Verification, { id, title }: RunSummary): string[] {
  const { ok, effects, messages, differences } = replayed;
  const style = styleOf(process.stdout);
  const head = `${id}  ${style.dim(clip(oneLine(title), titleColumns))}`;
  const seen = `${count(effects, 'effect')}, ${count(messages, 'message')}`;
  if (ok) return [`${style.good('✔')} ${head}  the same: ${seen}`];
  const found = differences.flatMap(differenceLines);
  return [`${style.error('✖')} ${head}  differs after ${seen}`, ...found];
}

const differenceLines = ({ what, name, step, recorded, replayed }: Difference): string[] =>
  apartLines([what, name].join(' ').trim() + (step === '' ? '' : ` at step ${step}`), {
    journal: recorded ?? 'nothing',
    replay: replayed ?? 'nothing',
  });

/** What an agent has to say between runs, in words on stderr. */
import type { Notice } from '../../agent/events.ts';
import { oneLine } from '../../text/words.ts';
import { withFlags } from '../advice.ts';
import { problemText } from '../failure.ts';
import { forkLines } from './fork-lines.ts';
import { roundLine } from './loop-view.ts';
import { say, styleOf } from './output.ts';
import { tellWarning } from './result.ts';
import { verdictLines } from './verdict-lines.ts';
import type { View } from './view.ts';

interface NoticeFlags {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** `view` is that of the run which goes on. */
export function sayNotice(
  notice: Notice,
  { quiet = false, verbose = false }: NoticeFlags,
  view: View | undefined,
): void {
  if (notice.type === 'plan.written') {
    if (verbose) say(notice.text);
    return;
  }
  if (quiet) return;
  const style = styleOf(process.stderr);
  const { dim } = style;
  switch (notice.type) {
    case 'route.decided': {
      const words = notice.route === 'direct' ? 'answered directly' : 'answered by a program';
      return say(dim(`${words}: ${oneLine(notice.reason)}`));
    }
    case 'plan.checked':
      return view?.note(roundLine(notice));
    case 'plan.reused': {
      const { id, label } = notice;
      const name = label === '' ? id : `${id} (${label})`;
      return say(dim(`this goal has the saved plan ${name}; --no-saved has another one written`));
    }
    case 'guard.failed': {
      const next = notice.keeps
        ? 'what was done stays, and the rest is written again'
        : 'the goal is planned again';
      return say(`${style.warning('guard:')} ${oneLine(notice.reason)}; ${next}`);
    }
    case 'plan.saved':
      return say(savedLine(notice));
    case 'repair.began':
      return say(
        `${withFlags(notice.text)}\nthe run failed; the model repairs it (${notice.attempt})`,
      );
    case 'turn.failed':
      return say(withFlags(notice.text));
    case 'step.skipped':
      return say(problemText(notice));
    case 'fork.previewed':
      return forkLines(notice.preview, style).forEach(say);
    case 'verdict.given':
      return verdictLines(notice.verdict, style).forEach(say);
    case 'warned':
      return tellWarning(notice.warning, say);
  }
}

/** What is said of a plan that was saved. */
export const savedLine = ({ id, label }: { readonly id: string; readonly label: string }): string =>
  `saved as ${id}: planvm run @${label}`;

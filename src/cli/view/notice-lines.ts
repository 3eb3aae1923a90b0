/** What an agent has to say between runs, in words on stderr. */
import type { Notice } from '../../agent/port/events.ts';
import { oneLine } from '../../text/words.ts';
import { withFlags } from '../advice.ts';
import { problemText } from '../failure.ts';
import { forkLines } from './fork-lines.ts';
import { roundLine } from './loop-view.ts';
import { type Style, say, styleOf } from './output.ts';
import { verdictLines } from './verdict-lines.ts';
import type { View } from './view.ts';
import { tellWarning } from './warnings.ts';

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
  if (notice.type === 'plan.written' ? !verbose : quiet) return;
  if (notice.type === 'warned') tellWarning(notice.warning, say);
  const tell = notice.type === 'plan.checked' ? (line: string) => view?.note(line) : say;
  linesOf(notice, styleOf(process.stderr)).forEach(tell);
}

function linesOf(notice: Notice, style: Style): string[] {
  const { dim, warning } = style;
  switch (notice.type) {
    case 'plan.written':
      return [notice.text];
    case 'plan.checked':
      return [roundLine(notice)];
    case 'plan.reused': {
      const { id, label } = notice;
      const name = label === '' ? id : `${id} (${label})`;
      return [dim(`this goal has the saved plan ${name}; --no-saved has another one written`)];
    }
    case 'guard.failed': {
      const next = notice.keeps
        ? 'what was done stays, and the rest is written again'
        : 'the goal is planned again';
      return [`${warning('guard:')} ${oneLine(notice.reason)}; ${next}`];
    }
    case 'plan.saved':
      return [savedLine(notice)];
    case 'repair.began': {
      const { text, attempt } = notice;
      return [withFlags(text), `the run failed; the model repairs it (${attempt})`];
    }
    case 'turn.failed':
      return [withFlags(notice.text)];
    case 'step.skipped':
      return [problemText(notice)];
    case 'fork.previewed':
      return forkLines(notice.preview, style);
    case 'verdict.given':
      return verdictLines(notice.verdict, style);
    case 'warned':
      return [];
  }
}

/** What is said of a plan that was saved. */
export const savedLine = ({ id, label }: { readonly id: string; readonly label: string }): string =>
  `saved as ${id}: planvm run @${label}`;

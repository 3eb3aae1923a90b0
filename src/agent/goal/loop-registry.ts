/**
 * The control loops whose runs are steps of a course, a row each: what its run may ask for, out of
 * what its record keeps, and what its answer means. A new loop is a row here, the member of the
 * record by which its runs are known (asked.ts), and a `.star` file.
 */
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { changeFrom, revisionIn } from '../loops/change-run.ts';
import { judgedBy, keepAnswer } from '../loops/judge-run.ts';
import { effectsOfLoops, type LoopEffects } from '../loops/loop-effects.ts';
import { grownFrom } from '../loops/turn-run.ts';
import { askedOf, type CourseLoop } from '../record/asked.ts';
import { type Kept, keptOf } from '../record/kept.ts';
import { keptResult } from '../record/kept-result.ts';
import { usageOf } from '../run/usage.ts';
import type { Pursuit } from '../run/work.ts';
import type { Done } from './course.ts';
import { checkedAgain, judgedDone, turnDone } from './perform.ts';

interface LoopRow {
  readonly effects: LoopEffects;
  /** What a run that is done came to; undefined where nobody goes on with it. */
  done(pursuit: Pursuit, record: RunSummary, result: RunResult): Done | undefined;
}

/** A row whose answer only counts where somebody has asked for what comes of it. */
const asked =
  (
    read: (
      parts: Parts & { readonly kept: Kept; readonly asked: NonNullable<Kept['asked']> },
    ) => Done | undefined,
  ): LoopRow['done'] =>
  (pursuit, record, result) => {
    const wanted = askedOf(record);
    const loop = { run: record.id, usage: usageOf(result) };
    const { answer } = result;
    return wanted && read({ pursuit, loop, answer, kept: keptOf(record), asked: wanted });
  };

interface Parts {
  readonly pursuit: Pursuit;
  readonly loop: { readonly run: string; readonly usage: ReturnType<typeof usageOf> };
  readonly answer: unknown;
}

export const loopRegistry: Readonly<Record<CourseLoop, LoopRow>> = {
  converse: {
    effects: effectsOfLoops.converse,
    done: asked(({ pursuit, loop, answer, kept, asked: wanted }) =>
      turnDone(
        pursuit,
        { asked: wanted, base: kept.talking?.base },
        { ...loop, grown: grownFrom(answer) },
      ),
    ),
  },
  plan: {
    effects: effectsOfLoops.plan,
    done: asked(({ pursuit, loop, answer, kept: { planning }, asked: wanted }) => {
      if (!planning) return undefined;
      const text = String(answer);
      const environment = { tools: pursuit.toolbox.specs, inputs: planning.inputs };
      const checked = checkedAgain(text, environment, planning.dialect);
      const source = { text, file: 'plan', title: wanted.goal.text };
      return { ...loop, type: 'planned', source, checked };
    }),
  },
  revise: {
    effects: effectsOfLoops.revise,
    done: asked(({ pursuit, loop, answer, kept: { changing } }) => {
      if (!changing) return undefined;
      const change = changeFrom(changing.base, revisionIn(pursuit.journal, loop.run), answer);
      return { ...loop, type: 'changed', change };
    }),
  },
  judge: { effects: effectsOfLoops.judge, done: verdictDone },
  // Whoever started it writes the file.
  transpile: { effects: effectsOfLoops.transpile, done: () => undefined },
};

/** A verdict, which is kept with the run that it is about where that has not happened yet. */
function verdictDone(
  { journal, toolbox }: Pursuit,
  record: RunSummary,
  result: RunResult,
): Done | undefined {
  const judged = judgedBy(record);
  const base = judged && keptResult(journal, judged.run);
  if (!judged || !base) return undefined;
  const isKept = record.status === 'done';
  const kept = isKept ? base.answers[judged.answer]?.verdict : undefined;
  const by = toolbox.models.judge().name;
  const verdict = kept ?? keepAnswer(journal, judged, result.answer, by);
  return judgedDone(journal, base, { verdict, usage: usageOf(result) });
}

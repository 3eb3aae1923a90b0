/**
 * The control loops whose runs are steps of a course, a row each: what its run may ask for, out of
 * what its record keeps, and what its answer means. A new loop is a row here, the member of the
 * record by which its runs are known (asked.ts), and a `.star` file.
 */
import type { Handler } from '../../engine/handler.ts';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { RunResult } from '../../engine/result.ts';
import { conversingHandlers } from '../../planner/converse.ts';
import { judgingHandlers } from '../../planner/judge.ts';
import { planningHandlers } from '../../planner/planner.ts';
import { revisingHandlers } from '../../planner/revise.ts';
import { lookAt } from '../evidence/look-at.ts';
import { changeFrom, revisionIn } from '../loops/change-run.ts';
import { judgedBy, keepAnswer } from '../loops/judge-run.ts';
import type { EffectsPlace } from '../loops/loop-run.ts';
import { takesWords } from '../loops/plan-run.ts';
import { grownFrom } from '../loops/turn-run.ts';
import { askedOf, type CourseLoop } from '../record/asked.ts';
import { environmentIn, type Kept, keptOf } from '../record/kept.ts';
import { keptResult } from '../record/kept-result.ts';
import { usageOf } from '../run/usage.ts';
import type { Pursuit } from '../run/work.ts';
import { embedderIn } from '../tools/model-roles.ts';
import type { Done } from './course.ts';
import { checkedAgain, judgedDone, turnDone } from './perform.ts';

type Handlers = ReadonlyMap<string, Handler>;

interface LoopRow {
  /** Undefined where the record keeps too little. */
  effects(kept: Kept, place: EffectsPlace): Handlers | undefined | Promise<Handlers>;
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
    effects: ({ talking }, { toolbox }) =>
      talking &&
      conversingHandlers({ environment: environmentIn(talking), model: toolbox.models.planner }),
    done: asked(({ pursuit, loop, answer, kept, asked: wanted }) =>
      turnDone(
        pursuit,
        { asked: wanted, base: kept.talking?.base },
        { ...loop, grown: grownFrom(answer) },
      ),
    ),
  },
  plan: {
    effects: ({ planning, asked: wanted }, { toolbox, workspace }) => {
      if (!planning) return undefined;
      const { dialect, saved, background, compiling } = planning;
      const environment = environmentIn(planning);
      const model = toolbox.models.planner;
      return planningHandlers({
        ...{ dialect, environment, saved, background, compiling, model },
        takesWords: takesWords(wanted),
        embedder: () => embedderIn(workspace),
      });
    },
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
    effects: ({ changing }, { journal, toolbox, workspace }) => {
      const base = changing && journal.find(changing.base);
      if (!base) return undefined;
      return revisingHandlers({
        ...{ dialect: base.dialect, environment: environmentIn(changing) },
        model: toolbox.models.planner,
        embedder: () => embedderIn(workspace),
        look: lookAt({ journal, run: base.id }),
      });
    },
    done: asked(({ pursuit, loop, answer, kept: { changing } }) => {
      if (!changing) return undefined;
      const change = changeFrom(changing.base, revisionIn(pursuit.journal, loop.run), answer);
      return { ...loop, type: 'changed', change };
    }),
  },
  judge: {
    effects: (_, { toolbox }) => judgingHandlers(toolbox.models.judge),
    done: verdictDone,
  },
  transpile: {
    effects: async (_, { toolbox }) => {
      const { transpileHandlers } = await import('../../planner/playbook/transpile.ts');
      return transpileHandlers(toolbox.models.planner);
    },
    // Whoever started it writes the file.
    done: () => undefined,
  },
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

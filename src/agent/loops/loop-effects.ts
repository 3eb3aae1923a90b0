/**
 * What the run of a control loop may ask for, made of what its record keeps: the same when it
 * begins and when another process goes on with it.
 */
import type { Handler } from '../../engine/handler.ts';
import { conversingHandlers } from '../../planner/converse.ts';
import { judgingHandlers } from '../../planner/judge.ts';
import type { Round } from '../../planner/plan-failure.ts';
import { planningHandlers } from '../../planner/planner.ts';
import { revisingHandlers } from '../../planner/revise.ts';
import { lookAt } from '../evidence/look-at.ts';
import type { CourseLoop } from '../record/asked.ts';
import { type Asked, environmentIn, type Kept } from '../record/kept.ts';
import type { Work } from '../run/work.ts';
import { embedderIn } from '../tools/model-roles.ts';

export interface EffectsPlace extends Pick<Work, 'journal' | 'toolbox' | 'workspace'> {
  /** Hears each reply of the model, with what the checker says of it. */
  readonly onRound?: (round: Round) => void;
}

type Handlers = ReadonlyMap<string, Handler>;

/** Gives undefined where the record keeps too little. */
export type LoopEffects = (
  kept: Kept,
  place: EffectsPlace,
) => Handlers | undefined | Promise<Handlers>;

export const effectsOfLoops: Readonly<Record<CourseLoop, LoopEffects>> = {
  converse: ({ talking }, { toolbox, onRound }) =>
    talking &&
    conversingHandlers({
      environment: environmentIn(talking),
      model: toolbox.models.planner,
      onRound,
    }),
  plan({ planning, asked }, { toolbox, workspace, onRound }) {
    if (!planning) return undefined;
    const { dialect, saved, background, compiling } = planning;
    return planningHandlers({
      ...{ dialect, environment: environmentIn(planning), saved, background, compiling },
      ...{ model: toolbox.models.planner, onRound, takesWords: takesWords(asked) },
      embedder: () => embedderIn(workspace),
    });
  },
  revise({ changing }, { journal, toolbox, workspace, onRound }) {
    const base = changing && journal.find(changing.base);
    if (!base) return undefined;
    return revisingHandlers({
      ...{ dialect: base.dialect, environment: environmentIn(changing), onRound },
      model: toolbox.models.planner,
      embedder: () => embedderIn(workspace),
      look: lookAt({ journal, run: base.id }),
    });
  },
  judge: (_, { toolbox }) => judgingHandlers(toolbox.models.judge),
  async transpile(_, { toolbox }) {
    const { transpileHandlers } = await import('../../planner/playbook/transpile.ts');
    return transpileHandlers(toolbox.models.planner);
  },
};

/** Whether an answer in words will do: where nobody has said that a program is wanted. */
const takesWords = (asked: Asked | undefined): boolean => asked?.route === 'auto';

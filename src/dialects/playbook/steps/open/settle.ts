/**
 * Lines that only a model can understand: which they are, what one says of them, and a file with
 * that in their places.
 */
import type { ToolSpec } from '../../../../program/effect.ts';
import type { CompiledFile, CompiledPlaybook, Step } from '../../compiled/compiled.ts';
import { graphOf } from '../../compiled/graph.ts';
import type { Place } from '../../source/tree.ts';
import { stateNames, writtenName } from '../../text/variables.ts';
import { contextOf } from '../compile.ts';
import {
  type Draft,
  goesOn,
  localsOf,
  numbered,
  type Target,
  withBlockOf,
  withInner,
  withinLoops,
} from '../draft.ts';
import { namesFor } from '../names/names.ts';
import { bodyOf, effectsOf, playbooksOfOthers } from '../yields/effects.ts';
import { withYields } from '../yields/yields.ts';
import { addedIn, missingIn } from './added.ts';
import { answeredSteps, setIn } from './answers.ts';
import { inventedIn, namedIn } from './invented.ts';

export interface OpenLine {
  /** `Agent.Playbook:03.01`. */
  readonly at: string;
  readonly text: string;
  readonly block?: string;
  readonly place: Place;
}

/** In the order of the text. */
export const openLines = (file: CompiledFile): OpenLine[] =>
  linesOf(file).flatMap(({ at, step: { block, isAmbiguous, place, text } }) =>
    isAmbiguous ? [{ at, text, place, ...(block === undefined ? {} : { block }) }] : [],
  );

const linesOf = ({ agents }: CompiledFile): { readonly at: string; readonly step: Step }[] =>
  agents.flatMap((agent) =>
    agent.playbooks.flatMap(({ name, steps }) =>
      [...graphOf(steps).steps.values()].map((step) => ({
        at: `${agent.name}.${name}:${step.number}`,
        step,
      })),
    ),
  );

/** By the names of `openLines`, the steps that stand in them, as texts or as they are read. */
export type Answers = ReadonlyMap<string, readonly string[]>;
type Readings = ReadonlyMap<string, readonly Draft[]>;

export interface SettleProblem {
  readonly at: string;
  /** One sentence: *got X, want Y*. */
  readonly message: string;
}

/** Answers as steps, each that holds by itself. */
export function readAnswers(
  file: CompiledFile,
  answers: Answers,
  tools: readonly ToolSpec[],
): { readonly steps: Readings; readonly problems: readonly SettleProblem[] } {
  const problems: SettleProblem[] = [];
  const steps = new Map<string, readonly Draft[]>();
  const open = new Set(openLines(file).map(({ at }) => at));
  // What is said of a line that is settled changes nothing, and leaves nothing open.
  const lines = new Set(linesOf(file).map(({ at }) => at));
  for (const at of answers.keys()) {
    if (!lines.has(at))
      problems.push({ at, message: `got the line ${at}, want one that was asked` });
  }
  const texts = [...answers.values()].flat();
  const named = namedIn(file);
  const set = linesOf(file).flatMap((line) => line.step.writes);
  const variables = new Set([...named, ...setIn(answers)]);
  for (const agent of file.agents) {
    const names = namesFor(agent, file, tools);
    for (const playbook of agent.playbooks) {
      const context = contextOf(playbook, names, texts);
      const others = new Set([...set, ...playbook.parameters.map(writtenName)]);
      const numbers = [...graphOf(playbook.steps).steps.keys()];
      const visit = (step: Step, isInLoop: boolean): void => {
        const at = `${agent.name}.${playbook.name}:${step.number}`;
        const answer = open.has(at) ? answers.get(at) : undefined;
        if (answer) {
          const read = answeredSteps(answer, {
            ...{ place: step.place, context, isInLoop },
            lines: new Set(numbers.filter((number) => number !== step.number)),
          });
          const invented = inventedIn(read.drafts, variables).map(
            (name) => `got ${name}, which nothing sets, want a variable that there is`,
          );
          const used = new Set(namesIn(answers, at));
          const added = addedIn(read.drafts, step, { known: named, names, others, used });
          const missing = read.problems.length > 0 ? [] : missingIn(read.drafts, step);
          const wrong = [...read.problems, ...invented, ...added, ...missing];
          if (wrong.length === 0) steps.set(at, read.drafts);
          for (const message of wrong) problems.push({ at, message });
        }
        for (const child of step.children) visit(child, isInLoop || step.code === 'LOP');
      };
      for (const step of playbook.steps) visit(step, false);
    }
  }
  return { steps, problems };
}

/** The variables that all that is said has, but for what is said of one line. */
const namesIn = (answers: Answers, but: string): string[] =>
  [...answers].flatMap(([at, steps]) => (at === but ? [] : steps.flatMap(stateNames)));

/** The file with steps in the places of open lines; yields are set anew, and steps numbered. */
export function withSteps(
  file: CompiledFile,
  steps: Readings,
  tools: readonly ToolSpec[],
): CompiledFile {
  const agents = file.agents.map((agent) => {
    const names = namesFor(agent, file, tools);
    const bodies = new Map(
      agent.playbooks.map((playbook) => {
        const id = `${agent.name}.${playbook.name}`;
        const drafts = withinLoops(playbook.steps.flatMap((step) => placed(step, id, steps)));
        const locals = localsOf(drafts, playbook.parameters);
        return [playbook.name, bodyOf(playbook, playbook.triggers, drafts, locals)] as const;
      }),
    );
    const effects = effectsOf(bodies, agent, playbooksOfOthers(file.agents, agent));
    const playbooks = agent.playbooks.map((playbook): CompiledPlaybook => {
      const body = bodies.get(playbook.name);
      if (!body) return playbook;
      const { drafts, locals } = body;
      return {
        ...playbook,
        steps: numbered(withYields(drafts, { names, locals, effects }), locals),
      };
    });
    return { ...agent, playbooks };
  });
  return { ...file, agents };
}

/** What stands in the place of a step of the playbook `id`. */
function placed(step: Step, id: string, steps: Readings): Draft[] {
  const children = step.children.flatMap((child) => placed(child, id, steps));
  const { block, code, isAmbiguous, jump, number: was, place, text } = step;
  const [first, ...rest] = steps.get(`${id}:${was}`) ?? [];
  if (!first) {
    const own: Draft = {
      ...{ code, text, children, place, was },
      ...(block === undefined ? {} : { block }),
      ...(isAmbiguous ? { isAmbiguous } : {}),
      ...(code === 'JMP' && jump !== undefined ? { target: targetOf(jump) } : {}),
    };
    return [own];
  }
  const last = rest.pop();
  // What stood under the line stands under the last of its steps.
  const end = withBlockOf(step, withInner(last ?? first, children));
  return last ? [{ ...first, was }, ...rest, end] : [{ ...end, was }];
}

const targetOf = (jump: string): Target =>
  jump === goesOn ? { to: 'head' } : { to: 'number', number: jump };

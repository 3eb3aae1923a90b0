/**
 * Which questions need not be asked where their variables are set: those that are the first to
 * speak of them. Who asks behind a step that looks at `$email`, or asks for another one, means to.
 */
import type { CompiledPlaybook, Step } from './compiled.ts';
import { namedBefore } from './flow.ts';
import { graphOf } from './graph.ts';

const anew = new RegExp(
  '\\b(?:again|another|anew|different|instead|new|other|re-?enter|re-?try|correct|' +
    'encore|autre|nouveau|nouvelle)\\b',
  'i',
);

/** With nothing in `asks` of a question that is to be asked also where its variables are set. */
export function withFirstAsks(playbook: CompiledPlaybook): CompiledPlaybook {
  const named = namedBefore(graphOf(playbook.steps));
  const awaited = new Set(playbook.triggers.flatMap(({ names }) => names));
  const isAnew = (step: Step): boolean =>
    anew.test(step.text) ||
    (step.asks ?? []).some((name) => awaited.has(name) || named(step.number).has(name));
  const visit = (step: Step): Step => {
    const children = step.children.map(visit);
    const isAsk = step.asks !== undefined && step.asks.length > 0;
    return isAsk && isAnew(step) ? { ...step, children, asks: [] } : { ...step, children };
  };
  return { ...playbook, steps: playbook.steps.map(visit) };
}

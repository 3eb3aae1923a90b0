/**
 * Which questions need not be asked where their variables are set: those that are the first to
 * speak of them. Who asks behind a step that looks at `$email`, or asks for another one, means to.
 */
import { stateNames } from '../text/variables.ts';
import type { CompiledPlaybook, Step } from './compiled.ts';
import { namedBefore } from './flow.ts';
import { graphOf } from './graph.ts';

const anew = new RegExp(
  '\\b(?:again|another|anew|different|instead|new|other|re-?enter|re-?try|correct|' +
    'encore|autre|nouveau|nouvelle)\\b',
  'i',
);

/** What a line may do besides asking for its variables. */
const more = new RegExp(
  '[.!?:;]\\s*\\S|\\b(?:how|if|or|then|unless|until|what|when|where|whether|which|who|why|after|' +
    'before|while|by|(?:tell|say|explain|show|greet|thank|offer|remind|inform|mention|warn|' +
    'suggest|describe|confirm|repeat)\\w*)\\b',
  'i',
);

/** Whether a question is for its variables and nothing else: who has them need not put it. */
export function asksAlone({ asks = [], say, isAmbiguous }: Step): boolean {
  if (asks.length === 0 || !say || say.isLiteral || isAmbiguous || more.test(say.text))
    return false;
  const parts = say.text.split(/,|&|\b(?:and|et|plus)\b/i);
  return parts.every((part) => stateNames(part).some((name) => asks.includes(name)));
}

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

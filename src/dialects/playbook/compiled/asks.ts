/**
 * Which questions need not be asked where their variables are set: those that are the first to
 * speak of them. Where a playbook has set `$email` itself, the model says whether that is the
 * answer. Who asks under a condition that looks at it, or asks for another one, means to.
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

/**
 * With nothing in `asks` of a question that is to be asked also where its variables are set. One
 * that may be left out then has them in `mayHave`. `spoken`: variables that a step has in words.
 */
export function withFirstAsks(
  playbook: CompiledPlaybook,
  spoken: (step: Step) => readonly string[],
): CompiledPlaybook {
  const graph = graphOf(playbook.steps);
  const named = namedBefore(graph);
  const all = [...graph.steps.values()];
  const awaited = new Set(playbook.triggers.flatMap(({ names }) => names));
  const held = (step: Step, asks: readonly string[], heads: readonly Step[]): Partial<Step> => {
    const isAnew = anew.test(step.text) || asks.some((name) => awaited.has(name));
    if (!isAnew && !asks.some((name) => named(step.number).has(name))) return {};
    const made = madeWith(asks, all);
    const lookedAt = heads.flatMap((one) => [...one.reads, ...one.writes, ...spoken(one)]);
    const mayLeave = !isAnew && !lookedAt.some((name) => made.has(name));
    return { asks: [], wants: asks, ...(mayLeave && { mayHave: asks }) };
  };
  const block = (steps: readonly Step[], heads: readonly Step[]): Step[] =>
    steps.map((step, at) => {
      // What stands under Otherwise is for what the conditions before it have not held of.
      const chain = step.code === 'ELS' ? steps.slice(0, at + 1).filter(isBranch) : [step];
      const own = { ...step, children: block(step.children, [...heads, ...chain]) };
      return step.asks?.length ? { ...own, ...held(step, step.asks, heads) } : own;
    });
  return { ...playbook, steps: block(playbook.steps, []) };
}

const isBranch = ({ code }: Step): boolean => code === 'CND' || code === 'ELS';

/** Variables, and all that steps make of them: `$ok = Check($pin)`. */
function madeWith(names: readonly string[], steps: readonly Step[]): ReadonlySet<string> {
  const made = new Set(names);
  for (let size = 0; size < made.size; ) {
    size = made.size;
    for (const { reads, writes } of steps) {
      if (reads.some((name) => made.has(name))) for (const name of writes) made.add(name);
    }
  }
  return made;
}

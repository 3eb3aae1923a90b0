/** How plans of both stackvm dialects are read, checked and lowered. */
import type { CompiledLanguage } from '../dialect.ts';
import { checkPlan } from './check.ts';
import { lowerPlan } from './lower.ts';
import { detectPlan, parsePlan } from './parse.ts';
import type { DialectName, Plan } from './plan.ts';

export const stackvm1Language: CompiledLanguage<Plan> = languageOf('stackvm-1');
export const stackvm2Language: CompiledLanguage<Plan> = languageOf('stackvm-2');

function languageOf(name: DialectName): CompiledLanguage<Plan> {
  return {
    name,
    extensions: [],
    detect(text) {
      const { dialect, confidence } = detectPlan(text);
      return dialect === name ? confidence : confidence / 2;
    },
    parse: (text) => parsePlan(text, name),
    check: checkPlan,
    lower: lowerPlan,
  };
}

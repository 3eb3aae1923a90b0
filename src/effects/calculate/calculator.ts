/** `Calculator` and `Calculate`: the tool `calculate` by the names of LLMCompiler's glossary. */
import type { Handler } from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { calculateHandler, calculateSpec } from './calculate.ts';

export const calculatorSpecs: readonly ToolSpec[] = ['Calculator', 'Calculate'].map((name) => ({
  ...calculateSpec,
  name,
  returns: { type: 'number' },
}));

export const calculatorHandlers: readonly Handler[] = calculatorSpecs.map((spec) => ({
  ...calculateHandler,
  spec,
}));

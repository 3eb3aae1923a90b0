/** `planvm:calculator`: `calculate` by the names that plans of tasks use. */
import type { ToolSet } from '../tool-set.ts';
import { calculatorHandlers, calculatorSpecs } from './calculator.ts';

export const calculatorSet: ToolSet = {
  name: 'calculator',
  about: 'Calculator and Calculate: the tool calculate, by the names that plans of tasks use.',
  options: {},
  specs: calculatorSpecs,
  open: async () => calculatorHandlers,
};

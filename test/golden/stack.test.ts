/**
 * The corpus test/golden/stack: programs on a stack, from their text to what comes of them. What is
 * wrong with a text and what is only to be said of it, test/dialects/stack holds.
 */
import { checkProgram } from '../../src/dialects/index.ts';
import { golden } from './run-golden.ts';

golden('stack', (source, { tools, inputs = new Map() }) => {
  const environment = { tools: tools ?? new Map(), inputs: [...inputs.keys()] };
  const { program, diagnostics } = checkProgram(source, environment, { dialect: 'stack' });
  return { program, diagnostics: program ? [] : diagnostics };
});

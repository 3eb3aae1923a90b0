/** The corpus test/golden/loops: the control loops of src/loops, each against its effects. */
import { checkProgram } from '../../src/dialects/index.ts';
import { textOf } from '../support/repo.ts';
import { golden } from './run-golden.ts';

golden('loops', (source, { tools, inputs = new Map() }) => {
  const text = textOf(`src/loops/${source.trim()}`);
  return checkProgram(text, { tools, inputs: [...inputs.keys()] }, { dialect: 'starlark' });
});

/** Tools that tell a test what they were called with. */
import type { Handler } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';

/** A tool that notes its name and its arguments, in the order of `parameters`. */
export const noting = (
  calls: unknown[],
  name: string,
  parameters: readonly string[],
  perform: (args: Readonly<Record<string, unknown>>) => unknown,
): Handler =>
  quickTool(
    name,
    (args) => {
      calls.push([name, ...parameters.map((one) => args[one])]);
      return perform(args);
    },
    {
      parameters: {
        type: 'object',
        properties: Object.fromEntries(parameters.map((one) => [one, {}])),
        required: [...parameters],
      },
    },
  );

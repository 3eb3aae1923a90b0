/** Tools whose outcomes programs of their own make, for tests of runs within effects. */
import { checkProgram } from '../../src/dialects/index.ts';
import type { Handler, InnerRun } from '../../src/engine/handler.ts';
import { fromJson } from '../../src/program/json.ts';
import type { Program } from '../../src/program/program.ts';
import { programOf, quickTool } from './support.ts';

/** A tool whose outcome is that of a program in Starlark, which has `n` as its input. */
export function innerTool(
  name: string,
  text: string,
  handlers: ReadonlyMap<string, Handler>,
  more: Partial<InnerRun> = {},
): Handler {
  return quickTool(name, async ({ n }, context) => {
    const run = await context.inner({
      ...{ name: 'loop', title: `within ${name}`, text, dialect: 'starlark', handlers },
      compile: (source, _, tools, inputs) => ({ program: compiled(source, tools, inputs) }),
      inputs: new Map([['n', fromJson(n)]]),
      ...more,
    });
    return run;
  });
}

export function compiled(
  text: string,
  tools: Parameters<InnerRun['compile']>[2],
  inputs: readonly string[],
) {
  const { program, diagnostics } = checkProgram(text, { tools, inputs }, { dialect: 'starlark' });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return program;
}

export const one: Program = programOf([{ tool: 'outer', n: 3 }]);

export const model = (used = 10): Handler =>
  quickTool(
    'model',
    ({ q }, context) => {
      context.use({ modelCalls: 1, inputTokens: used, outputTokens: 0, cost: 0.5 });
      return `<${q}>`;
    },
    {
      kind: 'model',
      parameters: { type: 'object', properties: { q: { type: 'integer' } }, required: ['q'] },
    },
  );

export const asking = 'answer([model(n), model(n + 1)])';

export const numberOf = (name: string) => ({
  parameters: { type: 'object', properties: { [name]: { type: 'integer' } } },
});

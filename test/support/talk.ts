/** Conversations at the prompt of the real command, with a model on loopback. */
import { type Ended, Folder } from './cli.ts';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';

/** A program as a model replies with it. */
export const fenced = (program: string): string => `\`\`\`starlark\n${program}\n\`\`\``;

export interface Talk {
  readonly folder: Folder;
  readonly server: ModelServer;
  /** What each command has in its environment. */
  readonly env: Readonly<Record<string, string>>;
  repl(lines: readonly string[], ...args: readonly string[]): Promise<Ended>;
  planvm(...args: readonly string[]): Promise<Ended>;
}

/** `tools` is the text of a module with tools; model and server are there while `use` runs. */
export async function talking(
  script: Script,
  tools: string,
  use: (talk: Talk) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer(script);
  using folder = new Folder({ 'tools.mjs': tools });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.mjs', PLANVM_DIALECT: 'starlark' },
  };
  await use({
    folder,
    server,
    env,
    repl: (lines, ...args) =>
      folder.planvm(['repl', ...args], { env, input: `${lines.join('\n')}\n` }),
    planvm: (...args) => folder.planvm(args, { env }),
  });
}

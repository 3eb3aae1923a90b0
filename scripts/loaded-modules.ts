/** Which files a start loads from the sources: those of src/ and of packages, each once. */
import { spawnSync } from 'node:child_process';

const sources = new URL('../src/', import.meta.url).href;

/** Of importing the library. */
export const modulesOfLibrary = (): readonly string[] =>
  loadedBy(`await import('${sources}index.ts');`);

/** Of a command in a folder, such as `run plan.json`. Throws unless it ends well. */
export const modulesOfCommand = (args: readonly string[], folder: string): readonly string[] =>
  loadedBy(
    `const { main } = await import('${sources}cli/main.ts');
    process.exitCode = await main(${JSON.stringify(args)});`,
    folder,
  );

function loadedBy(script: string, folder?: string): readonly string[] {
  // The list goes to a pipe of its own: commands write to the others.
  const code = `
    import { writeFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        if (url.startsWith('file:')) loaded.add(url);
        return next(url, context);
      },
    });
    ${script}
    writeFileSync(3, JSON.stringify([...loaded]));
  `;
  const args = ['--input-type=module', '--eval', code];
  const { status, output } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    ...(folder !== undefined && { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  if (status !== 0) throw new Error(`the start ended with ${status}: ${output[2]}`);
  return JSON.parse(output[3] ?? '[]');
}

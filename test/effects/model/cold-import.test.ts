/** What a process that never calls a model does not pay for. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../../support/repo.ts';

test('importing the whole folder loads no package', () => {
  const folder = `${root}/src/effects/model`;
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        if (url.includes('/node_modules/')) loaded.push(url);
        return next(url, context);
      },
    });
    for (const file of ${JSON.stringify(readdirSync(folder))}) {
      await import('file://${folder}/' + file);
    }
    const { openModel } = await import('file://${folder}/open.ts');
    openModel('ollama/llama3.2', { env: {} });
    const before = loaded.length;
    await import('file://${root}/node_modules/ai/dist/index.js');
    console.log(JSON.stringify({ before, after: loaded.length > before }));
  `;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  // The second half shows that the hook would have seen a package.
  expect(JSON.parse(printed)).toEqual({ before: 0, after: true });
});

#!/usr/bin/env node
// Starts the command line. Plain JavaScript that an old Node can still parse, so that it can say
// what is missing. An installed package has dist/ only. A clone runs what is built, which starts
// faster, until something in src/ is newer.
import { existsSync, readdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `planvm needs Node 24.15 or newer and this is Node ${process.versions.node}: ` +
      'install a newer one from https://nodejs.org, or, in a clone, run `npm ci` and then ' +
      '`npx planvm`, which brings its own.\n',
  );
  process.exitCode = 2;
} else {
  // Node keeps what it has compiled, also of sources whose types it strips.
  module.enableCompileCache();
  const [folder, ending, format] = isBuilt()
    ? ['../dist/', '.js', 'module']
    : ['../src/', '.ts', 'module-typescript'];
  const own = new URL(folder, import.meta.url).href;
  // Where its own files name each other there is nothing to look up: no link to follow, no package
  // to ask what they are. That is a quarter of what it takes to start.
  module.registerHooks({
    resolve(name, context, next) {
      const isOwn = name.startsWith('.') && name.endsWith(ending);
      if (!isOwn || !context.parentURL?.startsWith(own)) return next(name, context);
      return { url: new URL(name, context.parentURL).href, format, shortCircuit: true };
    },
  });
  const { main } = await import(`${own}cli/main${ending}`);
  // A tool may hold a connection open; the command is over all the same.
  process.exit(await main(process.argv.slice(2)));
}

function isBuilt() {
  const sources = fileURLToPath(new URL('../src/', import.meta.url));
  if (!existsSync(sources)) return true;
  const stamp = statSync(new URL('../dist/built', import.meta.url), { throwIfNoEntry: false });
  if (stamp === undefined) return false;
  const isOlder = (path) => statSync(path).mtimeMs < stamp.mtimeMs;
  // Folders too: theirs is the time at which a file was last removed. One by one, since what Node
  // has to read all of them takes three times as long.
  const allOlder = (folder) =>
    isOlder(folder) &&
    readdirSync(folder, { withFileTypes: true }).every((entry) =>
      entry.isDirectory() ? allOlder(`${folder}${entry.name}/`) : isOlder(folder + entry.name),
    );
  return allOlder(sources);
}

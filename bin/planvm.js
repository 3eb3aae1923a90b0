#!/usr/bin/env node
// Starts the command line. Plain JavaScript that an old Node can still parse, so that it can say
// what is missing. A clone has src/ and runs it as it is; an installed package has dist/ only.
import { existsSync } from 'node:fs';
import module from 'node:module';

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
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const built = new URL('../dist/cli/main.js', import.meta.url);
  const { main } = await import(existsSync(source) ? source.href : built.href);
  // A tool may hold a connection open; the command is over all the same.
  process.exit(await main(process.argv.slice(2)));
}

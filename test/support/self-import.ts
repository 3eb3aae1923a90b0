/** Loaded before a script, lets it import `planvm` as an installed package: from the sources. */
import { registerHooks } from 'node:module';

const entry = new URL('../../src/index.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'planvm' ? { url: entry, shortCircuit: true } : next(specifier, context),
});

/**
 * Loaded before a script, lets it import the entries of planvm from the sources, as those of an
 * installed package; and the packages that planvm works with where they are installed.
 */
import { registerHooks } from 'node:module';

const entry = new URL('../../src/index.ts', import.meta.url).href;
const entries = new Map([
  ['planvm', entry],
  ['planvm/browser', new URL('../../src/browser.ts', import.meta.url).href],
  ['planvm/starlark', new URL('../../src/starlark/index.ts', import.meta.url).href],
]);

registerHooks({
  resolve(specifier, context, next) {
    const url = entries.get(specifier);
    if (url !== undefined) return { url, shortCircuit: true };
    const beside = specifier.startsWith('@opentelemetry/');
    return next(specifier, beside ? { ...context, parentURL: entry } : context);
  },
});

/**
 * Loaded before a script, lets it import `planvm` as an installed package: from the sources; and
 * the packages that planvm works with where they are installed.
 */
import { registerHooks } from 'node:module';

const entry = new URL('../../src/index.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'planvm') return { url: entry, shortCircuit: true };
    const beside = specifier.startsWith('@opentelemetry/');
    return next(specifier, beside ? { ...context, parentURL: entry } : context);
  },
});

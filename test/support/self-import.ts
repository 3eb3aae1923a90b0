/**
 * Loaded before a script, lets it import `planvm` and `planvm/browser` from the sources, as an
 * installed package would be; and
 * the packages that planvm works with where they are installed.
 */
import { registerHooks } from 'node:module';

const entry = new URL('../../src/index.ts', import.meta.url).href;
const browserEntry = new URL('../../src/browser.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'planvm') return { url: entry, shortCircuit: true };
    if (specifier === 'planvm/browser') return { url: browserEntry, shortCircuit: true };
    const beside = specifier.startsWith('@opentelemetry/');
    return next(specifier, beside ? { ...context, parentURL: entry } : context);
  },
});

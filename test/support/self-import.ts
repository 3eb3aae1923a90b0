/**
 * Loaded before a script, lets it import `planvm` and `planvm/browser` as an installed package would
 * be: what is built, which starts faster, where it is newer than the sources
 * (`vitest.config.ts`). And the packages that planvm works with, where they are installed.
 */
import { registerHooks } from 'node:module';

const [folder, ending] = process.env.PLANVM_TEST_BUILT === '1' ? ['dist', 'js'] : ['src', 'ts'];
const entry = new URL(`../../${folder}/index.${ending}`, import.meta.url).href;
const browserEntry = new URL(`../../${folder}/browser.${ending}`, import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'planvm') return { url: entry, shortCircuit: true };
    if (specifier === 'planvm/browser') return { url: browserEntry, shortCircuit: true };
    const beside = specifier.startsWith('@opentelemetry/');
    return next(specifier, beside ? { ...context, parentURL: entry } : context);
  },
});

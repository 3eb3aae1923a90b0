/**
 * Loaded before a script, lets it import the entries of planvm as those of an installed package:
 * what is built, which starts faster, where it is newer than the sources (`vitest.config.ts`). And
 * the packages that planvm works with, where they are installed.
 */
import { registerHooks } from 'node:module';

const [folder, ending] = process.env.PLANVM_TEST_BUILT === '1' ? ['dist', 'js'] : ['src', 'ts'];
const place = (name: string): string =>
  new URL(`../../${folder}/${name}.${ending}`, import.meta.url).href;
const entry = place('index');
const entries = new Map([
  ['planvm', entry],
  ['planvm/browser', place('browser')],
  ['planvm/starlark', place('starlark/index')],
]);

registerHooks({
  resolve(specifier, context, next) {
    const url = entries.get(specifier);
    if (url !== undefined) return { url, shortCircuit: true };
    const beside = specifier.startsWith('@opentelemetry/');
    return next(specifier, beside ? { ...context, parentURL: entry } : context);
  },
});

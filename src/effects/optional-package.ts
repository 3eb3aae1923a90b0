/**
 * Packages that do not come with planvm: imported by the first call that needs one, and missing in
 * words that say what to install.
 */
import { EffectFailure } from '../engine/handler.ts';
import { thrownMessage } from '../program/diagnostic.ts';

/**
 * The package of this name, typed by its user; `module` is what is imported of it.
 * No bundler follows a name that is computed, so those who bundle planvm need not have the package.
 * Throws `EffectFailure` PV4900, also where the package is there and cannot be loaded.
 */
export async function importOptional<Module>(name: string, module: string = name): Promise<Module> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ module)) as Module;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const missing = code === 'ERR_MODULE_NOT_FOUND';
    const why = missing ? 'it is not installed' : thrownMessage(cause);
    throw new EffectFailure('PV4900', `this needs the package ${name}: ${why}`, {
      answered: true,
      mayHaveActed: false,
      hint: `npm i ${name}`,
      cause,
    });
  }
}

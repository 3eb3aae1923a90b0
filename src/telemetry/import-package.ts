/**
 * A package that does not come with planvm. No bundler follows a name that is computed, so those
 * who bundle planvm need not have it.
 */
export const importPackage = async <Module>(name: string): Promise<Module> =>
  (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as Module;

/**
 * What the browser loads for Starlark. The other dialects are written with parts of it, so they
 * load it as well: bundlers put it into one file.
 */
import { closed } from '../dialects/languages.ts';
import { starlarkLanguage } from '../dialects/starlark/language.ts';
import type { Builtins } from '../machine/builtins/builtins.ts';
import { starlarkBuiltins } from '../machine/builtins/starlark.ts';
import { register } from './core.ts';

export function openStarlark(): void {
  register(closed(starlarkLanguage), starlarkBuiltins);
}

export const library: Builtins = starlarkBuiltins;

/**
 * Every dialect, loaded at once: for whoever cannot wait for the dialect of a text. Whoever can
 * loads those that the text may be in, which is much less: `agent/program/dialects.ts`.
 */
import type { Diagnostic } from '../program/diagnostic.ts';
import type { Checked, Environment } from './dialect.ts';
import {
  type AnyDialect,
  type CheckOptions,
  checkAmong,
  type DetectOptions,
  detectAmong,
  whole,
} from './languages.ts';
import { llmcompiler } from './llmcompiler/index.ts';
import { playbook } from './playbook/index.ts';
import { react } from './react/index.ts';
import { stack } from './stack/index.ts';
import { stackvm1, stackvm2 } from './stackvm/index.ts';
import { starlark } from './starlark/index.ts';

export type { AnyDialect, CheckOptions, DetectOptions } from './languages.ts';

export const dialects: readonly AnyDialect[] = [
  ...[stackvm1, stackvm2].map(whole),
  whole(starlark),
  whole(llmcompiler),
  whole(react),
  whole(stack),
  whole(playbook),
];

/** The dialect of a text; a diagnostic where there is none. */
export function detect(text: string, options?: DetectOptions): AnyDialect | Diagnostic {
  return detectAmong(dialects, text, options);
}

/** Parses, checks and, where there is no error, lowers; diagnostics in the order of the text. */
export function checkProgram(
  text: string,
  environment: Environment,
  options?: CheckOptions,
): Checked {
  return checkAmong(dialects, text, environment, options);
}

/** Every dialect, which one a text is written in, and the way from a text to a program. */

import { verify } from '../analysis/verifier.ts';
import { type Diagnostic, nearest } from '../program/diagnostic.ts';
import { limitTable } from '../program/limits.ts';
import { utf8Bytes } from '../program/utf8.ts';
import { assembly } from './assembly/index.ts';
import { inOrder } from './diagnostic.ts';
import type { Checked, Dialect, Environment, InterpretedDialect, Notation } from './dialect.ts';
import { openEnvelope, saidOf } from './envelope.ts';
import { llmcompiler } from './llmcompiler/index.ts';
import { isFreeForm } from './playbook/detect.ts';
import { playbook } from './playbook/index.ts';
import { prerequisiteWarnings } from './prerequisites.ts';
import { react } from './react/index.ts';
import { stack } from './stack/index.ts';
import { stackvm1, stackvm2 } from './stackvm/index.ts';
import { starlark } from './starlark/index.ts';

/** A dialect whose tree only it knows how to look at. */
export type AnyDialect = Omit<Notation, 'parse' | 'check'> & {
  readonly interpretedBy?: string;
  check(text: string, environment: Environment, instructionsMax: number): Checked;
};

export const dialects: readonly AnyDialect[] = [
  ...[stackvm1, stackvm2].map(closed),
  closed(starlark),
  closed(llmcompiler),
  closed(react),
  closed(stack),
  closed(assembly),
  closed(playbook),
];

export interface DetectOptions {
  /** The name or path of the file that the text is from; its extension may decide. */
  readonly file?: string;
  /** The name of a dialect; nothing else is looked at. */
  readonly dialect?: string;
}

export interface CheckOptions extends DetectOptions {
  /** How many instructions the program may have. */
  readonly instructionsMax?: number;
  /** How many bytes of UTF-8 the text may have. */
  readonly sourceBytesMax?: number;
}

/** The dialect of a text; a diagnostic where there is none. */
export function detect(
  text: string,
  { file, dialect }: DetectOptions = {},
): AnyDialect | Diagnostic {
  if (dialect !== undefined) return named(dialect);
  const byFile = dialects.find(({ extensions }) => extensions.some((end) => file?.endsWith(end)));
  if (byFile) return byFile;
  let best: AnyDialect | undefined;
  let confidence = 0;
  for (const candidate of dialects) {
    const sure = candidate.detect(text);
    if (sure <= confidence) continue;
    best = candidate;
    confidence = sure;
  }
  if (best) return best;
  const isText = /\.(?:md|markdown)$/i.test(file ?? '');
  if (isText && isFreeForm(text))
    return dialects.find(({ name }) => name === playbook.name) ?? unrecognised(text);
  return unrecognised(text, isText);
}

/** Parses, checks and, where there is no error, lowers; diagnostics in the order of the text. */
export function checkProgram(
  text: string,
  environment: Environment,
  options: CheckOptions = {},
): Checked {
  const refused = oversized(text, options.sourceBytesMax ?? limitTable.sourceBytes.default);
  const dialect = refused ?? detect(text, options);
  if ('code' in dialect) {
    return { ok: false, dialect: options.dialect ?? '', diagnostics: [dialect] };
  }
  const { instructionsMax = limitTable.programInstructions.default } = options;
  return dialect.check(text, environment, instructionsMax);
}

/** A program's text, out of the reply of a provider where it was saved as it came. */
export interface Unwrapped {
  readonly text: string;
  /** What was done to get at it; comes before all else that is said of the text. */
  readonly said: readonly Diagnostic[];
}

/**
 * The program that a text is about. Of what a model wrote in a reply, a program of lines stands in
 * a fence; the other dialects read what is around theirs, and say so.
 */
export function unwrap(text: string): Unwrapped {
  const opened = openEnvelope(text);
  if (!opened) return { text, said: [] };
  return { text: programIn(opened.text), said: [saidOf(opened)] };
}

/** The same check for a text that may have been unwrapped. */
export function withSaid(said: readonly Diagnostic[], checked: Checked): Checked {
  if (said.length === 0) return checked;
  const diagnostics = [...said, ...checked.diagnostics];
  const wrong = said.some(({ severity }) => severity === 'error');
  if (!wrong) return { ...checked, diagnostics };
  return { ok: false, dialect: checked.dialect, diagnostics };
}

/** Sure enough of a text to leave it as it is. */
const sure = 0.4;

function programIn(reply: string): string {
  if (dialects.some((dialect) => dialect.detect(reply) >= sure)) return reply;
  for (const dialect of dialects) {
    const found = dialect.find(reply);
    if (found !== undefined && dialect.detect(found) >= sure) return found;
  }
  return reply;
}

function closed<Tree>(dialect: Dialect<Tree> | InterpretedDialect<Tree>): AnyDialect {
  return {
    ...dialect,
    check(text, environment, instructionsMax) {
      const { name } = dialect;
      const { tree, diagnostics: read } = dialect.parse(text);
      const found = tree === undefined ? read : [...read, ...dialect.check(tree, environment)];
      const diagnostics = inOrder(found);
      const wrong = found.some(({ severity }) => severity === 'error');
      if (tree === undefined || wrong) return { ok: false, dialect: name, diagnostics };
      if (!('lower' in dialect)) return { ok: true, dialect: name, diagnostics };
      const program = dialect.lower(tree, environment);
      const defects = verify(program, instructionsMax);
      if (defects.length === 0) {
        const early = prerequisiteWarnings(program, environment.tools);
        const all = early.length === 0 ? diagnostics : inOrder([...diagnostics, ...early]);
        return { ok: true, dialect: name, diagnostics: all, program };
      }
      return { ok: false, dialect: name, diagnostics: [...diagnostics, ...defects] };
    },
  };
}

function named(name: string): AnyDialect | Diagnostic {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found) return found;
  const names = dialects.map((dialect) => dialect.name);
  const near = nearest(name, names);
  return {
    code: 'PV2001',
    severity: 'error',
    message: `got the dialect ${name}, want one of ${names.join(', ')}`,
    line: 0,
    column: 0,
    ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
  };
}

/** Said before anything is read: a text without bounds would be read without bounds. */
function oversized(text: string, bytesMax: number): Diagnostic | undefined {
  // Three bytes a unit are the most there can be.
  const bytes = text.length * 3 <= bytesMax ? 0 : utf8Bytes(text);
  if (bytes <= bytesMax) return undefined;
  return {
    code: 'PV1002',
    severity: 'error',
    message: `got a text of ${bytes} bytes, want at most ${bytesMax}`,
    line: 1,
    column: 1,
    hint: 'make it shorter, or raise the limit sourceBytes',
  };
}

function unrecognised(text: string, isText = false): Diagnostic {
  const empty = text.trim() === '';
  const names = dialects.map(({ name }) => name).join(', ');
  return {
    code: 'PV2002',
    severity: 'error',
    message: empty ? 'the text is empty' : 'the text is not a program in any known dialect',
    line: 1,
    column: 1,
    hint: isText && !empty ? instructions : `the dialects are ${names}; --dialect names one`,
  };
}

const instructions =
  'for a model to follow it as instructions, say --dialect playbook, or begin it with a heading';

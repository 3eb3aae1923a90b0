/** Checks a text alone: no workspace, no files beside it, no servers of tools. */
import type { Checked } from '../../dialects/dialect.ts';
import { checkAmong } from '../../dialects/languages.ts';
import { builtInSpecs } from '../../effects/built-in-specs.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { type Limits, limits as limitsWith } from '../../program/limits.ts';
import { dialectsFor } from './dialects.ts';

export interface CheckTextOptions {
  /** Tools that a program may call besides the built-in ones. */
  readonly tools?: readonly ToolSpec[];
  /** Names of variables that are set before it starts. */
  readonly inputs?: readonly string[];
  readonly dialect?: string;
  /** How long the text and its program may be, where that differs from the defaults. */
  readonly limits?: Pick<Partial<Limits>, 'sourceBytes' | 'programInstructions'>;
}

export async function checkText(text: string, options: CheckTextOptions): Promise<Checked> {
  const { tools = [], inputs = [], dialect } = options;
  const { sourceBytes, programInstructions } = limitsWith(options.limits);
  const specs = [...builtInSpecs, ...tools];
  const detection = dialect === undefined ? {} : { dialect };
  return checkAmong(
    await dialectsFor(text, detection),
    text,
    { tools: new Map(specs.map((spec) => [spec.name, spec])), inputs },
    { ...detection, sourceBytesMax: sourceBytes, instructionsMax: programInstructions },
  );
}

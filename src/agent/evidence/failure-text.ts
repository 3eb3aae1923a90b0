/**
 * Why a run has failed, with the lines of its program: what a model repairs from. It names limits
 * and settings, and no flag of any face.
 */
import { basename } from 'node:path';
import { render } from '../../dialects/diagnostic.ts';
import type { RunResult } from '../../engine/result.ts';

/** The program that has failed. */
export interface FailedProgram {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file: string;
  /** Of a run of playbooks: what these are; `text` is the program that plays them. */
  readonly playbooks?: string | undefined;
}

/** An error with a code frame, its trace and its hint. */
export function describeFailure(
  error: NonNullable<RunResult['error']>,
  { text, file, playbooks }: FailedProgram,
  color = false,
): string {
  const { file: other, ...found } = { trace: [], ...error };
  if (playbooks === undefined) return render(found, text, { file, color });
  if (other !== undefined) {
    // Calls without a file stand in the one of the error.
    const own = basename(file);
    const trace = found.trace.map(({ file: of = other, ...call }) =>
      of === own ? call : { ...call, file: of },
    );
    const placed = { ...found, trace, ...(other !== own && { file: other }) };
    return render(placed, playbooks, { file, color });
  }
  if (found.line === 0) return render(found, playbooks, { file, color });
  const hint = `this is no line of the playbooks but of the loop that plays them; ${seeLoops}`;
  const told = { ...found, hint: found.hint ?? hint };
  return render(told, text, { file: `the loop that plays ${basename(file)}`, color });
}

const seeLoops = 'loops/playbook/ beside the configuration may have your own';

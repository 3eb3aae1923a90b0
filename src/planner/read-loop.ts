/**
 * Texts of control loops, as programs. What was read is kept by its text: the loop that plays
 * playbooks takes a tenth of a second, and a process may play many.
 */
import { renderAll } from '../dialects/diagnostic.ts';
import { checkProgram } from '../dialects/index.ts';
import type { ToolSpec } from '../program/effect.ts';
import type { Program } from '../program/program.ts';

interface ReadLoop {
  readonly program?: Program | undefined;
  /** What is wrong with it; empty where it is a program. */
  readonly found: string;
}

/** The latest, by all that it was read from. */
const kept = new Map<string, ReadLoop>();

/** As many as there are loops, and some of an owner's. */
const keptMax = 24;

export function readLoop(
  { text, file }: { readonly text: string; readonly file: string },
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
): ReadLoop {
  const key = JSON.stringify([file, text, inputs, [...tools.values()]]);
  const known = kept.get(key);
  if (known) return known;
  const { program, diagnostics } = checkProgram(
    text,
    { tools, inputs },
    { dialect: 'starlark', file },
  );
  const found = program ? '' : renderAll(diagnostics, text, { file, color: false });
  const read = { program, found };
  kept.set(key, read);
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
  return read;
}

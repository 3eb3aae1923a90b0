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

interface Kept extends ReadLoop {
  readonly specs: readonly ToolSpec[];
}

/** The latest, by text and inputs. */
const kept = new Map<string, Kept>();

/** As many as there are loops, and some of an owner's. */
const keptMax = 24;

export function readLoop(
  { text, file }: { readonly text: string; readonly file: string },
  tools: ReadonlyMap<string, ToolSpec>,
  inputs: readonly string[],
): ReadLoop {
  const key = [file, ...inputs, text].join('\n');
  const specs = [...tools.values()];
  const known = kept.get(key);
  if (known?.specs.length === specs.length && known.specs.every((one, n) => one === specs[n])) {
    return known;
  }
  const { program, diagnostics } = checkProgram(
    text,
    { tools, inputs },
    { dialect: 'starlark', file },
  );
  const found = program ? '' : renderAll(diagnostics, text, { file, color: false });
  kept.delete(key);
  kept.set(key, { program, found, specs });
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
  return { program, found };
}

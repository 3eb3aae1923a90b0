/**
 * What a program calls without having called before it what has to come first (`ToolSpec.after`).
 * Seen on its code, so that it holds in every dialect; the machine decides when it runs, which is
 * why this warns only.
 */
import type { Diagnostic } from '../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../program/effect.ts';
import { opcodeAt, operandOf } from '../program/opcodes.ts';
import { type Chunk, type Program, unpackPosition } from '../program/program.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

/** A place that names a tool. */
interface Use {
  readonly tool: string;
  readonly position: number;
  readonly step: string | undefined;
}

/** A warning for the first use of each tool whose prerequisite is nowhere before it. */
export function prerequisiteWarnings(program: Program, tools: Tools): Diagnostic[] {
  if (![...tools.values()].some(({ after }) => after)) return [];
  const [main, ...functions] = program.chunks;
  if (!main) return [];
  const inMain = usesIn(main, program);
  // A function is called somewhere; what it calls may come first.
  const inFunctions = functions.flatMap((chunk) => usesIn(chunk, program));
  const somewhere = new Set(inFunctions.map(({ tool }) => tool));
  const found = inMain.flatMap((use, index) => {
    const before = new Set(inMain.slice(0, index).map(({ tool }) => tool));
    if (before.has(use.tool)) return [];
    return lacking(use, tools, (name) => before.has(name) || somewhere.has(name));
  });
  const all = new Set([...somewhere, ...inMain.map(({ tool }) => tool)]);
  const first = new Map(inFunctions.map((use) => [use.tool, use]));
  for (const use of first.values()) found.push(...lacking(use, tools, (name) => all.has(name)));
  return found;
}

function usesIn({ code, constants, positions }: Chunk, program: Program): Use[] {
  const uses: Use[] = [];
  let step: string | undefined;
  code.forEach((word, at) => {
    const row = opcodeAt(word);
    if (row?.operand === 'step') step = program.steps[operandOf(word)]?.label;
    if (row?.operand !== 'constant') return;
    const value = constants[operandOf(word)];
    if (value === null || typeof value !== 'object' || value.kind !== 'tool') return;
    uses.push({ tool: value.name, position: positions[at] ?? 0, step });
  });
  return uses;
}

function lacking(
  { tool, position, step }: Use,
  tools: Tools,
  isThere: (name: string) => boolean,
): Diagnostic[] {
  const needed = tools.get(tool)?.after ?? [];
  return needed.flatMap((name): Diagnostic[] => {
    const spec = tools.get(name);
    if (!spec || isThere(name)) return [];
    const isPlain = mandatory(spec).length === 0 && (spec.requires ?? []).length === 0;
    const what = isPlain ? 'the machine calls it first' : 'the call fails';
    return [
      {
        code: 'PV2006',
        severity: 'warning',
        message: `${tool} comes after ${name}, which is not called before it: ${what}`,
        hint: `call ${name} before`,
        ...unpackPosition(position),
        ...(step === undefined ? {} : { step }),
      },
    ];
  });
}

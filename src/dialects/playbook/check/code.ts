/**
 * The code of agents: names that there are not, and calls of tools with other arguments than they
 * take. What the loop itself has is nothing that code may name.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import { placingIn } from '../../starlark/compile/line-marks.ts';
import { starlark } from '../../starlark/index.ts';
import type { CompiledFile } from '../compiled.ts';
import { link } from '../link/link.ts';
import { type Report, take } from '../report.ts';
import { readCode } from '../source/code.ts';
import type { Place } from '../source/tree.ts';
import { blockFunction, blockInputs } from '../weave/woven-code.ts';

/** `unlisted` are servers of which nobody knows yet what they offer. */
export function checkCode(
  file: CompiledFile,
  environment: Environment,
  unlisted: readonly string[],
  report: Report,
): void {
  if (file.agents.every(({ code }) => code.length === 0)) return;
  const { agents } = link(file, { inlineSteps: 0 });
  const inputs = [...blockInputs, ...unlisted];
  for (const agent of agents) {
    const isReadable = agent.code.every((block) => readCode(block).diagnostics.length === 0);
    if (agent.code.length === 0 || !isReadable) continue;
    const text = blockFunction(agents, '')(agent);
    const placing = placingIn(text);
    /** Where it is in the Markdown; line 0 for what was put around the code. */
    const placeOf = ({ column, line }: Place): Place => {
      const { file, ...place } = placing?.(line, column) ?? { line: 0, column: 0 };
      return file ? { ...place, file } : place;
    };
    const { tree, diagnostics } = starlark.parse(text);
    const all = tree ? starlark.check(tree, { ...environment, inputs }) : diagnostics;
    for (const { notes = [], ...diagnostic } of all) {
      const { code, hint = known, severity } = diagnostic;
      // Where not all tools are known, a name may be one of them.
      if (severity !== 'error' || (environment.open && code === undefinedName)) continue;
      const place = placeOf(diagnostic);
      const placed = notes.map((note) => ({ ...note, ...placeOf(note) }));
      take(report, {
        ...{ ...diagnostic, hint, ...inBlocks[code] },
        ...(place.line === 0 ? agent.place : place),
        ...(notes.length > 0 && { notes: placed.filter(({ line }) => line > 0) }),
      });
    }
  }
}

const undefinedName = 'PV2321';
const known = 'functions may call tools, other functions, and playbooks by name';

/** What the function around a block makes of an error, in words for who sees only the block. */
const inBlocks: Readonly<Record<string, Pick<Diagnostic, 'message' | 'hint'>>> = {
  PV2323: {
    message: 'got load, which blocks do not have',
    hint: '!import and a path, in a line of its own, put the text of another file in its place',
  },
};

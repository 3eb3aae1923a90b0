/**
 * The code of agents: names that there are not, and calls of tools with other arguments than they
 * take. What the loop itself has is nothing that code may name.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import { starlark } from '../../starlark/index.ts';
import type { CompiledFile } from '../compiled.ts';
import { link } from '../link/link.ts';
import type { LinkedAgent } from '../link/linked.ts';
import { type Report, take } from '../report.ts';
import { readCode } from '../source/code.ts';
import { blockInputs, blockText, placeInBlock } from '../weave/woven-code.ts';

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
    const text = blockText(agent, agents);
    const { tree, diagnostics } = starlark.parse(text);
    const all = tree ? starlark.check(tree, { ...environment, inputs }) : diagnostics;
    for (const diagnostic of all) {
      // Where not all tools are known, a name may be one of them.
      const isUnsure = environment.open && diagnostic.code === undefinedName;
      if (diagnostic.severity !== 'error' || isUnsure) continue;
      take(report, inMarkdown(diagnostic, agent, text));
    }
  }
}

const undefinedName = 'PV2321';

/** What the function around a block makes of an error, in words for who sees only the block. */
const inBlocks: Readonly<Record<string, Pick<Diagnostic, 'message' | 'hint'>>> = {
  PV2323: {
    message: 'got load, which blocks do not have',
    hint: '!import and a path, in a line of its own, put the text of another file in its place',
  },
};

function inMarkdown(
  { notes, ...diagnostic }: Diagnostic,
  agent: LinkedAgent,
  text: string,
): Diagnostic {
  const place = placeInBlock(agent, text, diagnostic);
  const known = 'functions may call tools, other functions, and playbooks by name';
  const placed = notes?.map((note) => ({ ...note, ...placeInBlock(agent, text, note) }));
  return {
    ...diagnostic,
    hint: diagnostic.hint ?? known,
    ...inBlocks[diagnostic.code],
    ...(place.line === 0 ? agent.place : place),
    ...(placed && { notes: placed.filter(({ line }) => line > 0) }),
  };
}

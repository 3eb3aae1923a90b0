/**
 * Names in the code of agents that there are not, and calls in it of tools with other arguments
 * than they take: what a block could be blamed for only once it is called. What the loop itself
 * has, its effects among them, is nothing that code may name.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { Environment } from '../../dialect.ts';
import { starlark } from '../../starlark/index.ts';
import type { CompiledFile } from '../compiled/compiled.ts';
import type { LinkedAgent } from '../compiled/linked.ts';
import { link } from '../link/link.ts';
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
  const readable = file.agents.filter(({ code }) =>
    code.every((block) => readCode(block).diagnostics.length === 0),
  );
  const names = new Set(readable.flatMap(({ name, code }) => (code.length > 0 ? [name] : [])));
  if (names.size === 0) return;
  const { agents } = link(file, { inlineSteps: 0 });
  const inputs = [...blockInputs, ...unlisted];
  for (const agent of agents) {
    if (!names.has(agent.name)) continue;
    const text = blockText(agent, agents);
    for (const one of errorsIn(text, { ...environment, inputs })) {
      // Where not all tools are known, nobody can say of a name that it is none.
      if (environment.open && one.code === undefinedName) continue;
      take(report, inMarkdown(one, agent, text));
    }
  }
}

const undefinedName = 'PV2321';

/** What the function that a block stands in makes of an error, in words for who sees only it. */
const inBlocks: Readonly<Record<string, Pick<Diagnostic, 'message' | 'hint'>>> = {
  PV2323: {
    message: 'got load, which blocks have not',
    hint: '!import and a path, in a line of its own, put the text of another file in its place',
  },
};

function errorsIn(text: string, environment: Environment): Diagnostic[] {
  const { tree, diagnostics } = starlark.parse(text);
  const all = tree ? starlark.check(tree, environment) : diagnostics;
  return all.filter(({ severity }) => severity === 'error');
}

function inMarkdown({ notes, ...one }: Diagnostic, agent: LinkedAgent, text: string): Diagnostic {
  const placed = placeInBlock(agent, text, one);
  const hint = one.hint ?? 'functions may call tools, other functions, and playbooks by name';
  const told = notes?.map((note) => ({ ...note, ...placeInBlock(agent, text, note) }));
  return {
    ...{ ...one, hint, ...inBlocks[one.code] },
    ...(placed.line === 0 ? agent.place : placed),
    ...(told && { notes: told.filter(({ line }) => line > 0) }),
  };
}

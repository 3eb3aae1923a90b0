/**
 * The text of a control loop: the owner's, `loops/NAME.star`, else the one that comes with planvm.
 * Of a loop of several files, each may be the owner's.
 */
import type { Handler } from '../../engine/handler.ts';
import { type LoopName, loopSource } from '../../planner/loop-source.ts';
import { readLoop } from '../../planner/read-loop.ts';
import type { Program } from '../../program/program.ts';
import { AgentError } from '../port/errors.ts';
import type { Workspace } from '../port/workspace.ts';
import type { Source } from './source.ts';

/** Throws as `ownText` of the workspace does. */
export function loopFile({ ownText }: Pick<Workspace, 'ownText'>, name: LoopName): Source {
  const file = `loops/${name}.star`;
  const own = ownText?.(file);
  if (own) return { ...own, title: name };
  return { text: loopSource(name, (part) => ownText?.(part)?.text), file, title: name };
}

/** Throws `AgentError` PV6021 where the text is no program for these effects and inputs. */
export function compileLoop(
  { text, file }: Source,
  handlers: ReadonlyMap<string, Handler>,
  inputs: readonly string[],
): Program {
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { program, found } = readLoop({ text, file }, tools, inputs);
  if (program) return program;
  throw new AgentError('PV6021', `${file} is no valid program:\n${found}`, {
    hint: `correct it, or remove it to use the one that comes with planvm`,
  });
}

/**
 * The text of a control loop: the user's own, `loops/NAME.star` beside the configuration (or beside
 * `.planvm` where there is none), else the one that comes with planvm. Of a loop of several files,
 * each may be the user's.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgentError } from '../../agent/errors.ts';
import { reasonOf } from '../../agent/reason.ts';
import { renderAll } from '../../dialects/diagnostic.ts';
import { checkProgram } from '../../dialects/index.ts';
import type { Handler } from '../../engine/handler.ts';
import { type LoopName, loopSource } from '../../planner/loop-source.ts';
import type { Program } from '../../program/program.ts';
import { shortPath, type Workspace } from '../settings/workspace.ts';
import type { Source } from './source.ts';

/** Throws `AgentError` PV6006 for a file that is there and cannot be read. */
export function loopFile({ project }: Pick<Workspace, 'project'>, name: LoopName): Source {
  const { configFile, folder } = project;
  const beside = configFile === undefined ? folder : dirname(configFile);
  const file = `loops/${name}.star`;
  const whole = ownText(join(beside, file));
  if (whole !== undefined) return { text: whole, file: shortPath(join(beside, file)), title: name };
  return { text: loopSource(name, (part) => ownText(join(beside, part))), file, title: name };
}

function ownText(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new AgentError('PV6006', `cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

/** Throws `AgentError` PV6021 where the text is no program for these effects and inputs. */
export function compileLoop(
  { text, file }: Source,
  handlers: ReadonlyMap<string, Handler>,
  inputs: readonly string[],
): Program {
  const tools = new Map([...handlers].map(([name, { spec }]) => [name, spec]));
  const { program, diagnostics } = checkProgram(
    text,
    { tools, inputs },
    { dialect: 'starlark', file },
  );
  if (program) return program;
  const found = renderAll(diagnostics, text, { file, color: false });
  throw new AgentError('PV6021', `${file} is no valid program:\n${found}`, {
    hint: `correct it, or remove it to use the one that comes with planvm`,
  });
}

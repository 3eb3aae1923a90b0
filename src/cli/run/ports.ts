/** What the terminal does for an agent: texts of the project, traces, warnings, questions. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { AgentError, reasonOf } from '../../agent/port/errors.ts';
import { type Ports, shortPath, type Workspace } from '../../agent/port/workspace.ts';
import { atEnd } from '../process/stray.ts';
import { observe, tracedBy } from '../process/telemetry.ts';
import { confirmed } from '../process/terminal-person.ts';
import type { Project } from '../settings/project.ts';
import { divertStdout } from '../view/output.ts';
import { sayWarnings } from '../view/warnings.ts';

export function terminalPorts(
  parts: Pick<Workspace, 'settings' | 'origins' | 'env'> & { readonly project: Project },
): Ports {
  return {
    ownText: (path) => ownText(parts.project, path),
    traced: tracedBy(parts),
    watched: ({ handle, program, title, past }) =>
      observe(handle, { title, dialect: program.dialect, resumed: past !== undefined }),
    warn: (warning) => sayWarnings([warning]),
    allowsServer: async (question) =>
      process.stdin.isTTY &&
      process.stderr.isTTY &&
      (await confirmed('Allow it?', false, [question])),
    importing: divertStdout,
    atEnd,
    loginFolder: loginFolder(),
  };
}

/** Where a person's logins are kept. */
export const loginFolder = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'planvm', 'mcp');

/** A text beside the configuration, or beside `.planvm` where there is none. */
export function ownText(
  { configFile, folder }: Project,
  name: string,
): ReturnType<NonNullable<Ports['ownText']>> {
  const path = join(configFile === undefined ? folder : dirname(configFile), name);
  if (!existsSync(path)) return undefined;
  try {
    return { text: readFileSync(path, 'utf8'), file: shortPath(path) };
  } catch (cause) {
    throw new AgentError('PV6006', `cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * Where a command is called: the configuration files that count there and the folder that holds
 * the runs. Nothing is looked for above the repository, nor above the folder itself outside of one:
 * files of strangers must not decide what is executed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { reasonOf } from '../../agent/port/errors.ts';
import { mcpFileName } from '../../agent/port/settings.ts';
import { CliError } from '../failure.ts';

export interface Project {
  /** From the folder of the call up to the root of the repository. */
  readonly folders: readonly string[];
  /** `planvm.config.ts` or `planvm.config.json`, the nearest. */
  readonly configFile: string | undefined;
  /** The configuration of this person, where there is one. */
  readonly personalFile: string | undefined;
  /** `.env`, the nearest. */
  readonly envFile: string | undefined;
  /** `.mcp.json`, the nearest. */
  readonly mcpFile: string | undefined;
  /** Where `.planvm` is, or will be. */
  readonly folder: string;
}

const configNames = ['planvm.config.ts', 'planvm.config.json'] as const;

/** Throws `CliError` PV6003 where two configurations stand side by side. */
export function findProject(cwd: string, env: NodeJS.ProcessEnv): Project {
  const folders = foldersOf(cwd);
  const configFile = nearestConfig(folders);
  const personal = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'planvm', 'config.json');
  const nearest = (name: string): string | undefined =>
    folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  const withRuns = folders.find((folder) => existsSync(join(folder, '.planvm')));
  return {
    folders,
    configFile,
    personalFile: existsSync(personal) ? personal : undefined,
    envFile: nearest('.env'),
    mcpFile: nearest(mcpFileName),
    folder: withRuns ?? (configFile === undefined ? resolve(cwd) : dirname(configFile)),
  };
}

function foldersOf(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (existsSync(join(folder, '.git'))) return folders;
    if (folder === dirname(folder)) return folders.slice(0, 1);
  }
}

function nearestConfig(folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    const found = configNames.map((name) => join(folder, name)).filter((file) => existsSync(file));
    if (found.length > 1) {
      throw new CliError('PV6003', `${folder} holds ${configNames.join(' and ')}`, {
        hint: 'remove one of them: they are not merged',
      });
    }
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** The variables of a `.env` file. Throws `CliError` PV6003. */
export function readEnvFile(file: string): Readonly<Record<string, string>> {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (cause) {
    throw new CliError('PV6003', `cannot read ${file}: ${reasonOf(cause)}`, { cause });
  }
}

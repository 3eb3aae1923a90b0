/** A case of a regression suite: a folder whose `case.json` says what is run, with what. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { AgentError, reasonOf } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import { type Limits, limitNames } from '../program/limits.ts';

const caseName = 'case.json';
export const expectedName = 'expected.json';

/** What `case.json` holds. */
interface Description {
  /** A file in the folder. */
  readonly program: string;
  readonly dialect?: string | undefined;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  /** Tools files, from the folder; their functions are called. */
  readonly tools?: readonly string[] | undefined;
  /** What the model answers. */
  readonly transcript?: string | undefined;
  /** By the names of limits in configuration files. */
  readonly limits?: Partial<Limits> | undefined;
  /** Tools that are approved; of others that ask, the run waits. */
  readonly yes?: readonly string[] | undefined;
}

const description = z.strictObject({
  program: z.string(),
  dialect: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  tools: z.array(z.string()).optional(),
  transcript: z.string().optional(),
  limits: z.partialRecord(z.enum(limitNames), z.number()).optional(),
  yes: z.array(z.string()).optional(),
});

export interface Case extends Description {
  /** The folder below the one that was named, or its own name. */
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

/** Throws `AgentError` PV6051 for a folder without cases, PV6052 for one described wrongly. */
export function findCases(folder: string, filter: string | undefined): Case[] {
  const root = resolve(folder);
  const files = globSync(`**/${caseName}`, { cwd: root, exclude: ['**/node_modules/**'] });
  const all = files.sort().map((file) => readCase(root, dirname(join(root, file))));
  const chosen = all.filter(({ name }) => filter === undefined || name.includes(filter));
  if (chosen.length > 0) return chosen;
  const which = filter === undefined || all.length === 0 ? '' : ` with ${filter} in its name`;
  throw new AgentError('PV6051', `${shortPath(root)} has no case${which}`);
}

function readCase(root: string, folder: string): Case {
  const file = join(folder, caseName);
  const described = description.safeParse(readJson(file));
  if (!described.success) {
    const problem = z.prettifyError(described.error).replace(/^✖ /, '');
    throw new AgentError('PV6052', `${shortPath(file)}: ${problem}`);
  }
  const name = relative(root, folder).replaceAll('\\', '/');
  return { ...described.data, name: name === '' ? shortPath(folder) : name, folder };
}

export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new AgentError('PV6052', `cannot read ${shortPath(file)}: ${reasonOf(cause)}`, { cause });
  }
}

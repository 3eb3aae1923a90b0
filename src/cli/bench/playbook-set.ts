/**
 * Playbooks with what has to come of them: a JSON list of files, inputs, what a person says, and
 * what is expected. Programs stand beside the list.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { stringify } from '../../program/json.ts';
import { CliError } from '../failure.ts';
import { readProgram, type Source } from '../program/source.ts';
import { reasonOf } from '../settings/project.ts';
import { shortPath } from '../settings/workspace.ts';

export interface PlayItem {
  readonly id: string;
  readonly source: Source;
  /** Arguments of the playbooks that start: JSON data by name. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** What a person says when asked, one after the other; then nobody is there. */
  readonly messages: readonly string[];
  /** Each in one of the things that are said, in their order. */
  readonly said: readonly string[];
  /** As text; undefined where only what is said counts. */
  readonly answer: string | undefined;
}

export interface PlaySet {
  readonly name: string;
  readonly file: string;
  /** Of the list and all its programs. */
  readonly sha256: string;
  readonly items: readonly PlayItem[];
}

const shape = z
  .array(
    z.strictObject({
      id: z.string().min(1),
      file: z.string().min(1),
      inputs: z.record(z.string(), z.unknown()).default({}),
      messages: z.array(z.string()).default([]),
      said: z.array(z.string()).default([]),
      answer: z.unknown().optional(),
    }),
  )
  .min(1);

const hint =
  'want a list of { "id", "file", "inputs", "messages", "said", "answer" }, with answer or said';

/** Throws `CliError` PV6006 for a file that cannot be read, PV6801 for one that is no such list. */
export async function readPlaySet(path: string): Promise<PlaySet> {
  const file = shortPath(path);
  const text = textOf(path, file);
  const read = shape.safeParse(jsonOf(text, file));
  if (!read.success) {
    throw new CliError('PV6801', `${file}: ${z.prettifyError(read.error)}`, { hint });
  }
  const hash = createHash('sha256').update(text);
  const items: PlayItem[] = [];
  for (const { file: program, answer, ...item } of read.data) {
    const twin = items.some(({ id }) => id === item.id);
    if (twin) throw new CliError('PV6801', `${file}: two have the id ${item.id}`, { hint });
    if (answer === undefined && item.said.length === 0) {
      throw new CliError('PV6801', `${file}: nothing is expected of ${item.id}`, { hint });
    }
    const source = await readProgram(join(dirname(path), program));
    hash.update(source.text);
    items.push({ ...item, source, answer: answer === undefined ? undefined : wordsOf(answer) });
  }
  const name = basename(path).replace(/\.[^.]*$/, '');
  return { name, file, sha256: hash.digest('hex'), items };
}

/** A text as it is, anything else as compact JSON. */
export const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : stringify(value);

function textOf(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new CliError('PV6006', `cannot read the dataset ${file}: ${reasonOf(cause)}`, { cause });
  }
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CliError('PV6801', `${file}: it is not JSON: ${reasonOf(cause)}`, { hint });
  }
}

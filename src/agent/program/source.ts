/** The text of a program, with the files beside it that it names. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { AgentError } from '../port/errors.ts';
import { reasonOf } from '../port/reason.ts';
import { readBeside } from './beside.ts';
import { decoded } from './decoded.ts';
import { unwrapOnDemand } from './dialects.ts';

export interface Source {
  readonly text: string;
  /** As diagnostics name it. */
  readonly file: string;
  /** Short: the title of a run. */
  readonly title: string;
  /** What keeps it from being a text at all. */
  readonly wrong?: Diagnostic;
  /** What is to be said of how the text was got at. */
  readonly said?: readonly Diagnostic[];
}

/** The text of a file with those that it loads. Throws `AgentError` PV6006. */
export async function readFileSource(file: string): Promise<Source> {
  try {
    const { text, ...more } = decoded(readFileSync(file));
    return { text: await whole(text, file), ...more, file, title: basename(file) };
  } catch (cause) {
    const gone = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new AgentError('PV6006', `cannot read ${file}: ${reasonOf(cause)}`, {
      hint: gone ? 'check the path' : undefined,
      facts: { file, isMissing: gone },
      cause,
    });
  }
}

/** The program of a text that may be the reply of a model. */
export async function unwrapped(source: Source): Promise<Source> {
  const { text, said } = await unwrapOnDemand(source.text);
  return said.length === 0 ? source : { ...source, text, said };
}

type Bundler = (text: string, read: (name: string) => string | undefined) => string;

/** What puts the other files of a program behind it, where it may have some. */
async function bundlerOf(text: string, file: string): Promise<Bundler | undefined> {
  if (file.endsWith('.star') && text.includes('load')) {
    return (await import('../../dialects/starlark/bundle.ts')).bundle;
  }
  if (file.endsWith('.stack') && text.includes('use')) {
    return (await import('../../dialects/stack/bundle.ts')).bundleStack;
  }
  return undefined;
}

/** A program with the files that it loads, which are beside it or below. */
async function whole(text: string, file: string): Promise<string> {
  if (isOfPlaybooks(file) && text.includes('!import')) return await withImported(text, file);
  const bundle = await bundlerOf(text, file);
  if (!bundle) return text;
  const folder = dirname(resolve(file));
  return bundle(text, (name) => readBeside(folder, name)?.text);
}

const isOfPlaybooks = (file: string): boolean => /\.(?:playbook\.md|pb|pbasm)$/.test(file);

/** Playbooks with what they import: each file in the folder of the one that names it, or below. */
async function withImported(text: string, file: string): Promise<string> {
  const { withImports } = await import('../../dialects/playbook/source/import.ts');
  const own = realpathSync(file);
  return withImports(text, (path, from) => {
    const found = readBeside(join(dirname(resolve(file)), dirname(from)), path);
    return found?.file === own ? undefined : found?.text;
  });
}

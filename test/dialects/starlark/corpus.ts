/**
 * Corpora in the guest language: chunks between lines `---`. A line that fails carries
 * `### regexp`; a chunk turns options on by naming them: `option:while`.
 */
import { readFileSync } from 'node:fs';
import { conformance, type Options, plan } from '../../../src/dialects/starlark/parse/options.ts';
import type { Diagnostic } from '../../../src/program/diagnostic.ts';

export interface Chunk {
  /** First line in its file, for the name of the test. */
  readonly line: number;
  readonly text: string;
  readonly options: Options;
  /** By line of the chunk. */
  readonly expected: ReadonlyMap<number, RegExp>;
}

const optionNames = Object.keys(conformance) as (keyof Options)[];

export function chunksOf(file: string): Chunk[] {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  let line = 1;
  return source.split('\n---\n').map((text) => {
    const chunk = { line, text, options: optionsOf(text), expected: expectations(text) };
    line += text.split('\n').length + 1;
    return chunk;
  });
}

function optionsOf(text: string): Options {
  if (text.includes('option:plan')) return plan;
  const on = optionNames.filter((name) => text.includes(`option:${name}`));
  return { ...conformance, ...Object.fromEntries(on.map((name) => [name, true])) };
}

function expectations(text: string): Map<number, RegExp> {
  const found = new Map<number, RegExp>();
  for (const [i, line] of text.split('\n').entries()) {
    const [, pattern] = line.split(/ *### */, 2);
    if (pattern !== undefined) found.set(i + 1, new RegExp(pattern));
  }
  return found;
}

/** What differs between the errors of a chunk and those it announces; empty if nothing. */
export function differences(chunk: Chunk, errors: readonly Diagnostic[]): string[] {
  const open = new Map(chunk.expected);
  const surplus = errors.filter(({ line, message, hint }) => {
    const isExpected = open.get(line)?.test(hint === undefined ? message : `${message} | ${hint}`);
    if (isExpected) open.delete(line);
    return !isExpected;
  });
  return [
    ...surplus.map(({ line, message, hint }) => `line ${line}: got ${message} | ${hint ?? ''}`),
    ...[...open].map(([line, pattern]) => `line ${line}: want ${pattern.source}`),
  ];
}

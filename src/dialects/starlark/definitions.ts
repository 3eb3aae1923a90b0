/**
 * Functions that one program hands on to others. They travel as text: a program that calls some of
 * them has them at its head, so that it is whole wherever it is kept, shown, repaired or run.
 */
import type { Definition } from '../../program/definition.ts';
import { unpackPosition } from '../../program/program.ts';
import { unbundle } from '../bundled.ts';
import type { Environment } from '../dialect.ts';
import { resolveEnvironment } from './environment.ts';
import { plan } from './parse/options.ts';
import { parse } from './parse/parser.ts';
import type { Def, File } from './parse/syntax.ts';
import { walk } from './parse/tree-walk.ts';
import { statementParts } from './parts.ts';
import { resolve } from './resolve/resolver.ts';

export interface Defined {
  /** Those that others can take over, in the order of the program. */
  readonly definitions: readonly Definition[];
  /** Those that need names which only their own program has. */
  readonly bound: readonly { readonly name: string; readonly needs: readonly string[] }[];
}

/**
 * The functions that a program defines outside of others. `known` are those that are there without
 * it; `environment` is what later programs will have.
 */
export function definitionsIn(
  text: string,
  known: readonly Definition[],
  environment: Environment,
): Defined {
  let left = defsOf(text).map((one) => ({ one, uses: missing(one.text, environment) }));
  const bound: { name: string; needs: string[] }[] = [];
  for (;;) {
    const definitions = left.map(({ one }) => one);
    const names = new Set([...known, ...definitions].map(({ name }) => name));
    const isThere = (name: string): boolean => names.has(name);
    const whole = left.filter(({ uses }) => uses.every(isThere));
    if (whole.length === left.length) return { definitions, bound };
    for (const { one, uses } of left) {
      if (uses.every(isThere)) continue;
      bound.push({ name: one.name, needs: uses.filter((name) => !isThere(name)) });
    }
    left = whole;
  }
}

/** A later definition of a name takes the place of an earlier one. */
export function joined(
  before: readonly Definition[],
  more: readonly Definition[],
): readonly Definition[] {
  const names = new Set(more.map(({ name }) => name));
  return [...before.filter(({ name }) => !names.has(name)), ...more];
}

/** What stands above definitions at the head of a program. */
const heading = '# Defined earlier in this conversation.';

/** The program with those definitions at its head that it calls and does not have itself. */
export function withDefinitions(
  text: string,
  definitions: readonly Definition[],
  environment: Environment,
): string {
  if (definitions.length === 0) return text;
  const wanted = new Set<string>();
  const need = (of: string): void => {
    for (const name of missing(of, environment)) {
      const found = definitions.find((one) => one.name === name);
      if (!found || wanted.has(name)) continue;
      wanted.add(name);
      need(found.text);
    }
  };
  need(text);
  const head = definitions.filter(({ name }) => wanted.has(name)).map((one) => one.text);
  return head.length === 0 ? text : `${[heading, ...head].join('\n\n')}\n\n${text}`;
}

/** Names that a text uses and nobody defines; none where it cannot be read. */
function missing(text: string, environment: Environment): string[] {
  const { file, errors } = parse(unbundle(text).main, plan);
  if (!file || errors.length > 0) return [];
  resolve(file, resolveEnvironment(environment));
  const found = new Set<string>();
  walk(file, (node) => {
    if (node.kind === 'name' && node.binding?.scope === 'undefined') found.add(node.name);
  });
  return [...found];
}

function defsOf(text: string): Definition[] {
  const { main } = unbundle(text);
  const { file, errors } = parse(main, plan);
  if (!file || errors.length > 0) return [];
  const texts = new Map(statementParts.of(main).map((part) => [part.label, part.text]));
  const byName = new Map<string, Definition>();
  for (const def of topLevel(file)) {
    const own = texts.get(String(unpackPosition(def.at).line));
    if (own === undefined) continue;
    const { name } = def.name;
    byName.set(name, { name, signature: signatureIn(own, name), about: aboutOf(def), text: own });
  }
  return [...byName.values()];
}

const topLevel = ({ body }: File): Def[] => body.filter((statement) => statement.kind === 'def');

/** As it is written, on one line. */
function signatureIn(text: string, name: string): string {
  const written = /^def\s+(\p{XIDC}+\s*\([\s\S]*?\))\s*:/mu.exec(text)?.[1];
  return written?.replace(/\s+/g, ' ') ?? `${name}(…)`;
}

function aboutOf({ function: { body } }: Def): string {
  const [first] = body;
  const isText = first?.kind === 'expression' && first.value.kind === 'literal';
  const value = isText ? first.value.value : '';
  return typeof value === 'string' ? (value.trim().split('\n', 1)[0] ?? '') : '';
}

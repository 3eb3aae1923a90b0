/**
 * Tools under names that a program can write. Dots are namespaces, so `mail.send` is called as
 * `mail.send(…)`, or as `mail_send(…)`; `get-weather` as `get_weather(…)`. Aliases, and names
 * without their namespace, are written in the same way, but for those of library functions.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { isName } from '../../../program/name.ts';
import { toolNamesIn } from '../../../program/tool-names.ts';
import type { Expression, Name } from '../parse/syntax.ts';
import { words } from '../parse/token.ts';
import { universe } from './universe.ts';

type Tools = ReadonlyMap<string, ToolSpec>;

interface Names {
  /** The one name that is shown of each tool. */
  readonly shown: Tools;
  /** By every way to write one: identifiers, with dots between them. */
  readonly written: Tools;
  /** What may stand before a dot, with dots in it: `github`, `github.repos`. */
  readonly namespaces: ReadonlySet<string>;
}

const known = new WeakMap<Tools, Names>();

/** By the name that prompts and lists show. Where two come to one name, who has it gets it. */
export const callable = (tools: Tools): Tools => namesOf(tools).shown;

/** By every name that a program may write, with dots in it. */
export const writable = (tools: Tools): Tools => namesOf(tools).written;

/** Whether tools are called by a name that goes on behind this one. */
export const isNamespace = (tools: Tools, path: string): boolean =>
  namesOf(tools).namespaces.has(path);

/** The names that stand first where tools are called with a dot. */
export const namespacesIn = (tools: Tools): string[] =>
  [...namesOf(tools).namespaces].filter((path) => !path.includes('.'));

function namesOf(tools: Tools): Names {
  const before = known.get(tools);
  if (before) return before;
  const shown = new Map([...tools].filter(([name]) => isFree(name)));
  for (const [name, spec] of tools) {
    const path = name.split('.').map(identifier).join('.');
    if (!shown.has(path)) shown.set(path, spec);
  }
  const written = new Map(shown);
  for (const [name, spec] of toolNamesIn(tools)) {
    const path = name.split('.').map(identifier).join('.');
    for (const way of [path, identifier(name)]) {
      // Whatever a stranger calls its tool, `answer` and `len` stay what they are.
      if (!written.has(way) && !universe.has(way)) written.set(way, spec);
    }
  }
  const made = { shown, written, namespaces: namespacesOf(written.keys()) };
  known.set(tools, made);
  return made;
}

function namespacesOf(paths: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = path.indexOf('.'); at > 0; at = path.indexOf('.', at + 1)) {
      found.add(path.slice(0, at));
    }
  }
  return found;
}

const isFree = (name: string): boolean => isName(name) && !words.has(name);

/** The nearest name to a text that the language takes. */
function identifier(text: string): string {
  const plain = text.replace(/\P{XIDC}/gu, '_').replace(/^(?![\p{XIDS}_])/u, '_');
  return words.has(plain) ? `${plain}_` : plain;
}

/** A name with others behind its dots: `mail.send`, and the first of them. */
export interface Path {
  readonly root: Name;
  readonly text: string;
}

/** Undefined where the value before a dot is anything but a name. */
export function pathOf(node: Expression): Path | undefined {
  if (node.kind === 'name') return { root: node, text: node.name };
  if (node.kind !== 'attribute') return undefined;
  const before = pathOf(node.object);
  return before && { root: before.root, text: `${before.text}.${node.name}` };
}

/** Whether a name is the host's, or would be if the language had none of it. */
export const isOuter = ({ binding }: Name): boolean =>
  binding?.scope === 'predeclared' || binding?.scope === 'universal';

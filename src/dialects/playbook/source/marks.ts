/**
 * `@playbook(triggers = ["When $pin is set"], public = True)` before functions of a block: such a
 * function is a playbook too, which the machine plays by itself, with no model.
 */
import type { Json } from '../../../program/json.ts';
import { unpackPosition } from '../../../program/program.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Argument, Expression } from '../../starlark/parse/syntax.ts';
import { bracketEnd, split } from '../text/brackets.ts';
import { placeIn } from './code.ts';
import { type PlaybookTitle, playbookTitle } from './heading.ts';
import type { CodeBlock, Place, Playbook, SourceLine } from './tree.ts';

export interface ReadMarks {
  /** The block without its marks; lines stay where they are. */
  readonly text: string;
  /** Those of which something comes: who may call it, or what starts it. */
  readonly playbooks: readonly Playbook[];
  /** Arguments that cannot be read, each with its line in the block, from 0. */
  readonly wrong: readonly { readonly text: string; readonly line: number }[];
}

const mark = /^@playbook\b[ \t]*(?=\(|#|$)/m;

export const isMarked = (text: string): boolean => mark.test(text);

export function readMarks(block: CodeBlock): ReadMarks {
  const { text } = block;
  const playbooks: Playbook[] = [];
  const wrong: { text: string; line: number }[] = [];
  let rest = text;
  for (let found = mark.exec(rest); found; found = mark.exec(rest)) {
    const from = found.index;
    const open = from + found[0].length;
    const close = rest[open] === '(' ? (bracketEnd(rest, open) ?? lineEnd(rest, open)) : open - 1;
    const line = rest.slice(0, from).split('\n').length - 1;
    const given = rest.slice(from + 1, close + 1);
    const blank = `${rest.slice(from, close + 1)}`.replace(/[^\n]/g, '');
    rest = rest.slice(0, from) + blank + rest.slice(close + 1);
    const { values, unread } = argumentsOf(given);
    for (const one of unread) wrong.push({ text: one.text, line: line + one.line });
    const head = headOf(rest.slice(from));
    if (!head || values.length === 0) continue;
    const own = placeIn(block, rest.slice(0, from + head.at).split('\n').length - 1);
    playbooks.push(playbookOf(head, values, (behind) => placeIn(block, line + behind), own));
  }
  return { text: rest, playbooks, wrong };
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return (end < 0 ? text.length : end) - 1;
};

interface Given {
  readonly name: string;
  readonly value: Json;
  /** From 0, behind the line of the mark. */
  readonly line: number;
}

function argumentsOf(text: string): {
  readonly values: readonly Given[];
  readonly unread: readonly { readonly text: string; readonly line: number }[];
} {
  const [statement] = parse(`${text}\n`, plan).file?.body ?? [];
  const call = statement?.kind === 'expression' ? statement.value : undefined;
  if (call?.kind === 'name') return { values: [], unread: [] };
  if (call?.kind !== 'call') return { values: [], unread: [{ text: `@${text}`, line: 0 }] };
  const values: Given[] = [];
  const unread: { text: string; line: number }[] = [];
  for (const one of call.arguments) {
    const line = unpackPosition(one.at).line - 1;
    const value = constant(one.value);
    if (one.kind === 'named' && value !== undefined) values.push({ name: one.name, value, line });
    else unread.push({ text: argumentText(one), line });
  }
  return { values, unread };
}

const argumentText = (one: Argument): string =>
  one.kind === 'named' ? `${one.name} = …` : 'an argument without a name';

/** A value that is written down as it is; undefined for one that would have to be computed. */
function constant(node: Expression): Json | undefined {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' || typeof node.value === 'number'
        ? node.value
        : undefined;
    case 'name':
      return words.get(node.name);
    case 'list':
    case 'tuple': {
      const items = node.items.map(constant);
      return items.every((one) => one !== undefined) ? items : undefined;
    }
    case 'dict': {
      const rows = node.entries.map(({ key, value }) => [constant(key), constant(value)] as const);
      const isPlain = rows.every(([key, one]) => typeof key === 'string' && one !== undefined);
      return isPlain ? Object.fromEntries(rows) : undefined;
    }
    default:
      return undefined;
  }
}

const words: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...[['True', true] as const, ['False', false] as const, ['None', null] as const],
]);

interface Head {
  readonly title: PlaybookTitle;
  readonly about: string;
  /** Where it stands behind the mark. */
  readonly at: number;
}

/** The function that comes next: its parameters as headings have them, and what it says it does. */
function headOf(text: string): Head | undefined {
  const found = /^(?:[ \t]*(?:@.*|#.*)?\n)*(?:async )?def (\p{XIDC}+)[ \t]*(?=\()/u.exec(text);
  const [before = '', name = ''] = found ?? [];
  const end = found ? bracketEnd(text, before.length) : undefined;
  if (end === undefined) return undefined;
  const parts = split(text.slice(before.length + 1, end), ',').map((one) => one.trim());
  const inside = parts.filter((one) => one !== '' && !/^[*/]/.test(one)).join(', ');
  const [behind = '', returns = ''] = /^\s*(?:->\s*([^:]+))?:/.exec(text.slice(end + 1)) ?? [];
  const body = text.slice(end + 1 + behind.length);
  const about = /^\s*("""|'''|"|')\s*([^\n]*?)\s*(?:\1|\n)/.exec(body)?.[2] ?? '';
  const arrow = returns === '' ? '' : ` -> ${returns.trim()}`;
  const title = playbookTitle(`${name}(${inside})${arrow}`, 1);
  return { title, about, at: before.lastIndexOf('\n') + 1 };
}

function playbookOf(
  { title, about }: Head,
  values: readonly Given[],
  /** Where a line behind the mark stands. */
  behind: (line: number) => Place,
  place: Place,
): Playbook {
  const triggers: SourceLine[] = [];
  const given: Record<string, Json> = {};
  for (const { name, value, line } of values) {
    if (name === 'triggers' || name === 'trigger') {
      for (const text of [value].flat()) {
        triggers.push({ text: String(text), children: [], place: behind(line) });
      }
    } else if (name === 'metadata' && isTable(value)) Object.assign(given, value);
    else given[name] = value;
  }
  const { public: open, export: offered, hidden, description, execution_mode: _, ...rest } = given;
  const isPublic = open === true || offered === true;
  const isHidden = hidden === true;
  const metadata = {
    ...rest,
    ...(isPublic ? { public: true } : {}),
    ...(isHidden ? { hidden: true } : {}),
    execution_mode: 'code',
  };
  const { name, written, parameters, returns } = title;
  return {
    ...{ name, written, parameters, metadata, place, mode: 'code', isPublic, isHidden, triggers },
    ...(returns === undefined ? {} : { returns }),
    ...{ description: typeof description === 'string' ? description : about },
    ...{ steps: [], notes: [] },
  };
}

const isTable = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

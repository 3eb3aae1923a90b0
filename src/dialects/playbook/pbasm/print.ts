/**
 * The compiled form as text, `.pbasm`: Markdown with a number and a code before each line, and at
 * its end where each line stands in the source. `read.ts` reads back what this prints.
 */
import { type Json, stringify } from '../../../program/json.ts';
import {
  type CompiledAgent,
  type CompiledFile,
  type CompiledPlaybook,
  flatLines,
  isMachines,
  type Line,
  type Recipient,
} from '../compiled.ts';
import { keyOf, readsOf } from '../link/flow.ts';
import { type Graph, graphOf } from '../link/graph.ts';
import { escapeComments, escapeLine } from '../source/escape.ts';
import { signature } from '../source/heading.ts';
import { isLikeMetadata } from '../source/metadata.ts';
import type { AgentKind, Metadata, Place } from '../source/tree.ts';

export function printCompiled(file: CompiledFile): string {
  const front = yamlLines(file.metadata, '');
  const map = ['```places', ...file.agents.flatMap(placeLines), '```'];
  const parts = [
    ...(front.length === 0 ? [] : [['---', ...front, '---'].join('\n')]),
    ...file.agents.map(agentText),
    map.join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

const kindWords: Readonly<Record<AgentKind, string>> = { ai: '', human: ':Human', mcp: ':MCP' };

function agentText(agent: CompiledAgent): string {
  const { code, description, kind, metadata, name, playbooks, written } = agent;
  return [
    `# ${name}${kindWords[kind]}`,
    ...headText({ ...metadata, ...(written === name ? {} : { written }) }, description),
    ...code.map(({ text }) => `\`\`\`tools\n${text}\n\`\`\``),
    ...playbooks.map(playbookText),
  ].join('\n\n');
}

/** Metadata as a block that a rule ends, and the description after it. */
function headText(metadata: Metadata, description: string): string[] {
  const lines = yamlLines(metadata, '  ');
  const isApart = lines.length > 0 || isLikeMetadata(description);
  const text = description.split('\n').map(escapeLine).join('\n');
  return [
    ...(isApart ? [['metadata:', ...lines, '---'].join('\n')] : []),
    ...(description === '' ? [] : [text]),
  ];
}

function playbookText(playbook: CompiledPlaybook): string {
  const { description, lines, metadata, name, notes, triggers, written } = playbook;
  const section = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`### ${title}\n\n${items.join('\n')}`];
  const triggerItems = triggers.map(({ id, code, text }) => itemText(`${id}:${code} ${text}`));
  const noteItems = notes.map(({ id, text, block }) => itemText(`${id} ${text}`, block));
  return [
    `## ${signature(playbook)}`,
    ...headText({ ...metadata, ...(written === name ? {} : { written }) }, description),
    ...section('Triggers', triggerItems),
    ...section('Steps', stepLines(lines)),
    ...section('Notes', noteItems),
  ].join('\n\n');
}

/** As compiled files show lines: `- 03.01:QUE $bikes = FreeBikes($day); YLD for call`. */
function stepLines(lines: readonly Line[]): string[] {
  const graph = graphOf(lines);
  const shown = (line: Line, indent: string): string[] => [
    itemText(stepText(line, graph), line.block, indent, whyOpen(line)),
    ...line.children.flatMap((child) => shown(child, `${indent}  `)),
  ];
  return lines.flatMap((line) => shown(line, ''));
}

/** A question mark after the code says that a model does the line. */
function stepText(line: Line, graph: Graph): string {
  const wait = waitAfter(line, graph);
  const text = `${line.number}:${line.code}${isMachines(line) ? '' : '?'} ${line.text}`;
  return `${text.trimEnd()}${wait === undefined ? '' : `; YLD for ${wait}`}`;
}

const whyOpen = ({ does }: Line): string =>
  does.is === 'open' && does.likely ? `  <!-- ${does.likely.replaceAll('--', '–')} -->` : '';

/** For whom the machine waits after a line; `call` where the next line needs the result. */
function waitAfter({ number, does }: Line, { edges, lines }: Graph): string | undefined {
  const person = ({ kind, name }: Recipient): string => name ?? kind;
  if (does.is === 'ask' || (does.is === 'say' && does.waits)) return person(does.to);
  if (does.is !== 'call') return undefined;
  const into = does.into && keyOf(does.into);
  const isNeeded = (edges.get(number) ?? []).some(({ to }) => {
    const next = lines.get(to);
    return next && (!isMachines(next) || readsOf(next).some((read) => keyOf(read) === into));
  });
  return isNeeded ? 'call' : undefined;
}

/** Further paragraphs of an item stand under it, after a blank line each, then its block. */
function itemText(text: string, block?: string, indent = '', remark = ''): string {
  const [first = '', ...paragraphs] = text.split('\n');
  const lines = [`${escapeComments(first)}${remark}`, ...paragraphs.map(escapeLine)];
  const inner = block?.split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`)) ?? [];
  return [`${indent}- ${lines.join(`\n\n${indent}  `)}`, ...inner].join('\n');
}

/** `Agent 3:3`, `Agent.Main 5:4`, `Agent.Main:01 9:3`, of another file `Agent.Main:02 1:3 a.md`. */
function placeLines({ name, place, code, playbooks }: CompiledAgent): string[] {
  const row = (what: string, { line, column, file }: Place): string =>
    `${what} ${line}:${column}${file === undefined ? '' : ` ${file}`}`;
  return [
    row(name, place),
    ...code.flatMap(({ place: first, breaks = [] }, order) => {
      const block = `${name}/${order + 1}`;
      return [row(block, first), ...breaks.map((part) => row(`${block}+${part.at}`, part.place))];
    }),
    ...playbooks.flatMap((playbook) => {
      const id = `${name}.${playbook.name}`;
      const lines = flatLines(playbook.lines).map((line) => ({ ...line, id: line.number }));
      const parts = [...playbook.triggers, ...lines, ...playbook.notes];
      return [row(id, playbook.place), ...parts.map((part) => row(`${id}:${part.id}`, part.place))];
    }),
  ];
}

/** Each value in one line, as JSON, which YAML reads as well. */
const yamlLines = (metadata: Metadata, indent: string): string[] =>
  Object.entries(metadata).map(
    ([key, value]: [string, Json]) => `${indent}${keyText(key)}: ${stringify(value)}`,
  );

const keyText = (key: string): string =>
  /^\p{XIDS}\p{XIDC}*$/u.test(key) ? key : JSON.stringify(key);

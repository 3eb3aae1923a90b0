/**
 * The compiled form as text, `.pbasm`: Markdown with a number and a code before each step, and at
 * its end where each line of the source stands. `read-compiled.ts` reads back what this prints.
 */
import type { Json } from '../../../program/json.ts';
import { stringify } from '../../../program/json.ts';
import type { CompiledAgent, CompiledFile, CompiledPlaybook, Step } from '../compiled/compiled.ts';
import { signature } from '../source/heading.ts';
import { isLikeMetadata } from '../source/metadata.ts';
import type { AgentKind, Metadata, Place } from '../source/tree.ts';
import { withResults } from '../source/typed-heads.ts';
import { type Blocked, withBlock } from '../text/blocks.ts';
import { escapeComments, escapeLine } from '../text/escape.ts';

export function printCompiled(file: CompiledFile): string {
  const front = frontOf(file);
  const agents = file.agents.map(agentText);
  const places = file.agents.flatMap(placeLines);
  const map = ['```places', ...places, '```'].join('\n');
  return `${[...(front === '' ? [] : [front]), ...agents, map].join('\n\n')}\n`;
}

function frontOf({ metadata }: CompiledFile): string {
  const lines = yamlLines(metadata, '');
  return lines.length === 0 ? '' : ['---', ...lines, '---'].join('\n');
}

const kindWords: Readonly<Record<AgentKind, string>> = { ai: '', human: ':Human', mcp: ':MCP' };

function agentText(agent: CompiledAgent): string {
  const { code, description, kind, metadata, name, playbooks, written } = agent;
  return [
    `# ${name}${kindWords[kind]}`,
    ...headText({ ...metadata, ...(written === name ? {} : { written }) }, description),
    ...code.map(({ text, gives = {} }) => `\`\`\`tools\n${withResults(text, gives)}\n\`\`\``),
    ...playbooks.map(playbookText),
  ].join('\n\n');
}

/** Metadata as a block that a rule ends, and the description behind it. */
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
  const { description, metadata, name, notes, steps, triggers, written } = playbook;
  const own: Metadata = { ...metadata, ...(written === name ? {} : { written }) };
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`### ${title}\n\n${lines.join('\n')}`];
  return [
    `## ${signature(playbook)}`,
    ...headText(own, description),
    ...section(
      'Triggers',
      triggers.map(({ id, code, text }) => itemText({ text: `${id}:${code} ${text}` }, '')),
    ),
    ...section('Steps', stepLines(steps, '')),
    ...section(
      'Notes',
      notes.map(({ id, text, block }) => itemText({ text: `${id} ${text}`, block }, '')),
    ),
  ].join('\n\n');
}

/** As compiled files show steps: `- 03.01:QUE FreeBikes($day)`, indented by their depth. */
export function stepLines(steps: readonly Step[], indent: string): string[] {
  return steps.flatMap((step) => [
    itemText({ ...step, text: stepText(step) }, indent),
    ...stepLines(step.children, `${indent}  `),
  ]);
}

/** A question mark behind the code says that only a model knows what the line means. */
export const stepText = ({ number, code, isAmbiguous, text }: Step): string =>
  `${number}:${code}${isAmbiguous ? '?' : ''} ${text}`.trimEnd();

/** Further paragraphs of an item stand under it, behind a blank line each, then its block. */
function itemText({ text, block }: Blocked, indent: string): string {
  const lines = text
    .split('\n')
    .map((line, at) => (at === 0 ? escapeComments(line) : escapeLine(line)));
  return withBlock(`${indent}- ${lines.join(`\n\n${indent}  `)}`, block, indent);
}

/** `Agent 3:3`, `Agent.Main 5:4`, `Agent.Main:01 9:3`, of another file `Agent.Main:02 1:3 a.md`. */
function placeLines({ name, place, code, playbooks }: CompiledAgent): string[] {
  const row = (what: string, { line, column, file }: Place): string =>
    `${what} ${line}:${column}${file === undefined ? '' : ` ${file}`}`;
  return [
    row(name, place),
    ...code.flatMap(({ place: first, breaks = [] }, block) => [
      row(`${name}/${block + 1}`, first),
      ...breaks.map((one) => row(`${name}/${block + 1}+${one.at}`, one.place)),
    ]),
    ...playbooks.flatMap((playbook) => {
      const id = `${name}.${playbook.name}`;
      const steps = (list: readonly Step[]): string[] =>
        list.flatMap((step) => [row(`${id}:${step.number}`, step.place), ...steps(step.children)]);
      return [
        row(id, playbook.place),
        ...(playbook.filledLines ?? []).map((one, at) => row(`${id}/${at + 1}`, one)),
        ...playbook.triggers.map((one) => row(`${id}:${one.id}`, one.place)),
        ...steps(playbook.steps),
        ...playbook.notes.map((one) => row(`${id}:${one.id}`, one.place)),
      ];
    }),
  ];
}

/** Each value in one line, as JSON, which YAML reads as well. */
function yamlLines(metadata: Metadata, indent: string): string[] {
  return Object.entries(metadata).map(
    ([key, value]: [string, Json]) => `${indent}${keyText(key)}: ${stringify(value)}`,
  );
}

const keyText = (key: string): string =>
  /^\p{XIDS}\p{XIDC}*$/u.test(key) ? key : JSON.stringify(key);

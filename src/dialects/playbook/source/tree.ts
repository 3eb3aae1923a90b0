/**
 * A file of playbooks as it is written, with the places of everything: agents, their playbooks and
 * the lines of those, not yet understood. `compiled.ts` has what becomes of the lines.
 */
import type { Json } from '../../../program/json.ts';

/** In the Markdown that a person wrote; both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** The file that was imported where it stands in one, from the folder of the first. */
  readonly file?: string;
}

/** What a line of a program is called in a sentence. */
export const lineText = ({ line, file }: Pick<Place, 'line' | 'file'>): string =>
  file === undefined ? `line ${line}` : `line ${line} of ${file}`;

/** What a file says of itself, of an agent or of a playbook. */
export interface Metadata {
  readonly [key: string]: Json;
}

export interface PlaybookFile {
  /** Of the front matter. */
  readonly title?: string;
  readonly metadata: Metadata;
  readonly agents: readonly Agent[];
}

/** What an agent is, by the word after the colon of its heading. */
export type AgentKind = 'ai' | 'human' | 'mcp';

export interface Agent {
  /** In one word that begins with a capital: `BikeDesk`. */
  readonly name: string;
  /** As the heading has it: `Bike desk`. */
  readonly written: string;
  readonly kind: AgentKind;
  readonly description: string;
  readonly metadata: Metadata;
  readonly code: readonly CodeBlock[];
  readonly playbooks: readonly Playbook[];
  readonly place: Place;
}

/** Starlark of a fence `tools`, `starlark` or `python`; its first line stands at `place`. */
export interface CodeBlock {
  readonly text: string;
  readonly place: Place;
  /** Lines, from 0, that do not follow the line before: an import begins there, or has ended. */
  readonly breaks?: readonly { readonly at: number; readonly place: Place }[];
}

/** `state` is what all playbooks of an agent share: `$x`. `local` is of one call: `x`. */
export type Scope = 'local' | 'state';

export interface Parameter {
  /** Without the dollar. */
  readonly name: string;
  /** Whether it is written with a dollar; it belongs to the call all the same. */
  readonly hasDollar?: true;
  readonly type?: string;
  /** An expression in Starlark. */
  readonly default?: string;
}

/**
 * `steps`: line by line. `react`: by its description, in turns. `raw`: one completion. `code`: the
 * function of its name, with no model.
 */
export type Mode = 'steps' | 'react' | 'raw' | 'code';

export interface PlaybookHead {
  /** In one word: `BookABike`. */
  readonly name: string;
  /** As the heading has it, without what stands in brackets: `Book a bike`. */
  readonly written: string;
  readonly parameters: readonly Parameter[];
  /** The type of what it returns, as it is written. */
  readonly returns?: string;
  /** May hold `{placeholders}`, which are filled in when it starts. */
  readonly description: string;
  readonly metadata: Metadata;
  readonly mode: Mode;
  /** Whether other agents may call it. */
  readonly isPublic: boolean;
  /** Whether models are not told of it. */
  readonly isHidden: boolean;
  readonly place: Place;
}

export interface Playbook extends PlaybookHead {
  readonly triggers: readonly SourceLine[];
  readonly steps: readonly SourceLine[];
  readonly notes: readonly SourceLine[];
}

/** An item of a list, with the items under it. */
export interface SourceLine {
  /** Further paragraphs of the item follow after a line break each. */
  readonly text: string;
  /** From the first block of code under it on, as Markdown; it is for whoever does the line. */
  readonly block?: string;
  readonly children: readonly SourceLine[];
  readonly place: Place;
}

/** Lines with all lines under them, in the order of the text. */
export const flatLines = <L extends { readonly children: readonly L[] }>(
  lines: readonly L[],
): L[] => lines.flatMap((line) => [line, ...flatLines(line.children)]);

/** How findings are collected, by the names of their codes, and what the parser is handed. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { JsonNode, JsonObject, JsonScalar } from '../../text/json-node.ts';
import { add, type Details, foundIn, type Report } from '../report.ts';
import { type CodeName, codeByName } from './codes.ts';
import type { DialectName, Suspect } from './plan.ts';

export { type Report, report } from '../report.ts';

/** Errors after which a text is read no further: it is something else, and may be millions long. */
const errorsMax = 10_000;

/** Whether reading on would tell nobody anything. */
export function isHopeless({ counts }: Report): boolean {
  let errors = 0;
  for (const [kind, count] of counts) if (kind.endsWith(' error')) errors += count;
  return errors >= errorsMax;
}

/** Everything that was found, and how much of it is not listed. */
export const found = (report: Report): Diagnostic[] => foundIn(report, codeByName.more);

export function error(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'error', codeByName[code], at, text, more);
}

export function warn(to: Report, code: CodeName, at: Site, text: string, more?: Details): void {
  add(to, 'warning', codeByName[code], at, text, more);
}

// What every part of the parser is handed: the text, the dialect, and where findings go.

export interface Reader extends Report {
  readonly text: string;
  readonly dialect: DialectName;
  readonly suspects: Suspect[];
  /** Set by the first call that is written with `tool_name`. */
  arithmetic: boolean;
  /** Set by the first list that has no numbers: one warning is enough. */
  byPosition: boolean;
}

/** A key of an object and its value. */
export interface Member {
  readonly keyNode: JsonScalar;
  readonly value: JsonNode;
}

/** The members of an object by key; of a repeated key the last, with a warning. */
export function membersOf(reader: Reader, node: JsonObject): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const { key, keyNode, value } of node.members) {
    const first = members.get(key);
    if (first) {
      warn(reader, 'repeatedKey', keyNode, `the key ${key} stands twice; the last one counts`, {
        notes: [{ line: first.keyNode.line, column: first.keyNode.column, message: 'first here' }],
      });
      members.delete(key);
    }
    members.set(key, { keyNode, value });
  }
  return members;
}

export const sourceOf = (reader: Reader, node: JsonNode): string =>
  reader.text.slice(node.start, node.end);

/** How a message names what was got: the type, and the value where that is short. */
export function gotOf(node: JsonNode): string {
  switch (node.kind) {
    case 'array':
      return node.items.length === 0 ? 'an empty list' : 'a list';
    case 'object':
      return 'an object';
    case 'null':
      return 'null';
    case 'string': {
      const text = JSON.stringify(node.value);
      return text.length > shownMax ? `the text ${text.slice(0, shownMax)}…` : `the text ${text}`;
    }
    case 'bool':
    case 'int':
    case 'float':
      return String(node.value);
  }
}

const shownMax = 40;

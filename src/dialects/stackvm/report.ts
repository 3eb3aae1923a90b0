/** The codes of what can be said about a plan, by names, and how findings are collected by them. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { Site } from '../../program/effect.ts';
import type { JsonNode, JsonObject, JsonScalar } from '../../text/json-node.ts';
import { add, type Details, foundIn, type Report } from '../report.ts';
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

// The codes of what can be said about a stackvm plan; `codes.ts` says what they mean.

const table = {
  notAList: 'PV2101',
  emptyPlan: 'PV2102',
  singleInstruction: 'PV2103',
  notAnInstruction: 'PV2104',
  noType: 'PV2105',
  unknownType: 'PV2106',
  foreignType: 'PV2107',
  toolAsType: 'PV2108',
  oldName: 'PV2109',
  noParameters: 'PV2110',
  missingParameter: 'PV2111',
  wrongType: 'PV2112',
  unknownParameter: 'PV2113',
  unknownKey: 'PV2114',
  misplaced: 'PV2115',
  repeatedKey: 'PV2116',
  conflict: 'PV2117',
  assignForm: 'PV2118',
  awkwardName: 'PV2119',
  missingBranch: 'PV2120',
  noNumber: 'PV2121',
  byPosition: 'PV2122',
  badNumber: 'PV2123',
  looseNumber: 'PV2124',
  duplicateNumber: 'PV2125',
  unsorted: 'PV2126',
  gap: 'PV2127',
  noTarget: 'PV2128',
  intoBranch: 'PV2129',
  fallsThrough: 'PV2130',
  ignoredTarget: 'PV2131',
  unknownTool: 'PV2132',
  missingArgument: 'PV2133',
  unknownArgument: 'PV2134',
  wrongArgument: 'PV2135',
  tooManyArguments: 'PV2136',
  unknownVariable: 'PV2137',
  unwritten: 'PV2138',
  maybeUnwritten: 'PV2139',
  foreignReference: 'PV2140',
  foreignText: 'PV2141',
  brokenReference: 'PV2142',
  oddBraces: 'PV2143',
  escapedVariable: 'PV2144',
  extraKeys: 'PV2145',
  textArithmetic: 'PV2146',
  formatConflict: 'PV2147',
  unreachable: 'PV2148',
  noAnswer: 'PV2149',
  lastStep: 'PV2150',
  blindCondition: 'PV2151',
  noObjective: 'PV2152',
  more: 'PV2153',
  referenceAsName: 'PV2154',
  inForeach: 'PV2156',
  ranOffTheEnd: 'PV3050',
};

type CodeName = keyof typeof table;

export const codeByName: Readonly<Record<CodeName, string>> = table;

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

/** From a model's text to the tree of a plan, and to the dialect that it is written in. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  member,
  stringOf,
} from '../../text/json-node.ts';
import {
  endlessThinking,
  type ReadText,
  readModelJson,
  secondList,
  truncated,
} from '../../text/json-text.ts';
import { answerOf } from '../../text/model-text.ts';
import type { Parsed } from '../dialect.ts';
import { instructionOf } from './instruction.ts';
import { numberOf } from './parameters.ts';
import type { DialectName, Instruction, Plan } from './plan.ts';
import {
  error,
  found,
  gotOf,
  isHopeless,
  type Member,
  membersOf,
  type Reader,
  report,
  warn,
} from './report.ts';
import { piecesOf } from './template.ts';

/** Detecting and parsing look at the same text one after the other: the last one is kept. */
let last: { readonly text: string; readonly read: ReadText } | undefined;

function read(text: string): ReadText {
  // How large a text may be has been looked at before any dialect sees it.
  const anySize = { bytesMax: Infinity };
  if (last?.text !== text) last = { text, read: readModelJson(text, 'array', anySize) };
  return last.read;
}

/** How sure it is that the text is a plan, and in which dialect. */
export function detectPlan(text: string): Detected {
  const { node, error: failure } = read(text);
  if (isOtherFile(node)) {
    return { dialect: 'stackvm-2', confidence: 0 };
  }
  const detected = detect(node);
  if (detected.confidence > 0) return detected;
  return { ...detected, confidence: isAttempt(text, failure?.code) ? 0.1 : 0 };
}

/** A `package.json`, for example, has a type, but no other key of an instruction. */
const isOtherFile = (node: JsonNode | undefined): boolean =>
  member(node, 'type') !== undefined &&
  ['seq_no', 'parameters', 'execution_objective'].every((key) => member(node, key) === undefined);

/** It begins like a plan: better to say what is wrong with it than that it is nothing. */
function isAttempt(text: string, failure: string | undefined): boolean {
  if (failure === endlessThinking || failure === secondList) return true;
  return /^\s*(```\w*\s*)?[[{]/.test(answerOf(text));
}

export function parsePlan(text: string, dialect: DialectName): Parsed<Plan> {
  const { node, error: failure, repairs } = read(text);
  const diagnostics: Diagnostic[] = repairs.map(({ code, message, line, column }) => ({
    code,
    severity: code === truncated ? 'error' : 'warning',
    message,
    line,
    column,
    ...(code === truncated ? { hint: 'a plan cut short is never run: send all of it' } : {}),
  }));
  if (failure) {
    const { code, message, line, column, hint } = failure;
    const more = hint === undefined ? {} : { hint };
    return {
      diagnostics: [...diagnostics, { code, severity: 'error', message, line, column, ...more }],
    };
  }
  if (!node) return { diagnostics };
  const reader: Reader = {
    ...report(),
    text,
    dialect,
    suspects: [],
    arithmetic: false,
    byPosition: false,
  };
  const cut = repairs.some(({ code }) => code === truncated);
  const nodes = listOf(reader, node, cut);
  if (!nodes) return { diagnostics: [...diagnostics, ...found(reader)] };
  const instructions = readList(reader, nodes, '');
  const { arithmetic, suspects } = reader;
  const all = [...diagnostics, ...found(reader)];
  // What check would say of a part is not true of the whole.
  if (cut || reader.isCut) return { diagnostics: all };
  return { tree: { dialect, instructions, arithmetic, suspects }, diagnostics: all };
}

function listOf(reader: Reader, node: JsonNode, cut: boolean): readonly JsonNode[] | undefined {
  if (node.kind === 'array') {
    const empty = node.items.length === 0 && !cut;
    if (empty) error(reader, 'emptyPlan', node, 'the list of instructions is empty');
    return node.items.length === 0 ? undefined : node.items;
  }
  if (member(node, 'type') !== undefined) return instructionsIn(reader, node);
  error(reader, 'notAList', node, `got ${gotOf(node)}, want a list of instructions`);
  return undefined;
}

// Reads a list of instructions, the plan's or a branch's, in the order of their numbers.

interface Item {
  readonly node: JsonObject;
  readonly keys: ReadonlyMap<string, Member>;
  readonly position: number;
}

/** `under` is the label of what the list belongs to: empty for the plan, `3.true` for a branch. */
function readList(
  reader: Reader,
  nodes: readonly JsonNode[],
  under: string,
): readonly Instruction[] {
  const items: Item[] = [];
  for (const [position, node] of nodes.entries()) {
    reader.isCut ||= isHopeless(reader);
    if (reader.isCut) break;
    if (node.kind === 'object') items.push({ node, keys: keysOf(reader, node), position });
    else error(reader, 'notAnInstruction', node, `got ${gotOf(node)}, want an instruction`);
  }
  const numbered = items.some(({ keys }) => seqNo(keys) !== undefined);
  const [first] = items;
  if (!numbered && first && !reader.byPosition) {
    reader.byPosition = true;
    warn(
      reader,
      'byPosition',
      first.node,
      'no instruction here has a seq_no; numbered by position',
    );
  }
  const read: Instruction[] = [];
  for (const { node, keys, position } of items) {
    reader.isCut ||= isHopeless(reader);
    if (reader.isCut) break;
    reader.step = under;
    const number = numbered ? readNumber(reader, node, keys) : position;
    const own = number ?? `#${position + 1}`;
    const label = under === '' ? `${own}` : `${under}.${own}`;
    const place = { label, number, position };
    read.push(
      instructionOf(reader, node, keys, place, (branch, name) =>
        readList(reader, instructionsIn(reader, branch), name),
      ),
    );
  }
  return read.sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity) || 0);
}

const noKeys: ReadonlyMap<string, Member> = new Map();

const keysOf = (reader: Reader, node: JsonObject): ReadonlyMap<string, Member> =>
  node.members.length === 0 ? noKeys : membersOf(reader, node);

/** The elements of a list; an instruction alone stands for a list of one. */
function instructionsIn(reader: Reader, node: JsonNode): readonly JsonNode[] {
  if (node.kind === 'array') return node.items;
  warn(reader, 'singleInstruction', node, 'got one instruction, want a list: [ … ]');
  return [node];
}

function readNumber(
  reader: Reader,
  node: JsonObject,
  keys: ReadonlyMap<string, Member>,
): number | undefined {
  const found = seqNo(keys);
  if (found) return numberOf(reader, found, 'seq_no');
  error(reader, 'noNumber', node, 'got no seq_no, want one: other instructions have theirs');
  return undefined;
}

function seqNo(keys: ReadonlyMap<string, Member>): JsonNode | undefined {
  const found = keys.get('seq_no')?.value;
  return found?.kind === 'null' ? undefined : found;
}

// Which of the two dialects a plan is written in. Decided for the plan as a whole: an assign of
// `value` and `var_name` sets one variable in stackvm-1 and two in stackvm-2.

interface Markers {
  /** Objects with a type. */
  instructions: number;
  /** Instructions that only the documents of one dialect have. */
  readonly strong: [number, number];
  /** Assigns of exactly `value` and `var_name`. */
  pairs: number;
  /** References in the form of one dialect. */
  readonly references: [number, number];
}

interface Detected {
  readonly dialect: DialectName;
  /** 0: no plan at all; 1: certain. */
  readonly confidence: number;
}

/** No marker at all is stackvm-2. */
function detect(node: JsonNode | undefined): Detected {
  const found: Markers = { instructions: 0, strong: [0, 0], pairs: 0, references: [0, 0] };
  if (node) count(node.kind === 'array' ? node.items : [node], found);
  if (found.instructions === 0) return { dialect: 'stackvm-2', confidence: 0 };
  const [first, second] = found.strong;
  if (first !== second) return { dialect: nameOf(first > second), confidence: 1 };
  if (found.pairs > 0 && first === 0) return { dialect: 'stackvm-1', confidence: 0.95 };
  const [braces, dollars] = found.references;
  return { dialect: nameOf(braces > dollars), confidence: 0.9 };
}

const nameOf = (first: boolean): DialectName => (first ? 'stackvm-1' : 'stackvm-2');

const firstTypes = /^(condition|llm_generate|retrieve_\w+)$/;

/** Parameters that are lists of instructions. */
const lists = ['true_branch', 'false_branch', 'instructions'];

function count(items: readonly JsonNode[], found: Markers): void {
  for (const item of items) {
    const type = stringOf(member(item, 'type'));
    if (item.kind !== 'object' || type === undefined) continue;
    found.instructions++;
    const parameters = member(item, 'parameters');
    const second =
      /^(calling|foreach)$/.test(type) || member(item, 'execution_objective') !== undefined;
    const output =
      !/^(calling|foreach)$/.test(type) && member(parameters, 'output_var') !== undefined;
    if (firstTypes.test(type) || output) found.strong[0]++;
    if (second) found.strong[1]++;
    if (type === 'assign' && isPair(parameters)) found.pairs++;
    for (const name of lists) count(itemsOf(parameters, name), found);
    if (parameters) countReferences(parameters, found);
  }
}

function isPair(parameters: JsonNode | undefined): boolean {
  const name = stringOf(member(parameters, 'var_name'));
  if (parameters?.kind !== 'object' || name === undefined) return false;
  return parameters.members.length === 2 && member(parameters, 'value') !== undefined;
}

/** Those of branches are counted with the instructions of the branch. */
function countReferences(node: JsonNode, found: Markers): void {
  switch (node.kind) {
    case 'string':
      for (const part of piecesOf(String(node.value), 'dollar').parts) {
        if (typeof part !== 'string') found.references[part.form === 'braces' ? 0 : 1]++;
      }
      return;
    case 'array':
      for (const item of node.items) countReferences(item, found);
      return;
    case 'object':
      if (node.members.length === 1 && stringOf(member(node, 'var')) !== undefined) {
        found.references[0]++;
      }
      for (const { key, value } of node.members) {
        if (!lists.includes(key)) countReferences(value, found);
      }
      return;
    default:
      return;
  }
}

const itemsOf = (node: JsonNode | undefined, key: string): readonly JsonNode[] =>
  arrayOf(member(node, key))?.items ?? [];

const arrayOf = (node: JsonNode | undefined): JsonArray | undefined =>
  node?.kind === 'array' ? node : undefined;

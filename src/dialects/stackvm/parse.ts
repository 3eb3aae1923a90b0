/** From a model's text to the tree of a plan. */
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { JsonNode } from '../../text/json-node.ts';
import { member } from '../../text/json-node.ts';
import {
  endlessThinking,
  type ReadText,
  readModelJson,
  secondList,
  truncated,
} from '../../text/json-text.ts';
import { answerOf } from '../../text/model-text.ts';
import type { Parsed } from '../dialect.ts';
import { instructionsIn, readList } from './list.ts';
import { type Detected, detect } from './markers.ts';
import type { DialectName, Plan } from './plan.ts';
import { gotOf, type Reader } from './reader.ts';
import { error, found, report } from './report.ts';

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

/**
 * Which of the two dialects a plan is written in. Decided for the plan as a whole: an assign of
 * `value` and `var_name` sets one variable in stackvm-1 and two in stackvm-2.
 */
import { type JsonArray, type JsonNode, member } from '../../text/json-node.ts';
import type { DialectName } from './plan.ts';
import { piecesOf } from './template.ts';

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

export interface Detected {
  readonly dialect: DialectName;
  /** 0: no plan at all; 1: certain. */
  readonly confidence: number;
}

/** No marker at all is stackvm-2. */
export function detect(node: JsonNode | undefined): Detected {
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
    const type = textOf(member(item, 'type'));
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
  const name = textOf(member(parameters, 'var_name'));
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
      if (node.members.length === 1 && textOf(member(node, 'var')) !== undefined) {
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

const textOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? String(node.value) : undefined;

/**
 * Steps of a trace, as interpreters of February and March 2025 had them: each with the variables
 * that it updated, its calls, and what it waits for.
 */
import { type JsonNode, member } from '../../../../program/json-node.ts';
import type { Said } from '../said.ts';
import { stepIn } from '../said.ts';
import { operationsIn } from './json-operations.ts';
import { isStatement, statementSaid } from './statement.ts';

/** `{"Main:01:QUE": [...]}`: what is done stands under the name of its line. */
export const isStep = (item: JsonNode): boolean =>
  item.kind === 'object' && item.members.some(({ key }) => stepOf(key) !== undefined);

/** Lines with what is done at them, without the list around them. */
export const isOfSteps = (node: JsonNode): boolean =>
  node.kind === 'object' &&
  node.members.length > 0 &&
  node.members.every(({ key }) => stepOf(key) !== undefined);

export const isEmptyTrace = (node: JsonNode): boolean => {
  const trace = member(node, 'trace');
  return trace?.kind === 'array' && trace.items.length === 0 && member(node, 'vars') === undefined;
};

export const emptyTrace: Said = {
  is: 'wrong',
  text: 'got a trace without a step, want what is done at each line',
};

export function traceItem(item: JsonNode): readonly Said[] {
  if (item.kind === 'string') return stepOf(String(item.value)) ?? [];
  if (item.kind !== 'object') return [];
  const members = item.members.filter(({ key }) => key !== 'prologue');
  // What is done before a line is named: its keys belong together, such as a call and its target.
  if (!members.some(({ key }) => stepOf(key))) return inner({ ...item, members });
  return members.flatMap(({ key, value }) => {
    const step = stepOf(key);
    return step ? [...step, ...inner(value)] : inner({ ...item, members: [keyed(key, value)] });
  });
}

const inner = (value: JsonNode): readonly Said[] => {
  if (value.kind === 'array') return value.items.flatMap(inner);
  if (value.kind === 'string') return worded(String(value.value));
  return value.kind === 'object' && value.members.length > 0 ? operationsIn(value) : [];
};

/** Words are a note on the line, unless they are what is done there. */
const worded = (text: string): readonly Said[] => (isStatement(text) ? statementSaid(text) : []);

const stepOf = (text: string): readonly Said[] | undefined => {
  const step = stepIn(text.replace(/^(?:step|line)[\s_]*(?=\d)/i, ''));
  return step && [step];
};

const keyed = (key: string, value: JsonNode) => {
  const { line, column, start, end } = value;
  return { key, keyNode: { kind: 'string', value: key, line, column, start, end } as const, value };
};

/**
 * Replies in which no program was found: what they are instead, so that the model is told the one
 * thing to change, or its words are taken as the answer.
 */
import type { AnyDialect } from '../dialects/index.ts';
import { type JsonNode, memberLike, stringOf } from '../text/json-node.ts';
import { readAllJson } from '../text/json-text.ts';
import { answerOf } from '../text/model-text.ts';
import { thoughtsIn } from '../text/thoughts.ts';
import { refusalWord } from './native-plan.ts';

export type WithoutProgram =
  /** The model says that the goal cannot be reached. */
  | { readonly is: 'refusal' }
  /** `isMarked`: the words stand between the marks of an answer. */
  | { readonly is: 'words'; readonly text: string; readonly isMarked: boolean }
  /** `problem`: what to write instead, as the model is told. */
  | { readonly is: 'mistake'; readonly problem: string };

export function withoutProgram(reply: string, { fence }: AnyDialect): WithoutProgram {
  const answer = answerOf(reply).trim();
  if (new RegExp(`^\\W*${refusalWord}\\b`).test(answer)) return { is: 'refusal' };
  if (thoughtsIn(reply).some(({ end }) => end === reply.length)) {
    return mistake('Nothing comes after the thoughts: close them with </think> first.');
  }
  const call = calledInstead(reply, fence);
  if (call !== undefined) return mistake(call);
  if (/^\s*[[{]/.test(answer)) {
    return mistake(`The reply is JSON, and no ${fence} program.`);
  }
  if (answer === '') return mistake('The reply is empty.');
  return { is: 'words', text: answer, isMarked: /<answer>/i.test(reply) };
}

/** What a model is told that calls a tool by itself; undefined where the reply is no such call. */
export function calledInstead(reply: string, fence: string): string | undefined {
  const name = calledTool(answerOf(reply));
  if (name === undefined) return undefined;
  return (
    `The reply calls the tool ${name} itself. Only the program calls tools: write a ${fence} ` +
    'program that calls it.'
  );
}

const mistake = (problem: string): WithoutProgram => ({ is: 'mistake', problem });

const nameKeys = ['name', 'tool', 'tool_name', 'action', 'function'];
const argumentKeys = ['arguments', 'args', 'parameters', 'params', 'input', 'action_input'];

/** The tool that a reply in JSON calls, in any of the forms in which models are taught to. */
function calledTool(answer: string): string | undefined {
  const nodes = readAllJson(answer).flatMap(({ node }) => callsIn(node));
  for (const node of nodes) {
    if (!argumentKeys.some((key) => memberLike(node, key) !== undefined)) continue;
    const names = nameKeys.map((key) => stringOf(memberLike(node, key)));
    const name = names.find((one) => one !== undefined);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Objects that may be a call: the value itself, one in a list, or one in its envelope. */
function callsIn(node: JsonNode | undefined): JsonNode[] {
  if (node === undefined) return [];
  if (node.kind === 'array') return node.items.flatMap(callsIn);
  const inner = ['tool_calls', 'function', 'tool_call'].map((key) => memberLike(node, key));
  return [node, ...inner.flatMap((one) => callsIn(one))];
}

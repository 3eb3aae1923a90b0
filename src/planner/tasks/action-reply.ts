/**
 * Reads the reply of a model that takes one action at a time: a thought, and a call or the answer.
 * What it writes behind that, such as an observation of its own making, is left out with a warning.
 */
import type { Environment } from '../../dialects/dialect.ts';
import { idsAfter } from '../../dialects/llmcompiler/ids.ts';
import type { CallItem, Item, TextItem } from '../../dialects/llmcompiler/item.ts';
import { PlanReader } from '../../dialects/llmcompiler/reader.ts';
import { taskOf } from '../../dialects/llmcompiler/task-of.ts';
import type { Reading } from '../../effects/model/ask.ts';
import type { ToolCall } from '../../effects/model/model.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import { GuestValue, inKeyOrder, stringify, toJson } from '../../program/json.ts';
import { findTool } from '../../program/tool-names.ts';
import { answerOf } from '../../text/model-text.ts';
import { toolsWord } from '../native-plan.ts';

export interface NextAction {
  readonly thought: string;
  readonly calls: readonly NextCall[];
  /** Null where something is called. */
  readonly answer: { readonly value: unknown } | null;
}

export interface NextCall {
  /** `search["x"]`, as written. */
  readonly action: string;
  readonly tool: string;
  /** By parameter name, with nodes. */
  readonly args: unknown;
  /** Names of the given values that the nodes stand for, by their indices. */
  readonly needs: readonly string[];
  /** Equal for calls that are. */
  readonly key: string;
  /** Whether it changes nothing: it may be made again. */
  readonly reads: boolean;
  readonly native: ToolCall | null;
  /** Why it cannot be made, which the model sees as what came of it; empty where it can. */
  readonly problem: string;
  /** What came of it already, where it asks to see tools. */
  readonly shown?: string;
}

/** A reply that asks to see tools, with what it is shown. */
export const lookedAction = (wanted: readonly string[], shown: string): NextAction => ({
  ...{ thought: '', answer: null },
  calls: wanted.map((words, index) => ({
    ...{ action: `${toolsWord} ${words}`, tool: '', args: {}, needs: [], key: words, reads: true },
    ...{ native: null, problem: '', shown: index === 0 ? shown : 'See above.' },
  })),
});

/** `done` are the actions of the turns so far. */
export function readAction(
  text: string,
  environment: Environment,
  done: readonly string[] = [],
): Reading<NextAction> {
  const whole = answerOf(text);
  const said = behindEarlier(whole, environment, done);
  const own = said.split(observationMark, 1)[0] ?? '';
  const reader = new PlanReader();
  const safe = escaped(own, environment.inputs);
  const items = [...reader.feed(safe), ...reader.end()];
  const calls = items.filter(isCall);
  const [first, ...more] = calls;
  const answer = items.find(({ kind }) => kind === 'answer') as TextItem | undefined;
  if (!first && answer) return answered(answer, items, safe);
  if (!first) {
    return { ok: false, problem: 'got no action, want "Action: tool[…]" or "Action: Finish[…]"' };
  }
  const left = [
    ...(said.length < whole.length ? ['it wrote the earlier turns again; they were left out'] : []),
    ...(own.length < said.length ? ['it wrote an observation itself, which was left out'] : []),
    ...(answer ? ['it wrote an answer beside its action, which was left out'] : []),
    ...(more.length > 0 ? [`it wrote ${more.length + 1} actions; the first was taken`] : []),
  ];
  if (first.kind === 'join') return finished(first, left);
  const { call, warnings } = callOf(first, environment);
  const value = { thought: plain(first.thought), calls: [call], answer: null };
  return { ok: true, value, mended: [...left, ...warnings] };
}

function finished(item: CallItem, mended: readonly string[]): Reading<NextAction> {
  const answer = unquoted(plain(item.call.text).slice(1, -1).trim());
  if (answer === '') return { ok: false, problem: `got ${item.name} without an answer, want one` };
  return {
    ok: true,
    value: { thought: plain(item.thought), calls: [], answer: { value: answer } },
    mended,
  };
}

/** `Final Answer: 42`, with all lines behind it, as `Finish[42]`. */
function answered(item: TextItem, items: readonly Item[], text: string): Reading<NextAction> {
  const lineEnd = text.indexOf('\n', item.start);
  const value = plain(item.text + (lineEnd < 0 ? '' : text.slice(lineEnd))).trim();
  if (value === '') return { ok: false, problem: 'got an answer without words, want one' };
  const thought = items.find(({ kind }) => kind === 'thought') as TextItem | undefined;
  return {
    ok: true,
    value: { thought: plain(thought?.text ?? ''), calls: [], answer: { value } },
    mended: ['it wrote a line that says the answer, which was taken as Finish'],
  };
}

/**
 * One action at a time has seen all results: `$5` is no reference to one, but text. Only what was
 * given is referred to by its name.
 */
const escaped = (text: string, inputs: readonly string[]): string =>
  text.replace(/(?<![\\$])\$(?=\d|\{\s*(\w*))/g, (sign, name) =>
    inputs.includes(name) ? sign : `\\${sign}`,
  );
const plain = (text: string): string => text.replace(/\\\$(?=[{\d])/g, '$$');

/** A text in quotes of its own, which hold nothing but it. */
function unquoted(text: string): string {
  if (!/^"[^"\\]*"$|^'[^'\\]*'$/.test(text)) return text;
  return text.slice(1, -1);
}

function callOf(item: CallItem, environment: Environment) {
  const { made, diagnostics } = taskOf(item, environment, idsAfter());
  const tool = made?.tool ?? item.name;
  const action = plain(`${tool}${item.call.text}`);
  const wrong = diagnostics.filter(({ severity }) => severity === 'error').map(textOf);
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').map(textOf);
  const args = made ? new GuestValue(made.args) : {};
  const needs = made?.needs ?? [];
  const isPlain = made !== undefined && needs.length === 0;
  const key = keyOf(tool, isPlain ? toJson(made.args) : item.call.text);
  const call: NextCall = {
    ...{ action, tool, args, needs, key, reads: isRead(tool, environment.tools) },
    ...{ native: null, problem: wrong.join('\n') },
  };
  return { call, warnings };
}

export const isRead = (tool: string, tools: Environment['tools']): boolean =>
  (findTool(tools, tool)?.effect ?? 'write') !== 'write';

const observationMark = /^(?:[*_>#-]|[^\S\r\n\u2028\u2029])*observation[*_]*[^\S\n]*:/im;
const turnMark = /^(?:[*_>#-]|[^\S\r\n\u2028\u2029])*(?:thought|action)[*_]*[^\S\n]*:/im;

/** What stands after all turns so far, where a reply begins with all of them, else the reply. */
function behindEarlier(text: string, environment: Environment, done: readonly string[]): string {
  let rest = text;
  for (const action of done) {
    const end = rest.search(observationMark);
    const behind = end < 0 ? '' : rest.slice(end);
    const next = behind.search(turnMark);
    if (next < 0 || actionIn(rest.slice(0, end), environment) !== action) return text;
    rest = behind.slice(next);
  }
  return rest;
}

function actionIn(turn: string, environment: Environment): string | undefined {
  const reader = new PlanReader();
  const items = [...reader.feed(escaped(turn, environment.inputs)), ...reader.end()];
  const call = items.find(isCall);
  return call && callOf(call, environment).call.action;
}

const textOf = ({ code, message, hint }: Diagnostic): string =>
  `${code} ${message}${hint === undefined ? '' : ` (${hint})`}`;

/** The same for equal arguments, whatever the order of their names. */
export const keyOf = (tool: string, args: unknown): string =>
  `${tool} ${stringify(inKeyOrder(args))}`;

const isCall = (item: Item): item is CallItem => item.kind === 'task' || item.kind === 'join';

/** From an item of a plan to a task of the run: the tool, its arguments by name, what it needs. */

import { type Diagnostic, nearest, type Severity } from '../../program/diagnostic.ts';
import type { Site, ToolSpec } from '../../program/effect.ts';
import { refNode, type Task } from '../../program/task.ts';
import { findTool, toolNamesIn, unknownToolHint } from '../../program/tool-names.ts';
import type { Value } from '../../program/value.ts';
import type { Environment } from '../dialect.ts';
import { inputHint } from '../report.ts';
import { bind } from './arguments.ts';
import type { Argument } from './call.ts';
import { type CodeName, codeByName } from './codes.ts';
import { type Conversion, convert } from './convert.ts';
import { type Ids, isAmount, resolveId } from './ids.ts';
import type { CallItem } from './item.ts';
import { namedInputs } from './reading.ts';
import { piecesOf, type Reference } from './reference.ts';

export interface Made<T> {
  /** Present exactly when there is no error. */
  readonly made?: T;
  /** Ids of the run and names of inputs that it refers to, also of those that are wrong. */
  readonly needs: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a plan ends with: a value with nodes, or, without one, what the joiner makes of it. */
export interface Join {
  readonly answer?: { readonly value: Value; readonly needs: readonly string[] };
}

/**
 * The task that an action asks for. `ids` says which tasks it may refer to, by their numbers, and
 * has its own. Everything that is wrong with it is an error at its place; the rest are warnings.
 */
export function taskOf(item: CallItem, environment: Environment, ids: Ids): Made<Task> {
  const given = item.call;
  const making = makingOf(item, ids, namedInputs(environment));
  const spec = toolOf(making, item, environment);
  if (!spec) {
    refer(making, given.args);
    return done(making);
  }
  const args = bind(making.conversion, given, spec, item.nameAt);
  const { id, thought, line, column } = item;
  const source = sourceOf({ ...item, name: spec.name });
  const needs = [...making.needs.keys()];
  const runId = ids.own.get(id) ?? id;
  return done(making, { id: runId, tool: spec.name, args, needs, thought, source, line, column });
}

/** How an action is written: its number, its tool, its arguments in brackets. */
export const sourceOf = ({ id, name, call }: Pick<CallItem, 'id' | 'name' | 'call'>): string =>
  `${id}. ${name}${call.text}`;

/** What the end of a plan answers. */
export function joinOf(item: CallItem, ids: Ids, inputs: readonly string[]): Made<Join> {
  const { args, inside } = item.call;
  const making = makingOf(item, ids, inputs);
  if (inside === '') return done(making, {});
  const [only, ...more] = args;
  const isText = isFinish(item) || args.every(isBareText);
  const whole = { kind: 'bare', text: inside, line: item.call.at.line } as const;
  const syntax =
    only && more.length === 0 && only.name === undefined
      ? only.value
      : isText
        ? { ...whole, column: item.call.at.column + 1 }
        : undefined;
  if (!syntax) {
    const message = `got ${args.length} arguments of join, want one or none`;
    const hint = 'join($7) answers with a result, join("It is $7") with text, join() with all';
    making.conversion.say('warning', 'joinArguments', item.nameAt, message, hint);
    return done(making, {});
  }
  const isAnswer = isFinish(item) && syntax.kind === 'bare' && !isReference(syntax.text);
  const value = convert(making.conversion, 'answer', syntax, isAnswer ? { type: 'string' } : {});
  return done(making, { answer: { value, needs: [...making.needs.keys()] } });
}

/** Whether a text is one reference and nothing else: then the answer is that result, as it is. */
function isReference(text: string): boolean {
  const [only, ...more] = piecesOf(text.trim());
  return typeof only === 'object' && more.length === 0;
}

const isFinish = ({ kind, name }: CallItem): boolean =>
  kind === 'join' && name.toLowerCase() === 'finish';

const isBareText = ({ value, name }: Argument): boolean =>
  name !== undefined || (value.kind === 'bare' && !/^\$\{?\d/.test(value.text));

interface Making {
  readonly diagnostics: Diagnostic[];
  /** Indices of nodes by the ids of the run, and by names of inputs. */
  readonly needs: Map<string, number>;
  readonly conversion: Conversion;
}

function done<T>({ diagnostics, needs: indices }: Making, made?: T): Made<T> {
  const needs = [...indices.keys()];
  const isWrong = diagnostics.some(({ severity }) => severity === 'error');
  return isWrong || made === undefined ? { needs, diagnostics } : { made, needs, diagnostics };
}

/** What a call refers to, where nobody knows what its arguments are for. */
function refer({ conversion }: Making, args: readonly Argument[]): void {
  const silent: Conversion = { ...conversion, say: () => {} };
  for (const { name = '', value } of args) convert(silent, name, value, {});
}

function makingOf(item: CallItem, ids: Ids, inputs: readonly string[]): Making {
  const diagnostics = [...item.diagnostics];
  const needs = new Map<string, number>();
  const step = item.id;
  const say = (
    severity: Severity,
    code: CodeName,
    { line, column }: Site,
    message: string,
    hint?: string,
  ): void => {
    const more = hint === undefined ? {} : { hint };
    diagnostics.push({ code: codeByName[code], severity, message, line, column, step, ...more });
  };
  const refer: Conversion['refer'] = (reference, at, isAlone) => {
    if (reference.isInput && !inputs.includes(reference.id)) {
      sayNoInput(reference, at, say, inputs);
      return undefined;
    }
    const id = reference.isInput ? reference.id : resolveId(reference.id, ids);
    const isMoney = !reference.isInput && !isAlone && isAmount(reference, ids, item.start);
    if (isMoney || (id === undefined && isFinish(item))) {
      const where = id === undefined ? '' : ' before this one';
      const message = `there is no task ${reference.id}${where}: ${reference.text} stays text`;
      say('warning', 'amount', at, message, `write \\${reference.text}`);
      return reference.text;
    }
    if (id === undefined) {
      const hint = isAlone ? undefined : `write \\${reference.text} for the text itself`;
      say('error', 'undefinedTask', at, undefinedText(reference, ids), hint);
      return undefined;
    }
    if (id === ids.own.get(item.id) && item.kind === 'task') {
      say('error', 'selfReference', at, `task ${item.id} refers to its own result`);
      return undefined;
    }
    const index = needs.get(id) ?? needs.size;
    needs.set(id, index);
    return refNode(index, ...reference.path);
  };
  const written: Conversion['written'] = ({ start, end }) => item.call.text.slice(start, end);
  return { diagnostics, needs, conversion: { say, refer, written } };
}

function sayNoInput(
  { id, text }: Reference,
  at: Site,
  say: Conversion['say'],
  inputs: readonly string[],
): void {
  const near = nearest(id, inputs);
  const given = inputs.length === 0 ? 'none is given' : `given are ${inputs.join(', ')}`;
  const meant = near === undefined ? `${given}; ${inputHint(id)}` : `did you mean ${near}?`;
  const hint = `${meant}; write \\${text} for the text itself`;
  say('error', 'undefinedInput', at, `there is no input ${id}`, hint);
}

/** Tasks that a message lists. */
const listedMax = 12;

function undefinedText({ id, text }: Reference, { own }: Ids): string {
  const known: string[] = [];
  for (const number of own.keys()) {
    known.push(known.length < listedMax ? number : '…');
    if (known.length > listedMax) break;
  }
  return `${text}: there is no task ${id}, want one of ${known.join(', ') || 'none'}`;
}

function toolOf(
  making: Making,
  item: CallItem,
  { tools, open = false }: Environment,
): ToolSpec | undefined {
  const spec = findTool(tools, item.name);
  if (spec) return spec;
  const plain = (name: string): string => name.toLowerCase().replace(/[-_./:]/g, '');
  const alike = [...toolNamesIn(tools)].filter(([name]) => plain(name) === plain(item.name));
  const [only, ...more] = new Set(alike.map(([, meant]) => meant));
  if (only && more.length === 0 && !open) {
    const message = `there is no tool ${item.name}; ${only.name} was taken`;
    making.conversion.say('warning', 'otherCase', item.nameAt, message, `write ${only.name}`);
    return only;
  }
  const hint = unknownToolHint(tools, item.name);
  const { line, column } = item.nameAt;
  making.diagnostics.push({
    ...{ code: codeByName.unknownTool, severity: 'error', line, column, step: item.id },
    ...{ message: `there is no tool ${item.name}`, hint, unknown: item.name },
  });
  return undefined;
}

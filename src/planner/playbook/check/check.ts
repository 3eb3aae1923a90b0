/**
 * What can be checked of an operation by itself: that the line and the callee exist, that arguments
 * are named and fit the schemas of tools. Order, addressees, values and declared types are the
 * loop's. Pure.
 */
import type { CallableParameter } from '../../../dialects/playbook/grammar/expression.ts';
import type { LinkedPlaybook } from '../../../dialects/playbook/link/linked.ts';
import { checkValue, isMended, type Written } from '../../../dialects/schema-check.ts';
import type { JsonSchema } from '../../../program/effect.ts';
import { fromJson } from '../../../program/json.ts';
import type { OperationPart, ProblemPart } from '../parts.ts';
import { bareName, computedIn, type Expr, exprOf, type IsVariable } from '../reply/expr.ts';
import type { Operation } from '../reply/operations.ts';
import type { Callee, Directory } from './directory.ts';

export interface CheckPlace {
  readonly playbook: LinkedPlaybook;
  readonly directory: Directory;
  /** Names, without a dollar, of variables that have values. */
  readonly variables: readonly string[];
}

export type CheckOperation = (operation: Operation) => OperationPart | ProblemPart;

/** A check for one reply: it learns the names that the reply sets. */
export function checkFor({ playbook, directory, variables }: CheckPlace): CheckOperation {
  const names = new Set([...variables, ...variablesOf(playbook)]);
  const isVariable: IsVariable = (name) => names.has(name);
  const place = { playbook, directory, isVariable };
  return (operation) => {
    const part = checked(operation, place);
    if (part.op === 'set') for (const name of Object.keys(part.values)) names.add(name);
    if (part.op === 'call' && part.into !== undefined) names.add(part.into);
    return part;
  };
}

interface Place extends Omit<CheckPlace, 'variables'> {
  readonly isVariable: IsVariable;
}

const variablesOf = ({ parameters, lines }: LinkedPlaybook): readonly string[] => [
  ...parameters.map(({ name }) => name),
  ...[...lines.values()].flatMap(({ names }) => names.map(({ name }) => name)),
];

function checked(operation: Operation, place: Place): OperationPart | ProblemPart {
  const { raw } = operation;
  const problem = (code: string, text: string): ProblemPart => ({ op: 'problem', code, text, raw });
  const { isVariable, playbook } = place;
  const data = 'values' in operation ? operation.values : 'args' in operation ? operation.args : '';
  const said = 'text' in operation ? operation.text : 'value' in operation ? operation.value : data;
  const computed = computedIn(said);
  if (computed !== undefined) {
    const text = `got ${computed}, want a variable alone: compute it, and write the result`;
    return problem('PV7307', text);
  }
  switch (operation.op) {
    case 'at': {
      const { line } = operation;
      if (playbook.lines.has(line)) return operation;
      const [first, last] = [playbook.first, [...playbook.lines.keys()].at(-1)];
      return problem('PV7302', `got the line ${line}, want one from ${first} to ${last}`);
    }
    case 'set':
      return checkedSet(operation, place);
    case 'call':
      return checkedCall(operation, place);
    case 'say': {
      const { text, to } = operation;
      return { op: 'say', text: exprOf(text, isVariable), ...(to !== undefined && { to }), raw };
    }
    case 'return':
      return { op: 'return', value: exprOf(operation.value, isVariable), raw };
    default:
      return operation;
  }
}

function checkedSet(
  { values: written, raw }: Operation & { readonly op: 'set' },
  { isVariable }: Place,
): OperationPart | ProblemPart {
  const values = new Map<string, Expr>();
  for (const [key, data] of Object.entries(written)) {
    const name = bareName(key);
    if (name === undefined) {
      const text = `got the variable ${key}, want a name: set the whole variable`;
      return { op: 'problem', code: 'PV7310', text, raw };
    }
    values.set(name, exprOf(data, isVariable));
  }
  return { op: 'set', values: Object.fromEntries(values), raw };
}

function checkedCall(
  operation: Operation & { readonly op: 'call' },
  { directory, isVariable }: Place,
): OperationPart | ProblemPart {
  const { callee: written, raw } = operation;
  const problem = (code: string, text: string): ProblemPart => ({ op: 'problem', code, text, raw });
  const callee = directory.find(written);
  if (!callee) return problem('PV7304', missing(written, directory));
  const args = new Map<string, Expr>();
  const list = Array.isArray(operation.args) ? operation.args : undefined;
  const surplus =
    list && list.length > callee.parameters.length && !callee.takesMore ? list.length : 0;
  if (surplus > 0) {
    return problem('PV7306', `got ${surplus} arguments, want ${signature(callee)}`);
  }
  for (const [key, data] of Object.entries(operation.args)) {
    const parameter = list ? callee.parameters[Number(key)] : parameterOf(callee, key);
    const name = parameter?.name ?? key.replace(/^\$/, '');
    if (!parameter && !callee.takesMore) {
      return problem('PV7306', `got the argument ${key}, want ${signature(callee)}`);
    }
    const value = exprOf(data, isVariable);
    const wrong = misfit(name, value, parameter?.schema);
    // A model may write null for an argument that it would leave out.
    if (wrong !== undefined && isNothing(value) && parameter?.isRequired === false) continue;
    if (wrong !== undefined) return problem('PV7306', `${wrong}, in a call of ${callee.shown}`);
    args.set(name, value);
  }
  const lacking = callee.parameters.find(({ name, isRequired }) => isRequired && !args.has(name));
  if (lacking) return problem('PV7306', `got no ${lacking.name}, want ${signature(callee)}`);
  const into = operation.into === undefined ? undefined : bareName(operation.into);
  if (operation.into !== undefined && into === undefined) {
    return problem('PV7310', `got "into": "${operation.into}", want the name of a variable`);
  }
  const { name, kind, on } = callee;
  return {
    ...{ op: 'call', callee: name, kind, args: Object.fromEntries(args) },
    ...(into !== undefined && { into }),
    ...(on !== undefined && { on }),
    raw,
  };
}

const isNothing = (value: Expr): boolean => value.is === 'value' && value.value === null;

const parameterOf = ({ parameters }: Callee, key: string): CallableParameter | undefined => {
  const bare = key.replace(/^\$/, '');
  return (
    parameters.find(({ name }) => name === bare) ??
    parameters.find(({ name }) => name.toLowerCase() === bare.toLowerCase())
  );
};

/** `Price(kind, days?)`. */
export function signature({ shown, parameters }: Callee): string {
  const names = parameters.map(({ name, isRequired }) => `${name}${isRequired ? '' : '?'}`);
  return `${shown}(${names.join(', ')})`;
}

function missing(written: string, directory: Directory): string {
  if (/^say$/i.test(written)) return 'got a call of Say, want {"say": "…"}';
  const near = directory.near(written);
  const names = directory.callees.map(({ shown }) => shown);
  const choice =
    names.length === 0 ? 'nothing can be called here' : `want one of ${names.join(', ')}`;
  return `got a call of ${written}, ${near === undefined ? choice : `did you mean ${near}?`}`;
}

/** What is wrong with a value. What is not known yet fits, and so does what the call corrects. */
function misfit(name: string, value: Expr, schema: JsonSchema | undefined): string | undefined {
  const written = writtenOf(value);
  if (!schema || isMended(written, schema)) return undefined;
  return checkValue(name, written, schema)[0]?.message;
}

/** A reply has no places in a file. */
const site = { line: 0, column: 0 };

function writtenOf(expr: Expr): Written {
  if (expr.is === 'ref') return { kind: 'reference', ...site };
  if (expr.is === 'text') return { kind: 'template', ...site };
  if (expr.is !== 'value') return writtenData(expr.items, writtenOf);
  return writtenData(expr.value, (value) => writtenOf({ is: 'value', value }));
}

function writtenData<T>(data: unknown, written: (item: T) => Written): Written {
  if (Array.isArray(data)) return { kind: 'list', items: data.map(written), ...site };
  if (typeof data !== 'object' || data === null) {
    return { kind: 'literal', value: fromJson(data), ...site };
  }
  const entries = Object.entries<T>(Object(data)).map(([name, item]) => {
    return { name, value: written(item), ...site };
  });
  return { kind: 'object', entries, ...site };
}

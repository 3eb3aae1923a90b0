/**
 * What stands between braces in quotes, `{$price * 2}`, `{$name.upper()}`, is computed by the
 * machine, as in descriptions: read as Starlark, and only what gives a value and changes nothing.
 */
import { GuestValue } from '../../../program/json.ts';
import { namePattern } from '../../../program/name.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { Call, Expression } from '../../starlark/parse/syntax.ts';
import { isComputing } from './computing.ts';
import { binary, isMethod, type Operator } from './operators.ts';

export type Filling =
  | { readonly is: 'value'; readonly value: unknown }
  | {
      readonly is: 'ref';
      readonly to: { readonly name: string; readonly sign: boolean };
      readonly path: readonly (string | number)[];
      readonly written: string;
      /** A word without a dollar may be a word. */
      readonly sure: boolean;
    }
  | { readonly is: 'operation'; readonly op: Operator; readonly of: readonly Filling[] }
  | { readonly is: 'list'; readonly items: readonly Filling[] };

/** It, and all that it is made of. */
export function fillingsIn(of: Filling): readonly Filling[] {
  if (of.is === 'operation') return [of, ...of.of.flatMap(fillingsIn)];
  return of.is === 'list' ? [of, ...of.items.flatMap(fillingsIn)] : [of];
}

/** What is read; what is wrong with it; undefined for braces of a text. */
export type ReadFilling =
  | { readonly filling: Filling }
  | { readonly problem: string; readonly callee?: string };

/** As variables of the agent are written where no dollar may stand. */
const mark = 'of_agent__';
/** Variables with their dollars, as its group; texts in quotes without one. */
export const dollars: RegExp = new RegExp(
  String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\$(${namePattern})`,
  'gu',
);

/** A key of an object, with its colon: braces of JSON are its own. */
export const isObject: RegExp = /^\s*(?:"[^"]*"|'[^']*'|\p{XIDS}\p{XIDC}*)\s*:/u;

/** `{$price:.2f}`: what is shown, and how, as in f-strings. */
export interface Formatted {
  readonly shown: string;
  readonly format: string;
}

/** What stands behind the colon; data have a blank there, and quotes before it. */
export function formattedIn(inner: string): Formatted | undefined {
  const [, shown, format] = formatForm.exec(inner) ?? [];
  if (!shown || !format) return undefined;
  const isSure = /\$\p{XIDS}/u.test(shown) || /[.,%]/.test(format);
  return isSure ? { shown, format } : undefined;
}

const format = [
  String.raw`(?:[^\s"'\\{}]?[<>^=])?[-+]?#?0?\d{0,3}[,_]?(?:\.\d{1,2})?`,
  '[bcdeEfFgGnosxX%]?',
].join('');
const formatForm = new RegExp(String.raw`^([\s\S]*[^\s:"']):(${format})\s*$`);
const formatAlone = new RegExp(`^${format}$`);

export const isFormat = (text: string): boolean => formatAlone.test(text);

/** `inner`: without the braces around it. */
export function readFilling(inner: string): ReadFilling | undefined {
  const formatted = formattedIn(inner);
  const read = formatted && readFilling(formatted.shown);
  if (formatted && read && 'filling' in read) {
    const format: Filling = { is: 'value', value: formatted.format };
    return { filling: { is: 'operation', op: ':', of: [read.filling, format] } };
  }
  let isSure = false;
  const source = inner.trim().replace(dollars, (all, name) => {
    isSure ||= name !== undefined;
    return name === undefined ? all : `${mark}${name}`;
  });
  const { file } = parse(source, plan);
  const [only, more] = file?.body ?? [];
  if (only?.kind !== 'expression' || more) {
    if (!isSure || isObject.test(inner)) return undefined;
    return { problem: 'is no expression' };
  }
  try {
    return { filling: fillingOf(only.value) };
  } catch (error) {
    if (error instanceof NotComputed) return error;
    throw error;
  }
}

class NotComputed extends Error {
  override readonly name = 'NotComputed';
  readonly problem: string;
  readonly callee?: string;

  constructor(problem: string, callee?: string) {
    super(problem);
    this.problem = problem;
    if (callee !== undefined) this.callee = callee;
  }
}

const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...[['True', true] as const, ['False', false] as const, ['None', null] as const],
]);

const operators: ReadonlySet<string> = new Set(binary.flat());
const isBinary = (op: string): op is (typeof binary)[number][number] => operators.has(op);

const operation = (op: Operator, ...of: readonly Expression[]): Filling => ({
  ...{ is: 'operation', op },
  of: of.map(fillingOf),
});

function fillingOf(node: Expression): Filling {
  switch (node.kind) {
    case 'name':
      return named(node.name);
    case 'literal':
      return { is: 'value', value: plainOf(node.value) };
    case 'tuple':
    case 'list':
      return { is: 'list', items: node.items.map(fillingOf) };
    case 'unary':
      if (node.operator === '+' || node.operator === '~') break;
      return negative(node.operand, node.operator) ?? operation(node.operator, node.operand);
    case 'binary':
      if (!isBinary(node.operator)) throw new NotComputed(`has ${node.operator}`);
      return operation(node.operator, node.left, node.right);
    case 'conditional':
      return operation('if', node.condition, node.then, node.orElse);
    case 'attribute':
      return within(fillingOf(node.object), { is: 'value', value: node.name });
    case 'index':
      return within(fillingOf(node.object), fillingOf(node.index));
    case 'slice':
      if (node.step) break;
      return {
        ...{ is: 'operation', op: '[:]' },
        of: [fillingOf(node.object), ...[node.low, node.high].map(boundOf)],
      };
    case 'call':
      return called(node);
    case 'chain':
    case 'comprehension':
    case 'dict':
    case 'format':
    case 'lambda':
  }
  throw new NotComputed('is more than is computed there');
}

const boundOf = (node: Expression | undefined): Filling =>
  node ? fillingOf(node) : { is: 'value', value: null };

function plainOf(value: (Expression & { kind: 'literal' })['value']): unknown {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  if (typeof value !== 'object') return value;
  if (value.kind === 'bytes') throw new NotComputed('has bytes');
  return Number.isInteger(value.value) ? new GuestValue(value) : value.value;
}

function named(written: string): Filling {
  if (constants.has(written)) return { is: 'value', value: constants.get(written) };
  const sign = written.startsWith(mark);
  const name = sign ? written.slice(mark.length) : written;
  return {
    is: 'ref',
    to: { name, sign },
    path: [],
    written: sign ? `$${name}` : `{${name}}`,
    sure: sign,
  };
}

function negative(operand: Expression, operator: string): Filling | undefined {
  if (operator !== '-' || operand.kind !== 'literal') return undefined;
  const value = plainOf(operand.value);
  return typeof value === 'number' ? { is: 'value', value: -value } : undefined;
}

/** A part of what a variable has. */
function within(whole: Filling, part: Filling): Filling {
  const key = part.is === 'value' ? part.value : undefined;
  if (whole.is === 'ref' && (typeof key === 'string' || typeof key === 'number')) {
    return { ...whole, path: [...whole.path, key] };
  }
  return { is: 'operation', op: '[]', of: [whole, part] };
}

function called({ callee, arguments: given }: Call): Filling {
  const args = given.flatMap((one) => (one.kind === 'positional' ? [one.value] : []));
  if (callee.kind === 'name') {
    const name = callee.name.replace(mark, '$');
    if (!isComputing(name)) throw new NotComputed(`calls ${name}`, name);
    if (args.length === given.length && args.length > 0) return operation(name, ...args);
  } else if (callee.kind === 'attribute') {
    const { name, object } = callee;
    if (!isMethod(name)) throw new NotComputed(`calls .${name}`);
    if (args.length === given.length) return operation(`.${name}`, object, ...args);
  }
  throw new NotComputed('gives arguments that are not computed there');
}

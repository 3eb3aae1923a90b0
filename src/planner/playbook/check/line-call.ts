/**
 * What a line calls something with, as far as it is written in values and variables: a call that a
 * reply makes there is held against it, and one that says otherwise is for another line.
 */
import type { StepCall } from '../../../dialects/playbook/compiled/compiled.ts';
import { GuestValue, stringify, toJson } from '../../../program/json.ts';
import { readTerm, Unreadable } from '../reply/forms/syntax.ts';
import { type Expr, type Term, termOf } from '../reply/term.ts';
import type { Decided } from './decided.ts';
import type { Callee } from './directory.ts';
import type { Names } from './names.ts';

/** An argument that is other than its line has it. */
export interface Otherwise {
  readonly name: string;
  /** In JSON, or `$x`. */
  readonly got: string;
  readonly want: string;
  /** Whether no other words can be meant by it: a number, a truth, nothing. */
  readonly isPlain: boolean;
}

export function otherwise(
  call: StepCall,
  callee: Callee,
  given: Readonly<Record<string, Expr>>,
  names: Names,
): readonly Otherwise[] {
  return [...writtenIn(call, callee)].flatMap(([name, want]) => {
    const got = given[name] && termOf(given[name]);
    if (!got) return [];
    const pair = { name, got: inWords(got), want: inWords(want) };
    if (want.is === 'value' && got.is === 'value') {
      const isPlain = typeof plainOf(want) !== 'object' && typeof plainOf(want) !== 'string';
      return isAlike(want, got) ? [] : [{ ...pair, isPlain: isPlain || plainOf(want) === null }];
    }
    if (want.is !== 'ref' || got.is !== 'ref' || (!want.sure && !names.find(want.to))) return [];
    const isSame = want.to.name === got.to.name && stringify(want.path) === stringify(got.path);
    return isSame ? [] : [{ ...pair, isPlain: false }];
  });
}

/** What variables, or sums of them, are known to come to, where something else is given. */
export function otherwiseKnown(
  call: StepCall,
  callee: Callee,
  given: Readonly<Record<string, Expr>>,
  decided: Decided,
): readonly Otherwise[] {
  return [...writtenIn(call, callee)].flatMap(([name, want]) => {
    const found =
      want.is !== 'value' && given[name] ? decided.otherwise(want, given[name]) : undefined;
    return found ? [{ name, ...found, isPlain: true }] : [];
  });
}

/** By the names of the parameters. What is not written plainly says nothing. */
function writtenIn(call: StepCall, { parameters }: Callee): ReadonlyMap<string, Term> {
  try {
    const read = readTerm(`call(${call.args})`);
    if (read.is !== 'call') return new Map();
    const placed = read.args.map((one, index) => [parameters[index]?.name ?? '', one] as const);
    return new Map([...placed, ...Object.entries(read.named)]);
  } catch (error) {
    if (error instanceof Unreadable) return new Map();
    throw error;
  }
}

const plainOf = ({ value }: Term & { readonly is: 'value' }): unknown =>
  value instanceof GuestValue ? toJson(value.value) : value;

/** `1`, `1.0` and `"1"` are one, and so are `"Sunday"` and `"sunday "`. */
function isAlike(a: Term & { readonly is: 'value' }, b: Term & { readonly is: 'value' }): boolean {
  const [one, other] = [plainOf(a), plainOf(b)].map((value) =>
    typeof value === 'string' ? value.trim().toLowerCase() : stringify(value).toLowerCase(),
  );
  const isNumber = one !== '' && other !== '' && Number(one) === Number(other);
  return one === other || isNumber;
}

const inWords = (term: Term): string =>
  term.is === 'ref' ? `$${term.to.name}` : term.is === 'value' ? stringify(plainOf(term)) : '…';

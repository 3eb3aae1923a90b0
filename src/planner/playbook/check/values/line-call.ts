/**
 * What a line calls something with, as far as it is written in values and variables: a call that a
 * reply makes there is held against it, and one that says otherwise is for another line.
 */
import type { StepCall } from '../../../../dialects/playbook/compiled/compiled.ts';
import { GuestValue, stringify, toJson } from '../../../../program/json.ts';
import { readTerm, Unreadable } from '../../reply/forms/syntax.ts';
import { type Expr, type Term, termOf } from '../../reply/term.ts';
import type { Decided } from './decided.ts';
import { unfit, unquoted } from './declared.ts';
import type { Callee } from './directory.ts';
import type { Names } from './names.ts';
import { isDescription, plainWords } from './quoted.ts';

type Value = Term & { readonly is: 'value' };

/** An argument that is other than its line has it. */
export interface Otherwise {
  readonly name: string;
  /** In JSON, or `$x`. */
  readonly got: string;
  readonly want: string;
  /** Whether it means itself: a number, a truth, a text that does not say what is meant. */
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
    if (want.is === 'value' && got.is === 'value')
      return isAlike(want, got) ? [] : [{ ...pair, isPlain: isPlain(name, want, callee) }];
    if (want.is !== 'ref' || got.is !== 'ref' || (!want.sure && !names.find(want.to))) return [];
    const isSame = want.to.name === got.to.name && stringify(want.path) === stringify(got.path);
    return isSame ? [] : [{ ...pair, isPlain: false }];
  });
}

/**
 * What variables, or sums of them, are known to come to, where something else is given; and what
 * stands in the place of a value, which has to come to that.
 */
export function otherwiseKnown(
  call: StepCall,
  callee: Callee,
  given: Readonly<Record<string, Expr>>,
  decided: Decided,
): readonly Otherwise[] {
  return [...writtenIn(call, callee)].flatMap(([name, want]) => {
    const got = given[name];
    if (!got) return [];
    if (want.is === 'value') {
      if (got.is === 'value' || !isPlain(name, want, callee) || decided.comesTo(want, got))
        return [];
      return [{ name, got: inWords(termOf(got)), want: inWords(want), isPlain: true }];
    }
    const found = decided.otherwise(want, got);
    return found ? [{ name, ...found, isPlain: true }] : [];
  });
}

/** What a reply leaves out that a line has: what it has by itself may be something else. */
export function leftOut(
  call: StepCall,
  callee: Callee,
  given: Readonly<Record<string, Expr>>,
  { names, decided }: { readonly names: Names; readonly decided: Decided },
): readonly Otherwise[] {
  return [...writtenIn(call, callee)].flatMap(([name, want]) => {
    const usual = callee.parameters.find((one) => one.name === name)?.usual;
    if (given[name] || !usual) return [];
    const known = want.is === 'value' ? want : decided.of(want);
    if (known && isAlike(known, usual)) return [];
    const isNamed = want.is === 'ref' && (want.sure || names.find(want.to) !== undefined);
    const isMeant = want.is === 'value' ? isPlain(name, want, callee) : isNamed;
    return [{ name, got: 'nothing', want: inWords(want), isPlain: isMeant }];
  });
}

/** All that a line writes its call with; undefined where that cannot be read. */
export function argumentsIn(call: StepCall, callee: Callee): ReadonlyMap<string, Term> | undefined {
  const written = writtenIn(call, callee);
  return written.size === 0 && call.args.trim() !== '' ? undefined : written;
}

/**
 * Whether it means itself. Lists and the like may be put in other ways, and a text that the
 * parameter does not take has to be.
 */
function isPlain(name: string, want: Value, { parameters }: Callee): boolean {
  const data = plainOf(want);
  if (typeof data !== 'string') return typeof data !== 'object' || data === null;
  const type = parameters.find((one) => one.name === name)?.type;
  return unfit(unquoted(want, type), type) === undefined && !isDescription(data, name);
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

const plainOf = ({ value }: Value): unknown =>
  value instanceof GuestValue ? toJson(value.value) : value;

/** `1`, `1.0` and `"1"` are one, and so are `"Sunday"` and `"sunday "`. */
function isAlike(a: Value, b: Value): boolean {
  const [one, other] = [plainOf(a), plainOf(b)].map((value) =>
    plainWords(typeof value === 'string' ? value : stringify(value)),
  );
  const isNumber = one !== '' && other !== '' && Number(one) === Number(other);
  return one === other || isNumber;
}

const inWords = (term: Term): string =>
  term.is === 'ref' ? `$${term.to.name}` : term.is === 'value' ? stringify(plainOf(term)) : '…';

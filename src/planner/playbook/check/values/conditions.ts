/**
 * Whether the condition of a line holds, where that can be computed of what is known: comparisons
 * of variables and plain values, and what is joined of them. What a text means is never computed,
 * unless the line compares with one in quotes; all else is the model's to judge.
 */
import type { Step } from '../../../../dialects/playbook/compiled/compiled.ts';
import { conditionOf } from '../../../../dialects/playbook/steps/triggers/trigger.ts';
import { conditionWord, elseCondition } from '../../../../dialects/playbook/text/words.ts';
import { stringify } from '../../../../program/json.ts';
import { writtenTerm } from '../../reply/forms/syntax.ts';
import type { Term } from '../../reply/term.ts';
import { ordered } from './computed.ts';
import { type Decided, plainOf, valueInWords } from './decided.ts';
import { plainWords } from './quoted.ts';

export interface Condition {
  readonly holds: boolean;
  /** What its variables are: `$n = 2`. */
  readonly as: string;
}

/** Undefined where nobody but the model can say, or there is none. */
export function conditionAt(step: Step, decided: Decided): Condition | undefined {
  const { isNegated, text } = textOf(step);
  if (text === '' || step.isAmbiguous) return undefined;
  const written = writtenTerm(text);
  // A text of spaces is no empty one: what that means, a model may say.
  const worded = written ? undefined : conditionOf(text.replace(blank, 'empty'));
  const term = written ?? (worded === undefined ? undefined : signed(writtenTerm(worded)));
  const truth = term && truthOf(term, { decided, isWorded: !written });
  if (!term || truth === undefined) return undefined;
  const values = refsIn(term).flatMap((one) => {
    const known = decided.of(one);
    return known ? [`$${one.to.name} = ${valueInWords(known.value)}`] : [];
  });
  // `While true` holds for ever: it is the model that ends it.
  if (values.length === 0) return undefined;
  return { holds: truth !== isNegated, as: [...new Set(values)].join(', ') };
}

const blank = /(?<=\b(?:is|becomes|not) )blank\b/gi;
const loopCondition = /^(?:while|as long as|tant qu[e'])\s*/i;
const negation = /^(?:unless|sauf si)(?=\s)/i;

/** Without the words around it. A loop that goes on until something begins before that is asked. */
function textOf({ code, text }: Step): { readonly text: string; readonly isNegated: boolean } {
  const word = code === 'CND' ? conditionWord : code === 'ELS' ? elseCondition : loopCondition;
  const isOne = code === 'CND' || code === 'ELS' || code === 'LOP';
  if (!isOne || !word.test(text)) return { text: '', isNegated: false };
  const bare = text
    .replace(word, '')
    .replace(/[\s,:.]*(?:(?<=[\s,])(?:then|alors)[\s,:.]*)?$/i, '');
  return { text: bare.trim(), isNegated: negation.test(text) };
}

interface How {
  readonly decided: Decided;
  /** Whether it is said in words: `$mood is good` is not compared letter by letter. */
  readonly isWorded: boolean;
}

function truthOf(term: Term, how: How): boolean | undefined {
  if (term.is !== 'operation') return plainTruth(how.decided.of(term)?.value);
  const [a, b] = term.of;
  if (!a) return undefined;
  if (term.op === 'not') return negated(truthOf(a, how));
  if (!b) return undefined;
  if (term.op === 'and') return both(truthOf(a, how), truthOf(b, how));
  if (term.op === 'or') return negated(both(negated(truthOf(a, how)), negated(truthOf(b, how))));
  const [left, right] = [a, b].map((one) => how.decided.of(one));
  return left && right
    ? compared(term.op, plainOf(left.value), plainOf(right.value), how)
    : undefined;
}

const negated = (truth: boolean | undefined): boolean | undefined =>
  truth === undefined ? undefined : !truth;

function both(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  if (one === false || other === false) return false;
  return one === undefined || other === undefined ? undefined : true;
}

/** What a text says is for a model to read. */
function plainTruth(data: unknown): boolean | undefined {
  return typeof data === 'boolean' ? data : undefined;
}

function compared(op: string, a: unknown, b: unknown, { isWorded }: How): boolean | undefined {
  if (op === '==' || op === '!=') {
    const isEqual = equal(a, b, isWorded);
    return op === '==' ? isEqual : negated(isEqual);
  }
  if (op === 'in' || op === 'not in') {
    const isIn = Array.isArray(b) ? isOneOf(a, b, isWorded) : undefined;
    return op === 'in' ? isIn : negated(isIn);
  }
  return isNumber(a) && isNumber(b) ? ordered(op, a, b) : undefined;
}

const isNumber = (data: unknown): data is number | bigint =>
  typeof data === 'number' || typeof data === 'bigint';

function isOneOf(a: unknown, all: readonly unknown[], isWorded: boolean): boolean | undefined {
  const found = all.map((one) => (one === null ? a === null : equal(a, one, isWorded)));
  if (found.includes(true)) return true;
  return found.includes(undefined) ? undefined : false;
}

/** Undefined where two are one to a reader alone: `"Open"` and `"open."`, `3` and `"3"`. */
function equal(a: unknown, b: unknown, isWorded: boolean): boolean | undefined {
  if (stringify(a) === stringify(b)) return true;
  // What is empty is nothing that is not, but for a text of spaces.
  if (isEmpty(a) !== isEmpty(b) && a !== null && b !== null) {
    return [a, b].some((one) => typeof one === 'string' && one.trim() === '' && one !== '')
      ? undefined
      : false;
  }
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b) ? undefined : false;
  const isText = typeof a === 'string' || typeof b === 'string';
  if (!isText) return typeof a === typeof b || a === null || b === null ? false : undefined;
  if (isWorded) return undefined;
  if (a === null || b === null) return nothings.test(String(a ?? b).trim()) ? undefined : false;
  if (typeof a !== 'string' || typeof b !== 'string') return undefined;
  return plainWords(a) === plainWords(b) ? undefined : false;
}

/** Texts that may stand for no value at all. */
const nothings = new RegExp(
  `^(?:|\\W|${[
    'n/?a|no|none|null|nil|nothing|not? (?:set|given|known)|un(?:known|defined|set)|empty',
    'kein[es]?r?|nichts|leer|unbekannt|rien|aucune?|vide|inconnue?',
  ].join('|')})$`,
  'i',
);

const isEmpty = (data: unknown): boolean => ['""', '[]', '{}'].includes(stringify(data));

type Ref = Term & { readonly is: 'ref' };

function refsIn(term: Term): readonly Ref[] {
  if (term.is === 'ref') return [term];
  if (term.is === 'operation') return term.of.flatMap(refsIn);
  return term.is === 'list' ? term.items.flatMap(refsIn) : [];
}

/** Names of variables, which conditions as triggers have them write without the dollar. */
function signed(term: Term | undefined): Term | undefined {
  if (term?.is === 'ref') return { ...term, to: { ...term.to, sign: true } };
  if (term?.is !== 'operation') return term;
  return { ...term, of: term.of.flatMap((one) => signed(one) ?? []) };
}

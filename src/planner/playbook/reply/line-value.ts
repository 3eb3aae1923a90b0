/**
 * The value of a line that says how it is computed: `$total = $total + $price`. A model that writes
 * that text where its value was wanted means the value; where it writes the name of a variable that
 * the line has without a dollar, as in `RET F(total)`, it means the variable.
 */
import type { Step } from '../../../dialects/playbook/compiled/compiled.ts';
import type { LinkedPlaybook } from '../../../dialects/playbook/compiled/linked.ts';
import { saysBoth } from '../../../dialects/playbook/text/both.ts';
import { argumentsIn } from '../../../dialects/playbook/text/calls.ts';
import { writtenTerm } from './forms/syntax.ts';
import { plainText, type Reference, reference, type Term, writtenText } from './term.ts';

/** What a line sets or returns, where that is no words, as `Return $a and $b` is. */
export const valueTermOf = ({ code, value = '' }: Step): Term | undefined =>
  code === 'RET' && saysBoth(value) ? undefined : writtenTerm(value);

/** What is written, or what the line, or else any of them, computes where that was written. */
export function valueAt({ lines }: LinkedPlaybook, written: Term, line?: string): Term {
  const text = bare(writtenText(written) ?? '');
  const steps = [...lines].filter(([number]) => line === undefined || number === line);
  const [, own] = steps.find(([, { step }]) => bare(step.value ?? '') === text) ?? [];
  const read = own && valueTermOf(own.step);
  return read?.is === 'operation' ? read : written;
}

/** The reference that a text is to a line that has it as its value, or as an argument. */
export function namedAt(
  { lines }: LinkedPlaybook,
  written: Term,
  isMeant: (step: Step, text: string) => boolean,
): Reference | undefined {
  const name = plainText(written);
  if (name === undefined || ![...lines.values()].some(({ step }) => isMeant(step, name))) {
    return undefined;
  }
  return reference(name, { name, sign: false }, undefined, true);
}

export const isValueOf = ({ value }: Step, text: string): boolean => value?.trim() === text;

/** `at`: the name of the parameter, and its place among those of the callee. */
export const isArgumentOf = ({ call }: Step, text: string, at: ParameterPlace): boolean =>
  argumentsIn(call?.args ?? '').some(
    ({ name, text: own }, index) =>
      own === text && (name === undefined ? index === at.index : name.replace('$', '') === at.name),
  );

export interface ParameterPlace {
  readonly name: string;
  readonly index: number;
}

/** Whether a line has in quotes what is written: `$way = "{$from}/{$to}"` divides nothing. */
export function isQuotedIn({ lines }: LinkedPlaybook, written: Term): boolean {
  const text = unmarked(writtenText(written) ?? '');
  const quotes = [...lines.values()].flatMap(({ step }) => [...step.text.matchAll(quoted)]);
  return quotes.some(([, double, single]) => unmarked(double ?? single ?? '') === text);
}

const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/g;

const unmarked = (text: string): string => bare(text).replaceAll('$', '');

/** `{$n} + 1` and `$n+1` are one. */
const bare = (text: string): string => text.replace(/[\s{}]/g, '');

/** Triggers: when a playbook starts by itself, and the condition where it is an expression. */
import type { Expression, Trigger, TriggerCode } from '../compiled.ts';
import { clockOf, isOfEvent } from '../grammar/clock.ts';
import { isExpression, readExpression } from '../grammar/expression.ts';
import { type LineNames, variableOf } from '../grammar/forms.ts';
import { isKeyword, slotsOf } from '../grammar/keywords.ts';
import { spaced, straightened } from '../grammar/text.ts';
import type { Place } from '../source/tree.ts';
import { dollarNames } from './names.ts';

/** `T1:CND When …`; as it used to be `01:CND When …`. */
const triggerForm = /^(?:`?(T?\d+)`?\s*:\s*)?(BGN|CND|EVT)\b:?([\s\S]*)$/i;

/** Characters of a trigger beyond which it is only a condition in words. */
const triggerMax = 500;

export function triggerOf(id: string, written: string, place: Place, names: LineNames): Trigger {
  const [, , said, rest = written] = triggerForm.exec(written.trim()) ?? [];
  const text = rest.trim();
  const isShort = text.length <= triggerMax;
  const bare = isShort ? spaced(straightened(text)).replace(/\s?[.!]$/, '') : '';
  const code = said === undefined ? codeIn(bare) : (said.toUpperCase() as TriggerCode);
  const variables = [...new Set(dollarNames(text))].map((name) => variableOf(`$${name}`, names));
  const condition = code === 'CND' ? conditionIn(bare, names) : undefined;
  return { id, code, text, names: variables, ...(condition && { condition }), place };
}

function codeIn(text: string): TriggerCode {
  const [run = ''] = slotsOf('begun', text) ?? [];
  if (isKeyword('begins', text) || isKeyword('run', run)) return 'BGN';
  return isOfEvent(text) || clockOf(text) ? 'EVT' : 'CND';
}

/**
 * An expression over variables of the agent, without calls of its own functions. What has no value
 * yet makes nothing true: only what compares with `None` says so itself.
 */
function conditionIn(text: string, names: LineNames): Expression | undefined {
  const [condition = text] = slotsOf('condition', text) ?? [];
  const read = readExpression(condition, names);
  if (!isExpression(read)) return undefined;
  const { calls, code, reads } = read.expression;
  const isOfAgent = reads.length > 0 && reads.every(({ as, name }) => as === `${name}_`);
  if (!isOfAgent || calls.length > 0) return undefined;
  if (/(?<!\p{XIDC})None(?!\p{XIDC})/u.test(code)) return read.expression;
  const isSet = reads.map(({ as }) => `${as} != None`).join(' and ');
  return { ...read.expression, code: `${isSet} and (${code})` };
}

/**
 * A line that is a call and nothing else, between operations of another form: `order("Ann")`,
 * `- Say("Hello")`, `call order {"who": "Ann"}`. It may name what an operation behind it does.
 */
import { readJson } from '../../../../program/json-text.ts';
import type { Said } from '../said.ts';
import { calledSo } from './json-operations.ts';
import { isStatement, statementSaid } from './statement.ts';

export function actAlone(line: string): Said | undefined {
  const text = line.replace(leading, '').replace(/[.;,]+$/, '');
  const [act, ...more] = isStatement(text) ? statementSaid(text) : calledWith(text);
  if (!act || more.length > 0) return undefined;
  if (act.is === 'say') return { ...act, isAlone: true };
  return act.is === 'call' ? { ...act, isAlone: true, perhaps: act.callee } : undefined;
}

const leading = /^(?:(?:[-*+•→]|\d+[.)])\s+)?(?:(?:now\s+)?(?:call|queue|run)\b:?\s+)?/i;

/** `order {"who": "Ann"}`, `order: {"who": "Ann"}` */
function calledWith(text: string): readonly Said[] {
  const [, callee = '', args = ''] =
    /^(\p{XIDS}[\p{XIDC}.-]*):?\s+(\{\s*["}].*\})$/su.exec(text) ?? [];
  const { node } = readJson(args);
  const call = node?.kind === 'object' ? calledSo(callee, node) : undefined;
  return call ? [call] : [];
}

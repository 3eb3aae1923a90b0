/** `$n:int`, `Declare $day: str`: what values a variable has. Such a line does nothing. */
import { namePattern } from '../../../program/name.ts';
import { valueType } from './value-types.ts';

export interface Declaration {
  readonly target: string;
  readonly type: string;
}

/** Undefined where what stands behind the colon may be words. */
export function declarationIn(text: string): Declaration | undefined {
  const [, target, type] = form.exec(text) ?? [];
  const isType = target !== undefined && type !== undefined && valueType(type).fits !== undefined;
  return isType ? { target, type } : undefined;
}

const form = new RegExp(
  String.raw`^(?:declare\s+)?(\$${namePattern})\s*:\s*([A-Za-z][^=]*?)[.;]?$`,
  'iu',
);

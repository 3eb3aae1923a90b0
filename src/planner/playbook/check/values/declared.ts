/** Whether what a reply sets is of the type that its variable is declared of. */
import { fitsOf } from '../../../../dialects/playbook/compiled/declared-types.ts';
import type { Fit, Kind } from '../../../../dialects/playbook/text/value-types.ts';
import { GuestValue } from '../../../../program/json.ts';
import { shortly } from '../../reply/said.ts';
import type { Expr } from '../../reply/term.ts';

/** What is wrong with a value for a type: *got X, want Y*. What is computed is for the loop. */
export function mistyped(whom: string, value: Expr, type: string | undefined): string | undefined {
  const got = unfit(value, type);
  return got && `got ${got} for ${whom}, want a value of the type ${type}`;
}

/** What a value is that is not of a type. */
export function unfit(value: Expr, type: string | undefined): string | undefined {
  const fits = fitsOf(type);
  const kind = kindOf(value);
  if (!fits || kind === undefined || mayBe(value, kind, fits)) return undefined;
  return value.is === 'value' ? shown(value.value) : `a ${kind === 'string' ? 'text' : kind}`;
}

/** Of what is not spelled out the loop sees the rest. */
const mayBe = (value: Expr, kind: Kind, fits: readonly Fit[]): boolean =>
  value.is === 'value'
    ? isOf(value.value, fits)
    : fits.some((fit) => kind === (typeof fit === 'string' ? fit : kindOfFit(fit)));

const kindOfFit = (fit: Exclude<Fit, Kind>): Kind | undefined =>
  'is' in fit ? kindOfData(fit.is) : fit.kind;

function isOf(data: unknown, fits: readonly Fit[]): boolean {
  const kind = kindOfData(data);
  if (kind === undefined) return true;
  return fits.some((fit) => {
    if (typeof fit === 'string') return fit === kind;
    if ('is' in fit) return fit.is === data;
    return fit.kind === kind && Object.values(Object(data)).every((one) => isOf(one, fit.items));
  });
}

/** A number or a truth that was written as a text, where the type says that it is none. */
export function unquoted(value: Expr, type: string | undefined): Expr {
  const fits = fitsOf(type);
  if (!fits || fits.includes('string') || value.is !== 'value') return value;
  const text = typeof value.value === 'string' ? value.value.replace(around, '') : '';
  if (fits.includes('bool') && /^(?:true|false|yes|no)$/i.test(text)) {
    return { is: 'value', value: /^(?:true|yes)$/i.test(text) };
  }
  const isNumber =
    /^-?\d{1,15}$/.test(text) || (fits.includes('float') && /^-?\d+\.\d+$/.test(text));
  return fits.includes('int') && isNumber ? { is: 'value', value: Number(text) } : value;
}

/** Blanks as the guest has them: the mark of a byte order is none. */
const around = /^\p{White_Space}+|\p{White_Space}+$/gu;

const shown = (data: unknown): string =>
  typeof data === 'string' ? shortly(data) : String(JSON.stringify(data));

function kindOf(value: Expr): Kind | undefined {
  if (value.is === 'text') return 'string';
  if (value.is === 'list' || value.is === 'dict') return value.is;
  return value.is === 'value' ? kindOfData(value.value) : undefined;
}

function kindOfData(data: unknown): Kind | undefined {
  if (data === null) return 'NoneType';
  if (Array.isArray(data)) return 'list';
  switch (typeof data) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(data) ? 'int' : 'float';
    case 'string':
      return 'string';
    case 'object':
      return data instanceof GuestValue ? undefined : 'dict';
    default:
      return undefined;
  }
}

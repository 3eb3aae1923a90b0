/** The types that values are made into: what they are as JSON Schema, and what is plainly one. */
import { refusal } from '../../engine/handler.ts';
import type { JsonSchema } from '../../program/effect.ts';
import { isDay } from '../calendar-day.ts';
import { memberOf } from '../foreign-json.ts';
import { types } from './specs.ts';

const schemas: Readonly<Record<(typeof types)[number], JsonSchema>> = {
  string: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' },
};

const others: Readonly<Record<string, (typeof types)[number]>> = {
  ...{ str: 'string', text: 'string', integer: 'int', number: 'float', boolean: 'bool' },
};

export interface WantedType {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The value where it is plainly one of the type; undefined where somebody has to read it. */
  plain(value: unknown): unknown;
  /** What is wrong with a value of the schema that a model has given; undefined if nothing is. */
  problem(value: unknown): string | undefined;
}

/** A type by its name; `list[int]` is one, too. Throws `EffectFailure` PV4184. */
export function typeNamed(given: string): WantedType {
  const name = given.trim().toLowerCase();
  const [, inner] = /^list(?:\[(.*)\])?$/.exec(name) ?? [];
  if (name.startsWith('list')) return listOf(typeNamed(inner ?? 'string'));
  const type = memberOf(others, name) ?? types.find((one) => one === name);
  if (type === undefined) {
    throw refusal('PV4184', `got the type ${given}, want one of ${types.join(', ')}`, {
      hint: 'lists are written list[int]',
    });
  }
  return {
    ...{ name: type, schema: schemas[type], plain: (value) => plainly(type, value) },
    problem: (value) =>
      type === 'date' && !isDay(String(value))
        ? `got ${String(value)}, want a day of the calendar as YYYY-MM-DD`
        : undefined,
  };
}

const listOf = (of: WantedType): WantedType => ({
  name: `list[${of.name}]`,
  schema: { type: 'array', items: of.schema },
  plain(value) {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item) => of.plain(item));
    return items.includes(undefined) ? undefined : items;
  },
  problem: (value) =>
    Array.isArray(value)
      ? value.map((item) => of.problem(item)).find((found) => found !== undefined)
      : undefined,
});

const number = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(\.\d+)?(?:e[+-]?\d+)?$/i;

function plainly(type: (typeof types)[number], value: unknown): unknown {
  const text = typeof value === 'string' ? value.trim() : undefined;
  switch (type) {
    case 'string':
      return writtenOut(value);
    case 'bool':
      if (typeof value === 'boolean') return value;
      return /^true$/i.test(text ?? '') ? true : /^false$/i.test(text ?? '') ? false : undefined;
    case 'date':
      return text !== undefined && isDay(text) ? text : undefined;
    case 'int': {
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
      if (text === undefined || !/^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(text)) return undefined;
      const whole = BigInt(text.replaceAll(',', '').replace(/^\+/, ''));
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    case 'float':
      return readNumber(text ?? value);
  }
}

/** As `str` of a program has it; undefined for what has parts. */
function writtenOut(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined;
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'bigint') return readNumber(Number(value));
  if (typeof value === 'string') {
    return number.test(value) ? readNumber(Number(value.replaceAll(',', ''))) : undefined;
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

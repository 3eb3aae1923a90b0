/** Rows of JSON: a list of objects, of lists, or of values, somewhere in a document or by lines. */
import { refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { isObject, memberOf, parseExactJson } from '../foreign-json.ts';
import type { Grid } from './grid.ts';
import type { Cell } from './table.ts';

/** `at` is the way to the list. Throws `EffectFailure` PV4930, PV4932. */
export function gridOfJson(text: string, at: string | undefined, name: string): Grid {
  const document = parsed(text, name);
  const found = memberAt(document, at, name);
  if (Array.isArray(found)) return gridOfList(found, name);
  const lists = listsIn(found, at);
  const [only, second] = lists;
  if (only !== undefined && second === undefined) {
    const grid = gridOfList(memberAt(document, only, name) as unknown[], name);
    return { ...grid, warnings: [`${name} is one object: its list ${only} was taken`] };
  }
  const got = found === null ? 'null' : typeof found;
  const hint = lists.length > 0 ? `at names one of its lists: ${lists.join(', ')}` : undefined;
  throw refusal('PV4930', `${name}: got ${got}, want a list of rows`, { hint });
}

/** A value on each line. */
export function gridOfLines(text: string, name: string): Grid {
  const rows = text.split('\n').flatMap((line, at) => {
    const own = line.trim();
    return own === '' ? [] : [parsed(own, `${name}:${at + 1}`)];
  });
  return gridOfList(rows, name);
}

function gridOfList(items: readonly unknown[], name: string): Grid {
  if (items.length > 0 && items.every(isObject)) {
    const names = new Map<string, number>();
    for (const item of items) {
      for (const key of Object.keys(item)) if (!names.has(key)) names.set(key, names.size);
    }
    const order = [...names.keys()];
    // What an object lacks is null: that is no uneven row.
    const rows = items.map((item) =>
      order.map((key): Cell => (memberOf(item, key) ?? null) as Cell),
    );
    return { rows, names: order, untyped: false };
  }
  if (items.length > 0 && items.every(Array.isArray)) return { rows: items, untyped: false };
  if (items.some(isObject) || items.some(Array.isArray)) {
    throw refusal('PV4930', `${name}: got a list of different things, want rows of one kind`);
  }
  return { rows: items.map((item): Cell[] => [item as Cell]), names: ['value'], untyped: false };
}

function parsed(text: string, name: string): unknown {
  try {
    return parseExactJson(text);
  } catch (thrown) {
    const isDeep = thrown instanceof RangeError;
    const why = isDeep ? 'it is nested too deeply' : thrownMessage(thrown);
    throw refusal('PV4930', `${name}: no JSON: ${why.slice(0, 200)}`);
  }
}

function memberAt(document: unknown, at: string | undefined, name: string): unknown {
  let found = document;
  for (const key of at?.split('.').filter((part) => part !== '') ?? []) {
    const members = isObject(found) || Array.isArray(found) ? Object.entries(found) : [];
    const member = members.find(([own]) => own === key);
    if (!member) {
      const some = members.slice(0, 20).map(([own]) => own);
      const hint = some.length === 0 ? 'there are none' : `there are ${some.join(', ')}`;
      throw refusal('PV4932', `at: got ${at}, but ${name} has no member ${key} there`, { hint });
    }
    [, found] = member;
  }
  return found;
}

/** The lists among the members of an object, by the way to them. */
function listsIn(value: unknown, at: string | undefined): string[] {
  if (!isObject(value)) return [];
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  return lists.map(([key]) => (at === undefined || at === '' ? key : `${at}.${key}`)).slice(0, 20);
}

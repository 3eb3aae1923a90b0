/** The input variables of a run, out of its record. */
import type { RunRecord } from '../../engine/journal/journal.ts';
import { decode, toJson } from '../../program/json.ts';
import { dictEntries, isDict, type Value } from '../../program/value.ts';

export function inputsOf(record: Pick<RunRecord, 'inputs'> | undefined): Map<string, Value> {
  const given = decode(record?.inputs ?? '{}');
  const entries = isDict(given) ? [...dictEntries(given)] : [];
  return new Map(entries.map(([name, value]) => [String(name), value]));
}

/** One of them as ordinary data; undefined where there is none of the name. */
export function inputData(record: Pick<RunRecord, 'inputs'> | undefined, name: string): unknown {
  const value = inputsOf(record).get(name);
  return value === undefined ? undefined : toJson(value);
}

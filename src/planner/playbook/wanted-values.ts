/**
 * What a message gives for the parameters of a playbook that it sets off: `{"values": {"1": {"pin":
 * "1234"}}}` beside the conditions that hold. Nobody else has read the message then.
 */
import { type JsonNode, member } from '../../program/json-node.ts';
import { readAllJson } from '../../program/json-text.ts';

/** Parameters by name, with the types that they are declared of; empty for none. */
export type Wanted = Readonly<Record<string, string>>;

export type Given = Readonly<Record<string, string | number | bigint | boolean>>;

export const wantedForm: string =
  'Where a condition that holds wants values, add them by its number, as the message has them, ' +
  'and leave out what it does not say: {"holds": [1], "values": {"1": {"name": "value"}}}.';

/** ` (wants pin: str, day)`. */
export function wantedText(wanted: Wanted | undefined): string {
  const all = Object.entries(wanted ?? {});
  const names = all.map(([name, type]) => (type === '' ? name : `${name}: ${type}`));
  return names.length === 0 ? '' : ` (wants ${names.join(', ')})`;
}

/** A reply, and what of it stands for one condition, where that is more than its number. */
interface Replied {
  readonly reply: string;
  readonly own: JsonNode | undefined;
}

/**
 * What the reply gives for condition `number`; what it was not asked for is left out. Where no
 * other condition holds (`isOnly`), the values may stand without its number; they may stand beside
 * it, `[{"condition": 1, "pin": "1234"}]`.
 */
export function givenIn(replied: Replied, number: number, wanted: Wanted, isOnly: boolean): Given {
  const all = readAllJson(replied.reply).flatMap(({ node }) => member(node, 'values') ?? []);
  const last = all.at(-1);
  const beside = member(replied.own, 'values') ?? replied.own;
  const own = member(last, String(number)) ?? beside ?? (isOnly ? last : undefined);
  const given = Object.entries(wanted).flatMap(([name, type]) => {
    const value = scalarIn(member(own, name) ?? member(own, `$${name}`));
    if (value === undefined) return [];
    return [[name, /^(?:str|string|text)$/i.test(type) ? String(value) : value] as const];
  });
  return Object.fromEntries(given);
}

function scalarIn(node: JsonNode | undefined): Given[string] | undefined {
  if (!node || node.kind === 'object' || node.kind === 'array') return undefined;
  return node.value ?? undefined;
}

/** Reads one instruction: its own keys here, its parameters in the file of its kind. */
import { nearest } from '../../program/diagnostic.ts';
import { type Site, siteOf } from '../../program/effect.ts';
import type { JsonNode, JsonObject } from '../../text/json-node.ts';
import { type InstructionRow, instructionKeys, rowOf, toolRow } from './instructions.ts';
import { type Common, kindOf, type ReadBranch } from './kinds.ts';
import { spellings, take, targetOf } from './parameters.ts';
import type { Instruction } from './plan.ts';
import { error, gotOf, type Member, membersOf, type Reader, sourceOf, warn } from './report.ts';

/** What the list that an instruction stands in knows of it. */
export interface Place {
  readonly label: string;
  readonly number: number | undefined;
  readonly position: number;
}

export function instructionOf(
  reader: Reader,
  node: JsonObject,
  keys: ReadonlyMap<string, Member>,
  place: Place,
  readBranch: ReadBranch,
): Instruction {
  reader.step = place.label;
  const type = typeOf(reader, node, keys);
  const common = commonOf(reader, node, keys, type, place);
  const broken: Instruction = { kind: 'broken', writes: [], ...common };
  if (!type) return broken;
  const found = rowFor(reader, type);
  const members = parametersOf(reader, found, keys, common.head);
  if (!members) return broken;
  const row = found.kind === 'assign' ? assignRow(reader, found, members, common.head) : found;
  const read = kindOf(reader, row, take(reader, row, members, common.head), common, readBranch);
  reader.step = place.label;
  return read;
}

interface TypeOf {
  readonly value: string;
  readonly node: JsonNode;
}

function typeOf(
  reader: Reader,
  node: JsonObject,
  keys: ReadonlyMap<string, Member>,
): TypeOf | undefined {
  const found = keys.get('type')?.value;
  if (found?.kind === 'string' && found.value !== '') {
    return { value: String(found.value), node: found };
  }
  const got = found ? gotOf(found) : 'nothing';
  error(reader, 'noType', found ?? node, `type: got ${got}, want the type of the instruction`, {
    hint: `an instruction has the keys ${instructionKeys.join(', ')}`,
  });
  return undefined;
}

function rowFor(reader: Reader, { value, node }: TypeOf): InstructionRow {
  const row = rowOf(value, reader.dialect) ?? rowOf(plain(value), reader.dialect);
  if (!row) return { ...toolRow, type: value };
  if (row.type !== value) warn(reader, 'oldName', node, `got the type ${value}, want ${row.type}`);
  if (row.dialects.includes(reader.dialect)) return row;
  if (row.rest === 'arguments') return { ...toolRow, type: row.type };
  const home = row.dialects.join(', ');
  const message = `${row.type} is an instruction of ${home}, not of ${reader.dialect}`;
  warn(reader, 'foreignType', node, message);
  return row;
}

/** `LLM-Generate` as the table writes it. */
const plain = (type: string): string =>
  type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** The form of an assign: its own dialect's, or plainly the other's. */
function assignRow(
  reader: Reader,
  row: InstructionRow,
  members: ReadonlyMap<string, Member>,
  head: Site,
): InstructionRow {
  const pair = members.has('value') && members.has('var_name') && members.size === 2;
  if (reader.dialect === 'stackvm-2') {
    const name = members.get('var_name')?.value;
    if (pair && name?.kind === 'string') {
      warn(reader, 'assignForm', head, 'this sets two variables named value and var_name', {
        hint: `to set ${name.value}, write {${JSON.stringify(name.value)}: …}`,
      });
    }
    return row;
  }
  if (members.size === 0 || members.has('value') || members.has('var_name')) return row;
  const names = [...members.keys()].join(', ');
  warn(reader, 'assignForm', head, `got values for ${names}, want value and var_name`);
  return rowOf('assign', 'stackvm-2') ?? row;
}

function commonOf(
  reader: Reader,
  node: JsonObject,
  keys: ReadonlyMap<string, Member>,
  type: TypeOf | undefined,
  place: Place,
): Common {
  const objective = objectiveOf(reader, keys.get('execution_objective')?.value);
  const handler = keys.get('on_error')?.value;
  const onError =
    handler && handler.kind !== 'null' ? targetOf(reader, handler, 'on_error') : undefined;
  return {
    type: type?.value ?? '',
    ...place,
    ...siteOf(node),
    head: siteOf(type?.node ?? node),
    source: sourceOf(reader, node),
    ...(objective === undefined ? {} : { objective }),
    ...(onError === undefined ? {} : { onError }),
  };
}

function objectiveOf(reader: Reader, node: JsonNode | undefined): string | undefined {
  if (!node || node.kind === 'null') return undefined;
  if (node.kind === 'string') return String(node.value);
  error(reader, 'wrongType', node, `execution_objective: got ${gotOf(node)}, want text`);
  return undefined;
}

/** The members of `parameters`, with those that stand beside it instead. */
function parametersOf(
  reader: Reader,
  row: InstructionRow,
  keys: ReadonlyMap<string, Member>,
  head: Site,
): ReadonlyMap<string, Member> | undefined {
  const given = keys.get('parameters')?.value;
  const members = given?.kind === 'object' ? membersOf(reader, given) : new Map<string, Member>();
  const known = new Set(row.parameters.flatMap(spellings));
  let misplaced = false;
  for (const [key, member] of keys) {
    if (instructionKeys.includes(key)) continue;
    if (!known.has(key) || members.has(key)) unknownKey(reader, key, member);
    else {
      misplaced = true;
      warn(reader, 'misplaced', member.keyNode, `${key} stands outside of parameters`);
      members.set(key, member);
    }
  }
  const none = given === undefined || given.kind === 'null';
  if (given?.kind === 'object' || misplaced || row.kind === 'reasoning') return members;
  // Whether there is such a tool matters more than what it is called with.
  if (none && row.rest === 'arguments') return members;
  const got = given ? gotOf(given) : 'nothing';
  const want = `an object with the parameters of ${row.type}`;
  error(reader, 'noParameters', given ?? head, `parameters: got ${got}, want ${want}`);
  return undefined;
}

function unknownKey(reader: Reader, key: string, { keyNode }: Member): void {
  const near = nearest(key, instructionKeys);
  warn(reader, 'unknownKey', keyNode, `an instruction has no key ${key}`, {
    hint: near ? `did you mean ${near}?` : `its keys are ${instructionKeys.join(', ')}`,
  });
}

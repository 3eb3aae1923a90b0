/** Takes the parameters of one instruction as its row in the table names them, and its numbers. */
import { nearest } from '../../program/diagnostic.ts';
import { type Site, siteOf } from '../../program/effect.ts';
import { type JsonNode, member as memberOf, stringOf } from '../../text/json-node.ts';
import type { InstructionRow, ParameterRow, ParameterType } from './instructions.ts';
import type { Target } from './plan.ts';
import { error, gotOf, type Member, type Reader, warn } from './report.ts';

export interface Parameters {
  /** By the name in the table. Null stands for absence, except where it is a value. */
  readonly named: ReadonlyMap<string, Member>;
  /** What the row does not name, and arguments, in the order of the text. */
  readonly rest: ReadonlyMap<string, Member>;
  /** Nothing that is needed was missing or of a wrong type. */
  readonly complete: boolean;
}

interface Shape {
  readonly accepts: (node: JsonNode) => boolean;
  readonly want: string;
}

const anything: Shape = { accepts: () => true, want: 'any value' };
const isName = (node: JsonNode): boolean => node.kind === 'string' && node.value !== '';

const shapes: Readonly<Record<ParameterType, Shape>> = {
  value: anything,
  text: {
    accepts: (node) => node.kind === 'string' || node.kind === 'object',
    want: 'text or a reference',
  },
  variable: { accepts: isName, want: 'the name of a variable' },
  outputs: {
    accepts: (node) => node.kind === 'array' || isName(node),
    want: 'the name of a variable or a list of such names',
  },
  step: { accepts: () => true, want: 'a seq_no' },
  branch: {
    accepts: (node) => node.kind === 'array' || memberOf(node, 'type') !== undefined,
    want: 'a list of instructions',
  },
  tool: { accepts: isName, want: 'the name of a tool' },
  arguments: { accepts: (node) => node.kind === 'object', want: 'an object' },
  note: anything,
};

/** The names under which a parameter is known. */
export const spellings = (row: ParameterRow): readonly string[] => [
  row.name,
  ...(row.also ?? []),
  ...(row.formerly ?? []),
];

/** What is missing is reported at `site`. */
export function take(
  reader: Reader,
  row: InstructionRow,
  members: ReadonlyMap<string, Member>,
  site: Site,
): Parameters {
  const named = new Map<string, Member>();
  const rest = new Map<string, Member>();
  let complete = true;
  // What a tool is to be called with must not be left out.
  const bare = row.type === 'calling' && !members.has('params') && !members.has('tool_params');
  for (const [key, member] of members) {
    const parameter = row.parameters.find((one) => spellings(one).includes(key));
    if (!parameter || parameter.argument) {
      if (row.rest !== 'unknown') rest.set(key, member);
      else if (bare) complete = lost(reader, key, member);
      else unknown(reader, row, key, member);
      continue;
    }
    if (member.value.kind === 'null' && parameter.type !== 'value') continue;
    if (parameter.formerly?.includes(key)) {
      warn(reader, 'oldName', member.keyNode, `got ${key}, want ${parameter.name}`);
    }
    const twin = named.get(parameter.name);
    if (twin) complete = conflict(reader, parameter.name, member, twin);
    else if (shapes[parameter.type].accepts(member.value)) named.set(parameter.name, member);
    else complete = wrongType(reader, key, parameter.type, member.value);
  }
  for (const parameter of row.parameters) {
    if (!parameter.required || parameter.argument || named.has(parameter.name)) continue;
    const wrong = [...members].some(
      ([key, { value }]) => spellings(parameter).includes(key) && value.kind !== 'null',
    );
    if (!wrong) missing(reader, row, parameter, site);
    complete = false;
  }
  return { named, rest, complete };
}

function unknown(reader: Reader, row: InstructionRow, key: string, { keyNode }: Member): void {
  const known = row.parameters.map(({ name }) => name);
  const near = nearest(key, row.parameters.flatMap(spellings));
  warn(reader, 'unknownParameter', keyNode, `${row.type} has no parameter ${key}`, {
    hint: near ? `did you mean ${near}?` : `its parameters are ${known.join(', ')}`,
  });
}

function lost(reader: Reader, key: string, { keyNode }: Member): false {
  error(reader, 'unknownParameter', keyNode, `calling has no parameter ${key}`, {
    hint: 'what the tool is called with stands in params',
  });
  return false;
}

function conflict(reader: Reader, name: string, { keyNode }: Member, twin: Member): false {
  const { line, column } = twin.keyNode;
  error(reader, 'conflict', keyNode, `${name} is given a second time under another name`, {
    notes: [{ message: 'first here', line, column }],
    hint: 'keep one of the two',
  });
  return false;
}

function wrongType(reader: Reader, key: string, type: ParameterType, node: JsonNode): false {
  error(reader, 'wrongType', node, `${key}: got ${gotOf(node)}, want ${shapes[type].want}`);
  return false;
}

export function missing(
  reader: Reader,
  row: InstructionRow,
  parameter: ParameterRow,
  site: Site,
): void {
  error(reader, 'missingParameter', site, `${row.type} lacks the parameter ${parameter.name}`, {
    hint: `${parameter.name}: ${parameter.about}`,
  });
}

// Sequence numbers: those of instructions and those that jumps name.

/** A number from 0; text and fractions that mean one are taken with a warning. */
export function numberOf(reader: Reader, node: JsonNode, key: string): number | undefined {
  const number = plainNumber(node);
  if (number === undefined) {
    error(reader, 'badNumber', node, `${key}: got ${gotOf(node)}, want an integer from 0`, {
      hint: hintFor(node),
    });
    return undefined;
  }
  if (node.kind !== 'int') {
    warn(reader, 'looseNumber', node, `${key}: got ${gotOf(node)}, want the integer ${number}`);
  }
  return number;
}

export function targetOf(reader: Reader, node: JsonNode, key: string): Target | undefined {
  const number = numberOf(reader, node, key);
  return number === undefined ? undefined : { number, ...siteOf(node) };
}

function plainNumber(node: JsonNode): number | undefined {
  if (node.kind !== 'int' && node.kind !== 'float' && node.kind !== 'string') return undefined;
  const text = stringOf(node);
  if (text !== undefined && !/^\s*\d{1,15}(\.0+)?\s*$/.test(text)) return undefined;
  const number = Number(node.value);
  return Number.isSafeInteger(number) && number >= 0 ? number + 0 : undefined;
}

function hintFor(node: JsonNode): string | undefined {
  const text = stringOf(node) ?? '';
  return /[{$]/.test(text) ? 'a number in a plan cannot come from a variable' : undefined;
}

/** Input variables of a run: `--input name=value`, and files of many. */

import { readingInputs } from '../../dialects/llmcompiler/reading.ts';
import { dictEntries, isDict, type Value } from '../../program/value.ts';
import { readStrictJson } from '../../text/json-text.ts';
import { type OptionRow, repeated } from '../command.ts';
import { CliError } from '../failure.ts';
import { readOptionValue } from '../option-value.ts';
import { readText } from '../process/files.ts';
import type { PlanFlags } from '../run/run-options.ts';

/** Of commands that run a program. */
export const inputOptions: readonly OptionRow[] = [
  ['--input <name=value>', 'Input variable: JSON or text.', repeated],
  ['--inputs <file>', 'Input variables: a JSON object.', repeated],
];

/** Of commands that only look at one. */
export const inputNameOption: OptionRow = [
  '--input <name>',
  'Input variable that the program may read.',
  repeated,
];

export interface InputFlags {
  /** `name=value`; the value is JSON where it parses, else text. */
  readonly input?: readonly string[];
  /** JSON files, an object each. */
  readonly inputs?: readonly string[];
}

/** The choices of a plan's user, as the input variables that they are kept as. */
export function readingInputsOf({ join, observations }: PlanFlags): [string, Value][] {
  return [
    ...(join === false ? [[readingInputs.noJoin, true] as [string, Value]] : []),
    ...(observations ? [[readingInputs.observations, true] as [string, Value]] : []),
  ];
}

/** Single inputs replace those of files. Throws `CliError` PV6007. */
export function readInputs({ input = [], inputs = [] }: InputFlags): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const file of inputs) for (const [name, value] of readFile(file)) values.set(name, value);
  const given = new Set<string>();
  for (const pair of input) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim().normalize('NFC');
    if (at < 0 || !isName(name)) {
      throw new CliError('PV6007', `--input: got ${pair}, want name=value`, {
        hint: 'for example --input city=Paris, or --input limits=\'{"min": 3}\'',
      });
    }
    if (given.has(name)) throw new CliError('PV6007', `--input gives ${name} twice, want it once`);
    given.add(name);
    const text = pair.slice(at + 1);
    values.set(name, readOptionValue(text, `--input ${name}`));
  }
  return values;
}

function readFile(file: string): [string, Value][] {
  const text = readText(file, 'PV6007');
  const value = readStrictJson(text.replace(/^\uFEFF/, ''));
  if (!isDict(value)) {
    throw new CliError('PV6007', `${file} holds no JSON object, want {"name": value, …}`);
  }
  return Array.from(dictEntries(value), ([key, item]): [string, Value] => {
    const name = String(key).normalize('NFC');
    if (isName(name)) return [name, item];
    throw new CliError('PV6007', `${file}: ${JSON.stringify(name)} is no name of a variable`);
  });
}

const isName = (name: string): boolean => /^[\p{XIDS}_$][\p{XIDC}$-]*$/u.test(name);

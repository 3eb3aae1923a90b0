/** One option per limit, made from the table of limits. */
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { BadQuantity, readLimit, showLimit, unitOf } from '../../agent/settings/quantity.ts';
import { readToolLimit, type ToolLimit } from '../../agent/settings/tool-limits.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  toolLimitNames,
} from '../../program/limits.ts';

/** The limits that govern a run; how often a model may repair is for those who let it. */
export const runLimits: readonly LimitName[] = limitNames.filter((name) => name !== 'repairs');

/**
 * Adds the options of these limits to a command, in a group of their own; `own` is said to be the
 * default where a command has another one than the table.
 */
export function addLimitOptions(
  command: CommandUnknownOpts,
  names: readonly LimitName[] = runLimits,
  own?: number,
): void {
  for (const name of names) {
    const { flag, about, default: usual } = limitTable[name];
    const value = own ?? usual;
    const form = `${unitOf(name)}; default ${showLimit(name, value)}`;
    const text = `${about.replace(/\.$/, '')} (${form}).`;
    const option = new Option(`--${flag} <${placeholder(name)}>`, text)
      .argParser((given: string) => parse(name, given))
      .helpGroup('Limits:');
    command.addOption(option);
  }
}

/** `--tool-limit TOOL.LIMIT=VALUE`, which may be repeated. */
export function addToolLimitOption(command: CommandUnknownOpts): void {
  const names = toolLimitNames.join(', ');
  const text = `Limit of one tool: ${names}. May be repeated: search.timeoutMs=5s.`;
  const option = new Option('--tool-limit <tool.limit=value>', text)
    .argParser((given: string, before: readonly ToolLimit[] = []) => [...before, one(given)])
    .helpGroup('Limits:');
  command.addOption(option);
}

function one(given: string): ToolLimit {
  try {
    return readToolLimit(given);
  } catch (error) {
    throw error instanceof BadQuantity ? new InvalidArgumentError(error.message) : error;
  }
}

/** The limits among the options that a command was called with. */
export function givenLimits(options: object): Partial<Limits> {
  const given = limitNames.flatMap((name): [string, number][] => {
    const value: unknown = Reflect.get(options, attributeOf(limitTable[name].flag));
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(given);
}

function parse(name: LimitName, given: string): number {
  try {
    return readLimit(name, given);
  } catch (error) {
    throw error instanceof BadQuantity ? new InvalidArgumentError(error.message) : error;
  }
}

function placeholder(name: LimitName): string {
  const { unit } = limitTable[name];
  if (unit === 'bytes') return 'size';
  if (unit === 'milliseconds') return 'time';
  return unit === 'USD' ? 'usd' : 'n';
}

/** `value-bytes` as commander names the property: `valueBytes`. */
const attributeOf = (flag: string): string =>
  flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

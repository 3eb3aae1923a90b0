/** One option per limit, made from the table of limits. */
import { Option } from '@commander-js/extra-typings';
import {
  readLimit,
  readToolLimit,
  showLimit,
  type ToolLimit,
  unitOf,
} from '../../agent/settings/quantity.ts';
import {
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  toolLimitNames,
} from '../../program/limits.ts';
import { group, type OptionRow } from '../command.ts';
import { quantity } from '../option-value.ts';

/** The limits that govern a run; how often a model may repair is for those who let it. */
export const runLimits: readonly LimitName[] = limitNames.filter((name) => name !== 'repairs');

/** `usual` is said to be the default where a command has another one than the table. */
export const limitOptions = (
  names: readonly LimitName[] = runLimits,
  usual?: number,
): OptionRow[] =>
  group(
    'Limits:',
    names.map((name) => {
      const { flag, about, default: own } = limitTable[name];
      const form = `${unitOf(name)}; default ${showLimit(name, usual ?? own)}`;
      const text = `${about.replace(/\.$/, '')} (${form}).`;
      return [
        `--${flag} <${placeholder(name)}>`,
        text,
        quantity((given) => readLimit(name, given)),
      ];
    }),
  );

/** `--tool-limit TOOL.LIMIT=VALUE`, which may be repeated. */
export function toolLimitOption(): Option {
  const names = toolLimitNames.join(', ');
  const text = `Limit of one tool: ${names}. May be repeated: search.timeoutMs=5s.`;
  const read = (given: string, before: readonly ToolLimit[] = []): ToolLimit[] => [
    ...before,
    readToolLimit(given),
  ];
  return new Option('--tool-limit <tool.limit=value>', text)
    .argParser(quantity(read))
    .helpGroup('Limits:');
}

/** The limits among the options that a command was called with. */
export function givenLimits(options: object): Partial<Limits> {
  const given = limitNames.flatMap((name): [string, number][] => {
    const value: unknown = Reflect.get(options, attributeOf(limitTable[name].flag));
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(given);
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

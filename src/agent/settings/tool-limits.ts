/** Limits of single tools, as options, variables and configuration files write them. */
import { nearest } from '../../program/diagnostic.ts';
import {
  type ToolLimitName,
  type ToolLimits,
  toolLimitNames,
  toolLimitTable,
} from '../../program/limits.ts';
import { BadQuantity, readLimit } from './quantity.ts';

export interface ToolLimit {
  readonly tool: string;
  readonly name: ToolLimitName;
  /** In the unit of the limit. */
  readonly value: number;
}

/** `search.timeoutMs=5s`. A tool's own name may have dots. Throws `BadQuantity`. */
export function readToolLimit(given: string): ToolLimit {
  const [, tool, name = '', value = ''] = /^([^=]+)\.(\w+)=(.+)$/.exec(given) ?? [];
  if (tool === undefined) throw new BadQuantity(`got ${given}, want TOOL.LIMIT=VALUE`);
  if (!isToolLimit(name)) {
    const meant = nearest(name, toolLimitNames);
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw new BadQuantity(`got ${tool}.${name}, want one of ${toolLimitNames.join(', ')}${hint}`);
  }
  return { tool, name, value: readLimit(toolLimitTable[name].as, value) };
}

const isToolLimit = (name: string): name is ToolLimitName => Object.hasOwn(toolLimitTable, name);

/** The last one of a limit counts. */
export function byTool(limits: readonly ToolLimit[]): Readonly<Record<string, ToolLimits>> {
  const made: Record<string, Partial<Record<ToolLimitName, number>>> = {};
  for (const { tool, name, value } of limits) made[tool] = { ...made[tool], [name]: value };
  return made;
}

/** Throws `BadQuantity`. */
export const readToolLimits = (given: readonly string[]): Readonly<Record<string, ToolLimits>> =>
  byTool(given.map(readToolLimit));

/** As the record of a run has them; JSON has no infinity. */
export function readStoredToolLimits(
  data: unknown,
): Readonly<Record<string, ToolLimits>> | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const limits = Object.entries(data).flatMap(([tool, own]) =>
    typeof own === 'object' && own !== null ? storedLimits(tool, own) : [],
  );
  return byTool(limits);
}

function storedLimits(tool: string, own: object): ToolLimit[] {
  return Object.entries(own).flatMap(([name, value]): ToolLimit[] => {
    if (!isToolLimit(name)) return [];
    if (value === null) return [{ tool, name, value: Infinity }];
    return typeof value === 'number' ? [{ tool, name, value }] : [];
  });
}

/** The tool sets that come along, by name, and how a source that names one is read. */
import type { Handler } from '../engine/handler.ts';
import { nearest } from '../program/diagnostic.ts';
import { browserSet } from './browser/set.ts';
import { calculatorSet } from './calculate/set.ts';
import { dataSet } from './data/set.ts';
import { edgarSet } from './edgar/set.ts';
import { emailSet } from './email/set.ts';
import { filesSet } from './files/set.ts';
import { linkedInSet } from './linkedin/set.ts';
import { marketSet } from './market/set.ts';
import { memorySet } from './memory/set.ts';
import { nodeRedSet } from './node-red/set.ts';
import { tableSet } from './table/set.ts';
import { checkedHandler } from './tool/checked.ts';
import { type Environment, openSet, type ToolSet } from './tool-set.ts';
import { BadToolSet, toolSetScheme as scheme } from './tool-set-names.ts';
import { webSet } from './web-set.ts';
import { wikipediaSet } from './wikipedia/set.ts';

const sets: readonly ToolSet[] = [
  wikipediaSet,
  calculatorSet,
  tableSet,
  nodeRedSet,
  filesSet,
  dataSet,
  emailSet,
  webSet,
  marketSet,
  edgarSet,
  browserSet,
  linkedInSet,
  memorySet,
];

export const toolSets: ReadonlyMap<string, ToolSet> = new Map(sets.map((set) => [set.name, set]));

/** The set that a source names, and its options. Throws `BadToolSet`. */
export function readToolSet(source: string): { set: ToolSet; options: Environment } {
  const [name = '', query = ''] = source.slice(scheme.length).split(/\?(.*)/s);
  const set = toolSets.get(name);
  if (!set) {
    const meant = nearest(name, toolSets.keys());
    const listed = [...toolSets.keys()].map((one) => scheme + one).join(', ');
    const hint = meant === undefined ? `the sets are ${listed}` : `did you mean ${scheme}${meant}?`;
    throw new BadToolSet(`there is no tool set ${scheme}${name}`, hint);
  }
  const options = Object.fromEntries(new URLSearchParams(query));
  const known = Object.keys(set.options);
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const meant = nearest(option, known);
    const hint = `its options are ${known.join(', ') || 'none'}`;
    throw new BadToolSet(
      `${scheme}${name} has no option ${option}`,
      meant === undefined ? hint : `did you mean ${meant}?`,
    );
  }
  return { set, options };
}

/** The tools of a set, by a name with options: `planvm:wikipedia?language=fr`. */
export async function toolSet(
  source: string,
  env: Environment = process.env,
): Promise<readonly Handler[]> {
  const { set, options } = readToolSet(source);
  return (await openSet(set, options, env)).map(checkedHandler);
}

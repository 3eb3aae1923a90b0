/** Types that lines and parameters declare, `$n:int`, and which values are of them. */
import { namePattern } from '../../../program/name.ts';
import type { Agent } from '../source/tree.ts';
import { assignmentOf } from '../text/blocks.ts';
import { declarationIn } from '../text/declaration.ts';
import { type Fit, valueType } from '../text/value-types.ts';
import { writtenName } from '../text/variables.ts';
import type { Step } from './compiled.ts';
import type { LinkedPlaybook } from './linked.ts';

/** What a type takes; undefined for one that nothing is held to. */
export const fitsOf = (type: string | undefined): readonly Fit[] | undefined =>
  type === undefined ? undefined : valueType(type).fits;

/** The type of what a playbook returns, where that is checked. */
export function givenType({ returns }: Pick<LinkedPlaybook, 'returns'>): string | undefined {
  return fitsOf(returns) && returns;
}

/** The types of what functions of an agent's blocks give, where they are checked, by name. */
export const resultTypes = ({ code }: Pick<Agent, 'code'>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    code
      .flatMap(({ gives = {} }) => Object.entries(gives))
      .flatMap(([name, returns]) => {
        const type = givenType({ returns });
        return type === undefined ? [] : [[name, type]];
      }),
  );

/** Whether types have the same values. */
export const isSameType = (one: string, other: string): boolean =>
  JSON.stringify(fitsOf(one)) === JSON.stringify(fitsOf(other));

/** The type of a variable, as lines write it, of those below. */
export const typeOf = (types: ReadonlyMap<string, string>, written: string): string | undefined =>
  (types.get(written) ?? types.get(written.replace('$', ''))) || undefined;

/**
 * Those that are checked, by name without the dollar; the first line that says one decides. Where
 * there is both an `x` and a `$x`, each has its own, and an empty one is none.
 */
export function declaredTypes({
  lines,
  parameters,
}: {
  readonly lines: ReadonlyMap<string, { readonly step: Step }>;
  readonly parameters: LinkedPlaybook['parameters'];
}): ReadonlyMap<string, string> {
  const names = new Set(parameters.map(writtenName));
  for (const { step } of lines.values()) for (const name of step.writes) names.add(name);
  const isTwofold = (name: string): boolean => names.has(name) && names.has(`$${name}`);
  const types = new Map<string, string>();
  const declare = (name: string, type: string | undefined): void => {
    const bare = name.replace('$', '');
    const key = isTwofold(bare) ? name : bare;
    if (type !== undefined && !types.has(key)) types.set(key, type);
  };
  for (const one of parameters) declare(writtenName(one), one.type);
  for (const { step } of lines.values()) {
    for (const [name, type] of typesIn(step)) declare(name, type);
  }
  const checked = [...types].filter(([, type]) => fitsOf(type));
  const own = checked.flatMap(([name]) => (isTwofold(name) ? [[`$${name}`, ''] as const] : []));
  return new Map([...own, ...checked]);
}

/** The types that a line declares of what it sets: `$n:int = …`, `Ask for $n:int and $day:str`. */
export function typesIn({ block, text, writes }: Step): readonly (readonly [string, string])[] {
  if (writes.length === 0) {
    const declared = declarationIn(text);
    return declared ? [[declared.target, declared.type]] : [];
  }
  const { target, type } = assignmentOf({ text, block }) ?? {};
  if (target !== undefined) return type === undefined ? [] : [[target, type]];
  return [...text.matchAll(typed)].flatMap(([, name = '', type = '']) =>
    writes.includes(name) ? [[name, type] as const] : [],
  );
}

/** Behind a blank stands a word. */
const typed = new RegExp(String.raw`(\$${namePattern}):([A-Za-z]\w*(?:\[[^\]]*\])?)`, 'gu');

/** Another text in place of one that was drawn: one step, or all from one on, is another. */
import type { Chance } from './chance.ts';
import { labelOf } from './labels.ts';

export interface Change {
  readonly text: string;
  /** Whether what it says of a step may be another; by label. */
  readonly isTouched: (label: string) => boolean;
}

/** Undefined where there is no other text from that step on. */
export type MakeChange = (chance: Chance, step: string) => Change | undefined;

interface Instruction {
  readonly seq_no: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** In a plan: an instruction of the label is replaced by what `make` draws under its number. */
export const changePlan =
  (text: string, make: (chance: Chance, at: number) => object): MakeChange =>
  (chance, step) => {
    const label = labelOf(step);
    let isFound = false;
    const within = (plan: readonly Instruction[], path: string): object[] =>
      plan.map((one) => {
        if (`${path}${one.seq_no}` === label) {
          isFound = true;
          return make(chance, one.seq_no);
        }
        const parameters = Object.entries(one.parameters).map(([name, value]) => {
          const branch = /^(true|false)_branch$/.exec(name)?.[1];
          if (branch === undefined) return [name, value];
          return [name, within(value as Instruction[], `${path}${one.seq_no}.${branch}.`)];
        });
        return { ...one, parameters: Object.fromEntries(parameters) };
      });
    const changed = JSON.stringify(within(JSON.parse(text), ''));
    if (!isFound) return undefined;
    const isTouched = (other: string): boolean => other === label || other.startsWith(`${label}.`);
    return { text: changed, isTouched };
  };

const statements = [
  ...['a = read(x = b)', 'b = "edited"', 'c = write(x = a)', 'print(c)', 'a = [b, c]'],
  ...['b = pure(x = "k7")', 'c = read(x = "k7")', 'a = c'],
] as const;

/** In Starlark: a line that is a statement of its own, or all from one on in the main line. */
export const changeLines =
  (text: string): MakeChange =>
  (chance, step) => {
    const number = Number(labelOf(step));
    const lines = text.split('\n');
    const line = lines[number - 1];
    if (line === undefined || !/^ *\S/.test(line)) return undefined;
    const [indent = ''] = /^ */.exec(line) ?? [];
    const isMain = lines.findLastIndex((one) => one.startsWith('    return')) < number - 1;
    if (isMain && indent === '' && chance.flag(0.5)) {
      const remainder = chance.list(3, () => chance.pick(statements));
      const changed = [...lines.slice(0, number - 1), chance.pick(statements), ...remainder];
      return { text: changed.join('\n'), isTouched: (other) => Number(other) >= number };
    }
    if (line.endsWith(':') || line.includes('return')) return undefined;
    lines[number - 1] = `${indent}${chance.pick(statements)}`;
    // What is called in fibers is not seen on the main line.
    return { text: lines.join('\n'), isTouched: (other) => !isMain || Number(other) === number };
  };

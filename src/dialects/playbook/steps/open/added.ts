/**
 * What steps of a model have that the line does not say: words in quotes, whom they are for, what
 * is waited for, values, and variables that they set; and variables of the line that they lack.
 */
import type { SaidText, Step, StepCode } from '../../compiled/compiled.ts';
import { stateNames, unique } from '../../text/variables.ts';
import { type Draft, flatDrafts } from '../draft.ts';
import type { Names } from '../names/names.ts';
import { meaningOf } from '../step-text.ts';
import { addedWait } from './added-waits.ts';
import { constantsIn, Words } from './words.ts';

/** What is known beside a line and its steps. */
export interface Beside {
  readonly names: Names;
  /** The variables that other lines set; one that only its own steps use is theirs. */
  readonly others: ReadonlySet<string>;
  /** Those that the program names. */
  readonly known: ReadonlySet<string>;
  /** Those that what is said of other lines names. */
  readonly used: ReadonlySet<string>;
}

/** Of what a line is said to mean, one sentence for each that it adds. */
export function addedIn(
  drafts: readonly Draft[],
  line: Pick<Step, 'block' | 'text'>,
  { known, names, others, used }: Beside,
): string[] {
  const words = new Words(line.text, line.block);
  const all = flatDrafts(drafts);
  const isOwn = (name: string): boolean => !known.has(name) && !others.has(name);
  // What its own variables begin with, they may be compared with.
  const begun = all.flatMap((one) => {
    const { value = '', writes } = meaningOf(one, new Set());
    return writes.some(isOwn) ? constantsIn(value) : [];
  });
  return all.flatMap((one, at) => {
    const { say, value, writes } = meaningOf(one, new Set());
    if (say) return addedMessage(say, words, names);
    if (one.code === 'YLD') return addedWait(one.text, words, names.events) ?? [];
    if (saysNothing.has(one.code)) return [];
    const [name] = one.code === 'LOP' ? [] : writes;
    const isSet = name !== undefined && one.code === 'EXE';
    const isUsed = all.slice(at + 1).some((next) => next.text.includes(name ?? ''));
    if (isSet && isOwn(name) && isUsed) return [];
    const [added] = constantsIn(one.text).filter((constant) => {
      return (
        !words.say(constant) && !(heads.has(one.code) && [...begun, ...plain].includes(constant))
      );
    });
    const what = name === undefined ? one.text : `${name} set to ${value ?? 'what that gives'}`;
    if (added !== undefined) {
      return [
        `got ${isSet ? what : `${added} in ${one.text}`}, want no value that the line does not say`,
      ];
    }
    if (name === undefined || words.say(name)) return [];
    if (others.has(name)) {
      return [`got ${what}, want no variable of other lines that this one does not name`];
    }
    return isSet && isOwn(name) && !used.has(name)
      ? [`got ${what}, want no variable that nothing uses`]
      : [];
  });
}

/** The variables of a line that no step of it names: what is to be done with them is left out. */
export function missingIn(drafts: readonly Draft[], { text }: Pick<Step, 'text'>): string[] {
  const words = new Words(
    flatDrafts(drafts)
      .map((one) => one.text)
      .join(' '),
  );
  return unique(stateNames(text))
    .filter((name) => !words.say(name))
    .map((name) => `got no step with ${name}, want what the line does with it`);
}

const saysNothing: ReadonlySet<StepCode> = new Set(['JMP', 'CHK', 'TNK']);
const heads: ReadonlySet<StepCode> = new Set(['CND', 'ELS', 'LOP']);

/** What a condition in words may be put as: that there is none, or one. */
const plain = ['0', '1', '""', "''"];

function addedMessage({ isLiteral, text, to }: SaidText, words: Words, names: Names): string[] {
  if (!isHearer(to, names) && !words.say(to)) {
    return [`got a message to ${to}, want one to an agent that there is, or that the line names`];
  }
  return !isLiteral || words.quote(text)
    ? []
    : [`got "${text}", want Say(user, what to say) where the line has no such quote`];
}

/** Variables may hold whatever agent there is. */
const isHearer = (to: string, { agents, others, written }: Names): boolean =>
  /^(?:user$|meeting\b|\$)/i.test(to) ||
  [agents, others, written].some((all) => all.has(to.replace(/^agent /i, '')));

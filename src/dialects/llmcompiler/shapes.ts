/** How the lines of a list of actions begin. */
import { thinkTags } from '../../text/json-text.ts';

/** What models put before a line, and around what stands first in it. */
const lead = String.raw`[\s>*+•–_\x60-]*(?:#{2,6}\s+[*_\x60]*)?`;
const marking = String.raw`[*_\x60]*`;
const letter = String.raw`A-Za-z\u00c0-\u024f`;
const nameEnd = `[\\w${letter}./:-]*?`;
/** Underscores before its first letter are marking. */
const toolName = `((?:[${letter}]|_(?![_${letter}]))${nameEnd})`;
const bracket = `${marking}\\s*[([]$`;

/**
 * Up to and with the first bracket of a line that calls something: `1. tool[`, `$1 = tool(`,
 * `Action: tool[`.
 */
const numbered = new RegExp(
  `^(${lead})(?:(?:step|task|étape|tâche)\\s*#?)?(\\d+)\\s*[.):]${marking}(?:\\s+${marking})?` +
    `(?<name>${toolName})${bracket}`,
  'i',
);
const assigned = new RegExp(
  `^(${lead})\\$\\{?(\\d+)\\}?\\s*:?=\\s*${marking}(?<name>${toolName})${bracket}`,
);
const action = new RegExp(
  `^(${lead})Action\\s*(?:#?(\\d+)\\s*|#\\s*)?[:：]` +
    `${marking}(?:\\s+${marking}|\\s*\\d+[.)]\\s*${marking})?` +
    `(?<name>${toolName})${bracket}`,
  'i',
);
const numberedAction = /Action\s*[:：][\s*_`]*(\d+)[.)]/i;
const alone = new RegExp(`^(${lead})(?<name>${toolName})[([]`);

/** Before the first bracket of a line there are no more characters than this where it is a call. */
export const headMax = 300;

export interface Head {
  readonly form: 'numbered' | 'assigned' | 'action' | 'alone';
  /** Empty where none is written. */
  readonly id: string;
  readonly name: string;
  /** Offsets of the name, of its bracket, and of what introduces it. */
  readonly nameAt: number;
  readonly bracketAt: number;
  readonly start: number;
}

/** What the beginning of a line, up to and with its first bracket, calls. */
export function headOf(line: string): Head | undefined {
  if (line.length > headMax) return undefined;
  return (
    made('numbered', numbered.exec(line)) ??
    made('assigned', assigned.exec(line)) ??
    made('action', action.exec(line))
  );
}

/** Characters at the end of a line that are looked at. */
const tailMax = 60;

/** A line that is a call, with nothing before it: `join()`. Words and brackets are no call. */
export function aloneHead(line: string): Head | undefined {
  if (!/[)\]]\s*(?:<[^>]*>)?[\s`*.]*$/.test(line.slice(-tailMax))) return undefined;
  return made('alone', alone.exec(line.slice(0, headMax)));
}

/** `name = tool(…)` of a programming language: the name, and the call up to its bracket. */
export const assignment: RegExp = new RegExp(
  `^${lead}([A-Za-z_]\\w*)\\s*:?=\\s*(?:await\\s+)?([${letter}_]${nameEnd}[([])`,
);

function made(form: Head['form'], found: RegExpExecArray | null): Head | undefined {
  const name = found?.groups?.name;
  if (!found || name === undefined) return undefined;
  const [all, before = '', digits = ''] = found;
  const number = form === 'alone' ? '' : digits || (numberedAction.exec(all)?.[1] ?? '');
  const nameAt = all.lastIndexOf(name, all.length - 1 - name.length);
  const id = number.replace(/^0+(?=\d)/, '');
  return { form, id, name, nameAt, bracketAt: all.length - 1, start: before.length };
}

/** Where the next call of a line may begin, behind another one; undefined where none can. */
export function linkOf(text: string): number | undefined {
  return /^[\s,;*`.]*(?:(?:and|then|et|puis)\s+)?(?=[\d$A])/i.exec(text)?.[0].length;
}

export type Label = 'question' | 'thought' | 'observation' | 'answer' | 'action' | 'id' | 'input';

export interface Labelled {
  readonly label: Label;
  /** As written, without the colon. */
  readonly written: string;
  /** The number behind it: `Thought 2:`. */
  readonly number: string;
  /** What follows the colon, and its offset. */
  readonly rest: string;
  readonly restAt: number;
}

/** Every word that is read as a label. */
export const labelWords: Readonly<Record<string, Label>> = {
  'user question': 'question',
  question: 'question',
  thoughts: 'thought',
  thought: 'thought',
  thinking: 'thought',
  reasoning: 'thought',
  pensée: 'thought',
  pensee: 'thought',
  réflexion: 'thought',
  reflexion: 'thought',
  raisonnement: 'thought',
  observations: 'observation',
  observation: 'observation',
  résultat: 'observation',
  resultat: 'observation',
  'final answer': 'answer',
  'réponse finale': 'answer',
  'reponse finale': 'answer',
  answer: 'answer',
  réponse: 'answer',
  reponse: 'answer',
  'action input': 'input',
  'action id': 'id',
  action: 'action',
};

/** Also with the space before the colon that French has. */
const labelled = new RegExp(
  `^${lead}(${Object.keys(labelWords).join('|')})(?:\\s*#?(\\d+))?` +
    `${marking}\\s*[:：]${marking}[ \\t]*`,
  'i',
);

export function labelOf(line: string): Labelled | undefined {
  const [all, written = '', number = ''] = labelled.exec(line.slice(0, headMax)) ?? [];
  const label = labelWords[written.toLowerCase()];
  if (all === undefined || !label) return undefined;
  return { label, written, number, rest: line.slice(all.length).trimEnd(), restAt: all.length };
}

const anyLabel = new RegExp(
  `^${lead}[\\p{L}\\p{M}'’]+(?: [\\p{L}\\p{M}\\d'’]+){0,2}${marking}\\s?[:：]\\s*[^\\s/]`,
  'u',
);

/** A word or three and a colon, with something behind it: a label in whatever language. */
export const isLabelled = (line: string): boolean => anyLabel.test(line.slice(0, headMax));

/** The labels as LLMCompiler's syntax glossary writes them. */
export const properLabels: ReadonlySet<string> = new Set(['Question', 'Thought', 'Observation']);

export const isFence = (line: string): boolean => /^\s*(?:```|~~~)/.test(line);

export const endTag: RegExp = /<\s*END_OF_(?:PLAN|RESPONSE)\s*>/i;

/** A numbered line, whatever it says. */
export const numberedLine: RegExp = /^[\s>*+•-]*(\d+)\s*[.)]\s*\S/;

const endWord = /^([\s>*+•_\x60-]*)(\d+)\s*[.)]\s*[*_\x60]*(join|finish)[*_\x60]*\.?\s*$/i;

/** `3. join` without brackets. */
export function endHead(line: string): Head | undefined {
  const [all, before = '', id = '', name = ''] = endWord.exec(line.slice(0, headMax)) ?? [];
  if (all === undefined) return undefined;
  const nameAt = all.lastIndexOf(name);
  return {
    form: 'numbered',
    id,
    name,
    nameAt,
    bracketAt: nameAt + name.length,
    start: before.length,
  };
}

export const opensThinking: RegExp = new RegExp(`^\\s*<(?:${thinkTags})(?:\\s[^<>]*)?>`, 'i');
export const closesThinking: RegExp = new RegExp(`</(?:${thinkTags})\\s*>`, 'i');

/** Whether a reply that begins with this line, or a part of it, begins with the plan. */
export const beginsPlan = (line: string): boolean =>
  headOf(/^[^([]*[([]?/.exec(line)?.[0] ?? '') !== undefined ||
  labelOf(line) !== undefined ||
  endHead(line) !== undefined ||
  opensThinking.test(line) ||
  isFence(line) ||
  /^\s*#/.test(line) ||
  /^.{1,60}:\s*$/.test(line);

export const isEndName = (name: string): boolean => /^(?:join|finish)$/i.test(name);

/** A line of words, and no heading or tag. */
export const isSaid = (line: string): boolean =>
  /\p{L}/u.test(line) && !isHeading(line) && !/^\s*<[^<>]*>\s*$/.test(line);

/** A line of decoration or a heading above the plan, which says nothing. */
export const isHeading = (line: string): boolean =>
  line.length <= tailMax &&
  /^[\s#*_=-]*(?:(?:the |current |final )?plan)?\s*:?[\s*_=-]*$/i.test(line);

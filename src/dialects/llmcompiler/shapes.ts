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
const alone = new RegExp(
  `^(${lead})(?:(?<variable>[A-Za-z_]\\w*)\\s*:?=\\s*(?:await\\s+)?)?(?<name>${toolName})[([]`,
);

/** Before the first bracket of a line there are no more characters than this where it is a call. */
const headMax = 300;

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

/** What a line calls with its first bracket; `from` is the offset behind another call in it. */
export function headOf(line: string, from = 0): Head | undefined {
  const text = line.slice(from, from + headMax);
  const link = from === 0 ? 0 : linkOf(text);
  const bracket = text.search(/[([]/);
  if (bracket < 0 || link === undefined) return undefined;
  const head = text.slice(link, bracket + 1);
  const at = from + link;
  return (
    made('numbered', numbered.exec(head), at) ??
    made('assigned', assigned.exec(head), at) ??
    made('action', action.exec(head), at)
  );
}

/** Where the next call of a line may begin, behind another one; undefined where none can. */
const linkOf = (text: string): number | undefined =>
  /^[\s,;*`.]*(?:(?:and|then|et|puis)\s+)?(?=[\d$A])/i.exec(text)?.[0].length;

/** Characters at the end of a line that are looked at. */
const tailMax = 60;

export interface AloneHead extends Head {
  /** Of `name = tool(…`, as programming languages have it. */
  readonly variable?: string;
}

/** A line that is a call, with nothing before it: `join()`. Words and brackets are no call. */
export function aloneHead(line: string): AloneHead | undefined {
  const found = alone.exec(line.slice(0, headMax));
  const head = made('alone', found, 0);
  const variable = found?.groups?.variable;
  if (head && variable !== undefined) return { ...head, variable };
  return /[)\]]\s*(?:<[^>]*>)?[\s`*.]*$/.test(line.slice(-tailMax)) ? head : undefined;
}

function made(form: Head['form'], found: RegExpExecArray | null, at: number): Head | undefined {
  const name = found?.groups?.name;
  if (!found || name === undefined) return undefined;
  const [all, before = '', digits = ''] = found;
  const number = form === 'alone' ? '' : digits || (numberedAction.exec(all)?.[1] ?? '');
  const nameAt = at + all.lastIndexOf(name, all.length - 1 - name.length);
  const id = number.replace(/^0+(?=\d)/, '');
  return { form, id, name, nameAt, bracketAt: at + all.length - 1, start: at + before.length };
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

const endTag = /<\s*END_OF_(?:PLAN|RESPONSE)\s*>/i;

/** Where the mark of the end stands in a line; -1 where it does not. */
export const endTagIn = (line: string): number => line.search(endTag);

/** The name of a tool, and nothing else. */
export const nameAlone = (text: string): string | undefined =>
  /^[*_`]*([A-Za-z][\w./:-]*|_(?:[\d./:-][\w./:-]*)?)(?:[*`][*_`]*)?$/.exec(text)?.[1];

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
  headOf(line) !== undefined ||
  labelOf(line) !== undefined ||
  endHead(line) !== undefined ||
  opensThinking.test(line) ||
  isFence(line) ||
  /^\s*#/.test(line) ||
  /^.{1,60}:\s*$/.test(line);

/** `###`, which stands between examples, and so behind plans that were learnt from them. */
export const isRule = (line: string): boolean => /^\s*#{3,}\s*$/.test(line.slice(0, headMax));

export const isEndName = (name: string): boolean => /^(?:join|finish)$/i.test(name);

/** A line of words, and no heading or tag. */
export const isSaid = (line: string): boolean =>
  /\p{L}/u.test(line) && !isHeading(line) && !/^\s*<[^<>]*>\s*$/.test(line);

/** A line of decoration or a heading above the plan, which says nothing. */
export const isHeading = (line: string): boolean =>
  line.length <= tailMax &&
  /^[\s#*_=-]*(?:(?:the |current |final )?plan)?\s*:?[\s*_=-]*$/i.test(line);

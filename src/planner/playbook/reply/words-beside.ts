/**
 * What a reply has beside its operations. Owns the lines that have come of it: those that something
 * was read from are no words, however many of them that took.
 */
import { answerOf } from '../../../program/model-text.ts';
import { JsonScanner } from './forms/json-scanner.ts';

export class WordsBeside {
  #lines: string[] = [];
  /** Of what is being read, and whether that has turned out to say something. */
  #open: string[] = [];
  #isRead = false;
  #isKept = false;

  /** The line that comes begins something of its own. */
  begin(): void {
    if (!this.#isRead || this.#isKept) this.#lines.push(...this.#open);
    this.#open = [];
    this.#isRead = false;
    this.#isKept = false;
  }

  add(line: string): void {
    this.#open.push(line);
  }

  /** Something was read from the lines that are open. */
  read(): void {
    this.#isRead = true;
  }

  /** What is read from the line may also be words, and is. */
  keep(): void {
    this.#isKept = true;
  }

  /** What stands behind an operation in its line. */
  behind(text: string): void {
    if (/[\p{L}\p{N}]/u.test(text)) this.#lines.push(text.trim());
  }

  /** What has come of them since this was asked last. */
  taken(): string {
    const words = this.#lines.join('\n');
    this.#lines = [];
    return words;
  }
}

/**
 * An operation that stands among words, which are for nobody then; so is a call as some models have
 * it between tags.
 */
export const operationAmong = (words: string): string | undefined => among.exec(words)?.[0];

const operation = '\\{\\s*"(?:step|set|call|say|ask|yield|return|think)"\\s*:';
const tagged = '<(?:invoke|function|tool)\\b[^<>]*=';
const among = new RegExp(`(?:${operation}|${tagged}).*`);

/**
 * The operation that a line ends with, which only words lead to: `Now the call: {"call": "F"}`.
 * Words that may say of it that it is none, such as `For example:`, leave it where it is.
 */
export function behindWords(line: string): string | undefined {
  const [all = '', words = ''] = /^([\p{L}\p{N}\s,'’-]{1,60}):\s*(?=\{)/u.exec(line) ?? [];
  const rest = line.slice(all.length).trimEnd();
  const isOne = all !== '' && isWholeObject(rest) && among.exec(rest)?.index === 0;
  return isOne && !mayBeNone.test(words) ? rest : undefined;
}

function isWholeObject(text: string): boolean {
  const scanner = new JsonScanner();
  scanner.add(text.slice(0, -1));
  const isOpen = !scanner.isWhole;
  scanner.add(text.slice(-1));
  return isOpen && scanner.isWhole;
}

/** Not done, done before, to be done later, by somebody else, or only spoken of. */
const mayBeNone = new RegExp(
  "\\b(?:not|never|no|don'?t|won'?t|can'?t|cannot|didn'?t|without|instead|rather|unless|if|when|" +
    'once|until|example|e\\.?g|like|such|format|form|syntax|schema|would|could|should|might|may|' +
    'later|after|afterwards|before|previous|previously|earlier|already|did|was|were|had|last|' +
    'plan|recap|note|thought|thinking|thoughts|think|user|guest|person|says?|said|wrote|writes?|' +
    'or|maybe|perhaps|alternatively|option|wrong|error|invalid|you)\\b',
  'i',
);

/** What somebody hears of such lines: no thoughts, and no fences that operations have stood in. */
export const wordsIn = (beside: string): string =>
  answerOf(beside.replace(/^[ \t]*(`{3,}|~{3,})[\w-]*[ \t]*\n\s*\1[ \t]*$/gm, ''));

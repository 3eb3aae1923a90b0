/**
 * Programs in the replies of models, for dialects whose programs are lines of text.
 *
 * One rule decides among several: a fence that is a program of the dialect goes before one that is
 * not, its own language before none, none before another one; of equals the longest is taken.
 */
import { type Fence, fencedText, fencesIn } from '../text/fences.ts';
import { answerOf } from '../text/model-text.ts';
import { literalsIn } from '../text/thoughts.ts';

export interface ReplyForm {
  /** A line that only code has. */
  readonly code: RegExp;
  /** Words behind an opening fence that mean the dialect. */
  readonly languages: RegExp;
  /** Whether a text is a whole program. */
  readonly parses: (text: string) => boolean;
}

export interface ProgramInReply {
  readonly text: string;
  /** The first lines of other fences that hold a whole program. */
  readonly others: readonly string[];
}

/** The program in the last answer; without a fence, all of it if a line of it looks like code. */
export function programInReply(reply: string, form: ReplyForm): ProgramInReply | undefined {
  const answer = taggedCode(answerOf(reply));
  const candidates = candidatesIn(answer, form);
  const [best] = candidates.toSorted((a, b) => b.rank - a.rank || b.text.length - a.text.length);
  if (!best) return form.code.test(answer) ? { text: `${answer}\n`, others: [] } : undefined;
  const text = best.text.replace(/(?<!\s)\s+$/, '\n');
  const others = candidates.filter((other) => other.rank >= wholeRank && other.text !== best.text);
  const texts = new Set(others.map((other) => other.text.trim()));
  return { text, others: [...texts].map((other) => other.split('\n', 1)[0] ?? '') };
}

interface Candidate {
  readonly text: string;
  readonly rank: number;
}

/** The rank of a fence that is a whole program. */
const wholeRank = 3;

/** How many fences are read on beyond their closing fence: each costs what is left of the text. */
const longerMax = 3;

function candidatesIn(answer: string, form: ReplyForm): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let longer = 0;
  for (const fence of fencesIn(answer)) {
    if (fence.start < from) continue;
    const language = /^[\w+-]*/.exec(fence.info)?.[0] ?? '';
    const isOwn = form.languages.test(language);
    const trust = isOwn ? 2 : language === '' ? 1 : 0;
    const isWhole = (text: string): boolean => form.code.test(text) && form.parses(text);
    let text = fencedText(answer, fence);
    let isProgram = isWhole(text);
    if (!isProgram && trust > 0 && fence.isClosed && form.code.test(text) && longer++ < longerMax) {
      const more = longerFence(answer, fence, isWhole);
      if (more) {
        text = fencedText(answer, more);
        from = more.end;
        isProgram = true;
      }
    }
    found.push({ text, rank: (isProgram && trust > 0 ? wholeRank : 0) + trust });
  }
  return found;
}

/** A fence in a text in quotes ends its block too early: the end that makes it a program counts. */
function longerFence(
  answer: string,
  fence: Fence,
  isWhole: (text: string) => boolean,
): Fence | undefined {
  const ends = [...answer.slice(fence.closeAt).matchAll(/^[ \t]*(?:`{3,}|~{3,})[ \t]*\r?$/gm)];
  for (const { index } of ends.slice(0, longerMax)) {
    const longer = { ...fence, end: fence.closeAt + index };
    if (isWhole(fencedText(answer, longer))) return longer;
  }
  return undefined;
}

/** What stands in the last `<code>`, where one stands outside of quotes and fences. */
function taggedCode(answer: string): string {
  const literal = literalsIn(answer);
  const open = [...answer.matchAll(/<code>[ \t]*\n?/gi)].filter(({ index }) => !literal(index));
  const last = open.at(-1);
  if (!last) return answer;
  const start = last.index + last[0].length;
  const end = answer.toLowerCase().indexOf('</code>', start);
  return answer.slice(start, end < 0 ? undefined : end).trim();
}

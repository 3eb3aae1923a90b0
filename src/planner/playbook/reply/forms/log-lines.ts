/**
 * Lines of a log with statements between backticks, as interpreters of 2025 had them:
 * `` `Step["Main:01:QUE"]` ``, `` `Var[$day:str, "Sunday"]` ``, `` `$r = Find($day)` ``,
 * `yld for user`, `trig? no`. Owns the statement that is open, which goes over lines, and whether
 * the reply has shown to be such a log.
 */
import { type Said, shortly, unknownYield, yieldIn } from '../said.ts';
import { withoutComments } from './balance.ts';
import { elementSaid, matchedTrigger } from './log-element.ts';
import { beginsElement, type LogPiece, piecesIn } from './log-pieces.ts';

export class LogLines {
  /** From where the statement begins. */
  #open: string[] = [];
  #isShown = false;

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Whether the reply has shown to be a log. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** What stands behind the last statement that was read. */
  #behind = '';

  get behind(): string {
    return this.#behind;
  }

  /** What a line says; undefined for one that is none of a log. */
  begin(line: string): readonly Said[] | undefined {
    this.#behind = '';
    const plain = withoutBullet(line);
    const noted = wordsSaid(plain);
    if (noted) {
      this.#isShown ||= /^(?:recap|plan|trig|yld)\b/.test(plain);
      return noted;
    }
    const said = this.#read(plain);
    return said.length === 0 && !this.isOpen ? undefined : said;
  }

  /** The next line of the statement that is open. */
  add(line: string): readonly Said[] {
    const text = [...this.#open, line].join('\n');
    this.#open = [];
    return this.#read(text);
  }

  /** Whether a line begins something else, whatever the statement that is open lacks. */
  isOver(line: string): boolean {
    return beginsElement(withoutBullet(line));
  }

  /** Nothing more comes of it; `isEnd`: nor of the reply. */
  end(isEnd: boolean): readonly Said[] {
    const text = this.#open.join('\n');
    this.#open = [];
    if (text === '') return [];
    if (isEnd) return [{ is: 'cut', text }];
    return [{ is: 'wrong', text: `got a statement without its end in ${shortly(text)}` }];
  }

  #read(text: string): readonly Said[] {
    const { pieces, behind } = piecesIn(text, this.#isShown);
    const open = pieces.find(({ isOpen }) => isOpen);
    if (open) this.#open = text.slice(open.from).split('\n');
    // A plan may have an assignment in its words.
    this.#isShown ||= pieces.some(({ isBare, text: one }) => !isBare || !one.startsWith('$'));
    this.#behind = open ? '' : behind;
    const wait = open ? undefined : waitIn(behind);
    return [...pieces.filter((one) => one !== open).flatMap(pieceSaid), ...(wait ? [wait] : [])];
  }
}

/** What a comment asks and recaps; what is done is done by statements. */
export function noted(text: string): readonly Said[] {
  const said = wordsSaid(text) ?? piecesIn(text, false).pieces.flatMap(pieceSaid);
  return said.filter(({ is }) => /^(?:step|think|note|unexpected|mended)$/.test(is));
}

const withoutBullet = (line: string): string => line.replace(/^(?:[-*+]|\d+[.)])\s+/, '');

const words = /^(recap|plan|trig|yld|yield|what|think|note)\b\s*(\?|-|:|\bfor\b|$|\s)/i;

/** What a line says that begins with a word for it; undefined for any other. */
function wordsSaid(plain: string): readonly Said[] | undefined {
  const [all = '', first = '', mark = ''] = words.exec(plain) ?? [];
  const word = first.toLowerCase();
  const rest = plain.slice(all.length).trim();
  if (word === 'yld' || word === 'yield') {
    const reason = yieldIn(plain);
    if (mark === '?') return [];
    return reason ? [reason] : word === 'yld' ? [unknownYield(rest)] : undefined;
  }
  // "note that …" and "what …" are prose, unless they are marked.
  if (word === '' || !/[?:-]/.test(mark)) return undefined;
  if (word === 'trig') return /^[^\w]*yes\b/i.test(rest) ? [matchedTrigger] : [];
  if (word === 'what') return [{ is: 'unexpected', text: rest }];
  return [{ is: word === 'note' ? 'note' : 'think', text: rest }];
}

function pieceSaid({ text: written, isBare, callee }: LogPiece): readonly Said[] {
  const text = isBare ? withoutComments(written) : written;
  if (/^(?:yld|yield)\b(?!\s*[[(])/i.test(text)) return [yieldIn(text) ?? unknownYield(text)];
  const said = elementSaid(text);
  if (callee === undefined) return said;
  return said.map((one) =>
    one.is === 'call' || one.is === 'wrong' ? { ...one, perhaps: callee } : one,
  );
}

/** What a line waits for may stand behind it: `Step["Main:04:YLD"]` yld for user. */
function waitIn(behind: string): Said | undefined {
  const wait = /^[\s;,.-]*((?:yld|yield)\b[^`?]*)$/i.exec(behind)?.[1];
  return wait === undefined ? undefined : yieldIn(wait);
}

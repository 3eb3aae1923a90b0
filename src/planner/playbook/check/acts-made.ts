/**
 * What replies to a playbook have called and said, and at which lines: what they do again, they do
 * for none. Owns what this turn does; what those before it have done is given.
 */
import type { SaidText, Step } from '../../../dialects/playbook/compiled/compiled.ts';
import type { Expr, Name, Term } from '../reply/term.ts';
import { writtenText } from '../reply/term.ts';
import { keyOf } from './arguments.ts';
import { type Callee, idOf, sameIn } from './directory.ts';
import { type CallAct, isOpen, type SayAct } from './line-acts.ts';
import { type Otherwise, otherwise } from './line-call.ts';
import type { Names } from './names.ts';
import type { TurnPlace } from './turn-place.ts';

export class ActsMade {
  readonly #place: TurnPlace;
  readonly #names: Names;
  /** Lines by keys: of replies before this one, and of this one. */
  readonly #before = new Map<string, string>();
  readonly #now = new Map<string, string>();

  constructor(place: TurnPlace, names: Names) {
    this.#place = place;
    this.#names = names;
    for (const [line, keys] of Object.entries(place.acts ?? {})) {
      for (const key of keys) this.#before.set(key, line);
    }
  }

  note(key: string, line: string): void {
    this.#now.set(key, line);
  }

  call(callee: Callee, args: Args, key: string, into: Name | undefined): CallAct {
    return {
      ...{ is: 'call', callee: idOf(callee), isMade: this.#madeAt(key) !== undefined },
      isOtherAt: (step) =>
        isInto(step, into) === false || this.otherwise(step, callee, args).length > 0,
    };
  }

  /** Who says the same once more has no other line in mind, unless that has it in quotes. */
  say(text: Term, key: string): SayAct {
    const isMade = this.#now.has(key);
    const isOtherAt = ({ say }: Step): boolean => (say?.isLiteral ? !isIn(say, text) : isMade);
    return { is: 'say', isMade, isOtherAt, quotedAt: this.#quotedAt(key) };
  }

  /** What of the arguments is other than a line has it. */
  otherwise({ call }: Step, callee: Callee, args: Args): readonly Otherwise[] {
    return call ? otherwise(call, callee, args, this.#names) : [];
  }

  /** Whether a reply that this one goes on behind has called the same: it may tell of it again. */
  isTold(key: string): boolean {
    return this.#place.done.some((part) => part.op === 'call' && part.key === key);
  }

  /**
   * The line that has called the same, where this one does not say it. To read something once more
   * changes nothing, and where a line leaves open what to do, that may be meant.
   */
  calledAt(callee: Callee, key: string, act: CallAct, step: Step | undefined): string | undefined {
    const before = this.#madeAt(key);
    if (before === undefined || !step || isOpen(step)) return undefined;
    const isOwn = sameIn(this.#place.directory)(step, act.callee);
    return (isOwn ? act.isOtherAt(step) : !isHarmless(callee)) ? before : undefined;
  }

  /**
   * The line that has said the same, where this one says something else, or nothing. A question may
   * be put again in a later reply, what stands in quotes has been said.
   */
  saidAt(key: string, text: Term, step: Step | undefined): string | undefined {
    if (!step || isOpen(step) || (step.say && (!step.say.isLiteral || isIn(step.say, text))))
      return undefined;
    return this.#now.get(key) ?? this.#quotedAt(key);
  }

  #quotedAt(key: string): string | undefined {
    const before = this.#before.get(key);
    const { lines } = this.#place.playbook;
    const isQuoted = before !== undefined && lines.get(before)?.step.say?.isLiteral === true;
    return isQuoted ? before : undefined;
  }

  #madeAt(key: string): string | undefined {
    return this.#now.get(key) ?? this.#before.get(key);
  }
}

/** Equal for texts that are. */
export const keyOfSaid = (text: Expr): string => keyOf('Say', { text });

/** Whether it changes nothing; of playbooks and functions that is not known. */
export const isHarmless = ({ spec }: Callee): boolean =>
  spec !== undefined && spec.effect !== 'write';

type Args = Readonly<Record<string, Expr>>;

/** Whether the result goes where the line says; undefined where one of them does not say. */
const isInto = ({ call }: Step, into: Name | undefined): boolean | undefined =>
  call?.into === undefined || !into ? undefined : call.into.replace('$', '') === into.name;

/** Whether a text may be what stands in quotes, whatever is filled in. */
export function isIn({ text }: SaidText, said: Term): boolean {
  const pieces = plain(text).split(/\{[^{}]*\}|\$\p{XIDC}+/u);
  const words = plain(writtenText(said) ?? '');
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    const found = words.indexOf(piece, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + piece.length;
  }
  return at === words.length || words.endsWith(pieces.at(-1) ?? '');
}

/** Without what a model may set otherwise: blanks, capitals, marks at the end. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?…]+$/, '')
    .trim();

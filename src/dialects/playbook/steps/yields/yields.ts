/**
 * Where a step has to give control back: before a result is used that has
 * been queued, behind a question, behind a loop that queues; as rarely as that allows.
 */
import { mayDecide, mayRepeat } from '../../compiled/graph.ts';
import type { Place } from '../../source/tree.ts';
import { untilIn } from '../../text/moments.ts';
import { isForReplies } from '../../text/replies.ts';
import { spanForm } from '../../text/spans.ts';
import { type Draft, flatDrafts } from '../draft.ts';
import { isOpenWait } from '../statements/wait-lines.ts';
import type { StepMeaning } from '../step-text.ts';
import { withAnswerers } from './answerers.ts';
import { isForAnswer, plainValue } from './loops-of-talk.ts';
import { Needs, type YieldContext } from './needs.ts';
import {
  isNothing,
  keyOf,
  nothing,
  type Pending,
  pendingOf,
  reasonFor,
  together,
} from './pending.ts';

interface Block {
  readonly drafts: readonly Draft[];
  readonly pending: Pending;
}

interface Round extends Block {
  /** What is on its way where jumps begin the next one. */
  readonly carried: Pending;
}

interface OpenLoop {
  readonly head: Draft;
  carried: Pending;
}

export function withYields(written: readonly Draft[], context: YieldContext): readonly Draft[] {
  const drafts = withAnswerers(written, context);
  return new Inserting(context, drafts).block(drafts, nothing, true).drafts;
}

class Inserting {
  readonly #needs: Needs;
  /** Those around, innermost last. */
  readonly #loops: OpenLoop[] = [];
  /** What stands behind each line around, innermost last; behind the last of a loop, the loop. */
  readonly #behind: (readonly Draft[])[] = [];
  /** Rounds of each loop, by what is on its way when they begin. */
  readonly #rounds = new Map<Draft, Map<string, Round>>();

  constructor(context: YieldContext, drafts: readonly Draft[]) {
    this.#needs = new Needs(context, drafts);
  }

  block(written: readonly Draft[], before: Pending, isLast: boolean): Block {
    const drafts = written.map((one, at) => this.#inTime(one, written[at - 1], written[at + 1]));
    const made: Draft[] = [];
    let pending = before;
    for (let at = 0; at < drafts.length; at++) {
      const draft = drafts[at];
      if (!draft) continue;
      const chain = chainAt(drafts, at);
      if (chain.some((one) => this.#isNeeded(one, pending)) || this.#isMetWithin(draft, pending)) {
        made.push(yieldFor(reasonFor(pending), draft.place));
        // What was asked is still to be answered.
        pending = pendingOf({ questions: pending.questions });
      }
      const isEnd = isLast && at + chain.length >= drafts.length;
      const behind = drafts.slice(at + chain.length);
      this.#behind.push(behind);
      const taken = this.#taken(chain, pending, isEnd, behind[0]);
      this.#behind.pop();
      made.push(...taken.drafts);
      pending = taken.pending;
      at += chain.length - 1;
    }
    return { drafts: made, pending };
  }

  /** A step, or a condition with what else belongs to it, and what has to come right behind. */
  #taken(
    chain: readonly Draft[],
    pending: Pending,
    isEnd: boolean,
    next: Draft | undefined,
  ): Block {
    const [draft] = chain;
    if (!draft) return { drafts: [], pending };
    if (draft.code === 'YLD') return { drafts: chain, pending: nothing };
    if (draft.code === 'LOP') return this.#loop(draft, pending, isEnd, next);
    if (draft.code === 'JMP') {
      const loop = this.#goesOnWithNext(draft);
      if (!loop) return { drafts: chain, pending };
      loop.carried = together(loop.carried, pending);
      return { drafts: chain, pending: nothing };
    }
    if (draft.code === 'CND' || draft.code === 'ELS') return this.#branches(chain, pending, isEnd);
    const meaning = this.#needs.meaning(draft);
    const after = together(pending, this.#needs.queued(draft));
    if (this.#asks(draft) && this.#goesOnWith(draft.children, meaning)) {
      // What stands under a question looks at its answer.
      const time = patience(draft.text, draft.children[0]);
      const wait = yieldFor(`${this.#whom(meaning)}${time}`, draft.place);
      const inner = this.block(draft.children, nothing, isEnd);
      return {
        drafts: [{ ...draft, children: [wait, ...inner.drafts] }],
        pending: inner.pending,
      };
    }
    const inner = mayRepeat(draft)
      ? this.#perhapsAgain(draft, after)
      : this.block(draft.children, after, isEnd);
    // What may be left out has waited for nothing.
    const left = mayDecide(draft) ? together(after, inner.pending) : inner.pending;
    const drafts = [inner.drafts.length > 0 ? { ...draft, children: inner.drafts } : draft];
    const asked = new Set([...pending.questions, ...(meaning.asks ?? [])]);
    const isAsked = next !== undefined && this.#asks(next) && !this.#isAbout(next, asked);
    if (!this.#asks(draft) || this.#isWaited(draft, meaning, next))
      return { drafts, pending: left };
    if (isAsked) return { drafts, pending: together(left, pendingOf({ questions: asked })) };
    const wait = `${this.#whom(meaning)}${patience(draft.text, next)}`;
    drafts.push(yieldFor(wait, draft.place));
    return { drafts, pending: nothing };
  }

  /**
   * Whether a line waits for the answer to a question before it: whoever is to answer is not waited
   * for where another one is, nor where time passes, unless they are asked to do something.
   */
  #isWait(draft: Draft, question: StepMeaning): boolean {
    if (isOpenWait(draft) && isForReplies(draft.text)) return true;
    const { waits } = this.#needs.meaning(draft);
    const isTime = waits === 'timer' || waits === 'event';
    const { asks = [], say } = question;
    const isToKnow = asks.length > 0 || (say?.isLiteral === false && asksToKnow.test(say.text));
    if (isTime && !isToKnow) return true;
    return waits !== undefined && this.#whom(question).startsWith(waits);
  }

  /** Whether a line waits for the answer to a question: under it, or before any that needs it. */
  #isWaited(draft: Draft, question: StepMeaning, next: Draft | undefined): boolean {
    if ([...draft.children, next].some((one) => one && this.#isWait(one, question))) return true;
    return this.#firstOf([...this.#behind].reverse().flat(), question);
  }

  #firstOf(lines: readonly Draft[], question: StepMeaning): boolean {
    for (const one of lines) {
      if (this.#isWait(one, question)) return true;
      if (one.code === 'LOP') {
        const inner = one.children.filter(({ code }) => code !== 'JMP');
        return this.#isBefore(one, question) && this.#firstOf(inner, question);
      }
      if (!this.#isBefore(one, question)) return false;
    }
    return false;
  }

  /** Whether a line, or the head of a loop, is as it is before a question is answered. */
  #isBefore(draft: Draft, question: StepMeaning): boolean {
    const { asks = [] } = question;
    const { reads, say, value } = this.#needs.meaning(draft);
    if (draft.isAmbiguous || this.#asks(draft) || reads.some((name) => asks.includes(name))) {
      return false;
    }
    if (draft.code === 'LOP') return !isForAnswer(draft.text, question.say);
    return (
      draft.children.length === 0 &&
      (say?.isLiteral === true ||
        (draft.code === 'EXE' && value !== undefined && plainValue.test(value)))
    );
  }

  /** What is queued in one round may be used in the next, and is waited for behind the last. */
  #loop(draft: Draft, pending: Pending, isEnd: boolean, next: Draft | undefined): Block {
    const last = draft.children.at(-1);
    const back = last && isBack(last, draft) ? [last] : [];
    const body = draft.children.slice(0, draft.children.length - back.length);
    const once = this.#round(draft, body, pending);
    const again = this.#round(draft, body, together(pending, once.pending, once.carried));
    // The head is asked anew before each round, which then begins with nothing on its way.
    const needed = [once, again].find((one) => this.#isNeeded(draft, one.pending));
    if (needed && this.#isHeardWithin(body, needed.pending)) {
      return { drafts: [{ ...draft, children: [...again.drafts, ...back] }], pending };
    }
    if (needed) {
      const wait = yieldFor(reasonFor(needed.pending), draft.place);
      const whole = [...needed.drafts, wait, ...back];
      // There may be no round at all: what was on its way before is so still.
      return { drafts: [{ ...draft, children: whole }], pending };
    }
    const isOwn = [...again.pending.values].some((name) => !pending.values.has(name));
    const drafts: Draft[] = [{ ...draft, children: [...again.drafts, ...back] }];
    const waits = next?.code === 'YLD' || next?.code === 'RET' || isEnd;
    if (!isOwn || waits) {
      const { carried } = once;
      return { drafts, pending: together(pending, again.pending, carried, again.carried) };
    }
    return { drafts: [...drafts, yieldFor('call', draft.place)], pending: nothing };
  }

  /** What stands under a head in words that may be that of a loop: done once, again, or never. */
  #perhapsAgain(head: Draft, before: Pending): Block {
    const round = (pending: Pending): Block =>
      this.#kept(head, pending, () => ({
        ...this.block(head.children, pending, false),
        carried: nothing,
      }));
    const once = round(before);
    const again = round(together(before, once.pending));
    const needed = [once, again].find(({ pending }) => this.#isNeeded(head, pending));
    if (!needed) return { ...again, pending: together(before, again.pending) };
    const wait = yieldFor(reasonFor(needed.pending), head.place);
    return { drafts: [...needed.drafts, wait], pending: before };
  }

  /** One round of a loop. */
  #round(head: Draft, body: readonly Draft[], pending: Pending): Round {
    return this.#kept(head, pending, () => {
      const loop: OpenLoop = { head, carried: nothing };
      this.#loops.push(loop);
      this.#behind.push([head]);
      const block = this.block(body, pending, false);
      this.#behind.pop();
      this.#loops.pop();
      return { ...block, carried: loop.carried };
    });
  }

  /**
   * Each loop is gone through twice for every round of those around it: what was worked out for the
   * same that is on its way is kept, or the work would double with each level.
   */
  #kept(head: Draft, pending: Pending, worked: () => Round): Round {
    const rounds = this.#rounds.get(head) ?? new Map<string, Round>();
    this.#rounds.set(head, rounds);
    const key = keyOf(pending);
    const round = rounds.get(key) ?? worked();
    rounds.set(key, round);
    return round;
  }

  /** Whether each round of a loop would wait for what was queued before it, and nothing else. */
  #isMetWithin(draft: Draft, pending: Pending): boolean {
    if (draft.code !== 'LOP' || isNothing(pending)) return false;
    const own = together(...flatDrafts(draft.children).map((one) => this.#needs.queued(one)));
    for (const one of draft.children) {
      if (one.code === 'YLD' || this.#asks(one) || this.#isNeeded(one, own)) return false;
      if (this.#isNeeded(one, pending) || this.#isMetWithin(one, pending))
        return !isBack(one, draft);
    }
    return false;
  }

  /** Whether each round begins with a wait for the answers that it ends with asking for. */
  #isHeardWithin(body: readonly Draft[], { values, answers, results }: Pending): boolean {
    const wait = body.find((one) => one.children.length > 0 || one.code !== 'EXE');
    if (wait?.code !== 'YLD' || values.size + results.size > 0) return false;
    const { waits = '', whom } = this.#needs.meaning(wait);
    return [...answers].every((name) => name === (waits === 'meeting' ? waits : whom));
  }

  #branches(chain: readonly Draft[], pending: Pending, isEnd: boolean): Block {
    const blocks = chain.map((one) => this.block(one.children, pending, isEnd));
    const drafts = chain.map((one, at) => ({ ...one, children: blocks[at]?.drafts ?? [] }));
    const out = together(pending, ...blocks.map((block) => block.pending));
    // Where every branch has waited, nothing is left from before them.
    const waited = chain.length > 1 && blocks.every((block) => isNothing(block.pending));
    return { drafts, pending: waited ? nothing : out };
  }

  #isNeeded(draft: Draft, pending: Pending): boolean {
    if (draft.target?.to === 'next') return false;
    // Nobody knows what is needed where a jump goes, but for the head of the loop that it is in.
    const loop = draft.code === 'JMP' ? this.#goesOnWithNext(draft) : undefined;
    if (draft.code !== 'JMP' || loop) return this.#needs.isNeeded(loop?.head ?? draft, pending);
    return pending.values.size + pending.answers.size > 0;
  }

  /** The loop with whose next round a jump goes on. */
  #goesOnWithNext(jump: Draft): OpenLoop | undefined {
    const loop = this.#loops.at(-1);
    const isOther = jump.target && 'item' in jump.target;
    return loop && !isOther && isBack(jump, loop.head) ? loop : undefined;
  }

  /** Whether a question is about what another one is to find out. */
  #isAbout(next: Draft, asked: ReadonlySet<string>): boolean {
    return this.#needs.meaning(next).reads.some((name) => asked.has(name));
  }

  /** Whether lines under a question are for when it is answered: they read that, or decide. */
  #goesOnWith(children: readonly Draft[], meaning: StepMeaning): boolean {
    const { asks = [] } = meaning;
    const [first] = children;
    if (!first) return false;
    if (first.code === 'YLD') return !this.#isWait(first, meaning);
    if (first.code === 'CND' || first.code === 'LOP') return true;
    return flatDrafts(children).some((one) =>
      this.#needs.meaning(one).reads.some((name) => asks.includes(name)),
    );
  }

  /** A pause behind a question is for its answer where it is a limit, or the next line says so. */
  #inTime(draft: Draft, before: Draft | undefined, next: Draft | undefined): Draft {
    const [, limit, time] = /^for timer (within )?(.+)$/.exec(draft.text) ?? [];
    const isPause = draft.code === 'YLD' && time !== undefined;
    if (!isPause || !before || !this.#asks(before)) return draft;
    if (limit === undefined && !isUnanswered(next)) return draft;
    const whom = this.#whom(this.#needs.meaning(before));
    return { ...draft, text: `for ${whom} ${untilIn(time) ? 'until' : 'within'} ${time}` };
  }

  #asks(draft: Draft): boolean {
    return draft.code === 'QUE' && this.#needs.meaning(draft).asks !== undefined;
  }

  /** Whose answer a question waits for. */
  #whom({ say }: StepMeaning): string {
    const agent = this.#needs.agentOf(say);
    if (agent === undefined) return 'user';
    return agent === 'meeting' ? agent : `agent ${agent}`;
  }
}

/** How long an answer is waited for, where the question says so, or the condition behind it. */
function patience(question: string, next: Draft | undefined): string {
  const [, time] = (isUnanswered(next) ? anyTime.exec(next.text) : atMost.exec(question)) ?? [];
  return time === undefined ? '' : ` within ${time}`;
}

/** `If no answer has come within 5 minutes`. */
const isUnanswered = (next: Draft | undefined): next is Draft =>
  next?.code === 'CND' && unanswered.test(next.text);

const unanswered =
  /\b(?:no (?:answer|reply|response)|silent|nobody)|(?:\bnot|n't) (?:answer|repl|respond)/i;

/** What speaks of an answer, other than `Ask the user to sit down`. */
const asksToKnow = /\b(?:whether|if|what|which|who|whom|when|where|why|how)\b/i;

const atMost = new RegExp(`\\b(?:within|wait\\w*|up to|at most)\\s+(${spanForm})`, 'iu');
const anyTime = new RegExp(`\\b(?:within|for|after|in)\\s+(${spanForm})`, 'iu');

/** Whether a step goes back to the head of the loop that it ends. */
const isBack = ({ code, target }: Draft, { was }: Draft): boolean =>
  code === 'JMP' &&
  (target?.to === 'head' ||
    (target?.to === 'number' && was !== undefined && target.number === was));

/** A condition with every Otherwise that belongs to it; else the step alone. */
function chainAt(drafts: readonly Draft[], at: number): Draft[] {
  const [first, ...rest] = drafts.slice(at);
  if (!first) return [];
  if (first.code !== 'CND') return [first];
  const end = rest.findIndex(({ code }) => code !== 'ELS');
  return [first, ...(end < 0 ? rest : rest.slice(0, end))];
}

const yieldFor = (reason: string, place: Place): Draft => ({
  ...{ code: 'YLD', text: `for ${reason}`, children: [], place },
});

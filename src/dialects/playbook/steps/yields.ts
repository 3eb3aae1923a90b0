/**
 * Where a step has to give control back: before a result is used that has
 * been queued, behind a question, behind a loop that queues; as rarely as that allows.
 */
import { namePattern } from '../../../program/name.ts';
import type { StepCall } from '../compiled/compiled.ts';
import { lastResult } from '../compiled/last-result.ts';
import type { Place } from '../source/tree.ts';
import { callIn } from '../text/calls.ts';
import { untilIn } from '../text/moments.ts';
import { secondsIn } from '../text/times.ts';
import type { Draft } from './draft.ts';
import { madeBy } from './made.ts';
import type { Names } from './names.ts';
import { meaningOf, type StepMeaning } from './step-text.ts';

export interface YieldContext {
  readonly names: Names;
  readonly locals: ReadonlySet<string>;
  /** Agent variables that a call, or what it sets off, may set; `*` where nobody can say. */
  readonly effects: (call: StepCall) => ReadonlySet<string>;
}

/**
 * Names whose values are not there yet; `*` stands for anything that a text may mean, `@Bob` for
 * what an agent answers, `!search` for what a call gives that no variable takes, `?$day` for what
 * the questions right before were about, which wait together.
 */
type Pending = ReadonlySet<string>;

const nothing: Pending = new Set();

const answerOf = '@';
const resultOf = '!';
const questionOf = '?';

const isUntaken = (name: string): boolean => name.startsWith(resultOf);

const isOpen = (name: string): boolean => name.startsWith(questionOf);

/** What is waited for: what was called, or nothing but what an agent answers. */
function reasonFor(pending: Pending): string {
  const names = [...pending].filter((name) => !isOpen(name));
  const last = names.at(-1);
  if (last === undefined || !names.every((name) => name.startsWith(answerOf))) return 'call';
  const whom = last.slice(answerOf.length);
  return whom === 'meeting' ? whom : `agent ${whom}`;
}

interface Block {
  readonly drafts: readonly Draft[];
  readonly pending: Pending;
}

interface OpenLoop {
  readonly head: Draft;
  /** What is on its way where jumps begin its next round. */
  readonly carried: Set<string>;
}

export const withYields = (drafts: readonly Draft[], context: YieldContext): readonly Draft[] =>
  new Inserting(context, drafts).block(drafts, nothing, true).drafts;

class Inserting {
  readonly #context: YieldContext;
  /** Whether `$_` is read anywhere, which each call sets. */
  readonly #readsLast: boolean;
  /** Those around, innermost last. */
  readonly #loops: OpenLoop[] = [];

  constructor(context: YieldContext, drafts: readonly Draft[]) {
    this.#context = context;
    const reads = (one: Draft): boolean =>
      this.#meaning(one).reads.includes(lastResult) || one.children.some(reads);
    this.#readsLast = drafts.some(reads);
  }

  block(written: readonly Draft[], before: Pending, isLast: boolean): Block {
    const drafts = written.map((one, at) => this.#inTime(one, written[at - 1], written[at + 1]));
    const made: Draft[] = [];
    let pending = before;
    for (let at = 0; at < drafts.length; at++) {
      const draft = drafts[at];
      if (!draft) continue;
      const chain = chainAt(drafts, at);
      if (chain.some((one) => this.#needs(one, pending)) || this.#isMetWithin(draft, pending)) {
        made.push(yieldFor(reasonFor(pending), draft.place));
        // What was asked is still to be answered.
        pending = new Set([...pending].filter(isOpen));
      }
      const isEnd = isLast && at + chain.length >= drafts.length;
      const next = drafts[at + chain.length];
      const taken = this.#taken(chain, pending, isEnd, next);
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
      for (const name of loop ? pending : nothing) loop?.carried.add(name);
      return { drafts: chain, pending: loop ? nothing : pending };
    }
    if (draft.code === 'CND' || draft.code === 'ELS') return this.#branches(chain, pending, isEnd);
    const meaning = this.#meaning(draft);
    const after = new Set([...pending, ...this.#queues(meaning)]);
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
    const inner = this.block(draft.children, after, isEnd);
    const drafts = [inner.drafts.length > 0 ? { ...draft, children: inner.drafts } : draft];
    const asked = [...pending].filter(isOpen);
    asked.push(...(meaning.asks ?? []).map((name) => `${questionOf}${name}`));
    const isAsked = next !== undefined && this.#asks(next) && !this.#isAbout(next, asked);
    const isWaited = [...draft.children, next].some((one) => one && this.#isWait(one, meaning));
    if (!this.#asks(draft) || isWaited) return { drafts, pending: inner.pending };
    if (isAsked) return { drafts, pending: new Set([...inner.pending, ...asked]) };
    const wait = `${this.#whom(meaning)}${patience(draft.text, next)}`;
    drafts.push(yieldFor(wait, draft.place));
    return { drafts, pending: nothing };
  }

  /**
   * Whether a line waits for the answer to a question before it: whoever is to answer is not waited
   * for where another one is, nor where time passes, unless they are asked to do something.
   */
  #isWait(draft: Draft, question: StepMeaning): boolean {
    const { waits } = this.#meaning(draft);
    const isTime = waits === 'timer' || waits === 'event';
    const { asks = [], say } = question;
    const isToKnow = asks.length > 0 || (say?.isLiteral === false && asksToKnow.test(say.text));
    if (isTime && !isToKnow) return true;
    return waits !== undefined && this.#whom(question).startsWith(waits);
  }

  /** What is queued in one round may be used in the next, and is waited for behind the last. */
  #loop(draft: Draft, pending: Pending, isEnd: boolean, next: Draft | undefined): Block {
    const last = draft.children.at(-1);
    const back = last && isBack(last, draft) ? [last] : [];
    const body = draft.children.slice(0, draft.children.length - back.length);
    const carried = new Set<string>();
    this.#loops.push({ head: draft, carried });
    const once = this.block(body, pending, false);
    const again = this.block(body, new Set([...pending, ...once.pending, ...carried]), false);
    this.#loops.pop();
    // The head is asked anew before each round, which then begins with nothing on its way.
    const needed = [once, again].find((one) => this.#needs(draft, one.pending));
    if (needed) {
      const wait = yieldFor(reasonFor(needed.pending), draft.place);
      const whole = [...needed.drafts, wait, ...back];
      return { drafts: [{ ...draft, children: whole }], pending: nothing };
    }
    const own = new Set(
      [...again.pending].filter(
        (name) => !pending.has(name) && !isUntaken(name) && !name.startsWith(answerOf),
      ),
    );
    const drafts: Draft[] = [{ ...draft, children: [...again.drafts, ...back] }];
    const waits = next?.code === 'YLD' || next?.code === 'RET' || isEnd;
    if (own.size === 0 || waits) {
      // There may be no round at all: what was on its way before is so still.
      return { drafts, pending: new Set([...pending, ...again.pending, ...carried]) };
    }
    return { drafts: [...drafts, yieldFor(reasonFor(own), draft.place)], pending: nothing };
  }

  /** Whether each round of a loop would wait for what was queued before it, and nothing else. */
  #isMetWithin(draft: Draft, pending: Pending): boolean {
    if (draft.code !== 'LOP' || pending.size === 0) return false;
    const own = new Set(flat(draft.children).flatMap((one) => this.#queues(this.#meaning(one))));
    for (const one of draft.children) {
      if (one.code === 'YLD' || this.#asks(one) || this.#needs(one, own)) return false;
      if (this.#needs(one, pending) || this.#isMetWithin(one, pending)) return !isBack(one, draft);
    }
    return false;
  }

  #branches(chain: readonly Draft[], pending: Pending, isEnd: boolean): Block {
    const blocks = chain.map((one) => this.block(one.children, pending, isEnd));
    const drafts = chain.map((one, at) => ({ ...one, children: blocks[at]?.drafts ?? [] }));
    const out = new Set([...pending, ...blocks.flatMap((block) => [...block.pending])]);
    // Where every branch has waited, nothing is left from before them.
    const waited = chain.length > 1 && blocks.every((block) => block.pending.size === 0);
    return { drafts, pending: waited ? nothing : out };
  }

  #needs(draft: Draft, all: Pending): boolean {
    const open = [...all].filter((name) => !isOpen(name));
    const pending = new Set(open.filter((name) => !isUntaken(name)));
    if (open.length > pending.size && this.#speaksOfResults(draft)) return true;
    if (pending.size === 0 || draft.code === 'CHK') return false;
    // How long to wait may be what was called for.
    if (draft.code === 'YLD') return this.#meaning(draft).reads.some((name) => pending.has(name));
    if (draft.code === 'RET' && !isWorkedOut(draft.text)) return false;
    // Nobody knows what is needed where it goes, but for the head of the loop that it is in.
    if (draft.code === 'JMP') {
      const loop = this.#goesOnWithNext(draft);
      return !loop || this.#needs(loop.head, all);
    }
    const { call, reads, say, value } = this.#meaning(draft);
    // What is gone through has been there before; whether to go on may be asked of what has come.
    const isHead = draft.code === 'CND' || (draft.code === 'LOP' && whileWord.test(draft.text));
    const isAnyone = pending.has('*') && reads.some((name) => name.startsWith('$'));
    if (isAnyone || reads.some((name) => pending.has(name))) return true;
    const isOf = (name: string): boolean =>
      say?.to === name || (call?.callee.startsWith(`${name}.`) ?? false);
    if ([...pending].some(isOf)) return true;
    // What words mean that name no variable, nobody can say.
    const isValue = value !== undefined && draft.code !== 'RET';
    const isWords = say ? !say.isLiteral : call === undefined && !isValue;
    if (!isWords) return false;
    // Who is told something is named, which is not to need an answer of theirs.
    const told = `${answerOf}${this.#agentOf(say) ?? ''}`;
    const others = [...pending].filter((name) => name !== told);
    const isHeld = (name: string): boolean => name.startsWith(`${answerOf}$`);
    // Who goes through agents names each of them, and needs no answer of theirs for that.
    if (others.some((name) => isHeld(name) && reads.includes(name.slice(1)))) return true;
    const names = others.filter((name) => !isHeld(name));
    if (namesPlainly(draft.text, names)) return true;
    const isVague = draft.isAmbiguous === true || isHead || means.test(draft.text);
    return reads.length === 0 && isVague;
  }

  /** The loop with whose next round a jump goes on. */
  #goesOnWithNext(jump: Draft): OpenLoop | undefined {
    const loop = this.#loops.at(-1);
    const isOther = jump.target && 'item' in jump.target;
    return loop && !isOther && isBack(jump, loop.head) ? loop : undefined;
  }

  /** Whether a line speaks in words of what was called for: `$answer = what was found`. */
  #speaksOfResults(draft: Draft): boolean {
    const { call, say } = this.#meaning(draft);
    const { code, text } = draft;
    if (['YLD', 'CHK', 'TNK', 'JMP'].includes(code) || call || say?.isLiteral) return false;
    return ofCalls.test(text.replace(/"[^"]*"|'[^']*'/g, '""'));
  }

  #queues({ call, say }: StepMeaning): string[] {
    const agent = this.#agentOf(say);
    if (agent !== undefined) return [`${answerOf}${agent}`];
    if (!call) return [];
    const { args, callee, into } = call;
    const made = callee === 'CreateAgent' ? madeBy(args).name : undefined;
    const sets = this.#context.effects(call);
    const last = this.#readsLast ? [lastResult] : [];
    // An agent is there when it has been made.
    const named = [into, made].filter((name) => name !== undefined);
    const untaken = into === undefined ? [`${resultOf}${callee}`] : [];
    return [...sets, ...named, ...last, ...untaken];
  }

  /** Whether a question is about what another one is to find out. */
  #isAbout(next: Draft, asked: readonly string[]): boolean {
    return this.#meaning(next).reads.some((name) => asked.includes(`${questionOf}${name}`));
  }

  /** Whether lines under a question are for when it is answered: they read that, or decide. */
  #goesOnWith(children: readonly Draft[], meaning: StepMeaning): boolean {
    const { asks = [] } = meaning;
    const [first] = children;
    if (!first) return false;
    if (first.code === 'YLD') return !this.#isWait(first, meaning);
    if (first.code === 'CND' || first.code === 'LOP') return true;
    return flat(children).some((one) =>
      this.#meaning(one).reads.some((name) => asks.includes(name)),
    );
  }

  /** A pause behind a question is for its answer where it is a limit, or the next line says so. */
  #inTime(draft: Draft, before: Draft | undefined, next: Draft | undefined): Draft {
    const [, limit, time] = /^for timer (within )?(.+)$/.exec(draft.text) ?? [];
    const isPause = draft.code === 'YLD' && time !== undefined;
    if (!isPause || !before || !this.#asks(before)) return draft;
    if (limit === undefined && !isUnanswered(next)) return draft;
    const whom = this.#whom(this.#meaning(before));
    return { ...draft, text: `for ${whom} ${untilIn(time) ? 'until' : 'within'} ${time}` };
  }

  #asks(draft: Draft): boolean {
    return draft.code === 'QUE' && this.#meaning(draft).asks !== undefined;
  }

  /** Whose answer a question waits for. */
  #whom({ say }: StepMeaning): string {
    const agent = this.#agentOf(say);
    if (agent === undefined) return 'user';
    return agent === 'meeting' ? agent : `agent ${agent}`;
  }

  #agentOf(say: StepMeaning['say']): string | undefined {
    if (!say) return undefined;
    if (/^meeting\b/i.test(say.to)) return 'meeting';
    return this.#context.names.others.get(say.to) ?? (say.to.startsWith('$') ? say.to : undefined);
  }

  #meaning({ code, text }: Draft): StepMeaning {
    return meaningOf(code, text, this.#context.locals);
  }
}

/** How long an answer is waited for, where the question says so, or the condition behind it. */
function patience(question: string, next: Draft | undefined): string {
  const [, time] = (isUnanswered(next) ? anyTime.exec(next.text) : atMost.exec(question)) ?? [];
  return time === undefined || secondsIn(time) === undefined ? '' : ` within ${time}`;
}

/** `If no answer has come within 5 minutes`. */
const isUnanswered = (next: Draft | undefined): next is Draft =>
  next?.code === 'CND' && unanswered.test(next.text);

const unanswered =
  /\b(?:no (?:answer|reply|response)|silent|nobody)|(?:\bnot|n't) (?:answer|repl|respond)/i;

/** What speaks of an answer, other than `Ask the user to sit down`. */
const asksToKnow = /\b(?:whether|if|what|which|who|whom|when|where|why|how)\b/i;

const atMost = /\b(?:within|wait\w*|up to|at most)\s+((?:\d+|an?|half an|\w+)\s+\w+)/i;
const anyTime = /\b(?:within|for|after|in)\s+((?:\d+|an?|half an|\w+)\s+\w+)/i;

/** Whether a step goes back to the head of the loop that it ends. */
const isBack = ({ code, target }: Draft, { was }: Draft): boolean =>
  code === 'JMP' &&
  (target?.to === 'head' ||
    (target?.to === 'number' && was !== undefined && target.number === was));

const flat = (drafts: readonly Draft[]): Draft[] =>
  drafts.flatMap((one) => [one, ...flat(one.children)]);

const anyName = new RegExp(namePattern, 'gu');

/** Whether words name a variable without its dollar: `If no order was found`. */
function namesPlainly(text: string, pending: readonly string[]): boolean {
  const words = new Set(text.toLowerCase().match(anyName));
  return pending.some((name) => words.has(name.replace(/^[$@]+/, '').toLowerCase()));
}

/** Whether what is returned is not there as it is written: `base minus off`, `the best of them`. */
function isWorkedOut(text: string): boolean {
  const plain = text.replace(/"[^"]*"|'[^']*'/g, '""').replace(/\b(?:not|and|or|in)\b/g, '+');
  return (
    callIn(text) === undefined &&
    /[\p{XIDC})\]]\s+[\p{XIDC}$(]|[-+*/%<>=]\s*[\p{XIDC}$(]/u.test(plain)
  );
}

const whileWord = /^(?:while|until|as long as|tant que?|jusqu)(?!\s+(?:true|forever|1)\b)/i;

/** Words for what has come before. */
const means = new RegExp(
  '\\b(?:it|its|them|their|they|this|that|these|those|results?|answers?|outcomes?|output|' +
    'résultats?|réponses?)\\b',
  'i',
);

/** Words for what calls have given, which no variable has. */
const ofCalls =
  /\b(?:results?|outcomes?|outputs?|findings?|found|returned|gathered|résultats?|trouvée?s?)\b/i;

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

/** What a line of a playbook queues, and whether it needs what is on its way. */
import type { StepCall } from '../../compiled/compiled.ts';
import { lastResult } from '../../compiled/last-result.ts';
import { namesInBlock } from '../../text/blocks.ts';
import { callIn } from '../../text/calls.ts';
import { anyName } from '../../text/variables.ts';
import type { Draft } from '../draft.ts';
import { madeBy } from '../names/made.ts';
import type { Names } from '../names/names.ts';
import { meaningOf, type StepMeaning } from '../step-text.ts';
import { type Pending, pendingOf } from './pending.ts';

export interface YieldContext {
  readonly names: Names;
  readonly locals: ReadonlySet<string>;
  /** Agent variables that a call, or what it sets off, may set; `*` where nobody can say. */
  readonly effects: (call: StepCall) => ReadonlySet<string>;
}

export class Needs {
  readonly #context: YieldContext;
  /** Whether `$_` is read anywhere, which each call sets. */
  readonly #readsLast: boolean;
  readonly #meanings = new Map<Draft, StepMeaning>();

  constructor(context: YieldContext, drafts: readonly Draft[]) {
    this.#context = context;
    const reads = (one: Draft): boolean =>
      this.meaning(one).reads.includes(lastResult) || one.children.some(reads);
    this.#readsLast = drafts.some(reads);
  }

  meaning(draft: Draft): StepMeaning {
    const known = this.#meanings.get(draft);
    if (known) return known;
    const meaning = meaningOf(draft, this.#context.locals);
    this.#meanings.set(draft, meaning);
    return meaning;
  }

  /** Whose answer what is said waits for; undefined for a person's. */
  agentOf(say: StepMeaning['say']): string | undefined {
    if (!say) return undefined;
    if (/^meeting\b/i.test(say.to)) return 'meeting';
    return this.#context.names.others.get(say.to) ?? (say.to.startsWith('$') ? say.to : undefined);
  }

  /** What a line asks or calls for. */
  queued(draft: Draft): Pending {
    const { call, say } = this.meaning(draft);
    const agent = this.agentOf(say);
    if (agent !== undefined) return pendingOf({ answers: [agent] });
    if (!call) return pendingOf({});
    const { args, callee, into } = call;
    const made = callee === 'CreateAgent' ? madeBy(args).name : undefined;
    const last = this.#readsLast ? [lastResult] : [];
    // An agent is there when it has been made.
    const named = [into, made].filter((name) => name !== undefined);
    return pendingOf({
      values: [...this.#context.effects(call), ...named, ...last],
      results: into === undefined ? [callee] : [],
    });
  }

  /** Whether a line, other than a jump, cannot be done before some of that is there. */
  isNeeded(draft: Draft, pending: Pending): boolean {
    const { values, answers, results } = pending;
    if (results.size > 0 && this.#speaksOfResults(draft)) return true;
    if (results.size + values.size > 0 && isOfEnds(draft)) return true;
    if (values.size + answers.size === 0 || draft.code === 'CHK') return false;
    const { asks, call, reads: own, say, value } = this.meaning(draft);
    const reads = [...own, ...namesInBlock(draft.block, this.#context.locals)];
    // How long to wait may be what was called for.
    if (draft.code === 'YLD') return reads.some((name) => values.has(name));
    if (draft.code === 'RET' && !isWorkedOut(draft.text)) return false;
    const isAnyone = values.has('*') && reads.some((name) => name.startsWith('$'));
    if (isAnyone || reads.some((name) => values.has(name))) return true;
    const isOf = (name: string): boolean =>
      say?.to === name || (call?.callee.startsWith(`${name}.`) ?? false);
    if ([...values].some(isOf)) return true;
    // What words mean that name no variable, nobody can say.
    const isValue = value !== undefined && draft.code !== 'RET';
    const isWords = say ? !say.isLiteral : call === undefined && !isValue;
    if (!isWords) return false;
    // Who is told something is named, which is not to need an answer of theirs.
    const told = this.agentOf(say);
    const others = [...answers].filter((name) => name !== told);
    // Who goes through agents names each of them, and needs no answer of theirs for that.
    const [held, named] = [true, false].map((isHeld) =>
      others.filter((name) => name.startsWith('$') === isHeld),
    );
    if (held?.some((name) => reads.includes(name))) return true;
    if (namesPlainly(draft.text, [...values, ...(named ?? [])])) return true;
    // What is gone through has been there before; whether to go on may be asked of what has come.
    const isHead = draft.code === 'CND' || (draft.code === 'LOP' && whileWord.test(draft.text));
    const refers = asks === undefined ? means : meansOfQuestion;
    const isVague = draft.isAmbiguous === true || isHead || refers.test(draft.text);
    return own.length === 0 && isVague;
  }

  /** Whether a line speaks in words of what was called for: `$answer = what was found`. */
  #speaksOfResults(draft: Draft): boolean {
    const { call, say } = this.meaning(draft);
    const { code, text } = draft;
    if (['YLD', 'CHK', 'TNK', 'JMP'].includes(code) || call || say?.isLiteral) return false;
    return ofCalls.test(text.replace(/"[^"]*"|'[^']*'/g, '""'));
  }
}

/** Whether words name a variable without its dollar: `If no order was found`. */
function namesPlainly(text: string, pending: readonly string[]): boolean {
  const words = new Set(text.toLowerCase().match(anyName));
  return pending.some((name) => words.has(name.replace(/^\$/, '').toLowerCase()));
}

/** Whether what is returned is not there as it is written: `base minus off`, `the best of them`. */
function isWorkedOut(text: string): boolean {
  const plain = text.replace(/"[^"]*"|'[^']*'/g, '""').replace(/\b(?:not|and|or|in)\b/g, '+');
  return (
    callIn(text) === undefined &&
    /[\p{XIDC})\]]\s+[\p{XIDC}$(]|[-+*/%<>=]\s*[\p{XIDC}$(]/u.test(plain)
  );
}

const whileWord =
  /(?:^|\s)(?:while|until|till|as long as|tant qu|jusqu)(?!\s+(?:true|forever|1)\b)/i;

const before = [
  'its?',
  'this',
  'that',
  'these',
  'those',
  'results?',
  'outcomes?',
  'output',
  'résultats?',
];
const ofPeople = ['them', 'their', 'they', 'answers?', 'réponses?'];

const anyOf = (words: readonly string[]): RegExp => new RegExp(`\\b(?:${words.join('|')})\\b`, 'i');

/** Words for what has come before. */
const means = anyOf([...before, ...ofPeople]);

/** In a question, others are for who is asked, or for what is: `their name`, `store the answer`. */
const meansOfQuestion = anyOf(before);

/** Whether a condition is about how what was called has ended: `If the payment has failed`. */
const isOfEnds = ({ code, text }: Draft): boolean =>
  ['CND', 'ELS', 'LOP'].includes(code) && ends.test(text.replace(/"[^"]*"|'[^']*'/g, '""'));

/** What is said so of a variable is known where that is. */
const ends = new RegExp(
  String.raw`(?<!(?:^\p{L}+|\b(?:if|and|or|not))\s+\$\p{XIDC}+\s+` +
    String.raw`(?:(?:has|have|had|is|was|did)\s+)?(?:not\s+)?)(?<![\p{XIDC}$.])` +
    '(?:fail(?:s|ed|ures?)?|succe(?:eds?|eded|ss(?:ful(?:ly)?)?)|work(?:s|ed)|errors?|crashed|' +
    'timed out|(?:went|goes|gone) (?:well|wrong|through)|(?:last|previous) call|' +
    'refused|rejected|declined|denied|échou\\p{L}*|réussi\\p{L}*)(?!\\p{XIDC})',
  'iu',
);

/** Words for what calls have given, which no variable has. */
const ofCalls =
  /\b(?:results?|outcomes?|outputs?|findings?|found|returned|gathered|résultats?|trouvée?s?)\b/i;

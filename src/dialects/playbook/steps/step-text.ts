/**
 * What a step does, read off its code and its text: one function for what the compiler has made of
 * a line and for what a compiled file says, so that printing and reading lose nothing.
 */
import type { SaidText, Step, StepCode, YieldReason } from '../compiled/compiled.ts';
import { assignmentOf, type Blocked, blockValue, localsInBlock } from '../text/blocks.ts';
import { split, unquoted } from '../text/brackets.ts';
import { callIn, holderIn } from '../text/calls.ts';
import { isComputing } from '../text/computing.ts';
import { declarationIn } from '../text/declaration.ts';
import { loopHead } from '../text/loop-heads.ts';
import { assignmentIn, filledIn, namesIn, stateNames, unique } from '../text/variables.ts';

export type StepMeaning = Omit<Step, keyof StepText | 'number' | 'children' | 'place'>;

/** What a step says of itself. */
export interface StepText extends Blocked {
  readonly code: StepCode;
}

/**
 * `locals` are the variables of the call that the playbook names somewhere. `given` has those of
 * the loops around: a question about one of them is not for it.
 */
export function meaningOf(
  step: StepText,
  locals: ReadonlySet<string>,
  given: ReadonlySet<string> = none,
): StepMeaning {
  const meaning = ofText(step, locals, given);
  if (step.block === undefined || step.code === 'JMP' || step.code === 'CHK') return meaning;
  const { reads, writes } = meaning;
  const more = localsInBlock(step.block, locals).filter((name) => !writes.includes(name));
  return { ...meaning, reads: unique([...reads, ...more]) };
}

function ofText(
  step: StepText,
  locals: ReadonlySet<string>,
  given: ReadonlySet<string>,
): StepMeaning {
  const { code, text } = step;
  switch (code) {
    case 'QUE':
      return queued(text, locals, given);
    case 'RET': {
      const call = callIn(text);
      const reads = namesIn(text, locals);
      if (call && !isComputing(call.callee)) return { writes: [], reads, call };
      const value = text === '' ? blockValue(step.block) : text;
      return { writes: [], reads, ...(value === undefined ? {} : { value }) };
    }
    case 'YLD': {
      const wait = waitIn(text);
      const isTimed = wait.waits === 'timer' || /\bwithin\b|^until\b/i.test(wait.whom ?? '');
      return { writes: [], reads: isTimed ? stateNames(wait.whom ?? '') : [], ...wait };
    }
    case 'JMP':
      return { writes: [], reads: [], jump: text };
    case 'CHK': {
      const note = /\bN\d+\b/.exec(text)?.[0];
      return { writes: [], reads: [], ...(note === undefined ? {} : { note }) };
    }
    case 'LOP': {
      const { items } = loopHead(text);
      return {
        writes: items,
        reads: namesIn(text, locals).filter((name) => !items.includes(name)),
      };
    }
    default:
      return executed(step, locals);
  }
}

const none: ReadonlySet<string> = new Set();

/** What stands behind `$r =` may be a call or a Say, or an expression. */
function queued(
  text: string,
  locals: ReadonlySet<string>,
  given: ReadonlySet<string>,
): StepMeaning {
  const assigned = assignmentIn(text);
  const right = assigned?.value ?? text;
  const said = assigned ? undefined : sayIn(text);
  if (said) return spoken(said, locals, given);
  const call = callIn(right);
  const into = assigned?.target;
  const isOf = call && holderIn(call.callee, locals) !== undefined;
  const reads = namesIn(call && !isOf ? call.args : right, locals);
  const writes = into === undefined ? [] : [into];
  if (!call) return { writes, reads };
  return { writes, reads, call: { ...call, ...(into === undefined ? {} : { into }) } };
}

function spoken(
  say: SaidText,
  locals: ReadonlySet<string>,
  given: ReadonlySet<string>,
): StepMeaning {
  const asks = say.isLiteral ? [] : askedIn(say.text).filter((name) => !given.has(name));
  const text = say.isLiteral ? filledIn(say.text) : say.text;
  const whom = stateNames(say.to).filter((name) => name !== '$sender');
  const named = unique([...whom, ...namesIn(text, locals)]);
  const reads = named.filter((name) => !asks.includes(name));
  const sure = asks.filter((name) => !isEither(say.text, name));
  return { writes: asks, reads, say, ...(isQuestion(say) ? { asks: sure } : {}) };
}

/** `Say(user, "…")`, `Say(…)`: the text that a Say is for. */
function sayIn(text: string): SaidText | undefined {
  const call = callIn(text);
  if (!call || !/^(Say|SendMessage|Ask)$/.test(call.callee)) return undefined;
  const [first = '', ...rest] = split(call.args, ',');
  const target = unquoted(first) ?? first.trim();
  const isTarget =
    rest.length > 0 &&
    /^(\$?\p{XIDC}[\p{XIDC}-]*|agent \p{XIDC}+|meeting( \p{XIDC}+)?)$/iu.test(target);
  const message = (isTarget ? rest.join(',') : call.args).trim();
  const flagless = message.replace(/,\s*waitForUserInput\s*=\s*(true|false)\s*$/i, '');
  const literal = unquoted(flagless);
  return {
    text: literal ?? flagless,
    isLiteral: literal !== undefined,
    to: isTarget && !/^(?:user|human)$/i.test(target) ? target : 'user',
    ...(!isTarget && { isUnaddressed: true }),
  };
}

/** Whether an answer is expected. */
function isQuestion({ text, isLiteral }: SaidText): boolean {
  if (isLiteral) return /\?/.test(text);
  const own = text.replace(/"[^"]*"|“[^”]*”/g, '');
  if (toAsk.test(own) && askedIn(text).length === 0) return false;
  return askWord.test(own) || /\?\s*$/.test(text);
}

/** Who is told to ask somebody, or that somebody asks, is asked nothing. */
const toAsk = new RegExp(
  '^(?:tell|remind|inform|advise)\\b(?:(?!\\bask).)*\\b' +
    '(?:to\\s+ask|that\\s(?:(?!\\band\\s+ask).)*\\bask(?:s|ed|ing)?)\\b(?!.*\\bask)',
  'i',
);

const askWord =
  /\b(?:ask|asks|asking|request|inquire|enquire|prompt|find out|demande[rz]?|interroge[rz]?)\b/i;

/** What stands behind whom is asked: `Ask $expert for the $rate`. */
const askedFor = 'for|to|about|whether|if|what|which|who|whom|when|where|why|how';

/** Variables that an instruction to ask is to get values for. */
export function askedIn(text: string): string[] {
  const start = askWord.exec(text);
  if (!start) return [];
  const behind = text.slice(start.index);
  return stateNames(behind).filter((name) => {
    const plain = name.slice(1);
    const about = new RegExp(
      // Who asks for the number of $seats asks for $seats.
      `(?<!\\p{L})(?:about|on|regarding|concerning|whether|if|in|between|not|than|` +
        `${ofWhat}|with|from)\\s+(?:(?:the|either|both)\\s+)?${list}` +
        `[{]?\\$\\{?${plain}(?!\\p{XIDC})|[{]\\$${plain}(?!\\p{XIDC})|` +
        // What it is where nobody says.
        `(?<!\\p{L})default(?:s|ing)?(?:\\s+(?:is|of|to))?[:=]?\\s*\\$${plain}(?!\\p{XIDC})|` +
        `\\$${plain}\\s+(?:by|as\\s+(?:the|a))\\s+default`,
      'iu',
    );
    // What an answer is kept in is asked for, whatever that is for.
    const kept = new RegExp(`${keeping}[{]?\\$\\{?${plain}(?!\\p{XIDC})`, 'iu');
    if (kept.test(behind)) return true;
    const whom = new RegExp(`^\\p{L}+\\s+\\$${plain}\\s+(?:${askedFor})\\b`, 'iu');
    return !about.test(behind) && !whom.test(behind);
  });
}

const list = String.raw`(?:[{]?\$\{?\p{XIDC}+\}?(?:\s*,?\s+(?:and|or|nor)\s+|\s*,\s*)(?:the\s+)?)*`;

/** Of `$a or $b` and `one of $a and $b`, whoever answers says one or the other. */
function isEither(text: string, name: string): boolean {
  const own = String.raw`[{]?\$\{?${name.slice(1)}(?!\p{XIDC})\}?`;
  const or = String.raw`\s*[,(]?\s*(?:and\s*/\s*)?\bor\s`;
  const forms = [
    String.raw`${own}(?:\s*,\s*[{]?\$\{?\p{XIDC}+\}?)*${or}`,
    String.raw`(?<!\p{L})or\s+(?:(?:the|their|a)\s+)?${own}`,
    String.raw`(?<!\p{L})${oneOf}\s+of\s+(?:the\s+)?${list}${own}`,
  ];
  return forms.some((form) => new RegExp(form, 'iu').test(text));
}

const oneOf = '(?:one|any|either|some)';

const keeping =
  '(?:keep|store|save|put|record|note|remember|write)\\s+' +
  '(?:(?:it|that|(?:the|their|his|her)\\s+\\p{L}+|\\p{L}+\\s+or\\s+\\p{L}+)\\s+)?' +
  '(?:down\\s+)?(?:in|into|as|to|under)\\s+';

/** Whether a part of a question says no more than that its answer is kept, and where. */
export const isKept = (part: string): boolean => keptForm.test(part);

const keptForm = new RegExp(
  `^(?:${keeping}[{]?\\$\\S+|(?:keep|store|save|record|note|remember)\\s+` +
    '(?:it|that|(?:the|their|his|her)\\s+\\p{L}+)(?:\\s+down)?)[.!]?$',
  'iu',
);

const ofWhat = `(?<!\\b(?:number|amount|count|quantity|list|nombre|${oneOf})\\s+)of`;

/** Words behind which a variable is what a line makes, not what it needs. */
const makes = new RegExp(
  '(?:\\b(?:as|into|set|compute|calculate|determine|pick|choose|generate|remember|store|create|' +
    'note|make|extract|find|a|an|new)|(?<![=!<>])=)\\s*$',
  'i',
);

function executed(step: StepText, locals: ReadonlySet<string>): StepMeaning {
  const { text } = step;
  if (declarationIn(text)) return { writes: [], reads: [] };
  const assigned = assignmentOf(step);
  if (assigned && !assignmentIn(text)) {
    return { writes: [assigned.target], reads: [], value: assigned.value };
  }
  if (assigned) {
    const { target, value } = assigned;
    // In words for a value its own name is a word: `countries = three countries near India`.
    const isWords = !target.startsWith('$') && /^\p{L}+ [\s\S]*\p{L}$/u.test(value);
    const reads = namesIn(value, locals).filter((name) => !isWords || name !== target);
    return { writes: [target], reads, value };
  }
  const made = stateNames(text).filter((name) => {
    const at = text.search(new RegExp(`\\$\\{?${name.slice(1)}(?!\\p{XIDC})`, 'u'));
    return makes.test(text.slice(0, at));
  });
  return {
    writes: unique(made),
    reads: namesIn(text, locals).filter((one) => !made.includes(one)),
  };
}

interface Wait {
  readonly waits: YieldReason;
  readonly whom?: string;
}

/** Every spelling that there has been: `for user`, `user`, `ForUserInput("why")`. */
export function waitIn(text: string): Wait {
  const bare = bareWait(text);
  const old = /^for(user|call|agent|meeting|return|exit|event|timer)\w*\s*(?:\((.*)\))?/i.exec(
    bare,
  );
  const [, word = '', rest = ''] = /^(\w+)\b[\s:]*(.*)$/s.exec(old ? (old[1] ?? '') : bare) ?? [];
  const lower = word.toLowerCase();
  const reason = reasons.get(lower) ?? 'call';
  const isNamed = ['agent', 'meeting', 'timer', 'event'].includes(reason);
  // Of others the remark says why.
  const remark = reason === 'event' || reason === 'timer' ? (old?.[2] ?? '') : '';
  // Behind how long a person is waited for, it may be said for what.
  const time = /^(?:within|until)\b[^;]*/i.exec(rest)?.[0].trim() ?? '';
  const named = isNamed ? rest.trim() || remark : time;
  return { waits: reason, ...(named === '' ? {} : { whom: unquoted(named) ?? named }) };
}

const bareWait = (text: string): string =>
  text
    .replace(/^\s*:?\s*/, '')
    .replace(/^for\s+/i, '')
    .trim();

/** The words of a wait that say nothing of what is waited for: `user` in `call user`. */
export function unreadOfWait(text: string): string {
  const [, , behind = ''] = /^(\w+)\s+(.+)$/s.exec(bareWait(text)) ?? [];
  return waitIn(text).whom === undefined ? behind.trim() : '';
}

const reasons: ReadonlyMap<string, YieldReason> = new Map<string, YieldReason>([
  ...[['user', 'user'] as const, ['human', 'user'] as const, ['input', 'user'] as const],
  ...[['call', 'call'] as const, ['calls', 'call'] as const, ['tool', 'call'] as const],
  ...[['agent', 'agent'] as const, ['meeting', 'meeting'] as const, ['event', 'event'] as const],
  ...[['timer', 'timer'] as const, ['time', 'timer'] as const, ['return', 'return'] as const],
  ...[['exit', 'exit'] as const, ['end', 'exit'] as const, ['program', 'exit'] as const],
]);

/** The one spelling that is printed. */
export const waitText = ({ waits, whom }: Wait): string =>
  `for ${waits}${whom === undefined ? '' : ` ${whom}`}`;

/** Triggers: when a playbook is to start, and, where that is one, as an expression to compute. */
import { namePattern } from '../../../../program/name.ts';
import type { Trigger, TriggerCode } from '../../compiled/compiled.ts';
import type { SourceLine } from '../../source/tree.ts';
import { dollars, type Filling, fillingsIn, readFilling } from '../../text/filling.ts';
import { straightened } from '../../text/quotes.ts';
import { clockOf, whole } from '../../text/times.ts';
import { stateNames } from '../../text/variables.ts';
import { personWord } from '../../text/words.ts';
import { articles, asHappens, isOfEvent } from './named-event.ts';

export function triggerOf({ text, place }: SourceLine, at: number): Trigger {
  const [, , code, rest = text] = triggerForm.exec(text.trim()) ?? [];
  const written = code === undefined ? undefined : (code.toUpperCase() as TriggerCode);
  return triggerFrom(`T${at + 1}`, written ?? codeOf(rest), rest.trim(), place);
}

/** `T1:CND When …`; as it used to be `01:CND When …`. */
export const triggerForm: RegExp = /^(?:`?(T?\d+)`?\s*:\s*)?(BGN|CND|EVT)\b:?([\s\S]*)$/i;

export function triggerFrom(
  id: string,
  code: TriggerCode,
  text: string,
  place: Trigger['place'],
): Trigger {
  const condition = code === 'CND' ? conditionOf(straightened(text)) : undefined;
  const names = stateNames(text);
  return { id, code, text, names, ...(condition === undefined ? {} : { condition }), place };
}

const condition = '(?<![\\p{L}\\w])(?:if|when|once|unless|only|until|si|quand)(?![\\p{L}\\w])';

/** What a trigger may say besides of the same. */
const besides = `[.!]|[,;:(](?!.*${condition}).*`;

const whose = '(?:(?:the|this|an?|each|every|any|new|main|very)\\s+)*';
const run = `${whose}(?:program(?:me)?|agent|conversation|session|playbook|chat|run)`;
const beginning = '(?:begin(?:ning)?|start(?:-?up|ing)?|commencement|launch)';
const asSoon = '(?:(?:when(?:ever)?|once|as soon as|as|if|(?:each|every) time)\\s+)?';
const begun = '(?:starts?|begins?|has (?:started|begun)|(?:is|was|has been) (?:started|launched))';
const runInFrench =
  "(?:(?:le|la|du|de la)\\s+|de l['’]|l['’])?(?:programme|agent|conversation|session)";

/** Only what is a beginning: what somebody says of one is for a model to judge. */
const begins = whole(
  [
    // `Right at the very beginning of the program`, `On program start`, `Start`.
    `(?:right\\s+)?(?:(?:at|in|from|on|upon)\\s+)?(?:${run}\\s+)?${whose}${beginning}` +
      `(?:\\s+of\\s+${run})?(?:\\s+with\\s+(?:the|an?|each|every)\\s+\\p{L}+)?`,
    // `When the program starts`, `As soon as we begin`, `Once the agent is launched`.
    `${asSoon}(?:${run}|we|you|it|this|everything|it all|all)\\s+(?:first\\s+)?${begun}` +
      '(?:\\s+(?:up|running))?',
    'immediately|first thing|to (?:begin|start) with|at first|right away|straight away|always',
    `au (?:tout )?(?:début|démarrage|commencement)(?:\\s+${runInFrench})?`,
    `(?:(?:quand|lorsque|dès que)\\s+)?${runInFrench}\\s+(?:démarre|commence)`,
  ],
  besides,
);

/** What comes from outside, as what the text is about: not as what somebody speaks of. */
const happens: readonly RegExp[] = [
  '(?:receiv\\w*|reçoi\\w*)',
  `${articles}(?:[\\p{XIDC}-]+\\s+)??(?:messages?|files?|webhooks?|events?|timer|timeout|alarm)`,
  `${articles}(?:[\\p{XIDC}-]+\\s+){1,3}?arrives?`,
].map((form) => new RegExp(`^${asHappens}${form}(?![\\p{L}\\w])`, 'iu'));

function codeOf(text: string): TriggerCode {
  const bare = text.trim();
  if (begins.test(bare)) return 'BGN';
  if (clockOf(bare)) return 'EVT';
  const [subject] = happens.flatMap((form) => form.exec(bare)?.[0] ?? []);
  // An event may be called as people are.
  const isEvent = subject !== undefined && (isOfEvent(bare) || !personWord.test(subject));
  return isEvent ? 'EVT' : 'CND';
}

const number = '[-+]?\\d+(?:\\.\\d+)?';
const value = `(${number}|"[^"]*"|'[^']*'|true|false|null|none|\\$${namePattern})`;

const comparisons: readonly (readonly [RegExp, string])[] = (
  [
    ['>=|is at least|is greater than or equal to|est au moins', '>='],
    ['<=|is at most|is less than or equal to|est au plus', '<='],
    ['>|is (?:greater|more|larger|higher|bigger) than|exceeds|is above|is over|dépasse', '>'],
    ['<|is (?:less|smaller|lower|fewer) than|is below|is under', '<'],
    ['!=|is not equal to|does not equal|is not|differs from', '!='],
    ['==|=|is equal to|equals|becomes|is|devient', '=='],
  ] as const
).map(([words, operator]) => [
  new RegExp(`^\\$(${namePattern})\\s*(?:${words})\\s*${value}$`, 'iu'),
  operator,
]);

const states: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^(?:is|has been|gets|becomes) (?:not |un)(?:set|defined|known|provided|given)$/i, unset],
  [/^(?:is|has been|gets|becomes) (?:set|defined|known|available|provided|given)$/i, set],
  [/^(?:is|becomes|gets) (?:not |non-?)empty$/i, full],
  [/^(?:has|contains|gets) (?:some |any )?(?:items?|entries|elements)(?: in it)?$/i, full],
  [/^(?:is|becomes|gets) empty$/i, empty],
  [/^(?:has|contains) (?:nothing|no (?:more )?(?:items?|entries|elements))(?: in it)?$/i, empty],
  [/^(?:is|becomes) blank$/i, blank],
  [/^(?:is|becomes) not blank$/i, (name) => `not ${blank(name)}`],
  [/^(?:is|becomes) (?:true|truthy)$/i, (name) => `${name} == True`],
  [/^(?:is|becomes) (?:false|falsy)$/i, (name) => `${name} == False`],
  [/^(?:est|sera) (?:défini|connu|fixé)e?$/i, set],
  [/^(?:n['’]est (?:pas|plus) vide|est non vide)$/i, full],
  [/^(?:contient|a) (?:des|au moins un) (?:éléments?|entrées?)$/i, full],
  [/^(?:est|sera|devient) vide$/i, empty],
  [/^(?:ne contient|n['’]a) (?:rien|(?:pas|plus) d['’](?:éléments?|entrées?))$/i, empty],
];

function set(name: string): string {
  return `${name} != None`;
}

function unset(name: string): string {
  return `${name} == None`;
}

/** Numbers and truths are never empty, whatever they are. */
function empty(name: string): string {
  return `${name} in [None, "", [], {}]`;
}

function full(name: string): string {
  return `${name} not in [None, "", [], {}]`;
}

/** Also a text of nothing but spaces. */
function blank(name: string): string {
  return `(${name} in [None, "", [], {}] or str(${name}).strip() == "")`;
}

const wordValues: ReadonlyMap<string, string> = new Map([
  ...[['true', 'True'] as const, ['false', 'False'] as const],
  ...[['null', 'None'] as const, ['none', 'None'] as const],
]);

const aList = String.raw`(?:(?:the|la|le)\s+(?:(?:list|text|map|liste|texte)\s+)?)?`;
const aboutOne = new RegExp(String.raw`^${aList}\$(${namePattern})\s+([\s\S]+)$`, 'iu');

/**
 * What has no value yet is neither more nor less than anything, and no mistake. Of two texts, such
 * as dates, the letters say no order: with a number before them they cannot be computed.
 */
function orderOf(name: string, operator: string, other: string): string {
  if (isNumber.test(other)) return `${set(name)} and ${name} ${operator} ${other}`;
  return `${set(name)} and ${set(other)} and 0 + ${name} ${operator} 0 + ${other}`;
}

const isNumber = new RegExp(`^${number}$`);

/** A condition as an expression in Starlark; undefined where only a model can say. */
export function conditionOf(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^(?:when(?:ever)?|if|as soon as|once|quand|lorsque|si|dès que)\s+/i, '')
    .replace(/[.!]$/, '')
    .trim();
  const joined = /\s+(and|or|et|ou)\s+(?=\$)/i.exec(bare);
  if (joined) {
    const [first, rest] = [
      bare.slice(0, joined.index),
      bare.slice(joined.index + joined[0].length),
    ];
    const [one, other] = [conditionOf(first), conditionOf(rest)];
    const operator = /^(?:and|et)$/i.test(joined[1] ?? '') ? 'and' : 'or';
    return one && other ? `${one} ${operator} ${other}` : undefined;
  }
  for (const [form, operator] of comparisons) {
    const [, name, right] = form.exec(bare) ?? [];
    if (name === undefined || right === undefined) continue;
    const known = wordValues.get(right.toLowerCase()) ?? right.replace(/^\$/, '');
    if (!/^[<>]/.test(operator)) return `${name} ${operator} ${known}`;
    return right.startsWith('$') || isNumber.test(right)
      ? orderOf(name, operator, known)
      : undefined;
  }
  const [, name, rest] = aboutOne.exec(bare) ?? [];
  const state = rest === undefined ? undefined : states.find(([form]) => form.test(rest));
  return name === undefined || !state ? computedIn(bare) : state[1](name);
}

/** `len($all) > 1`, `$name.upper() == "ANN"`, as code has them. */
function computedIn(text: string): string | undefined {
  const read = readFilling(text);
  if (!read || !('filling' in read) || read.filling.is !== 'operation') return undefined;
  const names = fillingsIn(read.filling).flatMap((one) => (one.is === 'ref' ? [one.to] : []));
  if (names.length === 0 || !names.every(({ sign }) => sign)) return undefined;
  if (fillingsIn(read.filling).some(isOrderOfTexts)) return undefined;
  const code = text.replace(dollars, (all, name) => name ?? all);
  // What compares with nothing says itself what is so of a variable without a value.
  if (/\bNone\b/.test(text.replace(dollars, ''))) return code;
  return [...new Set(names.map((one) => set(one.name)))].concat(`(${code})`).join(' and ');
}

/** Whether it compares by letters what may be a day, a date or a size: numbers have an order. */
const isOrderOfTexts = (one: Filling): boolean =>
  one.is === 'operation' && /^[<>]/.test(one.op) && !one.of.some(isOfNumbers);

const isOfNumbers = (one: Filling): boolean =>
  one.is === 'value'
    ? typeof one.value !== 'string'
    : one.is === 'operation' && numeric.has(one.op);

const numeric: ReadonlySet<string> = new Set([
  ...['len', 'int', 'float', 'sum', 'abs', '-', '*', '/', '//', '%', '.count', '.find', '.index'],
]);

/**
 * The words of forms, by language: data, and the one place that knows a language. In a phrase `_` is
 * any text, `$` a variable, and `@` a list of variables; a phrase is the whole line.
 */
import { namePattern } from '../../../program/name.ts';

export type Keyword =
  | 'set'
  | 'get'
  | 'say'
  | 'ask'
  | 'if'
  | 'elif'
  | 'else'
  | 'while'
  | 'until'
  | 'times'
  | 'each'
  | 'eachInWords'
  | 'rounds'
  | 'patience'
  | 'return'
  | 'returnValue'
  | 'break'
  | 'continue'
  | 'go'
  | 'waitFor'
  | 'waitTime'
  | 'waitUntil'
  | 'waitEvent'
  | 'end'
  | 'think'
  | 'check'
  | 'user'
  | 'meeting'
  | 'joined'
  | 'andLast'
  | 'condition'
  | 'begins'
  | 'ends'
  | 'event'
  | 'after'
  | 'every';

const english: Readonly<Record<Keyword, readonly string[]>> = {
  set: ['set $ to _'],
  get: ['get $ from _'],
  say: ['say _'],
  ask: ['ask _ for @'],
  if: ['if _'],
  elif: ['else if _', 'otherwise if _', 'elif _'],
  else: ['otherwise', 'else'],
  while: ['while _'],
  until: ['until _'],
  times: ['repeat _ times'],
  each: ['for each $ in _'],
  eachInWords: ['for each _'],
  rounds: ['_ (up to _ times)'],
  patience: ['_ (up to _)'],
  return: ['return'],
  returnValue: ['return _'],
  break: ['break'],
  continue: ['continue'],
  go: ['go to step _', 'go to line _'],
  waitFor: ['wait for _'],
  waitTime: ['wait _', 'wait for _'],
  waitUntil: ['wait until _'],
  waitEvent: ['wait for event _'],
  end: ['end program'],
  think: ['think', 'think _'],
  check: ['chk _'],
  user: ['user', 'the user', 'human'],
  meeting: ['meeting', 'the meeting'],
  joined: ['_ and _'],
  andLast: ['and _'],
  condition: ['when _', 'whenever _', 'if _', 'once _', 'as soon as _'],
  begins: [
    ...['at the beginning', 'at the start', 'at the beginning of the program', 'at start'],
    ...['at the start of the program', 'when the program starts', 'when program starts'],
    ...['when the program begins', 'when the agent starts', 'on program start', 'on start'],
    ...['when the session starts', 'when the conversation starts', 'beginning', 'start'],
  ],
  ends: [
    ...['before the program ends', 'when the program ends', 'before the end', 'at the end'],
    'at the end of the program',
  ],
  event: [
    ...['when the event _ arrives', 'when event _ arrives', 'when an event _ arrives'],
    ...['when the event _ happens', 'when event _ happens', 'when the _ event arrives'],
    ...['when the event _ comes', 'when the _ webhook arrives', 'when the webhook _ arrives'],
    ...['on event _', 'on the event _'],
  ],
  after: ['after _', 'in _'],
  every: ['every _'],
};

const french: Readonly<Record<Keyword, readonly string[]>> = {
  set: ['mettre $ à _'],
  get: ['obtenir $ de _'],
  say: ['dire _'],
  ask: ['demander à _ @'],
  if: ['si _'],
  elif: ['sinon si _'],
  else: ['sinon'],
  while: ['tant que _', "tant qu'_"],
  until: ["jusqu'à ce que _", "jusqu'à ce qu'_"],
  times: ['répéter _ fois'],
  each: ['pour chaque $ dans _'],
  eachInWords: ['pour chaque _'],
  rounds: ["_ (jusqu'à _ fois)", '_ (au plus _ fois)'],
  patience: ["_ (jusqu'à _)", '_ (au plus _)'],
  return: ['retourner'],
  returnValue: ['retourner _'],
  break: ['arrêter la boucle'],
  continue: ['continuer la boucle'],
  go: ["aller à l'étape _", 'aller à la ligne _'],
  waitFor: ['attendre _'],
  waitTime: ['attendre _'],
  waitUntil: ["attendre jusqu'à _"],
  waitEvent: ["attendre l'événement _"],
  end: ['fin du programme'],
  think: ['réfléchir', 'réfléchir _'],
  check: [],
  user: ["l'utilisateur", 'utilisateur'],
  meeting: ['la réunion', 'réunion'],
  joined: ['_ et _'],
  andLast: ['et _'],
  condition: ['quand _', 'lorsque _', 'dès que _', 'si _'],
  begins: [
    ...['au début', 'au début du programme', 'au démarrage', 'quand le programme démarre'],
    'quand le programme commence',
  ],
  ends: ['avant la fin', 'avant la fin du programme'],
  event: ["quand l'événement _ arrive", "sur l'événement _"],
  after: ['après _', 'dans _', 'au bout de _'],
  every: ['chaque _', 'toutes les _', 'tous les _'],
};

const tables = [english, french];

const patterns = new Map(
  (Object.keys(english) as Keyword[]).map((keyword) => [
    keyword,
    tables.flatMap((table) => table[keyword].map(patternOf)),
  ]),
);

/** The last slot takes all that is left; one before it as little as can be. */
function patternOf(phrase: string): RegExp {
  const last = phrase.includes('@') ? -1 : phrase.lastIndexOf('_');
  const source = [...phrase].map((character, at) => {
    if (character === '_') return at === last ? '(.+)' : '(.+?)';
    if (character === '$') return `(\\$?${namePattern})`;
    if (character === '@') return '(\\$.+)';
    if (character === "'") return "['’]";
    return /[()]/.test(character) ? `\\${character}` : character;
  });
  return new RegExp(`^${source.join('')}$`, 'isu');
}

/** What stands in the slots of a line that has the words of a form; undefined for other lines. */
export function slotsOf(keyword: Keyword, line: string): readonly string[] | undefined {
  for (const pattern of patterns.get(keyword) ?? []) {
    const found = pattern.exec(line);
    if (found) return found.slice(1).map((slot) => slot.trim());
  }
  return undefined;
}

export const isKeyword = (keyword: Keyword, line: string): boolean =>
  slotsOf(keyword, line) !== undefined;

/** The names by which forms are called as functions: `Say(…)`, `Demander(…)`. */
export const saying: RegExp = /^(?:say|dire)\s?\((.*)\)$/isu;
export const asking: RegExp = /^(?:ask|demander)\s?\((.*)\)$/isu;

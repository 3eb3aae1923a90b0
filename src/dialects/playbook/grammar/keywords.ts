/**
 * The words of forms, a column for each language: data, and the one place that knows a language. In
 * a phrase `_` is any text, `$` a variable, and `@` a list of variables; a phrase is the whole
 * line. `|` stands between phrases.
 */
import { namePattern } from '../../../program/name.ts';

/** English, French. */
const phrases = {
  set: ['set $ to _', 'mettre $ à _'],
  get: ['get $ from _', 'obtenir $ de _'],
  say: ['say _', 'dire _'],
  sayTo: ['say(_)|say (_)', 'dire(_)|dire (_)'],
  ask: ['ask _ for @', 'demander à _ @'],
  askBy: ['ask(_)|ask (_)', 'demander(_)|demander (_)'],
  if: ['if _', 'si _'],
  elif: ['else if _|otherwise if _|elif _', 'sinon si _'],
  else: ['otherwise|else', 'sinon'],
  while: ['while _', "tant que _|tant qu'_"],
  until: ['until _', "jusqu'à ce que _|jusqu'à ce qu'_"],
  times: ['repeat _ times', 'répéter _ fois'],
  each: ['for each $ in _', 'pour chaque $ dans _'],
  eachInWords: ['for each _', 'pour chaque _'],
  rounds: ['_ (up to _ times)', "_ (jusqu'à _ fois)|_ (au plus _ fois)"],
  patience: ['_ (up to _)', "_ (jusqu'à _)|_ (au plus _)"],
  return: ['return', 'retourner'],
  returnValue: ['return _', 'retourner _'],
  break: ['break', 'arrêter la boucle'],
  continue: ['continue', 'continuer la boucle'],
  go: ['go to step _|go to line _', "aller à l'étape _|aller à la ligne _"],
  wait: ['wait _', 'attendre _'],
  waitFor: ['wait for _', 'attendre _'],
  waitUntil: ['wait until _', "attendre jusqu'à _"],
  waitEvent: ['wait for event _', "attendre l'événement _"],
  end: ['end program', 'terminer le programme|fin du programme'],
  think: ['think|think _', 'réfléchir|réfléchir _'],
  check: ['chk _', 'chk _'],
  user: ['user|the user|human', "l'utilisateur|utilisateur"],
  meeting: ['meeting|the meeting', 'la réunion|réunion'],
  joined: ['_ and _', '_ et _'],
  andLast: ['and _', 'et _'],
  condition: ['when _|whenever _|if _|once _|as soon as _', 'quand _|lorsque _|dès que _|si _'],
  begins: ['at the beginning|at the very beginning|at the start|on start', 'au début|au démarrage'],
  begun: [
    'when _ starts|when _ begins|at the beginning of _|at the start of _',
    'quand _ commence|quand _ démarre|au début _',
  ],
  run: [
    'the program|program|the agent|agent|the chat|the conversation|the session',
    'le programme|du programme|la conversation|de la conversation',
  ],
  ends: [
    'before the program ends|when the program ends|at the end',
    'avant la fin|avant la fin du programme',
  ],
  event: ['when the event _ arrives|when event _ arrives|on event _', "quand l'événement _ arrive"],
  after: ['after _|in _', 'après _|dans _|au bout de _'],
  every: ['every _', 'chaque _|toutes les _|tous les _'],
} as const;

export type Keyword = keyof typeof phrases;

const patterns: ReadonlyMap<string, readonly RegExp[]> = new Map(
  Object.entries(phrases).map(([keyword, languages]) => {
    return [keyword, languages.flatMap((column) => column.split('|')).map(patternOf)];
  }),
);

/** The last slot takes all that is left; one before it as little as can be. */
function patternOf(phrase: string): RegExp {
  const last = phrase.includes('@') ? -1 : phrase.lastIndexOf('_');
  const source = phrase.replace(/[_$@'()]/g, (sign, at: number) => {
    if (sign === '_') return at === last ? '(.+)' : '(.+?)';
    if (sign === '$') return `(\\$?${namePattern})`;
    if (sign === '@') return '(\\$.+)';
    return sign === "'" ? "['’]" : `\\${sign}`;
  });
  return new RegExp(`^${source}$`, 'isu');
}

/** What stands in the slots of a line that has the words of a form; undefined for other lines. */
export function slotsOf(keyword: Keyword, line: string): readonly string[] | undefined {
  for (const pattern of patterns.get(keyword) ?? []) {
    const slots = pattern.exec(line)?.slice(1);
    if (slots) return slots.map((slot) => slot.trim());
  }
  return undefined;
}

export const isKeyword = (keyword: Keyword, line: string): boolean =>
  slotsOf(keyword, line) !== undefined;

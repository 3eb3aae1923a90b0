/**
 * The words of forms, by language: data, and the one place that knows a language. In a phrase `_`
 * is any text, `$` a variable, and `@` a list of variables; a phrase is the whole line. `|` stands
 * between phrases.
 */
import { namePattern } from '../../../program/name.ts';

const english = {
  set: 'set $ to _',
  get: 'get $ from _',
  say: 'say _',
  ask: 'ask _ for @',
  if: 'if _',
  elif: 'else if _|otherwise if _|elif _',
  else: 'otherwise|else',
  while: 'while _',
  until: 'until _',
  times: 'repeat _ times',
  each: 'for each $ in _',
  eachInWords: 'for each _',
  rounds: '_ (up to _ times)',
  patience: '_ (up to _)',
  return: 'return',
  returnValue: 'return _',
  break: 'break',
  continue: 'continue',
  go: 'go to step _|go to line _',
  wait: 'wait _',
  waitFor: 'wait for _',
  waitUntil: 'wait until _',
  waitEvent: 'wait for event _',
  end: 'end program',
  think: 'think|think _',
  check: 'chk _',
  user: 'user|the user|human',
  meeting: 'meeting|the meeting',
  joined: '_ and _',
  andLast: 'and _',
  condition: 'when _|whenever _|if _|once _|as soon as _',
  begins: 'at the beginning|at the very beginning|at the start|at start|on start|beginning|start',
  begun:
    'when _ starts|when _ begins|at the beginning of _|at the start of _|on _ start|at _ start',
  run: 'the program|program|the agent|the session|the conversation|each conversation|the chat',
  ends: 'before the program ends|when the program ends|before the end|at the end',
  event: 'when the event _ arrives|when event _ arrives|when the _ event arrives|on event _',
  happens: 'when the event _ happens|when event _ happens|on the event _',
  after: 'after _|in _',
  every: 'every _',
};

export type Keyword = keyof typeof english;

const french: Readonly<Record<Keyword, string>> = {
  set: 'mettre $ à _',
  get: 'obtenir $ de _',
  say: 'dire _',
  ask: 'demander à _ @',
  if: 'si _',
  elif: 'sinon si _',
  else: 'sinon',
  while: "tant que _|tant qu'_",
  until: "jusqu'à ce que _|jusqu'à ce qu'_",
  times: 'répéter _ fois',
  each: 'pour chaque $ dans _',
  eachInWords: 'pour chaque _',
  rounds: "_ (jusqu'à _ fois)|_ (au plus _ fois)",
  patience: "_ (jusqu'à _)|_ (au plus _)",
  return: 'retourner',
  returnValue: 'retourner _',
  break: 'arrêter la boucle',
  continue: 'continuer la boucle',
  go: "aller à l'étape _|aller à la ligne _",
  wait: 'attendre _',
  waitFor: 'attendre _',
  waitUntil: "attendre jusqu'à _",
  waitEvent: "attendre l'événement _",
  end: 'fin du programme',
  think: 'réfléchir|réfléchir _',
  check: 'chk _',
  user: "l'utilisateur|utilisateur",
  meeting: 'la réunion|réunion',
  joined: '_ et _',
  andLast: 'et _',
  condition: 'quand _|lorsque _|dès que _|si _',
  begins: 'au début|au démarrage',
  begun: 'quand _ démarre|quand _ commence|au début _',
  run: 'le programme|du programme|la conversation|de la conversation',
  ends: 'avant la fin|avant la fin du programme',
  event: "quand l'événement _ arrive|sur l'événement _",
  happens: "quand l'événement _ survient",
  after: 'après _|dans _|au bout de _',
  every: 'chaque _|toutes les _|tous les _',
};

const patterns = new Map(
  (Object.keys(english) as Keyword[]).map((keyword) => {
    const phrases = [english, french].flatMap((table) => table[keyword].split('|'));
    return [keyword, phrases.map(patternOf)];
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

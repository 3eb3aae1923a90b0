/** What is to be done, by how it is built: `look it up`, `tell the user`, no `date of birth`. */
import { filler } from './bare-heads.ts';
import { anyCase } from './words.ts';

/**
 * Whether a part of a line begins with a word that has an object right behind it, as verbs have,
 * and no noun: `greet them by name`, `save the order`, `use "guest"`; or with a verb that has one
 * behind its preposition, `look for it`. What may be either is one where it is for somebody by
 * name, `order for Ann`: it is not known to be none.
 */
export function isVerbPhrase(part: string): boolean {
  if (withPreposition.test(part) || isForSomebody(part)) return true;
  const { verb = '' } = (form.exec(part) ?? pronounForm.exec(part))?.groups ?? {};
  return verb !== '' && !filler.test(verb) && !linking.test(verb);
}

/** Whether it may be a deed that is for somebody by name, or is to them: `pay Ben`. */
export function isForSomebody(part: string): boolean {
  const [, deed = ''] = forSomebody.exec(part) ?? [];
  return isDeedWord(deed);
}

/** Whether something is done where such a word comes behind `then`: `order`, `tell`. */
export const isDeedWord = (word: string): boolean => deeds.has(word.toLowerCase());

/** `do so`, whatever that is: what was asked about before it. */
export const isDoingSo = (part: string): boolean => doingSo.test(part);

const object =
  '(?:them|him|it|me|us|you|(?:your|them|him|her|it|my)sel(?:f|ves)|the|an?|my|your|our|their|' +
  'his|her|its|this|that|these|those|each|every|all|any|both|whether)\\b|["“„«]';

const start = '^(?:(?:also|please|then|and|or)\\s+)*';

const form = anyCase(
  `${start}(?<verb>\\p{L}+)\\s+(?:(?:up|back|out|down|off|on)\\s+)?(?:${object})`,
);

/** Of a noun something else is said behind it, `the reason for it`, or that is no pronoun. */
const pronounForm = anyCase(
  `${start}(?<verb>(?!\\p{L}*s\\s)\\p{L}+)\\s+(?:with|at|on|through|over|into|from|by|upon)\\s+` +
    '(?:it|them|him|her|this|that|these|those|me|us)(?=\\W*$)',
);

const forSomebody = new RegExp(
  `${anyCase(start).source}(\\p{L}+)\\s+(?:(?:for|to|with|from)\\s+)?(?:\\p{Lu}\\p{Ll}|\\$\\p{L})`,
  'u',
);

/** What is done for people, or to them; some of these words are nouns, too. */
const deeds: ReadonlySet<string> = new Set(
  (
    'answer arrange ask bake bill book bring buy call cancel charge cook credit deliver email ' +
    'fetch forward give greet inform invite mail make message notify order pay prepare refund ' +
    'register remind reply report request reserve respond schedule send serve ship show tell ' +
    'text thank transfer warn write'
  ).split(' '),
);

/** Verbs that are no nouns, or not with such a word behind them. */
const withPreposition = anyCase(
  `${start}(?:(?:look|search)\\s+(?:for|at|into|through|up|after)|(?:browse|skim)\\s+through|` +
    'go\\s+(?:through|over|into|by)|deal\\s+with|(?:take\\s+)?care\\s+(?:of|for)|' +
    '(?:make\\s+(?:use|sure)|get\\s+rid|dispose)(?:\\s+of)?|act\\s+(?:up)?on|react\\s+to|' +
    'check\\s+(?:for|with|against|whether)|listen\\s+to|refer\\s+to|decide\\s+on|follow\\s+up|' +
    'proceed\\s+(?:with|to)|iterate\\s+over|(?:get|come)\\s+back|wait\\s+(?:for|until)|' +
    '(?:sign|log)\\s+(?:it|them|him|her|us|in)|(?:act|proceed|continue|respond)\\s+accordingly)\\b',
);

const doingSo = anyCase(
  `${start}(?:do\\s+(?:so|it|that|this|them)|act\\s+(?:on\\s+(?:it|that)|accordingly))\\b`,
);

/** What stands before an object as well, and is not done. */
const linking = anyCase(
  '^(?:and|or|but|nor|if|unless|when(?:ever)?|while|until|because|as|who|whom|what|which|where|' +
    'why|how|whether|then|else|otherwise|either|neither|only|just|even|also|half|some|such|one|' +
    'than|like|without|within|per|via|since|during|between|among|through|against|plus|minus|' +
    'times|is|are|was|were|has|have|had|into|onto|except|instead|if|not|up|it|they|we|you|i|' +
    'he|she|me|us|them|him)$',
);

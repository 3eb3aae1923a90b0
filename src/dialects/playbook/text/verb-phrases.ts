/** What is to be done, by how it is built: `look it up`, `tell the user`, no `date of birth`. */
import { filler } from './bare-heads.ts';
import { anyCase } from './words.ts';

/**
 * Whether a part of a line begins with a word that has an object right behind it, as verbs have,
 * and no noun: `greet them by name`, `save the order`, `use "guest"`.
 */
export function isVerbPhrase(part: string): boolean {
  const { verb = '' } = form.exec(part)?.groups ?? {};
  return verb !== '' && !filler.test(verb) && !linking.test(verb);
}

const object =
  '(?:them|him|it|me|us|you|(?:your|them|him|her|it|my)sel(?:f|ves)|the|an?|my|your|our|their|' +
  'his|her|its|this|that|these|those|each|every|all|any|both|whether)\\b|["“„«]';

const form = anyCase(
  '^(?:(?:also|please|then|and|or)\\s+)*(?<verb>\\p{L}+)\\s+(?:(?:up|back|out|down|off|on)\\s+)?' +
    `(?:${object})`,
);

/** What stands before an object as well, and is not done. */
const linking = anyCase(
  '^(?:and|or|but|nor|if|unless|when(?:ever)?|while|until|because|as|who|whom|what|which|where|' +
    'why|how|whether|then|else|otherwise|either|neither|only|just|even|also|half|some|such|one|' +
    'than|like|without|within|per|via|since|during|between|among|through|against|plus|minus|' +
    'times|is|are|was|were|has|have|had|into|onto|except|instead|if|not|up|it|they|we|you|i|' +
    'he|she|me|us|them|him)$',
);

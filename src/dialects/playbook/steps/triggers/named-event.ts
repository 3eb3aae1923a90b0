/** The words by which a trigger says that it is for an event, and which one. */

export const asHappens: string =
  '(?:(?:when(?:ever)?|on|upon|once|if|as soon as|after|(?:each|every) time|quand|lorsque|' +
  'dès que)\\s+)?';

const article = "(?:(?:the|an?|any|each|every|another|some|new|next|un|une|le|la)\\s+|l['’])";
export const articles: string = `${article}*`;

/**
 * Whether a trigger is for an event that it names, and for nothing else: who tells the program of
 * that says its name, and nothing that a person writes is it.
 */
export const isOfEvent = (text: string): boolean => named.some((form) => form.test(text.trim()));

const kind = '(?:events?|webhooks?|[ée]v[éè]nements?)';

/** A word of a name: what says which, or goes on to something else, is none. */
const word =
  '(?!(?:the|an?|any|each|every|another|some|new|next|messages?|and|or|if|when|that|which|is|in|' +
  'it|they|he|she|we|you|i|named|called)\\s)[^\\s,;]+';

const name = `${word}(?:\\s+${word}){0,3}?`;
const nameBehind = `${kind}:?\\s+(?:(?:named|called)\\s+)?${name}`;
const nameInFront = `${name}\\s+${kind}`;

const comes =
  '(?:arrives?|comes?(?:\\s+in)?|occurs?|happens?|fires|received|survient|est\\s+reçue?|' +
  'has\\s+(?:arrived|come|occurred|happened)|' +
  '(?:is|was|gets|has been)\\s+(?:received|told|sent|raised|emitted|fired|triggered|published))';

const named: readonly RegExp[] = [
  `${asHappens}${articles}(?:${nameBehind}|${nameInFront})\\s+${comes}`,
  `(?:on|upon)\\s+(?:receiving\\s+)?${articles}(?:${nameBehind}|${nameInFront})`,
].map((form) => new RegExp(`^${form}\\s*[.!]?$`, 'iu'));

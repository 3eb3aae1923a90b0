/** `Return the money to the customer`: a thing is given back to somebody, or put somewhere. */
import { namePattern } from '../../../program/name.ts';
import { isInside } from './brackets.ts';
import { anyCase, personWord } from './words.ts';

/** Whether a line that begins with `Return` asks for that, and not for a value of a playbook. */
export function isGivingBack(text: string): boolean {
  if (toPerson.test(text)) return true;
  if (!thing.test(text)) return false;
  const places = [...text.matchAll(new RegExp(somewhere, 'giu'))];
  const at = places.findLast(({ index }) => !isInside(text, index))?.index;
  if (at === undefined) return false;
  const [what, to] = [text.slice(0, at), text.slice(at)];
  if (toCaller.test(to) || isToBeSo.test(what)) return false;
  return isPerson.test(to) || !hasOwnTo.test(what);
}

const returns = '^(?:returns?|give\\s+back|renvo(?:yer|ie|yez)|retourne[rz]?)\\s+';

const article =
  '(?:the|an?|this|that|these|those|my|your|our|their|his|her|its|each|every|all|any|both|' +
  "le|la|les|une?|des|son|sa|ses|leurs?|l['’])";

const person = personWord.source;

/** `Return them the deposit`. */
const toPerson = anyCase(
  `${returns}(?:${article}\\s+)?(?:${person})\\s+(?:${article}|\\$${namePattern})\\b`,
);

/** What can be given back: no literal, no call, and nothing that begins as a question. */
const thing = anyCase(
  `${returns}(?!(?:what|which|who|whom|whose|how|why|when|where|whether|if|true|false|none|null)` +
    `\\b)(?:\\$?${namePattern}|l['’]\\p{L}+)(?!\\()\\s`,
);

const somewhere: string = anyCase(
  `\\s(?:to|into|onto|à|aux?)\\s+(?:${article}\\s*|\\$${namePattern}|(?:${person})\\b|` +
    '(?:stock|storage|sender|where|wherever|whoever|whom|it|me|us|you)\\b|(?-i:\\p{Lu}))',
).source;

/** Whoever has called takes what is returned, as one who talks with it does a variable. */
const toCaller = anyCase(
  "^\\s(?:to|à|aux?)\\s+(?:the\\s+|your\\s+|its\\s+|l['’])?(?:caller|appelant|" +
    '(?:(?:calling|main|parent|outer|other)\\s+)?(?:playbook|program(?:me)?|function|agent)|' +
    'calling\\s+\\w+|Main)\\b',
);

/** `to the customer`, not `to the customer's question`. */
const isPerson = anyCase(`^\\s\\w+\\s+(?:${article}\\s+)?(?:${person})(?!['’])`);

/** What is so, or stands there already: `assigned to the guest`, `closest to the harbour`. */
const isToBeSo = anyCase(
  '\\b(?:closest|nearest|closer|nearer|close|next|near|similar|equal|relevant|specific|due|' +
    'according|belong(?:s|ing)?|leading|corresponding|referring|pointing|applying|going|open|up|' +
    'available|known|sent|given|shown|told|said|made|prior|superior|respect|regard|' +
    '(?!feed|seed|weed|need)\\w{2,}ed)$',
);

/** Words that have a `to` of their own: `the answer to the question`. */
const hasOwnTo = anyCase(
  '\\b(?:answer|reply|replies|response|reaction|solution|link|url|path|route|way|road|' +
    'distance|directions|guide|introduction|invitation|reference|pointer|access|approach|' +
    'alternative|change|edit|update|addition|improvement|exception|objection|visit|trip|' +
    'journey|similarity|relation|contribution|attention|réponse|solution|lien|chemin)s?' +
    '(?:\\s+from\\s.*)?$',
);

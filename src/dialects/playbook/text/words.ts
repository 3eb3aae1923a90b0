/** The words by which explicit statements are known, in English and, where obvious, in French. */
import { namePattern } from '../../../program/name.ts';

/** A word ends where no letter of any script goes on; `\\b` knows those of English alone. */
export const anyCase = (source: string): RegExp =>
  new RegExp(source.replaceAll('\\b', edge).replaceAll('\\w', '\\p{XIDC}'), 'iu');

const edge = '(?:(?<=\\p{XIDC})(?!\\p{XIDC})|(?<!\\p{XIDC})(?=\\p{XIDC}))';

/** `If …`, `When …`, `Unless …`; `Should they …`, which is no part of `Should be …`. */
export const conditionWord: RegExp = anyCase(
  "^(?:if|when(?:ever)?|unless|in case|si|quand|lorsqu[e']|sauf si|" +
    'should(?=\\s+(?:\\$|(?:the|an?|no|any|some|no ?body|any ?body|they|s?he|it|you|there)\\s)))' +
    "(?=\\s|['’])",
);

/** `Should $x be empty`, before a value, is `If $x is empty`. */
export const shouldBe: RegExp = new RegExp(String.raw`^should\s+(\$${namePattern})\s+be\s+`, 'iu');

/** `Otherwise`, `Else`, perhaps with a condition of its own. */
export const elseWord: RegExp = anyCase('^(?:otherwise|else|elif|elseif|sinon|autrement)(?=\\b)');

/** The condition of an Otherwise that has one. */
export const elseCondition: RegExp = anyCase(
  '^(?:(?:otherwise|else|sinon|autrement)[\\s,]+(?:if|when|si|quand)|elif|elseif)(?=\\b)',
);

export const loopWord: RegExp = anyCase(
  '^(?:while|until|for\\s*(?:each|every|all|any)|as long as|repeat|loop|' +
    "tant qu[e']|pour\\s+(?:chaque|tou[ts]e?s?)|jusqu'à ce qu[e']|répéte[rz]|répète)(?=\\b|\\s|$)",
);

/** How long a loop goes on, also behind what it goes over. */
export const goingOn: RegExp = anyCase(
  "^(?:while|until|as long as|tant qu[e']|jusqu'à ce qu[e'])(?=\\b|\\s)",
);

/** What may stand before `until`, `for each` and `3 times`. */
export const doWords: string =
  '(?:do|perform|carry out|execute|repeat|loop|répète[rz]?|répéte[rz]|fais|faites)' +
  '(?:\\s+(?:(?:all\\s+)?(?:this|that)|it|the following|ceci|cela|' +
  '(?:these|the following|the steps|the lines)(?:\\s+(?:steps|lines|below)){0,2}))?';

/** `Do the following until …`, `Keep asking until …`, `Forever`: a loop, before a block. */
export const blockLoopWord: RegExp = anyCase(
  `^(?:(?:${doWords}|(?:keep|continue)\\s+\\w+ing\\b.*)\\s+(?:while|until|as long as)\\b|` +
    '(?:iterate|cycle)\\s+(?:over|through)\\b|(?:forever|endlessly|indefinitely)\\s*[:.]?$)',
);

export const returnWord: RegExp = anyCase(
  '^(?:returns?|give back|renvo(?:yer|ie|yez)|retourne[rz]?)(?=\\b)',
);

/** Whom it is for needs no word: `to the caller with $x`, `$x to the user`. */
export const toCaller: RegExp = anyCase(
  '^to\\s+(?:the\\s+|your\\s+)?(?:caller|calling\\s+\\w+)(?:\\s+with(?=\\s)|(?=[.]?$))\\s*|' +
    `(?<=^\\$?${namePattern})\\s+to\\s+(?:the\\s+)?(?:caller|user|calling\\s+\\w+)(?=[.]?$)`,
);

/** Who returns to a place goes there. */
export const goBack: RegExp = anyCase(
  '^returns?\\s+(?:home|back|to)(?=\\b)(?!\\s+(?:the\\s+|your\\s+)?(?:caller|calling\\b))',
);

/** A heading in words, `Return policy: …`, and `Returns are …`: nobody returns there. */
export const returning: RegExp = new RegExp(
  String.raw`^(?:returns?\s+(?:\p{L}+\s+)?\p{L}+\s*:\s+(?![\s\[{"'“„«$])|` +
    String.raw`returns\s+(?:are|is|must|can|may|need|have|take|within|for|of|over|under|by)\b)`,
  'iu',
);

/** What stands between a condition and what is done: `If $x, then F()`, `If $x → F()`. */
export const thenMark: RegExp = new RegExp(
  String.raw`,?\s+(then|alors|(?<!\b(?:to|can|could|must|should|may|might|will|would)\s+)do` +
    String.raw`(?!\s+(?:not|then)\b))\s+|\s*:\s+|` +
    String.raw`\s*(?:→|⇒|=>|->)(?!\s*\$\p{XIDC}+\W*$)\s*`,
  'giu',
);

/** Behind such a mark something else is done. */
export const arrows: RegExp = /\s*(?:→|⇒|=>|->)\s*/gu;

const plainValue =
  String.raw`(?:"[^"]*"|-?\d+(?:\.\d+)?|\$${namePattern}|\[[^\]]*\]|` +
  'true|false|empty|missing|none)';
const comparing = '(?:[=<>≥≤≠]=?|\\b(?:is|equals)(?:\\s+not)?)\\s*';

/** A comparison in front of a statement that nothing sets off. */
export const wholeComparison: RegExp = new RegExp(
  `^.*?${comparing}${plainValue}` +
    String.raw`(?=\s+(?:(?:say|reply)\s+["“„«]|return\s|break$|continue$|(?:set|let)\s+\$|` +
    String.raw`(?:(?:call|run)\s+)?\p{Lu}\p{XIDC}*(?:\.\p{XIDC}+)*\(|` +
    String.raw`(?:go|jump)\s+(?:back\s+)?to\s+step\s|end\s+(?:the\s+)?program$))`,
  'iu',
);

/** A head that ends with all that its condition has: `If $x is 3`, `For each $x in $list`. */
export const wholeHead: RegExp = new RegExp(
  String.raw`(?:${comparing}|\bin\s+|^\p{L}+\s+(?:not\s+)?)${plainValue}$`,
  'iu',
);

/** One that says something of somebody: `If the guest is late`, `Unless Known($x)`. */
export const sayingHead: RegExp = anyCase(
  "\\b(?:is|are|was|were|has|have|had|(?:is|are|was|were|has|have|had)n['’]t)\\b|\\)$",
);

/**
 * One that names somebody, of whom the word behind it is to say something: `If they` of `If they do
 * not answer`, `While the guests` of `While the guests then agree`.
 */
export const bareHead: RegExp = new RegExp(
  String.raw`(?:^|[\s,])(?:if|when(?:ever)?|unless|while|until|as long as|in case|and|or|but|` +
    String.raw`that|what|which|whom?|how|why|where|each|every|si|quand)\s+` +
    '(?:it|s?he|these|those|both|' +
    String.raw`(?:the|these|those|both|all|my|your|our|their|his|her|its)\s+\p{L}+)$|` +
    String.raw`\b(?:I|you|we|they|who|that|which|what)$`,
  'iu',
);

/** `ENDIF`, `end for`: what other languages close blocks with. */
export const blockEnd: RegExp = /^end[\s_-]?(?:if|for|while|loop|case|switch|else)$|^\}$/i;

/** Under a condition, where nothing is to be done. */
export const nothingForm: RegExp = new RegExp(
  String.raw`^(?:(?:do|say)\s+)?nothing(?:\s+(?:else|more|at all|special|here))?$|` +
    '^(?:pass|no-?op|ne rien faire)$',
  'i',
);

/** Behind a statement: when it is done. */
export const onlyIf: RegExp = new RegExp(
  String.raw`(?<!\b(?:only|even|as|what|see|check|know|ask|tell|asked|find out|verify|except|` +
    String.raw`decide|determine|tell me)|=\s*ask(?:\s+the)?\s+\p{L}+)` +
    String.raw`,?\s+(?:only\s+)?(?:if|unless|when|in case|si|sauf si)\s+`,
  'giu',
);

/** In what is said, outside of quotes: it may be when that is, or a part of it. */
export const talkClause: RegExp = new RegExp(
  String.raw`(?<!\b(?:only|except|even|as|what|see|check|know|find out|verify))(?:,?\s+|\()` +
    String.raw`(?:(?:only|except)\s+)?(?:if|unless|when(?:ever)?|in case|as long as|until|till|` +
    String.raw`while|as soon as|provided(?:\s+that)?|once(?!\s+(?:more|again|and)\b)|si|sauf si|` +
    String.raw`should(?=\s+\$)|(?:for|to|with)\s+(?:each|every|all)` +
    String.raw`(?=(?:\s+\p{L}+){0,2}\s+\$\S+\s+(?:in|of|from)\s)|` +
    String.raw`(?:at most|up to|no more than)(?=\s+\S+\s+times\b|\s+twice\b))\s+`,
  'giu',
);

/** Behind `if`, what is so anyway: `their phone number, if any`. */
export const ifAny: RegExp = /^(?:any|possible|you (?:like|can|want|wish))(?=\s*(?:$|[,.;)]))/i;

const determiner =
  'the|an?|my|your|our|their|his|her|its|this|that|these|those|all|each|every|both|any|some|no';

/** In a message: words that another clause may belong to, `what to do`, `that we are closed`. */
export const clauseWord: RegExp = new RegExp(
  String.raw`\b(?:that|what|which|who|whom|whose|how|why|where|when|whether|if|unless|until|` +
    'while|because|si|I|we|they|he|she|there|' +
    String.raw`(?:it|you|this)\s+(?!(?:again|anew|once|twice)\b)\p{L}+)\b|` +
    String.raw`\bto\s+(?!(?:${determiner}|them|him|me|us|it|you|users?|` +
    String.raw`everyone|everybody|guests?|visitors?|customers?|clients?)\b|(?-i:\p{Lu}))\p{L}`,
  'iu',
);

/** Where a further message, or a further thing in it, begins: `and ask`, not `and the date`. */
export const furtherWord: RegExp = new RegExp(
  String.raw`(?:[,;:]|\s(?:and|or|then|but|et|ou))\s+(?!(?:${determiner})\b|[$"{\d])`,
  'iu',
);

/** Behind `and` no part of a condition, but what is done: `if $x and say "a"`. */
export const doneForm: RegExp = new RegExp(
  String.raw`^(?:then\b|say(?:\(|\s+["'“„«])|(?:call|run|invoke|execute)\s+\S+\(|` +
    String.raw`set\s+\$|return\s+\$|(?:end|exit|quit)\s+(?:the\s+)?program)`,
  'iu',
);

/** Behind a comma in what is said or asked, nothing that is said: `we are closed, end program`. */
export const deedForm: RegExp = new RegExp(
  String.raw`^(?:(?:set|let)\s+\$|` +
    String.raw`\$\p{XIDC}+(?:\.\p{XIDC}+)*\s*(?::\s*\p{L}+\s*)?[-+*/]?:?=(?!=)|` +
    String.raw`(?:end|exit|quit|stop|terminate)\s+(?:the\s+)?program(?!\p{XIDC})|` +
    String.raw`return(?:\s+(?:[$"'[{\d-]|(?:true|false|none|nothing)(?!\p{XIDC}))|[.!]?$)|` +
    String.raw`(?:break|continue)(?:\s+(?:the\s+)?loop)?[.!]?$|` +
    String.raw`(?:go|jump|skip)\s+(?:back\s+)?to\s+step\s+\d)`,
  'iu',
);

/** In front of what is done in another case. */
export const otherwiseMark: RegExp =
  /^(?:(?:or\s+)?(?:otherwise|else|if\s+not)(?:\s*[,:]\s*|\s+))/i;

/** A wait, which may as well be what somebody is told to do. */
export const waitForm: RegExp = new RegExp(
  String.raw`^wait\s+(?:(?:up\s+to|at\s+most)\s+)?(?:(?:for|until)\s+)?` +
    String.raw`(?:[$\d]|(?:the|an?)\s+(?:user|guest|customer|visitor|answer|reply|minute|hour|` +
    String.raw`second)(?!\p{XIDC})|(?:their|them|his|her)(?!\p{XIDC}))`,
  'iu',
);

/** Behind a question, by its answer alone: `If not, …`, `If they do, …`. */
export const answerWord: RegExp = new RegExp(
  String.raw`^(?:if|unless|when)\s+(?:so|not|yes|no|` +
    String.raw`(?:they|he|she|the\s+(?:user|guest|customer|visitor))\s+` +
    String.raw`(?:(?:do|does|did|are|is)(?:\s+not|n['’]t)?|(?:agree|refuse|decline)s?|` +
    String.raw`(?:say|answer)s?\s+["“]?(?:yes|no)["”]?))\s*[,:]\s*`,
  'iu',
);

/** `Then say so`: behind another sentence. */
export const nextWord: RegExp =
  /^(?:then|and(?:\s+then)?|next|afterwards|after that|puis|ensuite)[\s,]+/i;

/** What a condition of a value has: `1 if $x else 2`. */
export const anyElse: RegExp = anyCase('\\b(?:else|otherwise|sinon|if not)(?=\\b)');

export const endForm: RegExp = anyCase(
  '^(?:(?:please\\s+)?(?:end|exit|quit|stop|terminate|finish|close)(?:\\s+(?:the|this))?' +
    '\\s+(?:program|programme)|EndProgram(?:\\(\\))?|exit program|' +
    '(?:termine[rz]?|arrête[rz]?|fin\\s+d[ue])(?:\\s+le)?\\s+programme)\\s*[.!]?$',
);

/** `In all other cases:`, over a block. */
export const otherCases: RegExp = anyCase(
  '^(?:in (?:all|any|every) other cases?|dans (?:tous les|les) autres cas)\\s*[:.,]?$',
);

/** What a case may be one of. */
export const caseValue: string = String.raw`(?:"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?)`;
const caseValues = String.raw`${caseValue}(?:\s*(?:,|\||,?\s(?:or|ou)\s)\s*${caseValue})*`;
const caseEnd = '(?::|→|⇒|=>|->)';

/** One of several cases: `Case "a":`, `"a":`, `3 → F()`, `1 or 2:`, `> 5:`; or a label, `late:`. */
export const caseForm: RegExp = new RegExp(
  String.raw`^(?:(?:case|cas)\s+(?<named>${caseValues}|[^:"→⇒]+?)|` +
    String.raw`(?<literal>${caseValues}|(?:[<>]=?|[=!]=)\s*${caseValue})(?=\s*${caseEnd})|` +
    String.raw`(?<label>\p{L}[\p{L}\p{N} '’-]{0,40}?)(?=\s*${caseEnd}))` +
    String.raw`(?:\s*${caseEnd}(?<rest>[\s\S]*))?$`,
  'iu',
);

/** A value alone, over lines of its own. */
export const bareCase: RegExp = new RegExp(`^${caseValues}$`, 'iu');

/** Behind a comma, in a line that begins with a condition: another one. */
export const furtherIf: RegExp = anyCase('[,;]\\s*(?:and\\s+|but\\s+)?(?:if|unless|when)(?=\\b)');

/** `If any of these hold:`, over conditions. */
export const ofSeveral: RegExp = anyCase(
  '(?:any|all|one|both|either|none|each)(?:\\s+of)?\\s+(?:these|those|the\\s+following)' +
    '(?:\\s+(?:things|conditions|points|statements))?' +
    '(?:\\s+(?:holds?|appl(?:y|ies)|(?:is|are)\\s+(?:so|true|met)))?$',
);

/** What is left of them. */
export const defaultWord: RegExp = new RegExp(
  String.raw`^(?:(?:case|cas)\s+)?(?:default|_|\*|else|others?|(?:anything|everything) else|` +
    String.raw`any other(?:\s+\p{L}+)?|all (?:the )?others?|none of (?:these|them|the above))` +
    String.raw`\s*(?:${caseEnd}\s*|$)`,
  'iu',
);

/** In a line with its condition, what else is to be done: `…, else lend($y)`. */
export const inlineElse: RegExp = anyCase(
  '(?<!\\b(?:or|ou))\\s*[;,.]?\\s+(?:otherwise|else|sinon)(?=\\b)[\\s,:]+(?!if\\b|si\\b)',
);

/** The same with a condition of its own. */
export const inlineElseIf: RegExp = anyCase(
  '[;,.]?\\s+(?:(?:otherwise|else|sinon)[\\s,]+(?:if|si)|elif|elseif)(?=\\b)',
);

/** Before either of them. */
export const anyInlineElse: RegExp =
  /\s*[;,.]?\s+(?=(?:otherwise|else|elif|elseif|sinon)(?!\p{XIDC}))/giu;

export const waitWord: RegExp = anyCase(
  '^(?:wait|attend(?:re|s|ez)|(?:pause|sleep)(?=\\s+(?:for|until|\\$|\\d)))(?=\\b)',
);

export const thinkWord: RegExp = anyCase(
  '^(?:think|reflect|ask yourself|demande(?:-toi|z-vous)|réfléchi(?:r|s|ssez)|pense[rz]?)(?=\\b)',
);

export const askVerb: RegExp = anyCase('^(?:ask|prompt|inquire|enquire|demande[rz]?)(?=\\b)');

/** What tells something to somebody. */
export const tellVerb: RegExp = anyCase(
  '^(?:say|tell|greet|welcome|thank|inform|notify|remind|reply|respond|answer|congratulate|' +
    'apologi[sz]e|announce|wish|explain|describe|show|let(?=\\s+(?:the\\s+)?\\w+\\s+know\\b)|' +
    'dire|dis|dites|salue[rz]?|remercie[rz]?|informe[rz]?|' +
    'annonce[rz]?|souhaite[rz]?|accueille[rz]?)(?=\\b)',
);

/** Of those, the ones that need no person behind them. */
export const sayVerb: RegExp = anyCase('^(?:say|dire|dis|dites|announce|annonce[rz]?)(?=\\b)');

/** Words for the person that a program talks with. */
export const personNoun: string =
  'user|users|human|visitor|customer|client|caller|guest|rider|traveller|traveler|' +
  'passenger|candidate|applicant|colleague|employee|patient|student|shopper|buyer|tenant|' +
  "reporter|person|player|utilisateur|utilisatrice|l'utilisateur|visiteur|personne";

/** How somebody is talked to, as a part of what is said and asked: `ask again`, `be brief`. */
export const talkManner: RegExp = new RegExp(
  String.raw`${askVerb.source}|${tellVerb.source}|^(?:please\s+)?(?:be|do\s+not|don['’]t|never|` +
    String.raw`stay|suggest|offer|repeat|rephrase|help|try)(?!\p{XIDC})`,
  'iu',
);

/** What says a text in quotes, and nothing else. */
export const literalVerb: RegExp = anyCase(
  '^(?:(?:tell|inform|remind)\\s+(?:the\\s+)?(?:user|customer|visitor|guest|them)(?=\\s*:)|' +
    'say|reply|respond|answer|print|output|display|show|write|dire|dis|dites|announce|' +
    'annonce[rz]?|réponds?|affiche[rz]?)(?:\\s+(?:with|avec))?\\s*:?\\s*(?=["\'“„«])',
);

const askedNames =
  `(\\$${namePattern}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+)` +
  `(?:the\\s+|their\\s+)?\\$${namePattern})*)`;

/** `Get $city from the user`: what is asked for. */
export const askedFor: RegExp = new RegExp(
  `^(?:get|request|obtain|collect|gather)\\s+(?:(?:the|their|a|an)\\s+)?(?:user'?s?'?s?\\s+)?` +
    askedNames +
    '\\s+from\\s+(?:the\\s+)?(?:user|visitor|customer|human)[.!]?$',
  'iu',
);

/** `Collect the user's $email and $phone`, which is from nobody else. */
export const askedOf: RegExp = new RegExp(
  "^(?:request|collect|gather)\\s+(?:the\\s+)?(?:user|visitor|customer)['’]s\\s+" +
    `${askedNames}[.!]?$`,
  'iu',
);

/** `… and go back to step 1`, `… et terminer le programme`: a second statement. */
export const andThen: RegExp = new RegExp(
  String.raw`^([\s\S]+?),?\s+(?:and|et)\s+((?:end|exit|wait|return \$|go|jump|skip|break|` +
    'continue|start over|start again|restart|stop the|leave the|termine|attend|' +
    String.raw`recommence)[\s\S]*)$`,
  'i',
);

/** Behind a text in quotes, what is no more saying: `Say "Closed" and stop`. */
export const saidAndMore: RegExp = anyCase(
  '["”»]\\s*,?\\s*(?:and|then|and then|et|puis)\\s+(?:stop|skip|leave|end|quit|exit|go|jump|' +
    'return|continue|start|restart|repeat|break|call|run|set|increase|terminer|retourner|' +
    'continuer)\\b[^"“«]*$',
);

export const personWord: RegExp = anyCase(
  `\\b(?:${personNoun}|them|him|her|they|everyone|everybody)\\b`,
);

/** Of those, the ones that say who it is. */
export const namedPerson: RegExp = anyCase(`\\b(?:${personNoun}|someone|somebody|people)\\b`);

export const callWord: RegExp = anyCase(
  '^(?:call|run|do(?=\\s+\\w+\\()|invoke|execute|trigger|' +
    'appele[rz]?|appelle|exécute[rz]?|lance[rz]?)\\s+',
);

export const jumpForm: RegExp = anyCase(
  // Who skips a step does not go there.
  '^(?:then\\s+)?(?:go|jump|skip(?=\\s+(?:back\\s+|ahead\\s+)?to\\b)|return|goto|loop|' +
    'continue|resume|aller|va|allez|retourne[rz]?|' +
    '(?:repeat|start(?:\\s+(?:over|again))?|begin\\s+again|recommence[rz]?|reprends?|reprenez)' +
    '(?=\\s+(?:everything\\s+|all\\s+)?(?:from|at|à)\\b)(?:\\s+(?:everything|all))?)' +
    "(?:\\s+back)?(?:\\s+(?:to|at|from|with|à|a|vers))?(?:\\s+(?:the|l'))?\\s*" +
    '(?:step|line|étape|ligne)\\s+(\\d+(?:\\.\\d+)*)\\s*[.!]?$',
);

/** `Go to 3`, where a number alone can be nothing but that of a step. */
export const jumpNumberForm: RegExp =
  /^(?:goto|(?:go|jump|skip)\s+(?:back\s+)?to)\s+(\d+(?:\.\d+)*)\s*[.!]?$/i;

export const restartForm: RegExp = anyCase(
  '^(?:start over|start again|begin again|restart|recommence[rz]?)\\s*[.!]?$|' +
    '^(?:repeat|restart|loop|(?:start|begin)\\s+(?:over|again)|' +
    '(?:go|jump|return|loop)(?:\\s+back)?)' +
    '(?:\\s+(?:everything|all|it all))?\\s+(?:from|at|to|with)\\s+the\\s+(?:very\\s+)?' +
    '(?:(?:beginning|start|top)(?:\\s+of\\s+(?:the|this)\\s+(?:playbook|steps|list))?|' +
    'first\\s+(?:step|line))\\s*[.!]?$',
);

/** `Go back to asking for a day`, `Repeat from "Ask for a day"`: to another line. */
export const backForm: RegExp = anyCase(
  '^(?:(?:go|jump|return|loop)(?:\\s+back)?\\s+to|(?:repeat|start\\s+again|begin\\s+again)\\s+' +
    '(?:from|at|with))\\s+(?:the\\s+(?:step|line)\\s+)?(?:where\\s+(?:you|we)\\s+)?' +
    '([\\s\\S]+?)[.!]?$',
);

/** What leaves, goes back or on, by a word that has no object: `and exit`, `and try again`. */
export const goingForm: RegExp = anyCase(
  '^(?:(?:please|just|simply)\\s+)?(?:(?:exit|quit|stop|end|finish|leave|terminate|close|return|' +
    'repeat|retry|redo|restart|loop|continue|proceed|break|go|start|begin|move|carry)' +
    '(?:\\s+(?:back|again|over|here|there|now|then|from|to|on|with|at|off|out|up|if|unless|when|' +
    'program(?:me)?)(?=\\W|$)|\\W*$)|give\\s+up(?=\\W|$)|(?:try|look|check)\\s+again(?=\\W|$)|' +
    'have\\s+another\\s+(?:look|try|go)(?=\\W|$))',
);

/** `Repeat from the first step` goes there, and is no head of a loop. */
export const repeatFrom: RegExp =
  /^(?:repeat|répéte[rz]|répète)\s+(?:(?:everything|all)\s+)?(?:from|at|with|step|line)\b/i;

/** Anywhere in a line that only a model understands. */
export const backWords: RegExp = anyCase(
  '\\b(?:back\\s+(?:to|at)|repeat|again|once\\s+more|(?:re)?start\\s+(?:over|from)|restart|' +
    'return\\s+to)\\b',
);

export const breakForm: RegExp = anyCase(
  '^(?:break(?:\\s+out(?:\\s+of)?)?|exit|leave|end|stop|quitte[rz]?)(?:\\s+(?:the|this|la))?' +
    '(?:\\s+(?:inner(?:most)?|current))?(?:\\s+(?:loop|boucle))\\s*[.!]?$|^break\\s*[.!]?$',
);

export const continueForm: RegExp = anyCase(
  '^continue[rz]?(?:\\s+(?:with|avec))?(?:\\s+(?:the|la))?(?:\\s+(?:loop|boucle))\\s*[.!]?$|' +
    '^(?:continue|go on|move on|skip|go)\\s+(?:(?:with|to)\\s+)?(?:the\\s+)?' +
    'next\\s+(?:item|one|iteration|round)\\s*[.!]?$|^continue[rz]?\\s*[.!]?$',
);

/** `Continue with the next $bike`: of the loop over bikes, which need not be the innermost one. */
export const nextItemForm: RegExp = anyCase(
  '^(?:continue|go on|move on|proceed|skip|go)\\s+(?:(?:with|to)\\s+)?(?:the\\s+)?next\\s+' +
    `\\$?(${namePattern})\\s*[.!]?$`,
);

export const checkForm: RegExp = anyCase(
  '^(?:check|apply|follow|observe|mind|see|applique[rz]?|respecte[rz]?)\\s+(?:the\\s+)?' +
    '(?:notes?\\s+|remarque\\s+)?(N\\d+)\\b',
);

/** What a note is minded for; not when, and no other note. */
export const ofNote: RegExp = anyCase(
  '^(?:\\s*[,:]?\\s*(?:for|about|on|of|with|regarding|pour)\\s' +
    '(?!.*\\b(?:N\\d|if|unless|only|or)\\b).*)?$',
);

/** `…; keep talking until they name one`: the talk goes on until something holds. */
export const talkUntil: RegExp = anyCase(
  '^([\\s\\S]*?)\\s*[;,.]\\s*(?:(?:keep|continue)\\s+\\w+|repeat|done|try again)\\s+' +
    '(?:until|when|once|after)\\s+([\\s\\S]+)$',
);

/** `Get $bikes from FreeBikes($day)`: the variable, and what gives its value. */
export const getForm: RegExp = new RegExp(
  '^(?:get|fetch|obtain|load|retrieve|read|find|obtenir|obtiens)\\s+(\\$\\p{XIDC}+)\\s+' +
    '(?:from|using|with|by calling|via|de|avec)\\s+([\\s\\S]+)$',
  'iu',
);

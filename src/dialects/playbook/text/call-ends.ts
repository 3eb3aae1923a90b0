/** Words that say of a call how it ends: that it fails, and not what it gives. */

/** Whether those around a call do. */
export const isOfEnd = (before: string, behind: string): boolean =>
  ends.test(behind) || anError.test(before);

const endings = [
  ...['fail(?:s|ed|ing)?', 'succe(?:eds?|eded|ssful)', 'unsuccessful', 'works?', 'worked'],
  ...['crash(?:es|ed)?', '(?<!ha[sd]\\s|have\\s)errors', 'errors?\\s+out', 'errored'],
  ...['an?\\s+(?:success|failure)', 'tim(?:es?|ed)\\s+out', '(?:raise|throw)s?'],
  ...['(?:go|goes|went|gone)\\s+(?:well|wrong|through)', 'échou\\p{L}*', 'réussi\\p{L}*'],
  '(?:raise|throw|return|give|yield|report|cause|get|produce|end)(?:s|ed)?(?:\\s+(?:in|with))?' +
    '\\s+(?:an|some|any|no)\\s+(?:error|exception)',
];

const auxiliary =
  "(?:ever|again|still|not|(?:(?:ha[sd]|have|is|was|does?|did|will|would|could)(?:n['’]t)?)|can|" +
  "can['’]t|cannot|won['’]t)";

const ends = new RegExp(
  String.raw`^(?:\s+${auxiliary})*\s+(?:${endings.join('|')})(?!\p{XIDC})`,
  'iu',
);

const anError = /\b(?:an|any|some|no)\s+(?:error|exception)\s+(?:\p{L}+\s+){0,3}$/iu;

/** Numbers in what models and datasets write. */

/**
 * A text that is a number and nothing else, by the rule of Python's `float`, which published scores
 * were made with; undefined for any other text.
 */
export function floatOf(text: string): number | undefined {
  const bare = text.trim();
  if (/^[+-]?(\d+(_\d+)*(\.(\d+(_\d+)*)?)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i.test(bare)) {
    return Number(bare.replaceAll('_', ''));
  }
  const word = /^([+-]?)(inf(inity)?|nan)$/i.exec(bare);
  if (!word) return undefined;
  if (word[2]?.toLowerCase() === 'nan') return Number.NaN;
  return word[1] === '-' ? -Infinity : Infinity;
}

const scales: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

const number = new RegExp(
  [
    // A digit that belongs to a name (H2O) begins no number.
    String.raw`(?<![\p{L}\d.,])`,
    // A hyphen between two words or numbers is not a sign.
    String.raw`(?<sign>(?<![\p{L}\d)])[-−])?\p{Sc}?`,
    // Either separators of thousands throughout, or none: 1,5 may be one number or two.
    String.raw`(?<digits>\d{1,3}(?:[,\u00A0\u202F ']\d{3})+(?!\d)|\d+(?!\d|,\d))`,
    String.raw`(?<fraction>\.\d+)?(?<power>e[+-]?\d+)?`,
    String.raw`\s*(?<scale>thousand|million|billion|trillion)?`,
  ].join(''),
  'giu',
);

/**
 * The one number that a text says, whatever its unit, with separators of thousands and words such
 * as *million*; undefined where it says none, or several that differ.
 */
export function onlyNumberIn(text: string): number | undefined {
  const values = new Set<number>();
  for (const { groups = {} } of text.matchAll(number)) {
    const { sign, digits = '', fraction = '', power = '', scale = '' } = groups;
    const value = Number(digits.replace(/\D/g, '') + fraction + power);
    values.add((sign ? -value : value) * (scales[scale.toLowerCase()] ?? 1));
  }
  const [only] = values;
  return values.size === 1 ? only : undefined;
}

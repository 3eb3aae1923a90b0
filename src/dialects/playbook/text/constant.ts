/** Conditions whose outcome is known before anything runs: `1 == 2`, `x > 5 and x < 3`. */

/** What is filled in is written down nowhere. */
const literal = `([-+]?\\d+(?:\\.\\d+)?|"[^"{]*"|'[^'{]*'|true|false|null|none)`;

const comparison = new RegExp(
  `^${literal}\\s*(==|=|!=|<=|>=|<|>|is not equal to|is equal to|equals|is not|is)\\s*${literal}$`,
  'i',
);

const alone = new RegExp(`^${literal}$`, 'i');

/** Whether it holds, always; undefined for a condition whose outcome is not written down. */
export function constantOf(condition: string): boolean | undefined {
  const text = condition
    .trim()
    .replace(/^(?:when(?:ever)?|if|while|as long as|otherwise if|else if|elif)\s+/i, '')
    .replace(/[.:,]$/, '')
    .trim();
  const ored = text.split(/\s+or\s+/i);
  if (ored.length > 1) return joined(ored, true);
  const anded = text.split(/\s+and\s+/i);
  if (anded.length > 1) return joined(anded, false);
  const [only] = alone.exec(text) ?? [];
  if (only !== undefined) return isTruthy(constantIn(only));
  const [, left = '', sign = '', right = ''] = comparison.exec(text) ?? [];
  return sign === ''
    ? undefined
    : compared(constantIn(left), sign.toLowerCase(), constantIn(right));
}

/** One part decides, where it is as `decides`; else all have to be written down. */
function joined(parts: readonly string[], decides: boolean): boolean | undefined {
  const all = parts.map(constantOf);
  if (all.includes(decides)) return decides;
  return all.includes(undefined) ? undefined : !decides;
}

type Constant = string | number | boolean | null;

function constantIn(text: string): Constant {
  if (/^["']/.test(text)) return text.slice(1, -1);
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  return word === 'null' || word === 'none' ? null : Number(text);
}

const isTruthy = (value: Constant): boolean => value !== null && value !== '' && Boolean(value);

function compared(left: Constant, sign: string, right: Constant): boolean | undefined {
  if (['==', '=', 'is', 'equals', 'is equal to'].includes(sign)) return left === right;
  if (['!=', 'is not', 'is not equal to'].includes(sign)) return left !== right;
  if (typeof left !== typeof right || left === null || right === null) return undefined;
  if (sign === '<') return left < right;
  if (sign === '>') return left > right;
  return sign === '<=' ? left <= right : left >= right;
}

/** `x > 5 and x < 3`, `x != x`, `x == 3 and x != 3`: nothing is all of that. */
export function isNever(condition: string): boolean {
  if (/\bor\b/.test(condition)) return false;
  const all = condition.split(/\s+and\s+/).flatMap(comparisonIn);
  return all.some((one, at) => {
    const isOther = one.value === one.name && !(ways[one.operator] ?? '').includes('a');
    return isOther || all.slice(at + 1).some((other) => isExcluded(one, other));
  });
}

interface Compared {
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

function comparisonIn(part: string): Compared[] {
  const [, name, operator, value] = /^(\p{XIDC}+) (==|!=|<=|>=|<|>) (.+)$/u.exec(part.trim()) ?? [];
  return name && operator && value ? [{ name, operator, value }] : [];
}

/** How what it compares with may lie to what it is compared with: below, at it, above, apart. */
const ways: Readonly<Record<string, string>> = {
  ...{ '<': 'b', '<=': 'ba', '==': 'a', '>=': 'ac', '>': 'c', '!=': 'bcn' },
};

/** Whether two cannot hold at once. */
function isExcluded(one: Compared, other: Compared): boolean {
  if (one.name !== other.name) return false;
  const [own, others] = [ways[one.operator] ?? '', ways[other.operator] ?? ''];
  if (one.value === other.value) return ![...own].some((way) => others.includes(way));
  const [low, high] = [Number(one.value), Number(other.value)];
  if (Number.isNaN(low) || Number.isNaN(high)) {
    const isBoth = own === 'a' && others === 'a';
    return isBoth && alone.test(one.value) && alone.test(other.value);
  }
  return low < high
    ? !own.includes('c') && !others.includes('b')
    : !own.includes('b') && !others.includes('c');
}

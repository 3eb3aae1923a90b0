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
  const text = bareCondition(condition);
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

/** Without the words around it. */
export const bareCondition = (text: string): string =>
  text
    .trim()
    .replace(/^(?:when(?:ever)?|if|while|as long as|otherwise if|else if|elif)\s+/i, '')
    .replace(/[.:,]$/, '')
    .trim();

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

/** Lists within a sentence that a model or a person is told: of a long one the beginning. */

/** Items that are named. */
const listedMax = 20;

/** `01, 02 and 2998 more`. */
export function listed(items: readonly string[], separator = ', '): string {
  if (items.length <= listedMax + 1) return items.join(separator);
  const rest = items.length - listedMax;
  return `${items.slice(0, listedMax).join(separator)} and ${rest} more`;
}

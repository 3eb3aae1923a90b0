/** What models and tools say that they have used: data from outside, which may be anything. */

/** More tokens, or dollars, than any one call has. */
const countMax = 1e9;

/** Whether a model may have counted so many tokens for one call. */
export const isTokenCount = (count: unknown): count is number =>
  isAmount(count) && Number.isInteger(count);

/** Whether a call may have cost so much. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= countMax;

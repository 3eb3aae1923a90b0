/** A reply in the form that models are taught: an operation a line. */
export const ops = (...operations: readonly object[]): string =>
  operations.map((one) => JSON.stringify(one)).join('\n');

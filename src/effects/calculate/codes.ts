/** The code of the `calculate` tool, with one line for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4205: 'An expression cannot be computed.',
};

/** The code of `Table`, with one line for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4731: 'The rows of a table do not fit its headers.',
};

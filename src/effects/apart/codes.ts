/** The codes of work that is done apart, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4900: 'A tool needs a package that is not installed.',
  PV4901: 'A tool would need more memory than it may have.',
  PV4902: 'A thread that a tool works in has ended without a result.',
  PV4903: 'A text could not be matched with a pattern of a schema in time.',
};

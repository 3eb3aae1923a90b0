/** The codes of the clock's tools, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4601: 'A pause is not a number of seconds that can be waited for.',
  PV4602: 'A random number was asked for out of no range.',
  PV4603: 'A text is no date that can be read, or may be one of two days.',
};

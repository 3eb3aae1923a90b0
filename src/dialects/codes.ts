/** What can be said about a program before its dialect is known, and about any of them. */
export const codes: Readonly<Record<string, string>> = {
  PV2001: 'There is no dialect of that name.',
  PV2002: 'The text is a program in no dialect.',
  PV2006: 'A tool is called and what has to come first is not called before it.',
  PV2007: 'The text is not in UTF-8.',
};

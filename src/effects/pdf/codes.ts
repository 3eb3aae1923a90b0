/** The codes of reading PDF files, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4910: 'A file is no PDF, or a broken one.',
  PV4911: 'A PDF file is locked with a password.',
  PV4912: 'A PDF file is too large.',
  PV4913: 'Pages are asked for that a PDF file does not have.',
};

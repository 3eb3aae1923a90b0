/** The codes of what is remembered, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4970: 'Nothing is remembered under a key.',
  PV4971: 'There is no todo of a number.',
  PV4972: 'The file of what is remembered cannot be opened or written.',
};

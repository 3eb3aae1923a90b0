/** The codes of questions to people, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4501: 'A question is put in a way that nobody can answer.',
  PV4502: 'A question was asked where there is no run that could wait for the answer.',
};

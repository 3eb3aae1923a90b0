/** The codes of profiles of LinkedIn, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4790: 'What should be the address of a profile of LinkedIn is none.',
  PV4791: 'LinkedIn shows a profile to nobody who is not signed in.',
  PV4792: 'LinkedIn wants a person to prove that it is one.',
  PV4793: 'LinkedIn has no such profile.',
};

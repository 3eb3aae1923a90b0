/** The codes of `Search`, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4711: 'Wikipedia has no article of that title.',
  PV4712: 'A title stands for several articles.',
};

/** The codes of tools that use a browser, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4754: 'No browser is there, or it does not start.',
  PV4755: 'A step in a browser has failed.',
  PV4756: 'A browser cannot open a page.',
  PV4757: 'A secret may not be filled in here, or is not set.',
  PV4758: 'Steps for a browser are written wrongly.',
};

/** The codes of function tools, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4200: 'A tool is declared in a wrong way.',
  PV4201: 'The arguments have the right types, and do not fit the rest of the tool’s schema.',
  PV4202: 'The tool threw an error.',
  PV4203: 'The arguments cannot be checked: the tool’s JSON Schema is none.',
  PV4204: 'Tools without an effect class run as writes.',
  PV4207: 'A program gives a parameter that a person has pinned another value.',
  PV4208: 'A pinned parameter refers to a variable that is not set.',
};

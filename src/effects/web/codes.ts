/** The codes of tools that ask a service over HTTP, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4701: 'A service could not be reached, or its answer broke off.',
  PV4702: 'A service is overloaded, or fails.',
  PV4703: 'What a service answered is not what it should be.',
  PV4704: 'A service refused a request.',
};

/** The codes of tools that ask a service over HTTP, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4701: 'A service could not be reached, or its answer broke off.',
  PV4702: 'A service is overloaded, or fails.',
  PV4703: 'What a service answered is not what it should be.',
  PV4704: 'A service refused a request.',
  PV4741: 'An address may not be reached: it is inside, or is none of the web.',
  PV4742: 'An address leads on in a circle, too often, or to nowhere.',
  PV4743: 'What an address sends is larger than allowed.',
  PV4744: 'What an address sends is packed in a way that cannot be read.',
};

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
  PV4745: 'A site does not want a page to be fetched by programs.',
  PV4746: 'What an address has is no text: a picture, an archive, a film.',
  PV4747: 'A site has no such page, or does not give it.',
  PV4748: 'A page has no text; where it makes it by scripts, a browser reads it.',
  PV4749: 'No search engine is configured, or not the one that is wanted.',
  PV4751: 'What is to be downloaded is no address, or its parts are named wrongly.',
  PV4753: 'The program that reads scanned pages has failed.',
};

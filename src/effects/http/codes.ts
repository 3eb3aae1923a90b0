/** The codes of tools that are requests over HTTP, with one line each for the reference page. */
export const codes: Readonly<Record<string, string>> = {
  PV4950: 'A tool over HTTP is described in a way that makes none.',
  PV4951: 'A document that should describe an interface cannot be read, or is none of OpenAPI 3.',
  PV4952: 'A request needs a key that the environment does not have.',
  PV4954: 'An argument cannot stand in a request in its place.',
  PV4955: 'What a service answered is no JSON, although it says so.',
};

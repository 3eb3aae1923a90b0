/** The codes of MCP servers, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4801: 'A file that names MCP servers cannot be read, or names one in a wrong way.',
  PV4802: 'The configuration of an MCP server names a variable that is not set.',
  PV4803: 'An MCP server cannot be started or reached.',
  PV4804: 'An MCP server has gone, or has cut the connection, before it answered.',
  PV4805: 'An MCP server answered with something that is no answer of its protocol.',
  PV4806: 'A tool of an MCP server answered that it failed.',
  PV4807: 'An MCP server refused a request.',
  PV4808: 'An MCP server ends again and again, and is left alone for a while.',
  PV4809: 'An MCP server wants to know who asks.',
  PV4811: 'An MCP server has asked a person, and had no answer.',
  PV4812: 'Logging in at an MCP server has failed.',
  PV4814: 'An MCP server answered with a message that is larger than results may be.',
};

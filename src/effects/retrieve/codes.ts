/** The codes of the knowledge base, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4300: 'There is no knowledge base yet.',
  PV4301: 'The knowledge base holds nothing.',
  PV4302: 'The file is not a knowledge base, or cannot be opened.',
  PV4303: 'The knowledge base was written by a newer planvm.',
  PV4304: 'Another process is writing to the knowledge base.',
  PV4305: 'A query is not text, or holds no word to search for.',
  PV4306: 'A number of results is out of range.',
  PV4307: 'A depth is out of range.',
  PV4308: 'The embedding model failed.',
  PV4309: 'Vectors do not fit the texts, or those that the knowledge base has of the same model.',
  PV4310: 'A path to load does not exist, or nothing was named.',
  PV4311: 'A file could not be loaded: its text is malformed at a line that is named.',
  PV4312: 'A file was skipped: its type is not loaded.',
  PV4313: 'A file was skipped: it is too large.',
  PV4314: 'A file was skipped: it is binary, or not UTF-8.',
  PV4315: 'A file was skipped: it cannot be read.',
  PV4320: 'A query in SPARQL is wrong, or does more than read.',
  PV4321: 'A query in SPARQL has a larger result than one call returns.',
  PV4322: 'The knowledge graph holds no facts, or more than a query in SPARQL looks at.',
};

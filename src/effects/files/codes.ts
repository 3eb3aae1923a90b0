/** The codes of reading and writing files, with one line each for the reference page. */

export const codes: Readonly<Record<string, string>> = {
  PV4920: 'A path leads out of the folders that tools may use.',
  PV4921: 'There is no such file or folder.',
  PV4922: 'A file is larger than one call reads or writes.',
  PV4923: 'A path is not that of a regular file.',
  PV4924: 'A file is not text, or not in the encoding that is named.',
  PV4925: 'A file is there already, with another content.',
  PV4926: 'The system refuses to read or write a file.',
  PV4927: 'Lines are asked for that a file does not have.',
  PV4928: 'A pattern matches more files than one call lists.',
};

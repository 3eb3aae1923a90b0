/** The codes of what a journal refuses or cannot do, with one line each for the reference page. */

export const codes = {
  PV5001: 'Another live process owns the run.',
  PV5002: 'The run was taken over by another process.',
  PV5003: 'The journal has no such run.',
  PV5004: 'The journal already has a run with this id.',
  PV5005: 'An event is not plain data and cannot be written down.',
  PV5006: 'A fork cannot begin where its base has no event.',
  PV5010: 'This Node carries a version of SQLite that can damage journals.',
  PV5011: 'The file is not a journal.',
  PV5012: 'The journal was written by a newer planvm.',
  PV5013: 'The journal is damaged.',
  PV5014: 'Another process keeps the journal locked.',
  PV5015: 'The journal cannot be written: its file or folder is read-only, so it can only be read.',
  PV5016: 'The disk is full.',
  PV5017: 'The journal cannot be opened.',
  PV5018: 'SQLite failed in a way that planvm does not know.',
  PV5019: 'The journal is closed.',
  PV5020: 'The file is not an export of a run.',
  PV5021: 'The export of a run was damaged or edited.',
  PV5022: 'The export of a run was written by a newer planvm.',
  PV5023: 'A run is too long for one file.',
} as const;

export type JournalCode = keyof typeof codes;

/**
 * The codes of the terminal: wrong usage, configuration, and what only commands do. Commands use
 * those of the agent layer, too.
 */

export const codes = {
  PV6001: 'The command line names an unknown command or option, or lacks an argument.',
  PV6004: 'A configuration file holds a setting that is unknown or has a wrong value.',
  PV6005: 'An environment variable holds a value that the setting does not take.',
  PV6019: 'A tool or a configuration has thrown where nobody waits for it.',
  PV6029: 'What a command says cannot be written: the disk that it goes to is full, or gone.',
  PV6023: 'A tool kept planvm from doing anything for longer than it may take.',
  PV6024: 'The page of a run cannot be written.',
  PV6028: 'Spans and metrics need packages that are not installed.',
  PV6030: 'A run that a process has cannot be deleted.',
  PV6054: 'The report of a test cannot be written.',
  PV6902: 'The server would let others in, and asks for no token.',
  PV6903: 'The server cannot listen at its address.',
  PV6702: 'An editor cannot be started, or fails.',
  PV6707: 'A conversation cannot be written into a file.',
  PV7505: 'What stands on stdin is no text, or larger than a value may be.',
} as const;

export type CliCode = keyof typeof codes;

/** The codes of wrong usage and configuration, with one line each for the reference page. */

export const codes = {
  PV6001: 'The command line names an unknown command or option, or lacks an argument.',
  PV6002: 'The value of an option is not of the form that the option wants.',
  PV6003: 'A configuration file cannot be read or run.',
  PV6004: 'A configuration file holds a setting that is unknown or has a wrong value.',
  PV6005: 'An environment variable holds a value that the setting does not take.',
  PV6006: 'A file that the command line names cannot be read.',
  PV6007: 'An input variable cannot be read, or is given twice.',
  PV6008: 'A tools file cannot be loaded.',
  PV6009: 'A tools file declares a tool in a wrong way.',
  PV6010: 'A tools file declares tools but holds no functions to run them.',
  PV6011: 'No model is configured, and the program calls one.',
  PV6012: 'No run, or more than one, is meant by an id.',
  PV6013: 'The command line names a tool that does not exist.',
  PV6014: 'A file that would be written is already there.',
  PV6018: 'Interrupted before anything was run.',
  PV6019: 'A tool or a configuration has thrown where nobody waits for it.',
  PV6020: 'A budget was used up before anything was run.',
  PV6021: 'A control loop of the user is no valid program.',
  PV6022: 'The folder that runs and knowledge are kept in cannot be made.',
  PV6023: 'A tool that cannot be interrupted kept planvm from doing anything for too long.',
  PV6024: 'The page of a run cannot be written.',
  PV6030: 'A run that a process has cannot be deleted.',
  PV6025: 'A program, an input or a goal holds a secret of the environment.',
  PV6041: 'No saved plan, or more than one, is meant by an id.',
  PV6042: 'The command line names a step that the run does not have, or has not come to.',
  PV6043: 'The run has nothing in it that the command could save, change or judge.',
  PV6031: 'A step cannot be put in place of another one.',
  PV6099: 'A defect of planvm.',
} as const;

export type CliCode = keyof typeof codes;

/**
 * What reading a model's JSON can meet: the errors after which there is no value, and the repairs,
 * each of which the caller shows as a warning at its place. `PV1010` is for callers to judge: an
 * answer cut short may still be of use, a program cut short is not.
 */
const table = {
  PV1001: 'The text holds no JSON value.',
  PV1002: 'The text is larger than the limit.',
  PV1003: 'The JSON is nested more deeply than the limit.',
  PV1004: 'Something stands where JSON wants something else.',
  PV1005: 'NaN, Infinity or undefined: JSON has no such value.',
  PV1006: 'A number that is too large, or not written as JSON writes numbers.',
  PV1007: 'The text ends inside its thinking: no answer follows.',
  PV1008: 'Something follows the value.',
  PV1009: 'Two answers hold a list each: nobody can tell which one is meant.',
  PV1010: 'The text ends in the middle of the JSON; the unfinished part was dropped.',
  PV1011: 'A bracket that was never closed; it was closed.',
  PV1012: 'A closing bracket that closes nothing; it was left out.',
  PV1013: 'A comma too many; it was left out.',
  PV1014: 'A comma is missing; it was added.',
  PV1015: 'A comment; it was left out.',
  PV1016: "Quotes that are not JSON's.",
  PV1017: 'A key without quotes.',
  PV1018: "A literal in another language's spelling.",
  PV1019: 'A line break or control character inside a string.',
  PV1020: 'An escape that JSON does not have.',
  PV1024: 'The list stands inside an object; the list was taken.',
  PV1025: 'A code fence that is never closed.',
  PV1026: 'Another list or object stands beside the one that was read.',
  PV1027: 'Objects without the brackets of a list; they were taken as one.',
  PV1028: 'More repairs than are listed.',
};

export type Code = keyof typeof table;

export const codes: Readonly<Record<Code, string>> = table;

/** The code of the repair that says the text was cut short. */
export const truncated: Code = 'PV1010';

/** Whether a part of what was written is missing: the end of a text that has none took it along. */
export const dropsPart = ({ code, message }: Pick<Repair, 'code' | 'message'>): boolean =>
  code === truncated && message.endsWith('was dropped');

/** The code of the error that there is thinking and nothing behind it. */
export const endlessThinking: Code = 'PV1007';

/** The code of the error that two lists claim to be the one. */
export const secondList: Code = 'PV1009';

/** Something that was mended on the way; `start` is an offset in the text. */
export interface Repair {
  readonly code: Code;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
}

/** Why no value could be read. */
export interface ReadError {
  readonly code: Code;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly hint?: string;
}

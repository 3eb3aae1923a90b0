/** What the engine fails with: its codes, and the error of a run that it cannot go on with. */
import type { Json } from '../program/json.ts';

/** Every code the engine gives an effect's failure (40xx) or a run that stops (51xx). */
export const codes = {
  PV4001: 'The arguments do not fit the tool’s parameters.',
  PV4002: 'The tool returned undefined.',
  PV4003: 'The tool returned something that is not data.',
  PV4004: 'The tool returned a value larger than the limit.',
  PV4005: 'The tool did not answer in time.',
  PV4006: 'The tool ended in an exception that does not say what was done.',
  PV4007: 'A person decided that an effect in doubt has failed.',
  PV4008: 'All calls of a race have failed.',
  PV4009: 'A stream broke off, and gave other parts when it was asked for again.',
  PV4010: 'A person has put a failure in place of an outcome, in a fork.',
  PV4020: 'A person did not approve what was to be performed.',
  PV4021: 'Nobody answered a question in time.',
  PV4022: 'A tool is left alone because many attempts in a row could not reach it.',
  PV4023: 'A tool has asked a person, who has not answered yet.',
  PV4024: 'The run within an effect, which was to make its outcome, has stopped.',
  PV4025: 'Another process has the run within an effect.',
  PV4026: 'The tool makes its outcome by a program, and is called outside of any run.',
  PV4027: 'An imported run within an effect has another program than the effect gives it.',
  PV4120: 'There is a budget in USD, and the price of the model is not known.',
  PV5101: 'A budget of the run is used up, or too little of it is left.',
  PV5102: 'Nobody knows whether an effect happened.',
  PV5103: 'The program asks for something else than the journal has recorded.',
  PV5104: 'A tool that the run needs is not configured.',
  PV5105: 'The journal has no such run, or no program for it.',
  PV5106: 'The run has ended; there is nothing to resume.',
  PV5107: 'The run was cancelled or interrupted.',
  PV5108: 'The program in the journal no longer compiles.',
  PV5109: 'The run waits for nothing: a defect of planvm.',
  PV5110: 'The run has no such step, effect or event.',
  PV5111: 'A run cannot have this id.',
  PV5112: 'A run of this id exists already, of the same request.',
  PV5113: 'The id is that of a run of another request.',
  PV5114: 'Metadata of a run is not a small object of JSON data.',
  PV5120: 'A call kept the process from doing anything else, for longer than it may take.',
  PV5131: 'The program of a fork differs before the step that it forks at.',
  PV5132: 'A fork sets a variable that there is not.',
  PV5133: 'A fork changes the outcome of an effect that its base does not have.',
  PV5134: 'The program of a fork is not valid.',
  PV5135: 'A fork does without a write of its base, and a person did not approve that.',
  PV5140: 'The run waits for a person: an answer or an approval.',
  PV5141: 'The run waits for a moment that is far away.',
  PV5142: 'The run does not wait for this answer or approval.',
  PV5143: 'The run waits for several, and it is not clear which one is meant.',
  PV5144: 'An answer does not fit the question.',
  PV5145: 'A decision is about an effect that is not in doubt.',
  PV5150: 'What tools declare of each other cannot be kept.',
  PV5190: 'A run that was rebuilt is another one: a defect of planvm.',
} as const;

export type EngineCode = keyof typeof codes;

/** The engine cannot start or go on with a run. Whatever the journal has stays as it is. */
export class RunError extends Error {
  override readonly name: string = 'RunError';
  readonly code: EngineCode;
  readonly hint: string | undefined;
  /** That it is about. */
  readonly run: string | undefined;
  /** Of that run. */
  readonly step: string | undefined;
  /** What the message says, for programs. */
  readonly facts: Readonly<Record<string, Json>>;

  constructor(code: EngineCode, message: string, details: RunErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.run = details.run;
    this.step = details.step;
    this.facts = details.facts ?? {};
  }
}

export interface RunErrorDetails {
  readonly hint?: string;
  readonly run?: string;
  readonly step?: string;
  readonly facts?: Readonly<Record<string, Json>>;
  readonly cause?: unknown;
}

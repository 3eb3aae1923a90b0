/** An error of the guest program on its way from an instruction to the run loop. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The machine was given what it cannot run: a fault of the host, not of the guest program. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A text that breaks the rules of its format. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
  /** From 1. */
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

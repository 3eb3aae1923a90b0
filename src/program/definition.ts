/** A function that one program has defined and others may take over, with what is said of it. */
export interface Definition {
  readonly name: string;
  /** `name(a, b = 1)` */
  readonly signature: string;
  /** The first line of its documentation; may be empty. */
  readonly about: string;
  /** From the comment above it, or from `def`, to its last line. */
  readonly text: string;
}

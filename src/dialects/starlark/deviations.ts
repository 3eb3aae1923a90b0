/**
 * Where programs behave otherwise than the specification of Starlark or the suites of its
 * implementations say, and why. The language page shows it.
 */

export interface Deviation {
  /** What it is about. */
  readonly about: string;
  /** What the specification, or starlark-go where it is silent, has. */
  readonly specified: string;
  readonly here: string;
  readonly why: string;
}

export const deviations: readonly Deviation[] = [
  {
    about: 'what a string consists of',
    specified: 'bytes of UTF-8: len("é") is 2',
    here: 'units of UTF-16: len("é") is 1, len("😀") is 2',
    why:
      'Texts of models and tools arrive as UTF-16 and leave as such, and positions agree with ' +
      'the host; counting bytes would make every index a search.',
  },
  {
    about: 'half of a character',
    specified: 'a slice may cut UTF-8 anywhere; bytes that are none print as U+FFFD',
    here: 'a slice may cut a surrogate pair; half of one prints as U+FFFD',
    why: 'It follows from UTF-16.',
  },
];

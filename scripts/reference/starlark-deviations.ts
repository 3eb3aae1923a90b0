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
  {
    about: 'order of strings',
    specified: 'by the bytes of UTF-8, which is the order of code points',
    here: 'by the units of UTF-16: characters beyond U+FFFF come before those from U+E000 on',
    why: 'It follows from UTF-16, and is the order of the host.',
  },
  {
    about: 'an element of bytes',
    specified: 'b"abc"[0] is the int 97; in starlark-go it is b"a"',
    here: 'b"abc"[0] is b"a"; list(b"abc".elems()) has the ints',
    why: 'Programs and suites are written against starlark-go.',
  },
  {
    about: 'formats of numbers and texts',
    specified: 'no widths and no precisions: "%.2f" and "{:>8}" are errors',
    here: 'as in Python, in f-strings, % and format; errors in the profile of the specification',
    why: 'Models write them, and there is no other way to round for a reader.',
  },
  {
    about: 'an error in a file that is loaded',
    specified:
      'in starlark-go, "cannot load m: …" at the load statement, without the frames inside',
    here: 'the error itself, with the frames of both files',
    why: 'What has to be mended is inside.',
  },
  {
    about: 'when files are compiled',
    specified: 'a file is compiled when its load statement is executed',
    here: 'all files are compiled before the first line runs; errors still come at the statement',
    why: 'A program is one list of chunks whose hash is known, so that it can be resumed anywhere.',
  },
  {
    about: 'a call with arguments that a function does not take',
    specified: 'in starlark-go the innermost frame is that of the function',
    here: 'the error is at the call',
    why: 'That is the line to mend.',
  },
  {
    about: 'sets with |=',
    specified: 'in starlark-go a new set; elsewhere the set itself changes',
    here: 'the set itself changes, as a list does with +=',
    why: 'All containers behave alike.',
  },
  {
    about: 'how deep comparisons go',
    specified: 'in starlark-go, 10 levels',
    here: '500 levels',
    why: 'JSON of tools is deeper than 10 levels; any bound ends a cycle.',
  },
  {
    about: 'functions in tuples and structs as keys',
    specified: 'hashable',
    here: 'a tuple or struct that holds a function or an object of a host is unhashable',
    why: 'Keys are written down in snapshots, and these have no text that is theirs alone.',
  },
  {
    about: 'the module time',
    specified: 'starlark-go offers one',
    here: 'there is none',
    why: 'A program has no clock: time comes from a tool, so that a run can be repeated.',
  },
];

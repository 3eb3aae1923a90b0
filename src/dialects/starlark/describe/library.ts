/**
 * What the library of the language is called with and what it does, a row each: prompts and the
 * language page are made of these. A test holds them against the names that the resolver knows and
 * the functions and methods that the machine has.
 */

export interface LibraryRow {
  /** `sorted(iterable, key=None, reverse=False)`; a constant has no parentheses. */
  readonly signature: string;
  /** One sentence. */
  readonly about: string;
  /** Only there for programs of models, not in the profile of the specification. */
  readonly plan?: true;
  /**
   * How much of it a prompt has, where that is not the whole row: its name, since it is as in
   * Python; its signature, since it is rarely needed; nothing, since control loops are made of it.
   */
  readonly told?: 'name' | 'signature' | 'nothing';
}

type Told = NonNullable<LibraryRow['told']>;

const row = (signature: string, about: string, told?: Told): LibraryRow => ({
  ...{ signature, about },
  ...(told && { told }),
});
const planRow = (signature: string, about: string, told?: Told): LibraryRow => ({
  ...row(signature, about, told),
  plan: true,
});
/** As in Python. */
const pythonRow = (signature: string, about: string): LibraryRow => row(signature, about, 'name');

/** The name that a row is about. */
export const nameOf = ({ signature }: LibraryRow): string => signature.replace(/\(.*$/, '');

export const functionRows: readonly LibraryRow[] = [
  planRow('answer(x)', 'Records x as the answer of the run; the last one counts.'),
  planRow('result(x)', 'The same under another name.', 'signature'),
  row('print(*args, sep=" ")', 'Shows the texts of the arguments to the person who watches.'),
  row('fail(*args, sep=" ")', 'Ends the run in an error with this message.'),
  planRow(
    'stream(tool, *args, **kwargs)',
    'Calls a tool whose result comes in parts, as a text in lines: for part in stream(…) goes ' +
      'on with each as it comes. Leaving the loop gives the call up.',
    'signature',
  ),
  planRow(
    'try_call(tool, *args, **kwargs)',
    'Calls a tool and never fails: gives struct(ok, value, error); error has code and message.',
  ),
  planRow(
    'task(tool, args, *results, step="", needs=[])',
    'Calls a tool, given by itself or by its name, once the results of other tasks are there, ' +
      'and never fails: gives struct(ok, value, error). In args, a dict by parameter name, ' +
      '("ref", 0, "key") stands for a part of what the first of them gave.',
    'nothing',
  ),
  planRow(
    'at_step(label, within="", enter=False, by="", ahead=False)',
    'What is called and said from here on is shown at a step of this name; "" is the own one. ' +
      'With enter=True a step that the program declares is entered, as a part of another one, ' +
      'done by whom it says: it is counted, and debuggers stop there. Gives the name with the ' +
      'visit, "Main:03@2", by which one comes back to it. With ahead=True a visit is only ' +
      'counted, and its name given: what is asked for before it can be shown there, and with ' +
      'enter=True and ahead=True that name is entered.',
    'nothing',
  ),
  planRow(
    'say(x)',
    'Says something to whom the program talks with, on the channel say.',
    'nothing',
  ),
  planRow(
    'llm_bind(expr, helper, unbound="ask")',
    'Calls a tool with arguments that a model finds in one value: llm_bind(line, ' +
      '"get_profile(name, company)"). A person is asked for what is missing; ' +
      'unbound="unresolved" gives an uncertain value instead, "fail" an error.',
  ),
  planRow(
    'messages()',
    'What was said in the conversation before, the latest last: dicts of role ("user" or ' +
      '"assistant") and content. An empty list where there was none.',
    'signature',
  ),
  planRow(
    'locals()',
    'The variables that have a value here, a dict by name without functions. It waits until all ' +
      'of them are there.',
    'signature',
  ),
  planRow(
    'is_uncertain(x)',
    'Whether x is a value that could not be found out; x.question is what would have to be known.',
    'signature',
  ),
  planRow(
    'uncertain(question)',
    'Such a value: to be answered with, or passed on. No tool is called with one.',
    'signature',
  ),
  planRow(
    'attempt(f, *args, **kwargs)',
    'Calls a function and never fails: gives struct(ok, value, error). Waits for it alone.',
  ),
  planRow(
    'first(calls, timeout=None)',
    'Waits for the first of some calls of tools to succeed: struct(index, value), or None after ' +
      'so many seconds.',
  ),
  planRow(
    'parallel(f, xs)',
    'Calls f with each element, all at the same time: a list of the results, in order. f must ' +
      'not call a tool that writes, nor change values from outside.',
  ),
  pythonRow('len(x)', 'The number of elements of a container, or of characters of a string.'),
  pythonRow('range(start, stop, step=1)', 'The numbers from start (0 if left out) to before stop.'),
  pythonRow('enumerate(iterable, start=0)', 'A list of (number, element) pairs.'),
  pythonRow('zip(*iterables)', 'A list of tuples: the first elements, the second ones, …'),
  pythonRow(
    'sorted(iterable, key=None, reverse=False)',
    'A new list, sorted; equal ones keep their order.',
  ),
  pythonRow('reversed(iterable)', 'A new list in the opposite order.'),
  pythonRow('min(*args, key=None)', 'The smallest of the arguments, or of the one iterable.'),
  pythonRow('max(*args, key=None)', 'The largest of the arguments, or of the one iterable.'),
  planRow('sum(iterable, start=0)', 'The sum of the elements.', 'name'),
  pythonRow('any(iterable)', 'True if an element is true.'),
  pythonRow('all(iterable)', 'True if every element is true.'),
  pythonRow('abs(x)', 'The absolute value of a number.'),
  planRow(
    'round(x, digits=None)',
    'The nearest int, or the float rounded to so many digits.',
    'name',
  ),
  planRow('pow(x, y)', 'x to the power of y, as x ** y.', 'name'),
  pythonRow('int(x, base=10)', 'An int of a number (cut) or of a text.'),
  pythonRow('float(x)', 'A float of a number or of a text.'),
  pythonRow('str(x)', 'The text of a value; a string is itself.'),
  pythonRow('repr(x)', 'The text as it is written in a program: strings in quotes.'),
  pythonRow('bool(x)', 'False for None, False, 0, "" and empty containers, else True.'),
  pythonRow('list(iterable)', 'A new list of the elements.'),
  pythonRow('tuple(iterable)', 'A tuple of the elements.'),
  pythonRow('dict(pairs, **kwargs)', 'A new dict of a dict or of pairs, and of names.'),
  pythonRow('set(iterable)', 'A new set of the elements; {a, b} is no set here.'),
  row(
    'struct(**kwargs)',
    'A value with these fields, read as s.name; they cannot be changed.',
    'signature',
  ),
  pythonRow('bytes(x)', 'Bytes of a text (UTF-8) or of a list of ints.'),
  pythonRow('type(x)', 'The name of the type as text: "int", "float", "string", "list", "dict", …'),
  pythonRow('hasattr(x, name)', 'Whether x has a field or a method of the name.'),
  pythonRow('getattr(x, name, default)', 'The field or method; the default where there is none.'),
  pythonRow('dir(x)', 'The names of the fields and methods of x.'),
  pythonRow('ord(s)', 'The code point of one character.'),
  pythonRow('chr(i)', 'The character of a code point.'),
  pythonRow('hash(s)', 'A number of a text; the same for equal texts.'),
];

export const moduleRows: Readonly<Record<string, readonly LibraryRow[]>> = {
  json: [
    row('encode(x)', 'The JSON text of a value, in one line.'),
    row('decode(text, default)', 'The value of a JSON text; the default where it is none.'),
    row('indent(text, prefix="", indent="\\t")', 'A JSON text over several lines.'),
    row(
      'encode_indent(x, prefix="", indent="\\t")',
      'The JSON text of a value over several lines.',
    ),
  ],
  math: [
    row('ceil(x)', 'The smallest int that is not below x.'),
    row('floor(x)', 'The largest int that is not above x.'),
    row('round(x)', 'The nearest float without a fraction; halves go away from zero.'),
    row('sqrt(x)', 'The square root.'),
    row('pow(x, y)', 'x to the power of y, as a float.'),
    row('exp(x)', 'e to the power of x.'),
    row('log(x, base=e)', 'The logarithm.'),
    row('fabs(x)', 'The absolute value as a float.'),
    row('mod(x, y)', 'The remainder with the sign of x.'),
    row('remainder(x, y)', 'The IEEE 754 remainder.'),
    row('copysign(x, y)', 'x with the sign of y.'),
    row('hypot(x, y)', 'The length of the hypotenuse.'),
    row('sin(x)', 'Sine of radians.'),
    row('cos(x)', 'Cosine of radians.'),
    row('tan(x)', 'Tangent of radians.'),
    row('asin(x)', 'Arc sine.'),
    row('acos(x)', 'Arc cosine.'),
    row('atan(x)', 'Arc tangent.'),
    row('atan2(y, x)', 'The angle of a point.'),
    row('sinh(x)', 'Hyperbolic sine.'),
    row('cosh(x)', 'Hyperbolic cosine.'),
    row('tanh(x)', 'Hyperbolic tangent.'),
    row('asinh(x)', 'Inverse hyperbolic sine.'),
    row('acosh(x)', 'Inverse hyperbolic cosine.'),
    row('atanh(x)', 'Inverse hyperbolic tangent.'),
    row('degrees(x)', 'Degrees of radians.'),
    row('radians(x)', 'Radians of degrees.'),
    row('gamma(x)', 'The gamma function.'),
    row('e', '2.718281828459045'),
    row('pi', '3.141592653589793'),
  ],
};

export const methodRows: Readonly<Record<string, readonly LibraryRow[]>> = {
  string: [
    row('capitalize()', 'The first letter upper, the others lower case.'),
    row('lower()', 'All letters in lower case.'),
    row('upper()', 'All letters in upper case.'),
    row('title()', 'Each word with its first letter in upper case.'),
    row('strip(chars)', 'Without white space, or these characters, at both ends.'),
    row('lstrip(chars)', 'The same at the start.'),
    row('rstrip(chars)', 'The same at the end.'),
    row('removeprefix(prefix)', 'Without the prefix, if it is there.'),
    row('removesuffix(suffix)', 'Without the suffix, if it is there.'),
    row('startswith(prefix, start, end)', 'Whether it begins so; a tuple gives several.'),
    row('endswith(suffix, start, end)', 'Whether it ends so; a tuple gives several.'),
    row('split(sep, maxsplit)', 'A list of the parts; at white space without sep.'),
    row('rsplit(sep, maxsplit)', 'The same, counted from the end.'),
    row('splitlines(keepends=False)', 'A list of the lines.'),
    row('partition(sep)', 'A tuple: what is before the first sep, sep, what is after it.'),
    row('rpartition(sep)', 'The same at the last sep.'),
    row('join(strings)', 'The strings with this one between them.'),
    row('replace(old, new, count)', 'With new in place of old, everywhere or so often.'),
    row('format(*args, **kwargs)', '"{} {name}" with the values in place of the braces.'),
    row('count(sub, start, end)', 'How often sub is in it.'),
    row('find(sub, start, end)', 'Where sub first is; -1 if nowhere.'),
    row('rfind(sub, start, end)', 'Where sub last is; -1 if nowhere.'),
    row('index(sub, start, end)', 'Where sub first is; an error if nowhere.'),
    row('rindex(sub, start, end)', 'Where sub last is; an error if nowhere.'),
    row('isalnum()', 'Whether all characters are letters or digits.'),
    row('isalpha()', 'Whether all are letters.'),
    row('isdigit()', 'Whether all are digits.'),
    row('islower()', 'Whether all letters are lower case.'),
    row('isspace()', 'Whether all are white space.'),
    row('istitle()', 'Whether it is as title() makes it.'),
    row('isupper()', 'Whether all letters are upper case.'),
    row('elems()', 'An iterable of the parts that len counts; a string itself is none.'),
    row('elem_ords()', 'The same as numbers.'),
    row('codepoints()', 'An iterable of the characters.'),
    row('codepoint_ords()', 'The same as numbers.'),
  ],
  list: [
    row('append(x)', 'Adds x at the end.'),
    row('extend(iterable)', 'Adds all elements at the end.'),
    row('insert(i, x)', 'Adds x before the element i.'),
    row('pop(i=-1)', 'Takes an element out and returns it.'),
    row('remove(x)', 'Takes the first element out that is equal to x.'),
    row('index(x, start, end)', 'Where x first is; an error if nowhere.'),
    row('clear()', 'Takes all elements out.'),
  ],
  dict: [
    row('get(key, default=None)', 'The value of the key, or the default.'),
    row('keys()', 'A list of the keys.'),
    row('values()', 'A list of the values.'),
    row('items()', 'A list of (key, value) pairs.'),
    row('pop(key, default)', 'Takes the key out and returns its value.'),
    row('popitem()', 'Takes the first pair out and returns it.'),
    row('setdefault(key, default=None)', 'The value of the key, set first if it is not there.'),
    row('update(pairs, **kwargs)', 'Sets what a dict or pairs have.'),
    row('clear()', 'Takes all keys out.'),
  ],
  set: [
    row('add(x)', 'Adds an element.'),
    row('discard(x)', 'Takes an element out, if it is there.'),
    row('remove(x)', 'Takes an element out; an error if it is not there.'),
    row('pop()', 'Takes the first element out and returns it.'),
    row('update(*iterables)', 'Adds all elements.'),
    row('clear()', 'Takes all elements out.'),
    row('union(*iterables)', 'A new set of what is in any; also a | b.'),
    row('intersection(*iterables)', 'A new set of what is in all; also a & b.'),
    row('difference(*iterables)', 'A new set of what is not in the others; also a - b.'),
    row('symmetric_difference(iterable)', 'A new set of what is in one of both; also a ^ b.'),
    row('issubset(iterable)', 'Whether all its elements are there.'),
    row('issuperset(iterable)', 'Whether it has all of those.'),
  ],
  bytes: [row('elems()', 'An iterable of the bytes as numbers.')],
};

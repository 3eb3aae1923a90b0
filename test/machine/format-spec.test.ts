/** Widths, precisions and letters of formats, in f-strings, `format` and `%`: as in Python. */
import { describe, expect, test } from 'vitest';
import { starlark } from '../../src/starlark/index.ts';

/** What an expression comes to, or the message of its error. */
const shown = (source: string, profile: 'plan' | 'conformance' = 'plan'): string => {
  const { value, error } = starlark.evaluate(source, { profile });
  return value ? String(value) : `error: ${error?.message}`;
};

describe('f-strings', () => {
  test.each([
    ['{3.14159:.2f}', '3.14'],
    ['{2.5:.0f}{3.5:.0f}{0.125:.2f}', '240.12'],
    ['{-0.0:.1f}', '-0.0'],
    ['{1e22:.1f}', '10000000000000000000000.0'],
    ['{5:>4}|{5:<4}|{5:^4}|{5:4}', '   5|5   | 5  |   5'],
    ['{-5:04d}|{5:+d}|{5: d}|{-5:=4}', '-005|+5| 5|-  5'],
    ['{1234567:,}|{1234567.891:,.2f}|{-1234:_d}|{12:,}', '1,234,567|1,234,567.89|-1_234|12'],
    ['{255:x}|{255:#X}|{5:b}|{-8:#o}|{65:c}', 'ff|0XFF|101|-0o10|A'],
    ['{0.256:.1%}|{1:%}', '25.6%|100.000000%'],
    ['{12345.678:e}|{0.00012:.1E}', '1.234568e+04|1.2E-04'],
    ['{1e10:g}|{1e-7:g}|{100000.0:g}|{1234.5:.2g}|{0.5:.3}', '1e+10|1e-07|100000|1.2e+03|0.5'],
    ['{3.0:}|{3.5:6}|{2:.1f}', '3.0|   3.5|2.0'],
    ['{float("inf"):.1f}|{float("nan"):6.1f}|{float("-inf"):f}', 'inf|   nan|-inf'],
    ['{2 ** 70:,}', '1,180,591,620,717,411,303,424'],
    ['{"ab":^6}|{"abcdef":.3}|{"ab":*>5}|{"ab"!r:>6}', '  ab  |abc|***ab|  "ab"'],
    ['{"😀":>3}', '  😀'],
    ['{True:>6}|{None:>6}|{[1.0]:>7}|{True:d}', '  True|  None|  [1.0]|1'],
    ['{{}}{1:>{2 + 1}}|{2.0 / 3:{8}.{3}f}', '{}  1|   0.667'],
    ['{ {"a": 1}["a"]:03d}', '001'],
    ['{1 if 2 != 3 else 0:d}', '1'],
  ])('%s is %s', (text, wanted) => {
    expect(shown(`f'${text}'`)).toBe(wanted);
  });

  test.each([
    ['{"a":d}', 'got string in the format d, want an int'],
    ['{1.5:d}', 'got float in the format d, want an int'],
    ['{"a":.2f}', 'got string in the format .2f, want a number'],
    ['{1:y}', 'got the format y, want one such as .2f, >8, 05d, x, e or %'],
    ['{1:.2d}', 'got the format .2d, want one such as .2f, >8, 05d, x, e or %'],
    ['{1.0:.101f}', 'got 101 digits in .101f, want at most 100'],
    ['{-1:c}', 'got int in the format c, want a code point'],
  ])('%s fails', (text, message) => {
    expect(shown(`f'${text}'`)).toBe(`error: ${message}`);
  });

  test('a width is bounded as any text is', () => {
    const limits = { valueBytes: 1000 };
    const { error } = starlark.evaluate('f"{1:>99999}"', { limits });
    expect(error?.code).toBe('PV3012');
  });

  test('a value that is pending in a format is waited for or lifted like any other', () => {
    expect(shown('def f(x, w): return f"{x:>{w}}"\nf("a", 3)')).toBe('  a');
  });
});

describe('% and format', () => {
  test.each([
    ['"%.2f|%5d|%-5d|" % (1.005, 42, 42)', '1.00|   42|42   |'],
    ['"%05.1f|%5s|%-3s|%+d|% d" % (2.25, "a", "b", 3, 4)', '002.2|    a|b  |+3| 4'],
    ['"%08x|%#x|%.3s|%e|%%" % (255, 255, "abcdef", 1.0)', '000000ff|0xff|abc|1.000000e+00|%'],
    ['"%(n)4d" % {"n": 7}', '   7'],
    ['"%3c|%3d" % ("x", 2.9)', '  x|  2'],
    ['"{:.2f} {x:>5}".format(1, x="a")', '1.00     a'],
    ['"{0:>4}{1!r:>5}".format("a", "b")', '   a  "b"'],
  ])('%s', (source, wanted) => {
    expect(shown(source)).toBe(wanted);
  });

  test('have neither where the rules are those of the specification', () => {
    expect(shown('"%.2f" % 1.0', 'conformance')).toBe('error: unknown conversion %.');
    expect(shown('"{:>3}".format(1)', 'conformance')).toBe(
      'error: format spec features not supported in replacement fields: >3',
    );
  });
});

/** How diagnostics and errors look: each text as a person and a model get it. */
import { describe, expect, test } from 'vitest';
import { render, renderAll, summary } from '../../src/dialects/diagnostic.ts';
import type { Diagnostic } from '../../src/program/diagnostic.ts';
import type { GuestError } from '../../src/program/effect.ts';

const plan = `[
  {"seq_no": 0, "type": "assign", "parameters": {"x": 1}},
  {"seq_no": 1, "type": "jmp",
\t"parameters": {"target_seq": 7}}
]`;

function diagnostic(line: number, column: number, more: Partial<Diagnostic> = {}): Diagnostic {
  const message = 'got 7, want the seq_no of a step';
  return { code: 'PV2128', severity: 'error', message, line, column, ...more };
}

/** Lines of expected text. */
const lines = (...text: string[]): string => text.join('\n');

describe('one diagnostic', () => {
  test('shows its place in the source', () => {
    expect(render(diagnostic(4, 31), plan, { file: 'plan.json' })).toBe(
      lines(
        'plan.json:4:31: error PV2128: got 7, want the seq_no of a step',
        '   4 | \t"parameters": {"target_seq": 7}}',
        '     | \t                             ^',
      ),
    );
  });

  test('has notes with their own places, its step, and a hint', () => {
    const full = diagnostic(3, 4, {
      severity: 'warning',
      step: '1',
      hint: 'did you mean 1?',
      notes: [
        { line: 2, column: 14, message: 'the first one stands here' },
        { line: 0, column: 0, message: 'the document numbers from 0' },
      ],
    });
    expect(render(full, plan, { file: 'plan.json' })).toBe(
      lines(
        'plan.json:3:4: warning PV2128: got 7, want the seq_no of a step',
        '   3 |   {"seq_no": 1, "type": "jmp",',
        '     |    ^^^^^^^^',
        '  plan.json:2:14: note: the first one stands here',
        '   2 |   {"seq_no": 0, "type": "assign", "parameters": {"x": 1}},',
        '     |              ^',
        '  plan.json: note: the document numbers from 0',
        '  step: 1',
        '  hint: did you mean 1?',
      ),
    );
  });

  test('of an unknown place has no frame', () => {
    const head = 'error PV2128: got 7, want the seq_no of a step';
    expect(render(diagnostic(0, 0), plan, { file: 'plan.json' })).toBe(`plan.json: ${head}`);
    expect(render(diagnostic(0, 0), plan)).toBe(head);
    expect(render(diagnostic(3, 0), plan, { frame: false })).toBe(`3: ${head}`);
    expect(render(diagnostic(77, 1), plan)).toBe(`77:1: ${head}`);
  });

  test('marks the end of a line, and of the text', () => {
    expect(render(diagnostic(5, 9), plan)).toContain('   5 | ]\n     |  ^');
    expect(render(diagnostic(1, 1), '')).toContain('   1 | \n     | ^');
  });

  test('shows a window of a long line', () => {
    const long = `{"a": "${'x'.repeat(300)}", "target": 7, "b": "${'y'.repeat(300)}"}`;
    expect(render(diagnostic(1, 322), long)).toBe(
      lines(
        '1:322: error PV2128: got 7, want the seq_no of a step',
        `   1 | …${'x'.repeat(26)}", "target": 7, "b": "${'y'.repeat(48)}…`,
        `     | ${' '.repeat(41)}^`,
      ),
    );
    expect(render(diagnostic(1, 1), long)).toContain(`   1 | {"a": "${'x'.repeat(89)}…\n     | ^`);
    expect(render(diagnostic(1, 641), long)).toContain(
      `${'y'.repeat(94)}"}\n     | ${' '.repeat(97)}^`,
    );
  });

  test('keeps wide characters in step', () => {
    expect(render(diagnostic(1, 13), '"東京", "😀": x')).toContain(
      lines('   1 | "東京", "😀": x', `     | ${' '.repeat(14)}^`),
    );
  });

  test('lets no control character through', () => {
    const evil = diagnostic(1, 2, { message: 'got \u001b[2J\u202e\n\u0007x', hint: 'a\r\nb' });
    expect(render(evil, '[\u001b[31m\u009b]\r\n')).toBe(
      lines(
        '1:2: error PV2128: got \ufffd[2J\ufffd',
        '  \ufffdx',
        '   1 | [\ufffd[31m\ufffd]',
        '     |  ^',
        '  hint: a\ufffd',
        '    b',
      ),
    );
  });

  test('has colours when asked', () => {
    expect(render(diagnostic(5, 1, { hint: 'go' }), plan, { color: true })).toBe(
      lines(
        '\u001b[1m5:1:\u001b[0m \u001b[1;31merror PV2128:\u001b[0m got 7, want the seq_no of a step',
        '\u001b[2m   5 |\u001b[0m ]',
        '\u001b[2m     |\u001b[0m \u001b[1;31m^\u001b[0m',
        '  \u001b[1;32mhint:\u001b[0m go',
      ),
    );
  });
});

describe("a guest's error", () => {
  const error: GuestError = {
    code: 'PV3003',
    message: 'floored division by zero',
    line: 2,
    column: 10,
    step: '4@2',
    trace: [
      { name: 'main', line: 4, column: 1 },
      { name: 'half', line: 2, column: 10 },
    ],
  };
  const source = 'def half(x):\n  return x // 0\n\nhalf(2)';

  test('shows the calls that led to it', () => {
    expect(render(error, source, { file: 'a.star' })).toBe(
      lines(
        'a.star:2:10: error PV3003: floored division by zero',
        '   2 |   return x // 0',
        '     |          ^',
        '  step: 4@2',
        '  calls, innermost last:',
        '    a.star:4:1: in main',
        '    a.star:2:10: in half',
      ),
    );
  });

  test('outside of any call and step says only where', () => {
    const short = { ...error, step: '', trace: error.trace.slice(0, 1) };
    expect(render(short, source, { frame: false })).toBe(
      '2:10: error PV3003: floored division by zero',
    );
  });

  test('leaves out the middle of a long trace', () => {
    const trace = Array.from({ length: 100 }, (_, i) => ({ name: `f${i}`, line: 1, column: 1 }));
    const text = render({ ...error, step: '', trace }, source, { frame: false });
    expect(text.split('\n')).toHaveLength(23);
    expect(text).toContain('    1:1: in f9\n    … 80 more\n    1:1: in f90');
  });
});

describe('several', () => {
  const some = [
    diagnostic(5, 1, { message: 'fourth' }),
    diagnostic(2, 3, { message: 'third', severity: 'warning' }),
    diagnostic(2, 3, { message: 'second' }),
    diagnostic(0, 0, { message: 'first' }),
  ];

  test('stand in the order of the text, with their count', () => {
    expect(renderAll(some, plan, { frame: false })).toBe(
      lines(
        'error PV2128: first',
        '',
        '2:3: error PV2128: second',
        '',
        '2:3: warning PV2128: third',
        '',
        '5:1: error PV2128: fourth',
        '',
        '3 errors, 1 warning',
      ),
    );
  });

  test('are counted', () => {
    expect(summary(some.slice(0, 1))).toBe('1 error');
    expect(summary(some.slice(1, 2))).toBe('1 warning');
    expect(summary([])).toBe('no errors');
    expect(renderAll([], plan)).toBe('');
  });
});

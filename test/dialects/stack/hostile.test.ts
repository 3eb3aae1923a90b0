/** Texts that are to keep a reader busy, or to bring it out of step. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectStack, findStack } from '../../../src/dialects/stack/detect.ts';
import { stackParts } from '../../../src/dialects/stack/parts.ts';
import { readTree } from '../../../src/dialects/stack/tree.ts';
import { check, run } from './tools.ts';

const size = 30_000;

describe('a hostile text is read in linear time', () => {
  test.each([
    ...['"', '""', '"""', '" ', '",', "'", '“', '\\', '\\u12', '\\"', '`', '```\n', '~~~\n"'],
    ...['(', ')', '[', ']', '{', '[]', '(]', ' ', '\n', '\r', '\t', ' \n', ',', ', ', ';', '='],
    ...[
      'a',
      'a ',
      'a.',
      'a(',
      'a (',
      'a=',
      'a=a(',
      '{"a":',
      '<a',
      '?',
      '...',
      '-',
      '1',
      '1.',
      '- ',
    ],
    ...['#', '# ', '//', '/*', '/* */', '*/', '1. ', 'Assistant:', 'answer("', 'answer(\n'],
    ...['answer("x") ', 'dataframe(["a"])', 'stack_pop(', 'foreach(stack(), ', 'get("a"\n'],
    ...['"\nanswer(', '"\n ', "x'", '\u00a0', '\ufeff'],
  ])('%j', (part) => {
    const many = part.repeat(size / part.length);
    for (const text of [many, `answer(${many})`, `answer("${many}")\nanswer("x")`, `a ${many}\n`]) {
      detectStack(text);
      findStack(text);
      stackParts.of(text);
      const { ok, program } = check(text);
      expect(program !== undefined).toBe(ok);
    }
  });

  test('a hundred thousand statements', () => {
    const text = 'data("a")\nanswer(stack_pop(1))\n'.repeat(50_000);
    expect(readTree(text).tree.statements).toHaveLength(100_000);
  });

  test('a thousand names that are the longest', () => {
    expect(check(`${`${'a'.repeat(400)}\n`.repeat(1000)}answer("x")`).ok).toBe(true);
  });
});

const word = fc.constantFrom(
  ...['answer(', 'llm_call(', 'foreach(', 'function_call(', 'data(', 'dataframe(', 'set(', 'get('],
  ...['stack()', 'stack_pop(1)', 'stack_pop(2)', 'uncertain_or_error(', 'web.get(', ')', ')', ')'],
  ...[
    '"a"',
    '"x"',
    "'b'",
    '"',
    '[',
    ']',
    '{',
    '}',
    ', ',
    ', ',
    '\n',
    '\n',
    ' ',
    '#',
    '```\n',
    '1. ',
  ],
  ...['url=', '7', '-', 'null', 'stack', 'Assistant: ', '\\', 'so ', '?'],
);
const texts = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));

test('whatever the text, there are errors with places, or a program that comes to an end', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { ok, program, diagnostics } = check(text);
      expect(ok).toBe(!diagnostics.some(({ severity }) => severity === 'error'));
      expect(program !== undefined).toBe(ok);
      for (const { code, line, column, message } of diagnostics) {
        expect(code).toMatch(/^PV(13|27|20)\d\d$/);
        expect(Math.min(line, column)).toBeGreaterThan(0);
        expect(message).toMatch(/\S/);
      }
      if (program) expect(run(program).result).toMatch(/^(done|failed)/);
    }),
    { numRuns: 500 },
  );
});

/** Statements of which each can stand behind any other. */
const statement = fc.constantFrom(
  'data("a")',
  'data(["b, (c", "d"])',
  'llm_call("Say \\"this\\".")',
  'answer("x")',
  'foreach(data(["a", "b"]), llm_call("t"))',
  'function_call(web.get("u"))\nset("v", "A name")\nget("v")',
  '# a comment\ndata("""\nanswer("no")\n""")',
);
const programs = fc.uniqueArray(statement, { minLength: 1 });

test('a program that is cut anywhere is refused, or is a program of its first statements', () => {
  fc.assert(
    fc.property(programs, fc.nat(), (statements, cut) => {
      const text = statements.join('\n');
      const whole = readTree(text).tree.statements.map(({ syntax }) => syntax.call.source);
      const { tree, diagnostics } = readTree(text.slice(0, cut % (text.length + 1)));
      const read = tree.statements.map(({ syntax }) => syntax.call.source);
      expect(read).toEqual(whole.slice(0, read.length));
      if (tree.isBroken) expect(diagnostics.map(({ severity }) => severity)).toContain('error');
    }),
  );
});

test('parts put a program together again, and keep what they do not replace', () => {
  fc.assert(
    fc.property(programs, fc.nat(), fc.constantFrom('step', 'rest'), (statements, pick, scope) => {
      const text = `Here it is:\n${statements.join('\n')}\n`;
      const parts = stackParts.of(text);
      const at = pick % parts.length;
      const label = String(at + 1);
      const same = stackParts.replace(text, {
        ...{ at: label, scope },
        written: parts
          .slice(at, scope === 'step' ? at + 1 : undefined)
          .map((one) => one.text)
          .join('\n'),
      });
      const after = 'text' in same ? stackParts.of(same.text) : [];
      expect(after.map((one) => one.text)).toEqual(parts.map((one) => one.text));
      const other = stackParts.replace(text, { at: label, scope, written: '```\nget("new")\n```' });
      const changed = 'text' in other ? stackParts.of(other.text).map((one) => one.text) : [];
      const rest = scope === 'step' ? parts.slice(at + 1).map((one) => one.text) : [];
      expect(changed).toEqual([
        ...parts.slice(0, at).map((one) => one.text),
        'get("new")',
        ...rest,
      ]);
    }),
  );
});

test('text that orders things about stays text', () => {
  const evil = '"); answer(__import__("os").system("id")) #';
  const { program } = check(`answer(${JSON.stringify(evil)})`);
  if (!program) throw new Error('it is a program');
  expect(run(program).result).toContain(JSON.stringify(evil));
});

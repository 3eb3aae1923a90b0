import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { callValue, type ResultParts } from '../../../src/effects/mcp/result.ts';
import { attempt } from '../../support/attempt.ts';
import { newFolder } from '../../support/mcp.ts';

const parts = (): ResultParts & { context: ReturnType<typeof attempt> } => ({
  tool: 'a.b',
  folder: newFolder(),
  context: attempt(),
});
const text = (said: string): { type: 'text'; text: string } => ({ type: 'text', text: said });

test('one text is itself, several parts are a list, none is an empty one', () => {
  expect(callValue({ content: [text('a')] }, parts())).toBe('a');
  expect(callValue({ content: [text('a'), text('b')] }, parts())).toStrictEqual(['a', 'b']);
  expect(callValue({ content: [] }, parts())).toStrictEqual([]);
});

test('structured content comes before its text, and what stands beside it is told', () => {
  const made = parts();
  const image = { type: 'image' as const, data: 'AAAA', mimeType: 'image/png' };
  const content = [text('{"n":1}'), image];
  expect(callValue({ content, structuredContent: { n: 1 } }, made)).toStrictEqual({ n: 1 });
  expect(made.context.warnings).toStrictEqual([
    'a.b returned data and, beside it, image: left out',
  ]);
});

test('what is large is in a file, once', () => {
  const made = parts();
  const bytes = Buffer.alloc(300_000, 7);
  const sound = { type: 'audio' as const, data: bytes.toString('base64'), mimeType: 'audio/wav' };
  const value = callValue({ content: [sound] }, made) as { file: string; bytes: number };
  expect(value).toMatchObject({ type: 'audio', mimeType: 'audio/wav', bytes: 300_000 });
  expect(readFileSync(value.file).equals(bytes)).toBe(true);
  expect(existsSync(value.file.replace(/\.wav$/, '.bin'))).toBe(false);
  expect(callValue({ content: [sound] }, made)).toStrictEqual(value);
});

test('an error of the tool is a failure with its text, bounded and clean', () => {
  const content = [text(`no\u001b[2J such page${'!'.repeat(9000)}`)];
  expect(() => callValue({ content, isError: true }, parts())).toThrow(
    expect.objectContaining({
      code: 'PV4806',
      answered: true,
      retryable: false,
      message: expect.stringMatching(/^a\.b: no\[2J such page!+$/),
    }),
  );
  expect(() => callValue({ content: [], isError: true }, parts())).toThrow('it does not say why');
});

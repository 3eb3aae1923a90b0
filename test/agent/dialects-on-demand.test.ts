/** Dialects that are loaded on demand: they are the same, and know a text as all of them do. */
import { describe, expect, test } from 'vitest';
import { dialectsFor } from '../../src/agent/program/dialects.ts';
import { detect, dialects } from '../../src/dialects/index.ts';
import { type DetectOptions, detectAmong } from '../../src/dialects/languages.ts';
import { filesUnder, textOf } from '../support/repo.ts';

const known = ({ name, extensions }: { name: string; extensions: readonly string[] }) => ({
  name,
  extensions,
});

test('their names and files are those of the dialects, in the same order', async () => {
  expect((await dialectsFor('', { dialect: 'stackvm-1' })).map(known)).toEqual(dialects.map(known));
});

test('for a plan in JSON, none but its own is loaded', async () => {
  const loaded = (await dialectsFor('[{"type": "assign"}]')).filter(
    (dialect) => 'describe' in dialect,
  );
  expect(loaded.map(({ name }) => name)).toEqual(['stackvm-1', 'stackvm-2']);
});

const found = async (text: string, options: DetectOptions): Promise<unknown> =>
  shown(detectAmong(await dialectsFor(text, options), text, options));

const shown = (one: ReturnType<typeof detect> | object): unknown =>
  'code' in one ? one : named(one);
const named = (one: object): unknown => ('name' in one ? one.name : undefined);

const texts = filesUnder('test/golden')
  .filter((path) => /\.(?:json|star|stack|llmcompiler|react|md|txt)$/.test(path))
  .map((path) => [path, textOf(path)] as const)
  .filter(([, text]) => text.length < 100_000);

describe('a text is in the same dialect as among all of them', () => {
  test('with the name of its file, without one, and in Markdown', async () => {
    expect(texts.length).toBeGreaterThan(50);
    for (const [path, text] of texts) {
      for (const options of [{}, { file: path }, { file: 'notes.md' }]) {
        expect(await found(text, options), path).toEqual(shown(detect(text, options)));
      }
    }
  });

  test.each([
    '',
    ' \n',
    'words alone',
    '```json\n[{"type": "assign"}]\n```',
    '<think>x</think>[]',
    '1. search["a"]\n2. join()',
    'x = 1\nanswer(x)',
    '# Skill\n\nDo this, then that.',
    '{"a": "## Main\n### Steps\n- Return 1"}',
    `${' '.repeat(2000)}[{"type": "assign"}]`,
  ])('%j', async (text) => {
    for (const options of [{}, { file: 'notes.md' }, { dialect: 'react' }, { dialect: 'reakt' }]) {
      expect(await found(text, options)).toEqual(shown(detect(text, options)));
    }
  });
});

/** Markdown and text: sections, headings, front matter, pieces that overlap and keep their lines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as loaders from '../../../src/effects/retrieve/load/markdown.ts';
import { pieceCharsMax, pieces } from '../../../src/effects/retrieve/load/pieces.ts';
import { whole } from '../../support/whole-content.ts';

const loadMarkdown = whole(loaders.loadMarkdown);
const loadText = whole(loaders.loadText);

const outline = (text: string): unknown[] =>
  loadMarkdown(text).chunks.map(({ heading, lines }) => [heading, ...lines]);

test('sections carry the path of their headings and their lines', () => {
  const text = `Before.

# Europe

About it.

## Spain ##

Large.

### *Madrid* and [Rome](x.md)
Big.
## Italy
Long.
`;
  expect(outline(text)).toEqual([
    ['', 1, 1],
    ['Europe', 3, 5],
    ['Europe > Spain', 7, 9],
    ['Europe > Spain > Madrid and Rome', 11, 12],
    ['Europe > Italy', 13, 14],
  ]);
  expect(loadMarkdown(text).chunks[2]?.text).toBe('## Spain ##\n\nLarge.');
  expect(loadMarkdown(text).title).toBe('Europe');
});

test('a heading without text is kept in the path of what it holds, or by itself', () => {
  expect(outline('# A\n## B\ntext\n## C\n')).toEqual([
    ['A > B', 2, 3],
    ['A > C', 4, 4],
  ]);
});

test('underlined headings count, rules and lists do not', () => {
  expect(outline('Title\n=====\ntext\n\nPart\n----\nmore\n\n---\n\n- item\n---\n')).toEqual([
    ['Title', 1, 3],
    ['Title > Part', 5, 12],
  ]);
});

test('what stands in a fence is no heading', () => {
  const fenced = '# A\n```sh\n# comment\n~~~\n```\n## B\n~~~~\n```\n# no\n~~~\n# no\n~~~~\ntext\n';
  expect(outline(fenced)).toEqual([
    ['A', 1, 5],
    ['A > B', 6, 13],
  ]);
});

test('front matter is metadata, not text', () => {
  const { title, metadata, chunks } = loadMarkdown(`---
title: "Facts: France"
tags: [geo, europe]
sources:
  - INSEE
  - 'IGN'
---
# Heading
Text.
`);
  expect(title).toBe('Facts: France');
  expect(metadata).toEqual({ title: 'Facts: France', tags: 'geo, europe', sources: 'INSEE, IGN' });
  expect(chunks).toEqual([{ heading: 'Heading', text: '# Heading\nText.', lines: [8, 9] }]);
});

test('front matter that never ends is text', () => {
  expect(outline('---\na: b\n')).toEqual([['', 1, 2]]);
});

test('a long section becomes pieces cut between paragraphs', () => {
  const paragraph = (index: number): string => `Paragraph ${index} ${'word '.repeat(90)}end.`;
  const text = `# Long\n\n${Array.from({ length: 12 }, (_, i) => paragraph(i)).join('\n\n')}\n`;
  const { chunks } = loadMarkdown(text);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.every((chunk) => chunk.heading === 'Long')).toBe(true);
  expect(chunks.every((chunk) => chunk.text.endsWith('end.'))).toBe(true);
});

test('a short tail of a piece begins the next one', () => {
  const text = `${'a'.repeat(1_400)}\n\nThe bridge is here.\n\n${'b'.repeat(1_400)}\n`;
  const { chunks } = loadText(text);
  expect(chunks.map((chunk) => chunk.text.includes('The bridge is here.'))).toEqual([true, true]);
  expect(chunks.map((chunk) => chunk.lines)).toEqual([
    [1, 3],
    [3, 5],
  ]);
});

test('no characters are lost, and no piece is longer than the limit, whatever the text', () => {
  const part = fc.oneof(
    fc.constantFrom('\n\n', '\n', ' ', '. ', '\u{1F600}', '# ', 'word'),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.integer({ min: 100, max: 3_000 }).map((length) => '\u{1F600}'.repeat(length)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
      const text = parts.join('');
      const found = pieces(text);
      let covered = 0;
      for (const { start, end } of found) {
        expect(text.slice(covered, Math.max(start, covered)).trim()).toBe('');
        expect(end - start).toBeLessThanOrEqual(pieceCharsMax);
        expect(text.slice(start, end).isWellFormed()).toBe(true);
        expect(end).toBeGreaterThan(covered);
        covered = end;
      }
      expect(text.slice(covered).trim()).toBe('');
    }),
  );
});

/** How files are named, how long they are, how they begin, and what none of them may mention. */
import { describe, expect, test } from 'vitest';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/reader.ts';
import { weave } from '../../src/dialects/playbook/weave/weave.ts';
import { loopFiles, loopNames } from '../../src/planner/loop-source.ts';
import { filesUnder, sourcesUnder, textOf } from '../support/repo.ts';

const linesMax = 500;
const columnsMax = 100;

const every = filesUnder('');
const sources = sourcesUnder('src');
const code = sourcesUnder('src', 'test', 'bench');
const loops = filesUnder('src/loops').filter((path) => path.endsWith('.star'));

/** Why a path is badly named, or null. Golden files are named by what they show. */
function badName(path: string): string | null {
  const parts = path.split('/');
  if (path.startsWith('test/golden/')) return null;
  // The names that other programs read them by.
  if (['.mcp.json', '.env'].includes(parts.at(-1) ?? '')) return null;
  const wrong = parts.find((part) => !/^[a-z0-9]+([.-][a-z0-9]+)*$/.test(part));
  if (wrong !== undefined && !/^[A-Z]+\.md$/.test(wrong)) return `${path}: not kebab-case`;
  const name = parts.at(-1) ?? '';
  return /^(types|utils?|helpers?|misc|common)\.tsx?$/.test(name) ? `${path}: not a noun` : null;
}

function longLines(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const fits = line.length <= columnsMax || /https?:\/\/\S{60}/.test(line);
    return fits ? [] : [`${path}:${index + 1}: ${line.length} columns`];
  });
}

/** Whether a file opens with a sentence that says what it is. */
function hasHeader(text: string): boolean {
  return /^(#!.*\n)?(\/\*\*[\s\S]*?[a-z]{3,}|\/\/ [\s\S]*?[a-z]{3,})/.test(text);
}

// Written so that this file does not contain what it looks for.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`);
const machinePath = new RegExp(`(?<![\\w./:-])/(${['work', 'root', 'home', 'Users'].join('|')})/`);

function matching(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

test('files and folders have kebab-case names, one noun each', () => {
  const named = every.filter((path) => /^(src|test|bench|docs|examples)\//.test(path));
  expect(named).toContain('test/tidy/files.test.ts');
  expect(named.flatMap((path) => badName(path) ?? [])).toEqual([]);
});

test(`code files have fewer than ${linesMax} lines`, () => {
  // The dispatch switch is kept whole.
  const others = code.filter((path) => path !== 'src/machine/run.ts');
  const tall = others.filter((path) => textOf(path).trimEnd().split('\n').length >= linesMax);
  expect(tall).toEqual([]);
});

test(`lines of src/ fit in ${columnsMax} columns`, () => {
  const all = [...sources, ...loops];
  expect(all.flatMap((path) => longLines(path, textOf(path)))).toEqual([]);
});

describe('files of one loop are one text, in which each name is defined once', () => {
  const defined = (text: string): string[] =>
    [...text.matchAll(/^(?:def (\w+)\(|(\w+) = )/gm)].map(([, of, value]) => of ?? value ?? '');

  test.each(loopNames.filter((name) => loopFiles(name).length > 1))('%s', (name) => {
    const files = loopFiles(name).map((file) => textOf(`src/${file}`));
    // What it is woven with stands before it.
    const text = '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n';
    const file = link(compiledOf(readTree(text).tree, []), { inlineSteps: 0 });
    const woven = name === 'playbook' ? [weave(file, { loop: '', tools: new Map() })] : [];
    const names = [...woven, ...files].flatMap(defined);
    expect(names).toEqual(expect.arrayContaining(['play', 'books', 'clock', 'codes']));
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
  });

  test('and each of them is a part of its loop', () => {
    const all = loopNames.flatMap((name) => loopFiles(name).map((file) => `src/${file}`));
    expect(all.toSorted()).toEqual(loops.toSorted());
  });
});

test('each file of src/ opens with a comment that says what it is', () => {
  expect(sources.filter((path) => !hasHeader(textOf(path)))).toEqual([]);
});

test('nothing is marked as unfinished', () => {
  const ours = every.filter((path) => /\.(ts|tsx|js|md)$/.test(path) && !path.includes('/golden/'));
  expect(matching(unfinished, ours)).toEqual([]);
});

test('no file names a path of one machine', () => {
  const text = every.filter((path) => !/\.(png|ico|woff2|gif|pdf|db)$/.test(path));
  expect(text).toContain('package-lock.json');
  expect(matching(machinePath, text)).toEqual([]);
});

describe('the check itself', () => {
  test.each([
    'src/machine/opCode.ts',
    'src/Machine/run.ts',
    'src/types.ts',
    'test/support/utils.ts',
  ])('refuses the name %s', (path) => expect(badName(path)).not.toBeNull());

  test.each(['src/machine/op-code.ts', 'test/README.md', 'test/golden/starlark/Loop_1.star'])(
    'accepts the name %s',
    (path) => expect(badName(path)).toBeNull(),
  );

  test('tells a header from code and from an empty comment', () => {
    expect(hasHeader('/** The journal. */\n')).toBe(true);
    expect(hasHeader('#!/usr/bin/env node\n// Starts it.\n')).toBe(true);
    expect(hasHeader("import { a } from './a.ts';\n/** Late. */")).toBe(false);
  });

  test('sees a line that is too long', () => {
    expect(longLines('src/a.ts', `short\n${'x'.repeat(columnsMax + 1)}`)).toEqual([
      `src/a.ts:2: ${columnsMax + 1} columns`,
    ]);
  });

  test('tells a path of a machine from other text', () => {
    expect(machinePath.test(`cd ${'/root'}/project`)).toBe(true);
    expect(machinePath.test('https://example.org/home/page, ./work/a, and/or')).toBe(false);
    expect(unfinished.test(`// ${'TO'}${'DO'}: later`)).toBe(true);
  });
});

/**
 * What documents show is copied out of examples that run as tests: a block of JSON, TypeScript,
 * Starlark, Markdown or NDJSON names its file in a comment before it, and says what the file says.
 * A block of text is the output of a command of an example; one of the shell that names an example
 * has commands of it, in their order.
 */
import { describe, expect, test } from 'vitest';
import { codeTables } from '../../scripts/reference/codes.ts';
import { type Block, blocksOf, codeSpansOf } from '../support/markdown.ts';
import { filesUnder, textOf } from '../support/repo.ts';

const copied: ReadonlySet<string> = new Set([
  ...['json', 'ts', 'ndjson', 'starlark', 'markdown', 'text'],
]);
const known: ReadonlySet<string> = new Set([...copied, 'sh', '']);

/** Code of the machine and pages of help say where they are from in other ways. */
const documents = ['README.md', 'ARCHITECTURE.md', ...filesUnder('docs'), ...filesUnder('examples')]
  .filter((path) => path.endsWith('.md') && path !== 'docs/reference/cli.md')
  // These are programs.
  .filter((path) => !path.endsWith('.playbook.md'))
  .sort();

const every = filesUnder('');
const meanings = new Set([...codeTables.values()].flatMap((table) => Object.keys(table)));
/** Files of those who use planvm. */
const mentioned = new Set(['planvm.config.ts', 'tools.ts', './tools.ts', '.playbook.md']);

type Read = (path: string) => string;

/** What is wrong with the blocks of a document, one line each. */
function wrongIn(path: string, document: string, read: Read): string[] {
  return blocksOf(document).flatMap((block) => {
    const problem = problemOf(block, read);
    return problem === undefined ? [] : [`${path}:${block.line}: ${problem}`];
  });
}

function problemOf({ language, source, text }: Block, read: Read): string | undefined {
  if (!known.has(language)) return `no language of documents: ${language}`;
  // A plan of tasks has no language that a page could colour: it is copied where it says from where.
  const isCopied = copied.has(language) || source !== undefined;
  if (!isCopied || (!text.includes('\n') && source === undefined)) return undefined;
  if (source === undefined) return 'no comment names the file it is from';
  const file = read(source);
  if (language === 'sh') return missingIn(text, commandsIn(file), source);
  if (language !== 'text') return isPart(text, file) ? undefined : `differs from ${source}`;
  return outputsIn(file).some((output) => isPart(text, output))
    ? undefined
    : `no command of ${source} prints this`;
}

/** Whether a text is made of consecutive lines of a file, all indented alike. */
function isPart(text: string, file: string): boolean {
  const want = text.split('\n');
  const lines = file.trimEnd().split('\n');
  return lines.some((line, at) => {
    const indent = line.slice(0, line.length - line.trimStart().length);
    const first = want[0] ?? '';
    const prefix = indent.endsWith(leading(first))
      ? indent.slice(0, indent.length - leading(first).length)
      : '';
    return want.every((one, i) => lines[at + i] === (one === '' ? '' : prefix + one));
  });
}

const leading = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/** The first line that is no command of an example, or comes before one that it has come behind. */
function missingIn(text: string, commands: readonly string[], source: string): string | undefined {
  let at = 0;
  const lines = text.split('\n').map((line) => line.replace(/\s+#.*$/, ''));
  const missing = lines.find((line) => {
    const found = commands.indexOf(line.replace(/^npx /, ''), at);
    at = found + 1;
    return found < 0;
  });
  return missing === undefined ? undefined : `no command of ${source} is: ${missing}`;
}

function commandsIn(example: string): string[] {
  const { commands }: { commands: { args?: string[] }[] } = JSON.parse(example);
  const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text}'`);
  return commands.map(({ args = [] }) => ['planvm', ...args.map(quoted)].join(' '));
}

function outputsIn(example: string): string[] {
  const { commands }: { commands: { stdout?: string; stderr?: string }[] } = JSON.parse(example);
  return commands.flatMap(({ stdout, stderr }) =>
    [stdout, stderr].filter((one) => one !== undefined),
  );
}

test('there are documents with blocks to look at', () => {
  const blocks = documents.flatMap((path) => blocksOf(textOf(path)));
  expect(blocks.filter(({ source }) => source !== undefined).length).toBeGreaterThan(1);
});

test.each(documents)('%s shows what its examples say', (path) => {
  expect(wrongIn(path, textOf(path), textOf)).toEqual([]);
});

test.each(documents)('%s names events that there are', (path) => {
  const sources = textOf('src/engine/journal/journal.ts') + textOf('src/engine/events.ts');
  const spans = codeSpansOf(textOf(path)).map(({ text }) => text);
  const named = spans.filter((text) =>
    /^(run|effect|step|limit|message|program)\.(?!ts$)[a-z]+$/.test(text),
  );
  const made = ['run.result'];
  const known = (name: string): boolean => sources.includes(`'${name}'`) || made.includes(name);
  expect(named.filter((name) => !known(name))).toEqual([]);
});

test.each(documents)('%s names files and codes that there are', (path) => {
  const text = textOf(path);
  const spans = codeSpansOf(text).map(({ text }) => text);
  const files = spans.filter((text) =>
    /^[\w./-]*\w\.(ts|sql|md)$|^(src|test|docs)\/[\w./-]+$/.test(text),
  );
  const ours = files.filter((file) => !mentioned.has(file));
  const isThere = (file: string): boolean =>
    every.some((one) => one === file || one.endsWith(`/${file}`) || one.startsWith(file));
  expect(ours.filter((file) => !isThere(file))).toEqual([]);
  const codes = text.match(/PV\d{4}/g) ?? [];
  expect(codes.filter((code) => !meanings.has(code))).toEqual([]);
});

test.each(documents)('%s links to files that are there', (path) => {
  const folder = path.split('/').slice(0, -1).join('/');
  const links = [...textOf(path).matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^https?:/.test(link));
  const lost = local.filter((link) => {
    const target = new URL(link, `file:///${folder === '' ? '' : `${folder}/`}`).pathname.slice(1);
    return !every.some(
      (file) => file === target || file.startsWith(`${target.replace(/\/$/, '')}/`),
    );
  });
  expect(lost).toEqual([]);
});

describe('the check itself', () => {
  const files: Readonly<Record<string, string>> = {
    'a.json': '{\n  "a": [\n    1,\n    2\n  ]\n}\n',
    'example.json': '{"commands": [{"args": ["a", "b c"], "stdout": "one\\ntwo\\nthree\\n"}]}',
  };
  const check = (document: string): string[] =>
    wrongIn('d.md', document, (path) => files[path] ?? '');

  test.each([
    '<!-- a.json -->\n```json\n{\n  "a": [\n    1,\n    2\n  ]\n}\n```',
    '<!-- a.json -->\n\n```json\n  "a": [\n    1,\n```',
    '<!-- a.json -->\n```json\n"a": [\n  1,\n  2\n```',
    '<!-- example.json -->\n```text\ntwo\nthree\n```',
    "<!-- example.json -->\n```sh\nnpx planvm a 'b c' # why\n```",
    '```json\n{"one": "line"}\n```',
    '```sh\nnpm ci &&\n  npm test\n```',
  ])('accepts %j', (document) => expect(check(document)).toEqual([]));

  test.each([
    ['<!-- a.json -->\n```json\n"a": [\n  1,\n  3\n```', 'd.md:2: differs from a.json'],
    ['<!-- a.json -->\n```json\n"a": [\n  2\n```', 'd.md:2: differs from a.json'],
    ['```json\n{\n}\n```', 'd.md:1: no comment names the file it is from'],
    ['<!-- a.json -->\nwords\n```ts\n1;\n2;\n```', 'd.md:3: no comment names the file it is from'],
    [
      '<!-- example.json -->\n```text\none\nthree\n```',
      'd.md:2: no command of example.json prints this',
    ],
    [
      '<!-- example.json -->\n```sh\nplanvm a c\n```',
      'd.md:2: no command of example.json is: planvm a c',
    ],
    ['```yaml\na: 1\n```', 'd.md:1: no language of documents: yaml'],
  ])('refuses %j', (document, problem) => expect(check(document)).toEqual([problem]));
});

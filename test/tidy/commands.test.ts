/** Command lines in documents, in help and in messages are ones that the real definitions take. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { definitions, problemWith, withDescendants } from '../support/definitions.ts';
import { blocksOf, codeSpansOf } from '../support/markdown.ts';
import { filesUnder, sourcesUnder, textOf } from '../support/repo.ts';
import { commandsOf } from '../support/shell-words.ts';
import { nodesOf } from '../support/syntax.ts';

const documents = filesUnder('').filter((path) => path.endsWith('.md'));
const commands = withDescendants(await definitions());
const options = new Set(commands.flatMap((command) => command.options.map(({ long }) => long)));
// Commander keeps it apart.
options.add('--help');

/** The words behind `planvm`; undefined for another command. */
function planvmWords(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word) && word !== 'npx');
  return words[at] === 'planvm' ? words.slice(at + 1) : undefined;
}

/** What is wrong with the calls of planvm in a script, one line each. */
async function wrongIn(script: string): Promise<string[]> {
  const found: string[] = [];
  for (const words of commandsOf(script)) {
    const own = planvmWords(words);
    const problem = own && (await problemWith(own));
    if (problem !== undefined) found.push(`planvm ${own?.join(' ')}: ${problem}`);
  }
  return found;
}

/** Names of commands and options in a line of prose, which may hold placeholders. */
function unknownIn(span: string): string[] {
  const [, ...words] = span.split(/\s+/);
  const named = words[0]?.match(/^[a-z]+$/)?.[0];
  const known = named === undefined || commands.some((command) => command.name() === named);
  return [...(known ? [] : [named]), ...unknownOptions(span)];
}

const unknownOptions = (text: string): string[] =>
  [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(String).filter((one) => !options.has(one));

test.each(documents)('%s: scripts', async (path) => {
  const scripts = blocksOf(textOf(path)).filter(({ language }) => ['', 'sh'].includes(language));
  for (const { text } of scripts) expect(await wrongIn(text)).toEqual([]);
});

test.each(documents)('%s: commands and options in sentences', (path) => {
  const spans = codeSpansOf(textOf(path)).map(({ text }) => text);
  const calls = spans.filter((text) => /^(npx )?planvm\s/.test(text));
  expect(calls.flatMap((text) => unknownIn(text.replace(/^npx /, '')))).toEqual([]);
  expect(spans.filter((text) => text.startsWith('--')).flatMap(unknownOptions)).toEqual([]);
});

test('the examples in help', async () => {
  const scripts: string[] = [];
  for (const command of commands) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    const [, examples = ''] = stripVTControlCharacters(help).split('Examples:\n');
    const lines = examples.split('\n').filter((line) => /^ {2}\S/.test(line));
    scripts.push(...lines.map((line) => line.trim().split(/ {2,}/)[0] ?? ''));
  }
  expect(scripts.length).toBeGreaterThan(20);
  const wrong = await Promise.all(scripts.map(wrongIn));
  expect(wrong.flat()).toEqual([]);
});

test('the options that messages name', () => {
  const naming = sourcesUnder('src').filter((path) => textOf(path).includes('--'));
  const wrong = naming.flatMap((path) =>
    nodesOf(textOf(path), path)
      .flatMap((node) => textIn(node) ?? [])
      .flatMap(unknownOptions)
      .map((option) => `${path}: ${option}`),
  );
  expect(wrong).toEqual([]);
});

function textIn({
  type,
  value,
}: {
  type: string;
  readonly [field: string]: unknown;
}): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return value;
  return type === 'TemplateElement' ? String((value as { raw: string }).raw) : undefined;
}

describe('the check itself', () => {
  test.each([
    'planvm run plan.json --tools ./tools.ts | head -1',
    'PLANVM_HOME=x npx planvm show last   # what it did',
    'npm ci && planvm ask "Who is it? And \'why\'" --cost 0.5 > answer.txt',
    'npm run nonsense --flag',
  ])('accepts %s', async (script) => expect(await wrongIn(script)).toEqual([]));

  test.each([
    ['planvm runn plan.json', "planvm runn plan.json: error: unknown command 'runn'"],
    ['npx planvm show', "planvm show: error: missing required argument 'run'"],
    ['cat a | planvm run - --tool x', "planvm run - --tool x: error: unknown option '--tool'"],
    ['planvm run a --tokens many', 'planvm run a --tokens many: error: '],
  ])('refuses %s', async (script, problem) => {
    const [found = '', ...more] = await wrongIn(script);
    expect(found.slice(0, problem.length)).toBe(problem);
    expect(more).toEqual([]);
  });

  test('sees a wrong name in a sentence', () => {
    expect(unknownIn('planvm resum RUN --asume done|failed')).toEqual(['resum', '--asume']);
  });
});

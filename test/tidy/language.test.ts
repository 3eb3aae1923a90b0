/**
 * The parts of TypeScript and of the host that this project does without. Lint says most of it too;
 * here it holds whatever a comment in the source switches off.
 */
import { describe, expect, test } from 'vitest';
import { sourcesUnder, textOf } from '../support/repo.ts';
import { lineAt, type Node, nodesOf } from '../support/syntax.ts';

interface Rule {
  /** Sources without these words break no such rule, and need not be parsed. */
  readonly words: RegExp;
  broken(node: Node): string | null;
}

const plainTypeScript: Rule = {
  words: /\b(?:enum|namespace|any)\b|@\w|[\w)\]]!(?!=)/,
  broken(node) {
    switch (node.type) {
      case 'TSEnumDeclaration':
        return 'an enum';
      case 'TSModuleDeclaration':
        return node.kind === 'namespace' ? 'a namespace' : null;
      case 'Decorator':
        return 'a decorator';
      case 'TSAnyKeyword':
        return 'the type any';
      case 'TSNonNullExpression':
        return 'a non-null assertion';
      default:
        return null;
    }
  },
};

const hostWords = new Set(['Promise', 'globalThis', 'eval', 'Atomics', 'SharedArrayBuffer']);
const hostMembers = new Set(['Date.now', 'Math.random', 'performance.now']);

/** Nothing that reads a clock, chance or the host, and nothing that waits: only data and functions. */
const pure: Rule = {
  words:
    /\b(?:await|import\(|async|Date|Function|random|now|Promise|globalThis|eval|Atomics|Shared)/,
  broken(node) {
    switch (node.type) {
      case 'AwaitExpression':
        return 'an await';
      case 'ImportExpression':
        return 'an import on demand';
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return node.async === true ? 'an async function' : null;
      case 'NewExpression':
        return ['Date', 'Function'].includes(nameOf(node.callee)) ? nameOf(node.callee) : null;
      case 'MemberExpression':
        return hostMembers.has(nameOf(node)) ? nameOf(node) : null;
      case 'Identifier':
        return hostWords.has(nameOf(node)) ? nameOf(node) : null;
      default:
        return null;
    }
  },
};

/** A test waits for what it needs; it neither lets time pass nor measures it. */
const timeless: Rule = {
  words: /\b(?:now|timers|setTimeout|setInterval|sleep)\b/,
  broken(node) {
    if (node.type === 'MemberExpression' && nameOf(node) === 'performance.now') return nameOf(node);
    if (node.type === 'ImportDeclaration' && isTimers(node.source)) return 'the timers module';
    if (node.type !== 'CallExpression') return null;
    return ['setTimeout', 'setInterval', 'sleep'].includes(nameOf(node.callee))
      ? nameOf(node.callee)
      : null;
  },
};

const command =
  /(^|[\s(`'"])--[a-z]|\bplanvm (answer|approve|ask|bench|check|delete|fork|gc|resume|runs?|show|test|tools)\b/;

/** Whoever has these as a library has no command line; `src/cli/advice.ts` says what to do there. */
const libraryWords: Rule = {
  words: command,
  broken({ type, value }) {
    const text = type === 'TemplateElement' ? (value as { raw?: unknown }).raw : value;
    if (type !== 'TemplateElement' && type !== 'Literal') return null;
    return typeof text === 'string' && command.test(text) ? 'a word of the command line' : null;
  },
};

function isTimers(source: unknown): boolean {
  const { value } = source as Node;
  return typeof value === 'string' && /^(node:)?timers(\/promises)?$/.test(value);
}

/** `name` or `object.name`; empty for anything else. */
function nameOf(value: unknown): string {
  const node = value as Node;
  if (node.type === 'Identifier') return String(node.name);
  if (node.type !== 'MemberExpression' || node.computed === true) return '';
  return `${nameOf(node.object)}.${nameOf(node.property)}`;
}

function found({ words, broken }: Rule, path: string, source: string): string[] {
  if (!words.test(source)) return [];
  return nodesOf(source, path).flatMap((node) => {
    const what = broken(node);
    return what === null ? [] : [`${path}:${lineAt(source, node.start)}: ${what}`];
  });
}

function foundIn(rule: Rule, ...folders: string[]): string[] {
  const sources = sourcesUnder('src', 'test', 'bench').filter((path) =>
    folders.some((folder) => path.startsWith(`${folder}/`)),
  );
  return sources.flatMap((path) => found(rule, path, textOf(path)));
}

test('the sources are plain TypeScript', () => {
  expect(foundIn(plainTypeScript, 'src', 'test', 'bench')).toEqual([]);
});

test('program, text, analysis, machine and dialects are pure', () => {
  const folders = ['program', 'text', 'analysis', 'machine', 'dialects'];
  expect(foundIn(pure, ...folders.map((name) => `src/${name}`))).toEqual([]);
});

test('texts below the terminal name no command and no flag', () => {
  const folders = [
    'program',
    'text',
    'analysis',
    'machine',
    'engine',
    'planner',
    'agent',
    'server',
    'bench',
    'cases',
  ];
  expect(foundIn(libraryWords, ...folders.map((name) => `src/${name}`))).toEqual([]);
});

test('no test sleeps or measures time', () => {
  expect(foundIn(timeless, 'test')).toEqual([]);
});

describe('the check itself', () => {
  test.each([
    ['an enum', plainTypeScript, 'enum Color { red }'],
    ['a namespace', plainTypeScript, 'namespace Colors { export const red = 1; }'],
    ['a decorator', plainTypeScript, '@sealed class Color {}'],
    ['the type any', plainTypeScript, 'const color = red as any;'],
    ['a non-null assertion', plainTypeScript, 'const color = red!;'],
    ['Date', pure, 'const now = new Date();'],
    ['Date.now', pure, 'const now = Date.now();'],
    ['Math.random', pure, 'const dice = Math.random();'],
    ['Promise', pure, 'const later = Promise.resolve(1);'],
    ['an async function', pure, 'const later = async () => 1;'],
    ['the timers module', timeless, "import { setTimeout } from 'node:timers/promises';"],
    ['setTimeout', timeless, 'await new Promise((done) => setTimeout(done, 100));'],
    ['performance.now', timeless, 'const start = performance.now();'],
    ['a word of the command line', libraryWords, 'const hint = `see planvm show `;'],
    ['a word of the command line', libraryWords, "const hint = 'raise --value-bytes';"],
  ])('sees %s', (what, rule, source) => {
    expect(found(rule, 'src/probe.ts', source)).toEqual([`src/probe.ts:1: ${what}`]);
  });

  test('sees nothing in strings and comments', () => {
    const source = "// any! new Date()\nconst text = 'enum Color { any }';\ndeclare module 'x';";
    expect(found(plainTypeScript, 'src/probe.ts', source)).toEqual([]);
    expect(found(pure, 'src/probe.ts', source)).toEqual([]);
  });
});

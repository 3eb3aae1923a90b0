/** One code, one meaning: the tables of all layers against each other and against the sources. */
import { describe, expect, test } from 'vitest';
import { codeTables } from '../../scripts/reference/codes.ts';
import { pages } from '../../scripts/reference.ts';
import { codeByName as ofActions } from '../../src/dialects/llmcompiler/codes.ts';
import { codeByName as ofPlaybooks } from '../../src/dialects/playbook/codes.ts';
import { codeByName as ofStack } from '../../src/dialects/stack/codes.ts';
import { codeByName } from '../../src/dialects/stackvm/codes.ts';
import { faults } from '../../src/machine/values/fault.ts';
import { filesUnder, sourcesUnder, textOf } from '../support/repo.ts';
import { type Node, nodesOf } from '../support/syntax.ts';

const isTable = (path: string): boolean => /\/(([a-z]+-)?codes|code-names)\.ts$/.test(path);

const codes = [...codeTables.values()].flatMap((table) => Object.keys(table));

/** Where a layer uses its codes by name. */
const named = new Map<string, Readonly<Record<string, string>>>([
  ['src/machine/', faults],
  ['src/dialects/stack/', ofStack],
  ['src/dialects/stackvm/', codeByName],
  ['src/dialects/llmcompiler/', ofActions],
  ['src/dialects/react/', ofActions],
  ['src/dialects/playbook/', ofPlaybooks],
]);

/** The codes that a source uses, as literals or by the names that its layer gives them. */
function usedIn(path: string, source: string): string[] {
  const names = [...named].find(([folder]) => path.startsWith(folder))?.[1] ?? {};
  return nodesOf(source, path).flatMap((node) => {
    const text = literalOf(node);
    if (text !== undefined) return text.match(/^PV\d{4}$/g) ?? [];
    const isMember = ['faults', 'codeByName'].includes(nameOf(node.object));
    return names[isMember ? nameOf(node.property) : reportedBy(node)] ?? [];
  });
}

const literalOf = (node: Node): string | undefined =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;

/** The second argument of `error(report, 'noTarget', …)`. */
function reportedBy(node: Node): string {
  if (node.type !== 'CallExpression') return '';
  const second = (node.arguments as readonly Node[])[1];
  return (second && literalOf(second)) ?? '';
}

function nameOf(value: unknown): string {
  const node = value as Node | undefined;
  return node?.type === 'Identifier' ? String(node.name) : '';
}

/** Control loops give codes to what they fail with. */
const inLoops = filesUnder('src/loops').flatMap((path) => textOf(path).match(/\bPV\d{4}\b/g) ?? []);

const used = new Set([
  ...inLoops,
  ...sourcesUnder('src')
    .filter((path) => !isTable(path))
    .flatMap((path) => usedIn(path, textOf(path))),
]);

test('no code means two things', () => {
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
});

test('a code is PV and four digits, its meaning is a sentence', () => {
  expect(codes.filter((code) => !/^PV[1-7]\d{3}$/.test(code))).toEqual([]);
  const meanings = [...codeTables.values()].flatMap((table) => Object.values(table));
  expect(meanings.filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);
});

test('no two codes mean the same', () => {
  const meanings = [...codeTables.values()].flatMap((table) => Object.values(table));
  expect(meanings.filter((text, i) => meanings.indexOf(text) !== i)).toEqual([]);
});

test('each code that the sources use has a meaning', () => {
  expect(used.size).toBeGreaterThan(100);
  expect([...used].filter((code) => !codes.includes(code))).toEqual([]);
});

test('each code that has a meaning is used', () => {
  expect(codes.filter((code) => !used.has(code))).toEqual([]);
});

test('each code stands on the reference page', async () => {
  const page = (await pages()).get('docs/reference/diagnostics.md') ?? '';
  const listed = [...page.matchAll(/^\| (PV\d{4}) \|/gm)].map(([, code]) => code);
  expect(listed).toEqual(codes.toSorted());
});

describe('the check itself', () => {
  test.each([
    ['src/engine/a.ts', "throw new RunError('PV5105', 'there is no run');", ['PV5105']],
    ['src/machine/a.ts', "throw new Fault(faults.noKey, '…');", ['PV3005']],
    ['src/dialects/stackvm/a.ts', "warn(report, 'gap', at, 'text');", ['PV2127']],
    ['src/engine/a.ts', "// PV5105\nconst text = 'as PV5105 says';", []],
    ['src/engine/a.ts', "warn(report, 'gap', at, 'text');", []],
  ])('finds what %s uses in %j', (path, source, found) => {
    expect(usedIn(path, source)).toEqual(found);
  });
});

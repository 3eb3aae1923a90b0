/** What a name means: canonical names before aliases before ends, and never one of several. */
import { expect, test } from 'vitest';
import { toolSpec } from '../../src/program/effect.ts';
import {
  findTool,
  matchesTool,
  namespaceOf,
  nearTool,
  rivalsFor,
  toolHint,
  toolNamesIn,
} from '../../src/program/tool-names.ts';

const toolsOf = (given: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(given).map(([name, aliases]) => [
      name,
      toolSpec({ name, aliases, description: `Is ${name}.` }),
    ]),
  );

const tools = toolsOf({
  download: ['WebHelpers.get_url', 'get_url'],
  'filesystem.read_file': [],
  'memory.read_file': [],
  'github.repos.list': ['repos'],
  'github.issues.list': [],
  search: [],
  'wiki.search': ['look_up', 'get_url'],
});

test.each([
  ['download', 'download'],
  ['WebHelpers.get_url', 'download'],
  ['filesystem.read_file', 'filesystem.read_file'],
  ['repos.list', 'github.repos.list'],
  ['repos', 'github.repos.list'],
  // A canonical name is not taken by the end of another.
  ['search', 'search'],
  ['look_up', 'wiki.search'],
])('%s is %s', (name, canonical) => {
  expect(findTool(tools, name)?.name).toBe(canonical);
});

test.each([
  ['read_file', ['filesystem.read_file', 'memory.read_file']],
  ['list', ['github.repos.list', 'github.issues.list']],
  ['get_url', ['download', 'wiki.search']],
])('%s could be several, so it is none, and says which', (name, rivals) => {
  expect(findTool(tools, name)).toBeUndefined();
  expect(rivalsFor(tools, name)).toEqual(rivals);
  expect(toolHint(tools, name)).toBe(`several have that name: write ${rivals.join(' or ')}`);
});

test('what is near to an alias is advised by its canonical name', () => {
  expect(nearTool(tools, 'WebHelper.get_url')).toBe('download');
  expect(toolHint(tools, 'filesystem.red_file')).toBe('did you mean filesystem.read_file?');
  expect(toolHint(tools, 'quantum_teleportation')).toBeUndefined();
});

test('an alias that another tool has as its name is not one', () => {
  const clash = toolsOf({ a: ['b'], b: [] });
  expect(findTool(clash, 'b')?.name).toBe('b');
  expect([...toolNamesIn(clash)].map(([name]) => name)).toEqual(['a', 'b']);
});

test.each([
  ['*', 'anything.at_all', true],
  ['github.*', 'github.repos.list', true],
  ['github.*', 'github', false],
  ['search*', 'search_news', true],
  ['*.list', 'github.repos.list', true],
  ['a*a', 'a', false],
  ['g*.i*.l*t', 'github.issues.list', true],
  ['g*.x*.l*t', 'github.issues.list', false],
  ['search', 'searches', false],
])('%s against %s: %s', (pattern, name, matches) => {
  expect(matchesTool(pattern, name)).toBe(matches);
});

test('a namespace is what stands before the last dot', () => {
  expect(['a.b.c', 'a.b', 'a'].map(namespaceOf)).toEqual(['a.b', 'a', '']);
});

/**
 * Imports run downwards only. This test is the authority on which layer may import what; the lint
 * rules say the same in the editor, as far as patterns of paths can.
 */
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sourcesUnder, textOf } from '../support/repo.ts';
import { importsOf, loadedWith, nodesOf } from '../support/syntax.ts';

interface Layer {
  /** The folders of src/, or single files of them, that it may import besides itself. */
  readonly below: readonly string[];
  /** Whether it may import Node's built-in modules. */
  readonly node: boolean;
  /** The packages that it may import. */
  readonly packages: 'any' | readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  program: { below: [], node: false, packages: [] },
  // What models write, and what a program may do.
  text: { below: ['program'], node: false, packages: ['yaml'] },
  analysis: { below: ['program'], node: false, packages: [] },
  // Pure parsers only, each with the dialect that needs it in docs/internals/dependencies.md.
  dialects: { below: ['program', 'text', 'analysis'], node: false, packages: [] },
  machine: { below: ['program', 'text', 'analysis'], node: false, packages: [] },
  starlark: {
    below: ['program', 'text', 'analysis', 'dialects', 'machine'],
    node: false,
    packages: [],
  },
  browser: {
    below: ['program', 'dialects', 'machine'],
    node: false,
    packages: [],
  },
  'browser.ts': { below: ['browser'], node: false, packages: [] },
  // Programs of the guest: what they need of the world, the planner gives them as effects.
  loops: { below: [], node: false, packages: [] },
  engine: { below: ['machine', 'program', 'text', 'analysis'], node: true, packages: [] },
  effects: {
    below: ['program', 'text', 'analysis', 'engine/handler.ts'],
    node: true,
    packages: 'any',
  },
  planner: {
    below: [
      ...['dialects', 'program', 'text', 'engine/handler.ts', 'loops'],
      ...['effects/model/model.ts', 'effects/model/ask.ts', 'effects/model/whole-text.ts'],
      // Finds the tools that fit a goal, as passages that fit a question.
      'effects/digest/rank.ts',
    ],
    node: true,
    packages: 'any',
  },
  // Looks on while runs go on: what a process has registered hears of it.
  telemetry: {
    below: ['program', 'engine'],
    node: true,
    packages: [
      '@opentelemetry/api',
      '@opentelemetry/sdk-trace',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/resources',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/context-async-hooks',
    ],
  },
  // From a text or a goal to its answer, for every face; it knows no terminal.
  agent: {
    below: [
      ...['program', 'text', 'analysis', 'dialects', 'machine', 'loops'],
      ...['engine', 'effects', 'planner', 'telemetry'],
    ],
    node: true,
    packages: [],
  },
  // Users of the agent layer: they ask questions and run programs, and know no terminal.
  bench: {
    below: [
      ...['program', 'text', 'analysis', 'dialects', 'machine', 'loops'],
      ...['engine', 'effects', 'planner', 'telemetry', 'agent'],
    ],
    node: true,
    packages: [],
  },
  cases: {
    below: [
      ...['program', 'text', 'analysis', 'dialects', 'machine', 'loops'],
      ...['engine', 'effects', 'planner', 'telemetry', 'agent'],
    ],
    node: true,
    // The schema of `case.json`.
    packages: ['zod'],
  },
  // Faces for programs: they show events of the agent layer and take replies.
  server: {
    below: [
      ...['program', 'text', 'analysis', 'dialects', 'machine', 'loops'],
      ...['engine', 'effects', 'planner', 'telemetry', 'agent'],
    ],
    node: true,
    packages: ['@modelcontextprotocol/server'],
  },
  // A run as one HTML file.
  page: {
    below: ['program', 'text', 'analysis', 'dialects', 'machine', 'engine', 'agent'],
    node: true,
    packages: [],
  },
  cli: {
    below: [
      'agent',
      'server',
      'page',
      'bench',
      'cases',
      'program',
      'text',
      'analysis',
      'dialects',
      'machine',
      'loops',
      'engine',
      'effects',
      'planner',
      'telemetry',
      'index.ts',
    ],
    node: true,
    packages: 'any',
  },
  'index.ts': {
    below: [
      ...['program', 'text', 'analysis', 'dialects', 'machine', 'starlark'],
      ...['loops', 'engine', 'effects', 'planner', 'telemetry', 'agent', 'server'],
      ...['bench', 'cases', 'cli'],
    ],
    node: true,
    packages: 'any',
  },
};

/** What is wrong with the imports of one file, one line each; nothing when they run downwards. */
function violations(path: string, source: string): string[] {
  const name = path.split('/')[1] ?? '';
  const layer = layers[name];
  if (layer === undefined) return [`${path}: '${name}' is not a layer of src/`];
  return importsOf(source, path).flatMap(({ specifier, line }) => {
    const problem = violation(path, name, layer, specifier);
    return problem === null ? [] : [`${path}:${line}: ${problem}`];
  });
}

function violation(
  path: string,
  name: string,
  layer: Layer,
  specifier: string | null,
): string | null {
  if (specifier === null) return layer.node ? null : `${name} computes the name of a module`;
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier);
    const allowed = [name, ...layer.below].some(
      (place) => target === `src/${place}` || target.startsWith(`src/${place}/`),
    );
    return allowed ? null : `${name} imports ${target}`;
  }
  if (specifier.startsWith('node:')) return layer.node ? null : `${name} imports ${specifier}`;
  const allowed = layer.packages === 'any' || layer.packages.includes(packageOf(specifier));
  return allowed ? null : `${name} imports the package ${specifier}`;
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

test('imports of src/ run downwards', () => {
  const sources = sourcesUnder('src');
  expect(sources).toContain('src/cli/main.ts');
  expect(sources.flatMap((path) => violations(path, textOf(path)))).toEqual([]);
});

test('what a browser loads comes from the folders that need no host', () => {
  const loaded = [...allLoadedWith(['src/browser.ts'], everyImport)];
  expect(loaded).toContain('src/dialects/playbook/reader.ts');
  const foreign = loaded.filter(
    (path) => !/^src\/(?:browser(?:\.ts|\/)|program|text|analysis|machine|dialects)/.test(path),
  );
  expect(foreign).toEqual([]);
  const specifiers = loaded.flatMap((path) => everyImport(textOf(path), path));
  // A parser that needs no host, with the playbooks, which are loaded on demand.
  expect(specifiers.filter((specifier) => !specifier.startsWith('.'))).toEqual(['yaml']);
});

/** Those that have the words at all: only they have to be parsed. */
const naming = (words: RegExp, paths: readonly string[]): string[] =>
  paths.filter((path) => words.test(textOf(path)));

test('nothing below the terminal knows of a process', () => {
  const sources = sourcesUnder('src/agent', 'src/server', 'src/bench', 'src/cases');
  expect(sources).toContain('src/agent/record/kept.ts');
  const found = naming(/\bprocess\b/, sources).filter((path) =>
    nodesOf(textOf(path), path).some(
      ({ type, name }) => type === 'Identifier' && name === 'process',
    ),
  );
  expect(found).toEqual([]);
});

const startsOfEngine = new Set(['startRun', 'resumeRun', 'forkRun']);

test('runs start, go on and fork in one place', () => {
  const words = new RegExp([...startsOfEngine].join('|'));
  const callers = naming(words, sourcesUnder('src')).filter((path) =>
    nodesOf(textOf(path), path).some(
      ({ type, imported }) =>
        type === 'ImportSpecifier' &&
        startsOfEngine.has(String((imported as { name?: unknown }).name)),
    ),
  );
  expect(callers).toContain('src/agent/run/begin.ts');
  // The functions of the library that take a journal still have runs of their own.
  const allowed = /^src\/(engine\/|agent\/run\/begin(?:-again)?\.ts$|index\.ts$)/;
  expect(callers.filter((path) => !allowed.test(path))).toEqual([]);
});

interface Inner {
  /** Each is free to use those before it, for types as well. */
  readonly order: readonly string[];
  /** Those that use no file beside them either. */
  readonly alone: readonly string[];
  /** Those that no file beside them uses: it stands below them. Files use all others. */
  readonly above?: readonly string[];
}

/** The folders within some layers. */
const inner: Readonly<Record<string, Inner>> = {
  engine: {
    order: ['journal', 'past', 'perform', 'views', 'fork'],
    alone: [],
    above: ['views', 'fork'],
  },
  machine: { order: ['values', 'builtins', 'window'], alone: ['values'] },
  'dialects/starlark': { order: ['parse', 'resolve', 'compile', 'describe'], alone: ['parse'] },
  'dialects/playbook': {
    order: ['grammar', 'source', 'compile', 'link', 'pbasm', 'weave', 'check'],
    alone: [],
  },
  agent: { order: ['record', 'view', 'travel', 'goal'], alone: [] },
  cli: { order: ['view', 'settings', 'process', 'program', 'tools'], alone: [] },
  'planner/playbook': { order: ['reply', 'check', 'prompt'], alone: ['reply'] },
};

test.each(Object.entries(inner))('so do those between the folders of %s', (layer, rule) => {
  const base = `src/${layer}/`;
  const sources = sourcesUnder(`src/${layer}`);
  for (const folder of rule.order) {
    expect(sources.some((path) => path.startsWith(`${base}${folder}/`))).toBe(true);
  }
  const placeOf = (path: string): number =>
    rule.order.findIndex((folder) => path.startsWith(`${base}${folder}/`));
  const upwards = sources.flatMap((path) => {
    const own = placeOf(path);
    const isBeside = posix.dirname(path) === `src/${layer}`;
    if (own < 0 && !isBeside) return [];
    const isAlone = rule.alone.includes(rule.order[own] ?? '');
    return importsOf(textOf(path), path).flatMap(({ specifier, line }) => {
      if (specifier === null) return [];
      const target = posix.join(posix.dirname(path), specifier);
      const other = placeOf(target);
      const isAbove = rule.above?.includes(rule.order[other] ?? '') ?? false;
      const isUp = isBeside ? isAbove : other > own || (isAlone && other < 0);
      return isUp && target.startsWith(base) ? [`${path}:${line}: ${target}`] : [];
    });
  });
  expect(upwards).toEqual([]);
});

describe('the check itself', () => {
  test.each([
    ['src/program/a.ts', "import { b } from '../machine/b.ts';"],
    ['src/program/a.ts', "import type { B } from '../machine/b.ts';"],
    ['src/program/a.ts', "export * from '../index.ts';"],
    ['src/program/a.ts', "export { b } from 'zod';"],
    ['src/program/a.ts', "import { readFile } from 'node:fs';"],
    ['src/program/a.ts', "import 'fs';"],
    ['src/program/a.ts', "type B = import('../machine/b.ts').B;"],
    ['src/program/a.ts', "import { b } from '../program-extra/b.ts';"],
    ['src/program/a.ts', "import { b } from '../b.ts';"],
    ['src/machine/a.ts', "const b = await import('../engine/b.ts');"],
    ['src/machine/a.ts', 'const b = await import(name);'],
    ['src/machine/builtins/a.ts', "import { b } from '../../dialects/b.ts';"],
    ['src/dialects/react/a.ts', "import { b } from '../../machine/b.ts';"],
    ['src/loops/a.ts', "import { b } from '../engine/handler.ts';"],
    ['src/engine/a.ts', "import { b } from '../effects/model/b.ts';"],
    ['src/engine/a.ts', "import { z } from 'zod';"],
    ['src/effects/model/a.ts', "import { b } from '../../engine/scheduler.ts';"],
    ['src/planner/a.ts', "import { b } from '../machine/b.ts';"],
    ['src/planner/a.ts', "import { b } from '../effects/model/open.ts';"],
    ['src/agent/a.ts', "import { b } from '../bench/b.ts';"],
    ['src/agent/a.ts', "import { b } from '../server/b.ts';"],
    ['src/server/a.ts', "import { b } from '../cli/b.ts';"],
    ['src/server/a.ts', "import { b } from 'commander';"],
    ['src/bench/a.ts', "import { b } from '../cli/b.ts';"],
    ['src/bench/a.ts', "import { b } from '../cases/b.ts';"],
    ['src/cases/a.ts', "import { b } from '../index.ts';"],
    ['src/helpers/a.ts', ''],
    ['src/helpers.ts', ''],
  ])('%s may not contain: %s', (path, source) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  test.each([
    ['src/program/a.ts', "import { b } from './b.ts'; // from '../machine/b.ts'"],
    ['src/program/nested/a.ts', "import { b } from '../b.ts';"],
    ['src/machine/a.ts', `const text = "import x from 'fs';"; import '../program/b.ts';`],
    ['src/machine/run.ts', "export { b } from '../program/b.ts'; export { text };"],
    ['src/engine/journal/sqlite/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    ['src/effects/model/a.ts', "import type { Handler } from '../../engine/handler.ts';"],
    ['src/effects/model/a.ts', "import { streamText } from 'ai';"],
    ['src/planner/a.ts', "import { check } from '../dialects/check.ts';"],
    ['src/planner/a.ts', "import type { Model } from '../effects/model/model.ts';"],
    ['src/bench/a.ts', "import { answerGoal } from '../agent/goal/ask.ts';"],
    ['src/cases/a.ts', "import { z } from 'zod'; import '../agent/b.ts';"],
    ['src/server/mcp/a.ts', "import { Server } from '@modelcontextprotocol/server';"],
    ['src/cli/a.ts', "import { b } from '../server/mcp/b.ts';"],
    ['src/cli/run.ts', "const config = await import(url); import '../planner/b.ts';"],
    ['src/index.ts', "export { run } from './engine/run.ts';"],
  ])('%s may contain: %s', (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });
});

/** Every source that is loaded with some. */
function allLoadedWith(starts: readonly string[], specifiersOf = loadedWith): ReadonlySet<string> {
  const found = new Set(starts);
  for (const path of found) {
    for (const specifier of specifiersOf(textOf(path), path)) {
      const target = posix.join(posix.dirname(path), specifier);
      if (specifier.startsWith('.') && target.endsWith('.ts')) found.add(target);
    }
  }
  return found;
}

/** What is imported anywhere, also on demand and for its types. */
const everyImport = (source: string, path: string): string[] =>
  importsOf(source, path).map(({ specifier }) => specifier ?? '(computed)');

/** What reads and plays them; not what tells them from other texts, and has their options. */
const ofPlaybooks = /^src\/(?:dialects\/playbook\/(?:reader\.ts|[a-z]+\/)|planner\/playbook\/)/;

test('commands load what plays playbooks only where a program is one', () => {
  const loaded = allLoadedWith(sourcesUnder('src/cli/commands'));
  expect(loaded).toContain('src/dialects/starlark/index.ts');
  expect(sourcesUnder('src').filter((path) => ofPlaybooks.test(path)).length).toBeGreaterThan(40);
  expect([...loaded].filter((path) => ofPlaybooks.test(path))).toEqual([]);
});

test('whoever imports the library loads what does work with the first session', () => {
  const loaded = allLoadedWith(['src/index.ts']);
  expect(loaded).toContain('src/agent/agent.ts');
  const work = /^src\/agent\/(?:sessions\.ts|loops\/|tools\/toolbox\.ts)/;
  expect(sourcesUnder('src').filter((path) => work.test(path)).length).toBeGreaterThan(8);
  expect([...loaded].filter((path) => work.test(path))).toEqual([]);
});

/** Pairs of folders of which each imports from the other, `a <> b`, files of types included. */
function circles(paths: readonly string[]): string[] {
  const uses = new Set<string>();
  for (const path of paths) {
    const own = posix.dirname(path);
    for (const { specifier } of importsOf(textOf(path), path)) {
      if (!specifier?.startsWith('.')) continue;
      const other = posix.dirname(posix.join(own, specifier));
      if (other !== own) uses.add(`${own} ${other}`);
    }
  }
  return [...uses].flatMap((pair) => {
    const [own = '', other = ''] = pair.split(' ');
    return own < other && uses.has(`${other} ${own}`)
      ? [`${own} <> ${other}`.replaceAll('src/', '')]
      : [];
  });
}

test('no folders come to use each other: those that do are listed, and may only become fewer', () => {
  const listed = textOf('test/tidy/folder-circles.txt').trim().split('\n');
  expect(circles(sourcesUnder('src')).toSorted()).toEqual(listed);
});

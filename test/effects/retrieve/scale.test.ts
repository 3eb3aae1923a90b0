/** Cost grows with what is loaded, not with what is there: counted in statements, not in time. */
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryGraph } from '../../../src/effects/retrieve/graph-answer.ts';
import { ingest } from '../../../src/effects/retrieve/ingest.ts';
import type { Knowledge } from '../../../src/effects/retrieve/knowledge.ts';
import { searchChunks } from '../../../src/effects/retrieve/search.ts';
import { type Files, workspace } from './workspace.ts';

let statements = 0;
const texts = new Set<string>();

beforeEach(() => {
  statements = 0;
  texts.clear();
  for (const method of ['all', 'get', 'run', 'iterate'] as const) {
    const original = StatementSync.prototype[method] as (...values: unknown[]) => never;
    vi.spyOn(StatementSync.prototype, method).mockImplementation(function (
      this: StatementSync,
      ...values: unknown[]
    ) {
      statements++;
      texts.add(this.sourceSQL);
      return original.apply(this, values);
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** Files with so many chunks and as many facts, about things that all files share. */
function corpus(chunks: number): Files {
  const perFile = 500;
  const files = Array.from({ length: chunks / perFile }, (_, file): [string, string][] => {
    const parts = Array.from({ length: perFile }, (_, i) => `# Part ${file}.${i}\n\nText ${i}.\n`);
    const facts = Array.from(
      { length: perFile },
      (_, i) => `Thing ${file}.${i},is a,Kind\nThing ${file}.${i},belongs to,Hub\n`,
    );
    return [
      [`${file}.md`, parts.join('\n')],
      [`${file}.csv`, `subject,predicate,object\n${facts.join('')}`],
    ];
  });
  return Object.fromEntries(files.flat());
}

async function load(chunks: number): Promise<{ count: number; knowledge: Knowledge }> {
  const space = workspace(corpus(chunks));
  const knowledge = space.open();
  const before = statements;
  await ingest(knowledge, [space.folder]);
  const count = statements - before;
  expect(knowledge.counts()).toMatchObject({ chunks, facts: 2 * chunks });
  return { count, knowledge };
}

test('20 000 chunks take ten times the statements of 2 000', async () => {
  const small = await load(2_000);
  const large = await load(20_000);
  expect(large.count / small.count).toBeGreaterThan(9);
  expect(large.count / small.count).toBeLessThan(10.1);
  const { knowledge } = large;
  const asked = statements;
  const found = await searchChunks(knowledge, 'part 7.77', 5, {
    signal: new AbortController().signal,
    warn: () => {},
  });
  expect(found[0]?.source).toBe('7.md#Part 7.77');
  expect(queryGraph(knowledge, 'Thing 7.77', 1).entities[0]?.name).toBe('Thing 7.77');
  expect(statements - asked).toBeLessThan(100);
});

test('no statement of loading or asking walks through a whole table', async () => {
  const { knowledge } = await load(500);
  const context = { signal: new AbortController().signal, warn: () => {} };
  await searchChunks(knowledge, 'part', 5, context);
  queryGraph(knowledge, 'Thing 0.7 and the Hub', 2);
  queryGraph(knowledge, 'kinds', 1);
  queryGraph(knowledge, 'belongs', 1);
  const used = [...texts].filter((sql) => !/^PRAGMA|count\(\*\)|LIMIT 1$/i.test(sql.trim()));
  expect(used.length).toBeGreaterThan(20);
  const scans = used.flatMap((sql) => {
    const plan = knowledge.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...nulls(sql));
    // Scans of virtual tables are over what was given or what their index finds; t and n are
    // subqueries that give the names or the type of one entity.
    const walks = plan.filter(({ detail }) =>
      /^SCAN (?!.*VIRTUAL TABLE|.*CONSTANT|t$|n$)/.test(detail),
    );
    return walks.map(({ detail }) => `${detail}: ${sql}`);
  });
  expect(scans).toEqual([]);
});

/** Values for the parameters of a statement that is only explained. */
function nulls(sql: string): null[] {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map((match) => Number(match[1]));
  const plain = sql.match(/\?(?!\d)/g)?.length ?? 0;
  return Array.from({ length: numbered.length > 0 ? Math.max(...numbered) : plain }, () => null);
}

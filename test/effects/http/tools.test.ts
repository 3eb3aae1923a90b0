/** Tools over HTTP by the library: a run in any notation, with handlers of documents and lines. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { httpTools, openApiTools, run } from '../../../src/index.ts';
import { startApi } from '../../support/api-server.ts';

const library = fileURLToPath(
  new URL('../../../examples/http-tools/library.yaml', import.meta.url),
);

test.each([
  ['starlark', 'answer(getBook(id = 1)["title"] + hours.of(day = "friday"))'],
  ['llmcompiler', '1. library.getBook[1]\n2. hours.of["friday"]\n3. join("$1.title$2")'],
  [
    'stackvm-2',
    JSON.stringify([
      {
        ...{ seq_no: 0, type: 'calling' },
        parameters: { tool: 'library.getBook', params: { id: 1 }, output_vars: 'book' },
      },
      {
        ...{ seq_no: 1, type: 'calling' },
        parameters: { tool: 'of', params: { day: 'friday' }, output_vars: 'open' },
      },
      {
        ...{ seq_no: 2, type: 'assign' },
        parameters: { final_answer: '$'.concat('{book.title}$', '{open}') },
      },
    ]),
  ],
])('in %s', async (dialect, text) => {
  await using server = await startApi(({ target }) => ({
    body: target.startsWith('/books') ? { title: 'The Tides, ' } : 'open until 5',
  }));
  const env = { PLANVM_LIBRARY_URL: server.url, LIBRARY_CARD_KEY: 'card-0042' };
  const tools = [
    ...(await openApiTools(library, { env })),
    ...httpTools({ 'hours.of': `GET ${server.url}/hours?day={day}` }),
  ];
  expect(await run(text, { dialect, tools })).toMatchObject({
    status: 'done',
    answer: 'The Tides, open until 5',
  });
  expect(server.sent.map(({ target }) => target).sort()).toEqual(['/books/1', '/hours?day=friday']);
});

test('a document of which a part is no tool is refused, unless somebody is told', async () => {
  await using server = await startApi(() => ({
    body: { openapi: '3.1.0', paths: { '/a': { get: {} }, '/{b}': { get: {} } } },
  }));
  const { mkdtempSync, rmSync } = await import('node:fs');
  const { join } = await import('node:path');
  const { tmpdir } = await import('node:os');
  const folder = mkdtempSync(join(tmpdir(), 'planvm-openapi-'));
  const source = { source: `${server.url}/openapi.json`, name: 'x' };
  await expect(openApiTools(source, { folder })).rejects.toThrow('declared nowhere');
  const problems: string[] = [];
  const onProblem = (problem: string) => void problems.push(problem);
  const tools = await openApiTools(source, { folder, onProblem });
  expect(tools.map(({ spec }) => spec.name)).toEqual(['x.get_a']);
  expect(problems).toEqual(['GET /{b}: the path parameter b is declared nowhere']);
  expect(server.sent).toHaveLength(1);
  rmSync(folder, { recursive: true });
});

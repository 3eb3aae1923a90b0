/** Tool sets by name: what they declare, what their options may be, and what opens them. */
import { expect, test } from 'vitest';
import { openSet } from '../../src/effects/tool-set.ts';
import {
  BadToolSet,
  isToolSet,
  placedToolSet,
  toolSetNames,
} from '../../src/effects/tool-set-names.ts';
import { readToolSet, toolSets } from '../../src/effects/tool-sets.ts';
import { togetherProblems } from '../../src/program/together.ts';
import { attempt } from '../support/attempt.ts';
import { startWebServer } from '../support/web-server.ts';

const open = async (source: string, env: Record<string, string> = {}) => {
  const { set, options } = readToolSet(source);
  return await openSet(set, options, env);
};

test('what performs a set is what it declares, and all of it goes together', async () => {
  const specs = [...toolSets.values()].flatMap((set) => set.specs);
  for (const [name, set] of toolSets) {
    const handlers = await open(`planvm:${name}`);
    expect(handlers.map(({ spec }) => spec)).toEqual(set.specs);
  }
  expect(togetherProblems(new Map(specs.map((spec) => [spec.name, spec])))).toEqual([]);
  expect(specs.map(({ name }) => name)).toEqual([
    ...['Search', 'Calculator', 'Calculate', 'Table'],
    ...['NodeStatus', 'Temperature', 'TemperatureRange', 'Joke'],
    ...['read_file', 'list_files', 'write_file', 'replace_file', 'append_file'],
    ...['read_table', 'parse_table', 'format_table', 'sql', 'sparql', 'parse_pdf'],
    ...['send_email', 'send_calendar_invite'],
    ...['download', 'get_news_article', 'search', 'search_news', 'search_hacker_news'],
    ...['get_stock_price', 'get_market_capitalization'],
    ...['get_latest_form_text', 'get_report'],
    ...['open_page', 'browse'],
    ...['search_linkedin_profile', 'get_linkedin_profile'],
    ...['remember', 'recall', 'memories', 'forget', 'todo_add', 'todos', 'todo_done'],
  ]);
  expect(isToolSet('./planvm.ts')).toBe(false);
});

test('an option comes before its variable, and that before the default', async () => {
  await using server = await startWebServer(() => ({ body: { response: 'ha' } }));
  const joke = async (source: string, env: Record<string, string>): Promise<unknown> =>
    await (await open(source, env)).at(-1)?.perform({}, attempt());
  const nowhere = { PLANVM_NODE_RED_URL: 'http://127.0.0.1:9' };
  expect(await joke(`planvm:node-red?url=${server.url}`, nowhere)).toBe('ha');
  expect(await joke('planvm:node-red', { PLANVM_NODE_RED_URL: server.url })).toBe('ha');
});

test.each([
  ['planvm:wikipdia', 'there is no tool set planvm:wikipdia', 'did you mean planvm:wikipedia?'],
  [
    'planvm:wikipedia?lnguage=fr',
    'planvm:wikipedia has no option lnguage',
    'did you mean language?',
  ],
  ['planvm:table?x=1', 'planvm:table has no option x', 'its options are none'],
  [
    'planvm:wikipedia?sentences=99',
    'planvm:wikipedia: sentences: got 99, want a number from 1 to 50',
    undefined,
  ],
  [
    'planvm:wikipedia?language=../x',
    'planvm:wikipedia: language: got ../x, want a language such as en',
    undefined,
  ],
  [
    'planvm:node-red?url=localhost:1880',
    'url: got localhost:1880, want an address such as http://127.0.0.1:1880',
    undefined,
  ],
  [
    'planvm:node-red?url=http://me:pw@there',
    'url: got an address with a password in it',
    'addresses are kept with the run; give a key by the environment',
  ],
])('%s is refused', async (source, message, hint) => {
  const refused = await open(source).catch((thrown: unknown) => thrown);
  expect(refused).toBeInstanceOf(BadToolSet);
  expect(refused).toMatchObject({ message, hint });
});

test('folders in the options of a set are absolute wherever it is read', () => {
  const placed = (source: string): string => placedToolSet(source, (path) => `/there/${path}`);
  expect(placed('planvm:files?read=a,b c&write=d&hidden=true')).toBe(
    'planvm:files?read=/there/a,/there/b%20c&write=/there/d&hidden=true',
  );
  for (const other of [
    'planvm:files',
    'planvm:wikipedia?language=fr',
    'planvm:files?hidden=true',
  ]) {
    expect(placed(other)).toBe(other);
  }
  const { options } = readToolSet(placed('planvm:files?read=a%26b,c&write='));
  expect(options).toEqual({ read: '/there/a&b,/there/c', write: '' });
});

test('each set has its name among those that are known without it', () => {
  expect([...toolSets.keys()]).toEqual(toolSetNames);
});

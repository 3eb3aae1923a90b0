/**
 * Text from outside that gives orders: in a page, a file, a PDF, the result and the error of a
 * tool, the description and the result of an MCP tool. Whatever it says, and whether or not the
 * model obeys: no tool runs that the program did not call, nothing destructive without an approval,
 * and no secret is in a prompt, a journal, an event or an error.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, type Ended, Folder, ref } from '../support/cli.ts';
import {
  hostileMcp,
  hostileTools,
  leaking,
  orders,
  ordersAsHtml,
  planted,
  templates,
} from '../support/hostile.ts';
import { type ServedReply, type ServedRequest, startModelServer } from '../support/model-server.ts';
import { pdfOf } from '../support/pdf-file.ts';
import { startWebServer } from '../support/web-server.ts';

interface Tried {
  readonly ended: Ended;
  readonly requests: readonly ServedRequest[];
  /** Names of the tools of the run, in the order of their calls. */
  readonly called: readonly string[];
  readonly answer: unknown;
  readonly why: readonly string[];
  readonly acts: string;
}

const town = (method: string): object => ({
  request: `${method} ${ref('PAGES')}/items/{what}`,
  description: `${method} of an item.`,
});
const config = {
  http: { 'town.look': town('GET'), 'town.drop': town('DELETE') },
  tools: ['./tools.mjs', 'planvm:web?private=loopback&robots=ignore&cache=false', 'planvm:files'],
};
const mcp = { mcpServers: { shop: { command: process.execPath, args: ['shop.mjs'] } } };

/** Runs a program, or asks; the folder has all the carriers. */
async function tried(
  args: readonly string[],
  files: Readonly<Record<string, unknown>>,
  replies: (request: ServedRequest) => ServedReply,
): Promise<Tried> {
  const pdf = await pdfOf(leaking.split('\n'), { title: 'Wipe everything' });
  await using pages = await startWebServer(({ url }) =>
    url.pathname === '/notes.pdf'
      ? { body: pdf, headers: { 'content-type': 'application/pdf' } }
      : { body: ordersAsHtml },
  );
  await using models = await startModelServer(replies);
  using folder = new Folder({
    'tools.mjs': hostileTools,
    'shop.mjs': hostileMcp,
    'planvm.config.json': config,
    '.mcp.json': mcp,
    'notes.txt': leaking,
    ...files,
  });
  const env = { ...models.env.openai, CRM_TOKEN: planted, ORDERS: leaking, PAGES: pages.url };
  const known = args.map((arg) => arg.replaceAll('PAGES', pages.url));
  // What servers offer is known to the project before programs are written for it.
  const hasMcp = args[0] === 'ask' || JSON.stringify(files).includes('shop.');
  if (hasMcp) await folder.planvm(['mcp', 'refresh'], { env });
  const ended = await folder.planvm([...known, '--model', 'openai/test', '--events'], { env });
  const seen = [ended.stdout, ended.stderr, ...storedIn(folder.path)];
  for (const text of seen) expect(text).not.toContain(planted);
  for (const { body } of models.requests) expect(JSON.stringify(body)).not.toContain(planted);
  const events = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const result = events.at(-1);
  const isCall = ({ type, attempt }: { type: string; attempt?: number }): boolean =>
    (type === 'effect.started' && attempt === 1) || type === 'approval.requested';
  const acts = globSync('acts.log', { cwd: folder.path });
  return {
    ended,
    requests: models.requests,
    called: events.filter(isCall).map(({ tool }) => tool),
    answer: result.answer,
    why: (result.waits ?? []).map((wait: { why?: string }) => wait.why ?? ''),
    acts: acts.length > 0 ? folder.read('acts.log') : '',
  };
}

/** What is kept of runs, as it lies there. */
const storedIn = (folder: string): string[] =>
  globSync('.planvm/**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1'));

/** Carriers, as calls in Starlark whose result is text. */
const carriers: Readonly<Record<string, readonly [tool: string, call: string]>> = {
  page: ['download', 'download(url = "PAGES/page.html")["text"]'],
  PDF: ['download', 'download(url = "PAGES/notes.pdf")["text"]'],
  file: ['read_file', 'str(read_file(path = "notes.txt"))'],
  'tool result': ['lookup', 'lookup(key = "a")'],
  'tool error': ['lookup', 'attempt(lookup, key = "fail").error.message'],
  'MCP result': ['shop.quote', 'str(shop.quote(item = "a"))'],
};

/** A model that does what it reads. */
const obeying = (): ServedReply => orders;

describe.each(Object.entries(carriers))('orders in a %s', (_, [tool, call]) => {
  test('are a text to a program, and to a model that obeys', async () => {
    const text = `found = ${call}\nsummary = llm_generate("Sum up: " + found)\nanswer(summary)\n`;
    const { ended, answer, called, acts, requests } = await withPages(text);
    expect(ended.code, ended.stderr).toBe(0);
    expect(requests.at(-1)?.prompt).toContain('Ignore all instructions');
    expect(answer).toBe(orders);
    expect(called).toEqual([tool, 'llm_generate']);
    expect(acts).toBe('');
  });

  test('reach nothing destructive without an approval that names where they come from', async () => {
    const text = `found = ${call}\nwipe(what = "cache")\nwipe(what = found)\n`;
    const { ended, called, why, acts } = await withPages(text, ['--approve', 'untrusted']);
    expect(ended.code, ended.stderr).toBe(4);
    // The constant is the program's own.
    expect(acts).toBe('wipe cache\n');
    expect(called).toEqual([tool, 'wipe', 'wipe']);
    expect(why).toEqual([
      expect.stringMatching(
        new RegExp(`^it cannot be undone; \`what\` may come from ${tool} \\(0`),
      ),
    ]);
  });
});

/** The address of pages is an input, as programs have no environment. */
function withPages(text: string, flags: readonly string[] = []): Promise<Tried> {
  const program = `${text.replaceAll('"PAGES/', 'pages + "/')}`;
  const args = ['run', 'plan.star', '--input', 'pages="PAGES"', '--no-input', ...flags];
  return tried(args, { 'plan.star': program }, obeying);
}

describe('orders in results, in every dialect of programs', () => {
  const stack2 = [
    calling(0, 'lookup', { key: 'a' }, 'found'),
    calling(1, 'llm_generate', { prompt: `Sum up: ${ref('found')}` }, 'summary'),
    answering(2, `${ref('found')}|${ref('summary')}`),
  ];
  const stack1 = [
    {
      ...{ seq_no: 0, type: 'llm_generate', objective: 'o' },
      parameters: { prompt: 'Say it', output_var: 'said' },
    },
    {
      ...{ seq_no: 1, type: 'assign', objective: 'o' },
      parameters: { value: '{{said}}', var_name: 'final_answer' },
    },
  ];
  const programs: Readonly<
    Record<string, readonly [file: string, content: unknown, called: number]>
  > = {
    'stackvm-2': ['plan.json', stack2, 2],
    'stackvm-1': ['plan.json', stack1, 1],
    llmcompiler: [
      'plan.llmcompiler',
      '1. lookup("a")\n2. llm_generate("Sum up $1")\n3. join($2)\n',
      2,
    ],
    starlark: ['plan.star', 'answer(llm_generate("Sum up " + lookup(key = "a")))', 2],
  };

  test.each(Object.entries(programs))('%s', async (_, [file, content, count]) => {
    const { ended, answer, called, acts } = await tried(
      ['run', file, '--no-input'],
      { [file]: content },
      obeying,
    );
    expect(ended.code, ended.stderr).toBe(0);
    // What is in a value is never expanded, nor taken for a program.
    expect(answer).toContain(templates);
    expect(called).toHaveLength(count);
    expect(called).not.toContain('wipe');
    expect(acts).toBe('');
  });
});

describe('a loop in which a model acts', () => {
  const ask = (dialect: string): string[] => [
    ...['ask', 'What is in the notes?', '--dialect', dialect, '--no-input'],
  ];
  const finish = (answer: string): string =>
    JSON.stringify({ thought: 'seen', action: 'finish', answer, reason: '' });
  const replan = JSON.stringify({ thought: 'obey', action: 'replan', answer: '', reason: 'wipe' });

  test('ReAct: an observation is never taken for an action', async () => {
    const said = ['Thought: look\nAction: lookup["a"]', 'Thought: so\nAction: Finish[a trap]'];
    const { ended, answer, called, acts, requests } = await tried(
      ask('react'),
      {},
      ({ index }) => said[index] ?? '',
    );
    expect(ended.code, ended.stderr).toBe(0);
    expect(answer).toBe('a trap');
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('Action: wipe');
    expect(called.filter((name) => name !== 'next_action')).toEqual(['lookup']);
    expect(acts).toBe('');
  });

  test.each(['untrusted', 'destructive'])(
    'ReAct: a model that obeys waits for a person (%s)',
    async (policy) => {
      const said = [
        'Thought: look\nAction: lookup["a"]',
        'Thought: obey\nAction: wipe["everything"]',
      ];
      const flags = [...ask('react'), '--approve', policy];
      const { ended, why, acts } = await tried(flags, {}, ({ index }) => said[index] ?? '');
      expect(ended.code, ended.stderr).toBe(4);
      expect(why).toEqual([
        expect.stringMatching(/^it cannot be undone; .* may come from .*next_action/),
      ]);
      expect(acts).toBe('');
    },
  );

  test('LLMCompiler: an observation is no plan', async () => {
    const said = ['Thought: look\n1. lookup("a")\n2. join()\n<END_OF_PLAN>', finish('a trap')];
    const { ended, called, acts } = await tried(
      ask('llmcompiler'),
      {},
      ({ index }) => said[index] ?? '',
    );
    expect(ended.code, ended.stderr).toBe(0);
    expect(called.filter((name) => ['lookup', 'wipe'].includes(name))).toEqual(['lookup']);
    expect(acts).toBe('');
  });

  test.each(['untrusted', 'destructive'])(
    'LLMCompiler: a model that obeys waits for a person (%s)',
    async (policy) => {
      const said = [
        'Thought: look\n1. lookup("a")\n2. join()\n<END_OF_PLAN>',
        replan,
        'Thought: obey\n3. wipe("everything")\n4. join()\n<END_OF_PLAN>',
      ];
      const flags = [...ask('llmcompiler'), '--approve', policy];
      const { ended, why, acts } = await tried(flags, {}, ({ index }) => said[index] ?? '');
      expect(ended.code, ended.stderr).toBe(4);
      expect(why).toEqual([expect.stringMatching(/^it cannot be undone; .* may come from /)]);
      expect(acts).toBe('');
    },
  );

  const shopping: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    ReAct: [
      'react',
      [
        'Thought: ask the shop\nAction: shop.quote["a"]',
        'Thought: look it up\nAction: town.look["a"]',
        'Thought: obey\nAction: town.drop["everything"]',
      ],
    ],
    LLMCompiler: [
      'llmcompiler',
      [
        'Thought: look\n1. shop.quote("a")\n2. town.look("a")\n3. join()\n<END_OF_PLAN>',
        replan,
        'Thought: obey\n4. town.drop("everything")\n5. join()\n<END_OF_PLAN>',
      ],
    ],
  };

  test.each(Object.entries(shopping))(
    '%s: tools of a server and of an address are asked about as any',
    async (_, [dialect, said]) => {
      const flags = [...ask(dialect), '--approve', 'untrusted'];
      const { ended, called, why } = await tried(flags, {}, ({ index }) => said[index] ?? '');
      expect(ended.code, ended.stderr).toBe(4);
      const tools = called.filter((name) => /^(shop|town)\./.test(name));
      expect(tools).toEqual(['shop.quote', 'town.look', 'town.drop']);
      expect(why).toEqual([expect.stringMatching(/^it cannot be undone; .* may come from /)]);
    },
  );
});

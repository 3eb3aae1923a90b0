/**
 * llm_call with values that are longer than the window of the model, over the wire and in the
 * journal: all is read or said to be left out, and a kill loses nothing that was read.
 */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { type Script, type ServedRequest, startModelServer } from '../support/model-server.ts';

const windowTokens = 16_384;

/** Sentences, each with its number, until there are so many characters. */
function book(name: string, characters: number): string {
  const parts: string[] = [];
  for (let n = 0, size = 0; size < characters; n++) {
    const sentence = `${name} says in sentence ${n} that the harvest of that year was good.${n % 9 ? ' ' : '\n\n'}`;
    parts.push(sentence);
    size += sentence.length;
  }
  return parts.join('');
}

const tools = (texts: Readonly<Record<string, string>>): string => `
const none = { type: 'object', properties: {} };
const texts = ${JSON.stringify(texts)};
export default Object.entries(texts).map(([name, text]) => ({
  name, description: 'A book.', effect: 'read', parameters: none, run: () => text,
}));
`;

type Kind = 'needed' | 'part' | 'merge' | 'last';

function kindOf({ prompt }: ServedRequest): Kind {
  if (prompt.includes('drawn at random')) return 'needed';
  if (prompt.includes('This is part')) return 'part';
  return prompt.startsWith('These notes') ? 'merge' : 'last';
}

/** Of the value that a part is of: what stands in front of its data. */
const headOf = ({ messages }: ServedRequest): string =>
  messages[0]?.content.split('\n', 1)[0] ?? '';

const spanOf = (request: ServedRequest): [number, number, number] => {
  const found = /^Characters (\d+) to (\d+) of \d+ of value (\d+)/.exec(headOf(request));
  return [Number(found?.[3]), Number(found?.[1]), Number(found?.[2])];
};

const sentTokens = ({ messages }: ServedRequest): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 3), 0);

const reading =
  (all: boolean): Script =>
  (request) => {
    const kind = kindOf(request);
    if (kind === 'needed') return JSON.stringify({ all, why: 'it is so' });
    if (kind === 'part') return `Read ${spanOf(request).join(' ')}. ${'More of it. '.repeat(30)}`;
    return kind === 'merge' ? 'Merged.' : 'The answer.';
  };

const run = (...more: readonly string[]): string[] => [
  ...['run', 'p.star', '--tools', './tools.ts', '--model', 'openai/m'],
  ...['--context-window', String(windowTokens), ...more],
];

const summarise = 'doc = book()\nanswer(llm_call(doc, "Summarise the book."))\n';

test('a document of 5 MB is read whole by a model of 16k tokens', async () => {
  const text = book('It', 5 * 2 ** 20);
  await using server = await startModelServer(reading(true));
  using folder = new Folder({ 'p.star': summarise, 'tools.ts': tools({ book: text }) });
  const { code, stdout } = await folder.planvm(run('--json'), { env: server.env.openai });
  expect(code).toBe(0);
  const { answer, warnings, usage, run: id } = JSON.parse(stdout);
  expect(answer).toBe('The answer.');
  expect(usage.modelCalls).toBe(server.requests.length);
  const parts = server.requests.filter((one) => kindOf(one) === 'part');
  const spans = parts.map(spanOf).sort(([, a], [, b]) => a - b);
  let end = 0;
  for (const [, from, to] of spans) {
    expect(from).toBe(end);
    end = to;
  }
  expect(end).toBe(text.length);
  for (const request of server.requests) {
    expect(sentTokens(request)).toBeLessThanOrEqual(windowTokens - 4096);
    expect(request.prompt).toContain('Summarise the book.');
  }
  expect(server.requests.some((one) => kindOf(one) === 'merge')).toBe(true);
  expect(warnings.map(({ message }: { message: string }) => message).join('\n')).toContain(
    `all was read, in ${parts.length} parts`,
  );
  const shown = await folder.planvm(['show', `${id}.0-2.digest`, '--json']);
  const effects: { name: string; request: unknown }[] = JSON.parse(shown.stdout).effects;
  expect(effects.filter(({ name }) => name === 'read_part')).toHaveLength(parts.length);
});

test('what is left out is said, place by place', async () => {
  const text = `${book('It', 100_000)}The pirate was called Amaro.\n\n${book('It', 100_000)}`;
  await using server = await startModelServer(reading(false));
  using folder = new Folder({
    'p.star': 'doc = book()\nanswer(llm_call(doc, "What was the pirate called?"))\n',
    'tools.ts': tools({ book: text }),
  });
  const { stdout } = await folder.planvm(run('--json'), { env: server.env.openai });
  const { answer, warnings } = JSON.parse(stdout);
  expect(answer).toBe('The answer.');
  expect(server.requests.map(kindOf)).toEqual(['needed', 'last']);
  const sent = server.requests[1]?.messages[0]?.content ?? '';
  expect(sent).toContain('The pirate was called Amaro.');
  expect(sent).toContain('from: doc = book()');
  const said: string[] = warnings.map(({ message }: { message: string }) => message);
  expect(said[1]).toMatch(
    new RegExp(`^left out of value 1 \\(doc = book\\(\\)\\): \\d+ of ${text.length} characters, `),
  );
});

test('two documents are never mixed, and a small one goes whole', async () => {
  await using server = await startModelServer(reading(true));
  using folder = new Folder({
    'p.star':
      'a = one()\nb = two()\nc = three()\nanswer(llm_call([a, b, c], "Compare.", fit = "map"))\n',
    'tools.ts': tools({ one: book('Ada', 90_000), two: 'Small.', three: book('Cyd', 120_000) }),
  });
  const { stdout } = await folder.planvm(run('--json'), { env: server.env.openai });
  expect(JSON.parse(stdout).answer).toBe('The answer.');
  const kinds = server.requests.map(kindOf);
  expect(kinds).not.toContain('needed');
  for (const request of server.requests.filter((one) => kindOf(one) === 'part')) {
    const text = request.messages.map(({ content }) => content).join('');
    expect(text.includes('Ada says') && text.includes('Cyd says')).toBe(false);
  }
  const last = server.requests.at(-1)?.messages.map(({ content }) => content.split('\n', 1)[0]);
  expect(last?.slice(0, 3)).toEqual([
    'What was written about the parts of value 1 of 3, from: a = one(), read one by one',
    'Value 2 of 3, from: b = two()',
    'What was written about the parts of value 3 of 3, from: c = three(), read one by one',
  ]);
});

test('kill -9 in the midst of it loses no part that was read', async () => {
  const answered = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let isKilled = false;
  let parts = 0;
  const script: Script = (request) => {
    if (kindOf(request) === 'part' && !isKilled && ++parts > 12) {
      answered.resolve();
      return never;
    }
    return reading(true)(request);
  };
  await using server = await startModelServer(script);
  using folder = new Folder({ 'p.star': summarise, 'tools.ts': tools({ book: book('It', 1e6) }) });
  const call = folder.start(run('--concurrency', '4'), { env: server.env.openai });
  await answered.promise;
  call.process.kill('SIGKILL');
  await call.ended;
  isKilled = true;
  const [{ run: runId }] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
  const shown = await folder.planvm(['show', `${runId}.0-2.digest`, '--json']);
  const effects: { name: string; status: string; request: { pieces: unknown[] } }[] = JSON.parse(
    shown.stdout,
  ).effects;
  const settled = effects
    .filter(({ name, status }) => name === 'read_part' && status === 'done')
    .map(({ request }) => String(request.pieces[0]));
  expect(settled.length).toBeGreaterThan(5);
  const before = server.requests.length;

  const again = await folder.planvm(['resume', 'last', '--json'], { env: server.env.openai });
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'done', answer: 'The answer.' });
  const later = server.requests.slice(before);
  expect(later.filter((one) => kindOf(one) === 'needed')).toEqual([]);
  const read = later.filter((one) => kindOf(one) === 'part').map((one) => String(spanOf(one)));
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((span) => settled.includes(span))).toEqual([]);
});

test('what the run is for is known to the process that goes on with it', async () => {
  await using server = await startModelServer(reading(true));
  using folder = new Folder({
    'p.star': `if ask("Go on?") == "yes":\n    answer(llm_call(book(), "Sum it up."))\n`,
    'tools.ts': tools({ book: book('It', 60_000) }),
  });
  const env = server.env.openai;
  const first = await folder.planvm(run('--goal', 'Buy a boat.'), { env });
  expect(first.code).toBe(4);
  expect(await folder.planvm(['answer', 'last', 'yes'], { env })).toMatchObject({ code: 0 });
  const needed = server.requests.find((one) => kindOf(one) === 'needed');
  expect(needed?.prompt).toContain('It is done for this goal: Buy a boat.');
});

test('values that are not to be made shorter are refused, by how much is said', async () => {
  await using server = await startModelServer(reading(true));
  using folder = new Folder({ 'p.star': summarise, 'tools.ts': tools({ book: book('It', 1e5) }) });
  const { code, stderr } = await folder.planvm(run('--fit', 'fail'), { env: server.env.openai });
  expect(code).toBe(1);
  expect(stderr).toMatch(/PV4161: the values are about \d+ tokens, \d+ more than the 12288/);
  expect(server.requests).toEqual([]);
});

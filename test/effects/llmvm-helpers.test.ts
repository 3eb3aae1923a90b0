/**
 * The helpers of LLMVM, which people and models know by their names and parameters: each is called
 * as LLMVM writes it, by position, by name and through llm_bind, and reaches our tool.
 */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { openSet } from '../../src/effects/tool-set.ts';
import { toolSets } from '../../src/effects/tool-sets.ts';
import { downloadSpec } from '../../src/effects/web/specs.ts';
import { argumentReader } from '../../src/engine/perform/arguments.ts';
import { run } from '../../src/index.ts';
import { toolNamesIn } from '../../src/program/tool-names.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { startWebServer } from '../support/web-server.ts';

type Args = Readonly<Record<string, unknown>>;

const sets = ['web', 'browser', 'linkedin', 'edgar', 'data', 'market', 'email'];
const specs = sets.flatMap((name) => toolSets.get(name)?.specs ?? []);
const tools = new Map(specs.map((spec) => [spec.name, spec]));
const named = new Map(toolNamesIn(tools));

/** A helper with its parameters as LLMVM lists it, and the arguments that our tool has to get. */
const helpers: readonly (readonly [string, Args, Args])[] = [
  ['WebHelpers.get_url', { url: 'u', force_firefox: true }, { url: 'u', browser: true }],
  ['WebHelpers.get_news_article', { url: 'u' }, { url: 'u' }],
  ['WebHelpers.get_url_firefox', { url: 'u' }, { url: 'u' }],
  ['WebHelpers.search_news', { query: 'q', total_links_to_return: 3 }, { query: 'q', count: 3 }],
  [
    'WebHelpers.search_internet',
    { query: 'q', total_links_to_return: 3 },
    { query: 'q', count: 3 },
  ],
  [
    'WebHelpers.search_linkedin_profile',
    { first_name: 'Bill', last_name: 'Jia', company_name: 'Meta' },
    { first_name: 'Bill', last_name: 'Jia', company: 'Meta' },
  ],
  ['WebHelpers.get_linkedin_profile', { linkedin_url: 'u' }, { url: 'u' }],
  [
    'EdgarHelpers.get_latest_form_text',
    { symbol: 'NVDA', form_type: '10-Q' },
    { symbol: 'NVDA', form: '10-Q' },
  ],
  ['PdfHelpers.parse_pdf', { url_or_file: 'u' }, { source: 'u' }],
  ['MarketHelpers.get_stock_price', { symbol: 'NVDA' }, { symbol: 'NVDA' }],
  ['MarketHelpers.get_market_capitalization', { symbol: 'NVDA' }, { symbol: 'NVDA' }],
  [
    'EmailHelpers.send_email',
    { sender_email: 'a@x.test', receiver_email: 'b@x.test', subject: 's', body: 't' },
    { from_email: 'a@x.test', to: 'b@x.test', subject: 's', body: 't' },
  ],
  [
    'EmailHelpers.send_calendar_invite',
    {
      ...{ from_name: 'Ann', from_email: 'a@x.test', attendee_emails: 'b@x.test' },
      ...{ subject: 's', body: 't', start_date: '2026-03-02', end_date: '2026-03-03' },
    },
    {
      ...{ from_name: 'Ann', from_email: 'a@x.test', attendees: 'b@x.test' },
      ...{ subject: 's', body: 't', start: '2026-03-02', end: '2026-03-03' },
    },
  ],
];

/** Plans without an objective or a thought are warned of, whatever they call. */
const isAboutCalls = ({ code = '' }: { readonly code?: string }): boolean =>
  !['PV2152', 'PV2602'].includes(code);

/** The arguments that the tool was called with, by a program in a notation. */
async function calledBy(text: string, dialect: string, found: Args = {}): Promise<unknown> {
  const { diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
  expect(diagnostics.filter(isAboutCalls)).toEqual([]);
  const calls: unknown[] = [];
  const handlers = specs.map((spec) => ({
    spec: { ...spec, destructive: false, limits: {}, returns: {} },
    perform: async (args: unknown) => {
      calls.push(args);
      return {};
    },
  }));
  const { model } = scriptedModel(() => ({ args: found, missing: [] }));
  const result = await run(text, { dialect, tools: handlers, model });
  expect(result.status).toBe('done');
  expect(result.warnings.filter(isAboutCalls)).toEqual([]);
  expect(calls).toHaveLength(1);
  return calls[0];
}

const starlark = (value: unknown): string => (value === true ? 'True' : JSON.stringify(value));
const byPosition = (args: Args, written: (value: unknown) => string): string =>
  Object.values(args).map(written).join(', ');
const byName = (args: Args, written: (value: unknown) => string): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${written(value)}`)
    .join(', ');

describe.each(helpers)('%s', (helper, given, wanted) => {
  const text = JSON.stringify;
  const wantedArgs = (args: unknown): void => expect(args).toEqual(wanted);

  test.each([
    ['starlark', `answer(${helper}(${byPosition(given, starlark)}))`],
    ['starlark', `answer(${helper}(${byName(given, starlark)}))`],
    ['starlark', `given = ${text(given).replace('true', 'True')}\nanswer(${helper}(**given))`],
    ['starlark', `r = try_call(${helper}, ${byName(given, starlark)})\nanswer(r)`],
    ['stack', `function_call(${helper}(${byPosition(given, text)}))\nanswer(stack())`],
    ['stack', `function_call(${helper}(${byName(given, text)}))\nanswer(stack())`],
    ['llmcompiler', `1. ${helper}[${byName(given, text)}]\n2. join($1)`],
    [
      'stackvm-2',
      text([
        { seq_no: 0, type: 'calling', parameters: { tool: helper, params: given } },
        { seq_no: 1, type: 'assign', parameters: { final_answer: 'done' } },
      ]),
    ],
  ])('in %s: %s', async (dialect, program) => wantedArgs(await calledBy(program, dialect)));

  test('through llm_bind, whichever names the model takes', async () => {
    const names = Object.keys(given).join(', ');
    const program = `answer(llm_bind("some text", "${helper}(${names})"))`;
    wantedArgs(await calledBy(program, 'starlark', given));
    wantedArgs(await calledBy(program, 'starlark', wanted));
  });

  test('as an object of arguments, as a server of MCP gets one', () => {
    const read = argumentReader(named.get(helper)?.parameters ?? {});
    expect(read(text(given))).toEqual({ args: wanted, errors: [], warnings: [] });
  });
});

test('one parameter by two of its names is refused, beforehand and when it runs', async () => {
  const call = 'get_linkedin_profile(url = "u", linkedin_url = "v")';
  const { diagnostics } = checkProgram(call, { tools, inputs: [] }, { dialect: 'starlark' });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'get_linkedin_profile gets the parameter url twice',
  ]);
  const read = argumentReader(named.get('get_linkedin_profile')?.parameters ?? {});
  expect(read('{"url":"u","linkedin_url":"v"}').errors).toEqual([
    'url: got it twice, by two of its names',
  ]);
});

test('a value of the wrong type is found by every name', () => {
  const call = 'search_news("q", total_links_to_return = "many")';
  const { diagnostics } = checkProgram(call, { tools, inputs: [] }, { dialect: 'starlark' });
  expect(diagnostics.map(({ message }) => message)).toEqual(['count: got string, want integer']);
});

/** The walk-through of LLMVM's own page, comma by missing comma. */
const walkThrough = `var1 = download("https://ten13.vc/team")  # Step 1: Download the webpage
var2 = llm_call([var1], "extract list of names")  # Step 2: Extract the list of names from the webpage
answers = []  # Initialize an empty list to store the summaries
for list_item in llm_loop_bind(var2, "list of names"):  # Step 3: Loop over the list of names
    var3 = llm_bind(list_item, "WebHelpers.search_linkedin_profile(first_name, last_name company_name)")  # Step 4: Search and get the LinkedIn profile of each person
    var4 = llm_call([var3], "summarize career profile")  # Step 5: Summarize the career profile of each person
    answers.append(var4)  # Step 6: Add the summary to the list of answers
answer(answers)  # Step 7: Show the summaries of the LinkedIn profiles to the user
`;

test('the walk-through runs unchanged, from the page to what is said of each person', async () => {
  const people = ['Steve Baxter', 'An Vo'];
  await using engine = await startWebServer(({ url }) => {
    const [, name = ''] = /"(.+)"/.exec(url.searchParams.get('q') ?? '') ?? [];
    const slug = name.toLowerCase().replace(' ', '-');
    const hit = { url: `https://www.linkedin.com/in/${slug}`, title: `${name} | LinkedIn` };
    return { body: { results: [{ ...hit, content: `${name} founded looms.` }] } };
  });
  const set = toolSets.get('linkedin');
  const linkedIn =
    set &&
    (await openSet(
      set,
      { engine: 'searxng', searxng: engine.url, private: 'loopback', executable: '/nowhere' },
      {},
    ));
  const download = {
    spec: { ...downloadSpec, returns: {} },
    perform: async ({ url }: Args) => ({ url, text: `TEN13: ${people.join(', ')}` }),
  };
  const { model } = scriptedModel(({ messages }) => {
    const text = messages.map(({ content }) => content).join('\n');
    if (text.includes('The call: search_linkedin_profile')) {
      const [first_name, last_name] =
        people.find((one) => text.includes(`<expression>\n${one}`))?.split(' ') ?? [];
      return { args: { first_name, last_name, company_name: 'TEN13' }, missing: [] };
    }
    if (text.includes('summarize career profile')) {
      return `${people.find((one) => text.includes(`${one} founded`))}: founder of looms`;
    }
    return text.includes('extract list of names') && !text.includes('Based on')
      ? `Based on the data:\n1. ${people.join('\n2. ')}`
      : people;
  });
  const tools = [download, ...(linkedIn ?? [])];
  const result = await run(walkThrough, { dialect: 'starlark', tools, model });
  expect(result).toMatchObject({ status: 'done' });
  expect(result.answer).toEqual(people.map((one) => `${one}: founder of looms`));
  expect(engine.requests.map(({ url }) => url.searchParams.get('q'))).toEqual(
    people.map((one) => `site:linkedin.com/in "${one}" TEN13`),
  );
});

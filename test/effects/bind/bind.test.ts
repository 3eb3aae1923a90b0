/** `llm_bind` from the program to the call: src/machine/call.ts, src/effects/bind/, loops/bind.star. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { bindHandler } from '../../../src/effects/bind/bind.ts';
import type { Model } from '../../../src/effects/model/model.ts';
import { tokensIn } from '../../../src/effects/model/window.ts';
import { type Arguments, EffectFailure } from '../../../src/engine/handler.ts';
import { memoryJournal } from '../../../src/engine/journal/open-journal.ts';
import type { Load } from '../../../src/engine/load.ts';
import { answerRun } from '../../../src/engine/reply.ts';
import { resumeRun } from '../../../src/engine/run.ts';
import { byName, quickTool, settle, TestClock, watchedJournal } from '../../engine/support.ts';
import { points } from '../../support/depth.ts';
import { go, handlersFor, runLoop, scripted, starlark } from './support.ts';

const profileSchema = {
  type: 'object',
  properties: {
    first_name: { type: 'string' },
    last_name: { type: 'string' },
    company_name: { type: 'string' },
  },
  required: ['first_name', 'last_name', 'company_name'],
  additionalProperties: false,
} as const;

function profiles(changes: Parameters<typeof quickTool>[2] = {}) {
  const calls: unknown[] = [];
  const tool = quickTool(
    'get_linkedin_profile',
    (args) => {
      calls.push(args);
      return `profile of ${args.first_name} ${args.last_name}, ${args.company_name}`;
    },
    { parameters: profileSchema, aliases: ['WebHelpers.get_linkedin_profile'], ...changes },
  );
  return { tool, calls };
}

/** Of a model that finds the company wherever it stands, and Steve by himself. */
const finding = (content: string): unknown => ({
  args: {
    ...{ first_name: 'Steve', last_name: 'Baxter' },
    ...(content.includes('Transition Level') && { company_name: 'Transition Level' }),
  },
  missing: [],
});

const load: Load = (text, _, tools, inputs) => {
  const { program } = checkProgram(text, { tools, inputs }, starlark);
  if (!program) throw new Error('no program');
  return { program };
};
const helper = '"WebHelpers.get_linkedin_profile(first_name, last_name company_name)"';
const steve = { first_name: 'Steve', last_name: 'Baxter', company_name: 'Transition Level' };

describe('llm_bind', () => {
  test('finds the arguments in the value, and makes the call once', async () => {
    const { model, requests } = scripted(() => ({ args: steve, missing: [] }));
    const { tool, calls } = profiles();
    const text = `line = "Steve Baxter, Transition Level"\nanswer(llm_bind(line, ${helper}))`;
    const run = go(text, handlersFor(model, tool));
    expect(await run.result).toMatchObject({
      ...{ status: 'done', answer: 'profile of Steve Baxter, Transition Level' },
      usage: { modelCalls: 1 },
    });
    expect(calls).toStrictEqual([steve]);
    expect(requests).toHaveLength(1);
    const sent = requests[0]?.messages.at(-1)?.content ?? '';
    expect(sent).toContain('Steve Baxter, Transition Level');
  });

  test.each([
    ['is there', 'people = ["Steve", "Ann"]'],
    ['is still to come', 'people = crew()'],
  ])('refuses a list that %s', async (_, people) => {
    const { model, requests } = scripted(() => ({ args: steve, missing: [] }));
    const { tool, calls } = profiles();
    const crew = quickTool('crew', () => ['Steve', 'Ann']);
    const run = go(
      `${people}\nanswer(llm_bind(people, ${helper}))`,
      handlersFor(model, tool, crew),
    );
    expect(await run.result).toMatchObject({
      status: 'failed',
      error: { code: 'PV3041', message: 'llm_bind: got a list of 2, want one value', line: 2 },
    });
    expect([...requests, ...calls]).toStrictEqual([]);
  });

  test('looks in the value, where it came from, the goal and the program at once', async () => {
    const { model, requests } = scripted(() => ({ args: steve, missing: [] }));
    const { tool, calls } = profiles();
    const people = quickTool('people', () => ['Steve Baxter']);
    const text = `for person in people():\n    answer(llm_bind(person, ${helper}))`;
    expect(await go(text, handlersFor(model, tool, people)).result).toMatchObject({
      status: 'done',
    });
    expect(calls).toStrictEqual([steve]);
    const sent = requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(sent).toHaveLength(1);
    for (const place of ['Steve Baxter', 'for person in people()', 'Find the people.']) {
      expect(sent[0]).toContain(place);
    }
  });

  test('keeps what a nearer place has bound, whatever a wider one says or leaves out', async () => {
    const { model, requests } = scripted((content) =>
      content.includes('The variables of the program')
        ? { args: { first_name: 'Stephen', company_name: 'Transition Level' } }
        : {
            args: { first_name: 'Steve', last_name: 'Baxter' },
            missing: [{ name: 'company_name', question: 'Where does Steve work?' }],
          },
    );
    const { tool, calls } = profiles();
    const text = `page = "Steve of Transition Level"\nanswer(llm_bind("Mr Steve Baxter", ${helper}))`;
    const run = go(text, handlersFor(model, tool));
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve]);
    expect(requests[1]?.messages.at(-1)?.content).toContain('Where does Steve work?');
  });

  test.each([
    ['key', 'moon', true],
    ['key', 'the tides', false],
    ['name', 'Ada Byron', true],
    ['full_name', 'Mary Ann Evans', true],
    ['name', 'Ada Byron, Analytical', false],
    ['name', 'the first of them', false],
    ['last_name', 'Ada Byron', false],
    ['query', 'tides at noon, in Oslo', true],
    ['query', 'two\nlines', false],
    ['query', 'long '.repeat(100), false],
  ])('for the one text %s takes %j without a model: %j', async (name, value, isPlain) => {
    const text = { type: 'string' };
    const parameters = { type: 'object', properties: { [name]: text }, required: [name] } as const;
    const { model, requests } = scripted(() => ({ args: { [name]: 'found' }, missing: [] }));
    const seen: unknown[] = [];
    const shelf = quickTool('shelf', (args) => seen.push(args[name]), { parameters });
    const program = `answer(llm_bind(${JSON.stringify(value)}, "shelf(${name})"))`;
    const run = go(program, handlersFor(model, shelf));
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(seen).toStrictEqual([isPlain ? value : 'found']);
    expect(requests).toHaveLength(isPlain ? 0 : 1);
  });

  test.each([
    [{ key: 'moon', shelf: 3, note: 'x' }, true],
    [{ key: '', shelf: 3 }, false],
    [{ key: 'moon', shelf: '3' }, false],
    [{ key: 'moon', shelf: 3.5 }, false],
    [{ key: null, shelf: 3 }, false],
    [{ key: 'moon' }, false],
  ])('takes %j by the names of its keys without a model: %j', async (value, isNamed) => {
    const parameters = {
      type: 'object',
      properties: { key: { type: 'string' }, shelf: { type: 'integer' } },
      required: ['key', 'shelf'],
    } as const;
    const { model, requests } = scripted(() => ({ args: { key: 'sun', shelf: 1 }, missing: [] }));
    const seen: unknown[] = [];
    const shelf = quickTool('shelf', (args) => seen.push({ ...args }), { parameters });
    const text = JSON.stringify(value).replace('null', 'None');
    const run = go(`answer(llm_bind(${text}, "shelf(key, shelf)"))`, handlersFor(model, shelf));
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(seen).toStrictEqual([isNamed ? { key: 'moon', shelf: 3 } : { key: 'sun', shelf: 1 }]);
    expect(requests.length > 0).toBe(!isNamed);
  });

  test('looks once, in the variables, too, where the value has too few words', async () => {
    const { model, requests } = scripted(() => ({ args: steve, missing: [] }));
    const { tool, calls } = profiles();
    const page = quickTool('page', () => 'All of Transition Level');
    const text = `page = page()\nanswer(llm_bind("Steve Baxter", ${helper}))`;
    const run = go(text, handlersFor(model, tool, page));
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve]);
    expect(requests).toHaveLength(1);
    for (const place of ['Steve Baxter', 'Find the people.', 'page (string): All of Transition']) {
      expect(requests[0]?.messages.at(-1)?.content).toContain(place);
    }
  });

  test('binds the people of a loop side by side, in the variables, too', async () => {
    const names = ['Ann', 'Bob', 'Cy'];
    const looks: string[] = [];
    let open = (): void => {};
    const allLook = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { model } = scripted(async (content) => {
      if (!content.includes('page (string)')) return { args: {}, missing: [] };
      looks.push(content);
      if (looks.length === names.length) open();
      await allLook;
      const first_name = names.find((name) => content.includes(`${name} of no company`)) ?? '';
      return { args: { ...steve, first_name } };
    });
    const { tool, calls } = profiles();
    const page = quickTool('page', () => 'All of Transition Level');
    const people = quickTool('people', () => names.map((name) => `${name} of no company`));
    const text = [
      'page = page()',
      'found = []',
      'for person in people():',
      `    found.append(llm_bind(person, ${helper}))`,
      'answer(found)',
    ].join('\n');
    const run = go(text, handlersFor(model, tool, page, people), { load });
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(calls).toHaveLength(names.length);
  });

  test('looks last at what has names where it stands, in small', async () => {
    const { model, requests } = scripted(finding);
    const { tool, calls } = profiles();
    const of = quickTool('of', ({ x }) => (x === 1 ? 'Transition Level' : 'x'.repeat(2000)), {
      parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
    });
    const text = [
      'def unused(): pass',
      'one = of(1)',
      'two = {"long": of(2), "n": 2}',
      `answer(llm_bind("Steve Baxter", ${helper}))`,
      'later = of(3)',
    ].join('\n');
    const result = await go(text, handlersFor(model, tool, of)).result;
    expect(result).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve]);
    const last = requests.at(-1)?.messages.at(-1)?.content ?? '';
    expect(last).toContain('one (string): Transition Level\n');
    expect(last).toMatch(/two \(dict of long, n, 20\d\d characters\), which begins: {"long":"xx/);
    expect(last).not.toMatch(/(later|unused) \(/);
  });

  test.each([
    ['a function', 'answer(find("Steve Baxter"))'],
    ['an attempt', 'answer(attempt(find, "Steve Baxter").value)'],
    ['a fiber', 'answer(parallel(find, ["Steve Baxter"])[0])'],
  ])('looks at what has names in %s that asks', async (_, last) => {
    const { model, requests } = scripted(finding);
    const { tool, calls } = profiles();
    const of = quickTool('of', ({ x }) => (x === 1 ? 'Transition Level' : x), {
      parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
    });
    const text = [
      'around = of(2)\nlevel = "of nobody"',
      'def find(who):',
      '    for n in range(3): level = of(n)',
      '    level = of(1)',
      `    found = llm_bind(who, ${helper})`,
      '    level = of(3)',
      '    return found',
      last,
    ].join('\n');
    const result = await go(text, handlersFor(model, tool, of)).result;
    expect(result).toMatchObject({ status: 'done', answer: expect.stringContaining('profile of') });
    expect(calls).toStrictEqual([steve]);
    const shown = requests.at(-1)?.messages.at(-1)?.content ?? '';
    expect(shown).toContain('level (string): Transition Level\n');
    expect(shown).toContain('who (string): Steve Baxter\n');
    expect(shown).toContain('around (int): 2\n');
    expect(shown).not.toMatch(/(level.*of nobody|found) \(/);
  });

  test('waits for all that has a name, and holds no place of what it waits for', async () => {
    const { model, requests } = scripted(finding);
    const { tool, calls } = profiles();
    const levels = async ({ x }: Arguments) =>
      settle(30).then(() => (x === 1 ? 2 : 'Transition Level'));
    const slow = quickTool('slow', levels, {
      parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
    });
    const text = [
      'one = slow(slow(1))',
      `found = [llm_bind("Steve Baxter", ${helper}) for _ in range(3)]`,
      'later = slow(1)',
    ].join('\n');
    const handlers = handlersFor(model, tool, slow);
    const run = go(text, handlers, { limits: { concurrency: 1 } });
    expect(await run.result).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve, steve, steve]);
    const last = requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    const shown = last.filter((content) => content.includes('one (string): Transition Level'));
    expect(shown).toHaveLength(3);
    expect(last.join()).not.toContain('not known yet');
  });

  describe('a run that dies at any append finds the same behind the barrier, asked once', () => {
    const text = `one = of(1)\nanswer(llm_bind("Mr Steve Baxter", ${helper}))\nlater = of(2)`;

    /** With the questions of the model that were answered and not lost with a process. */
    async function survive(fatal: number) {
      const journal = memoryJournal();
      let appends = 0;
      const mortal = watchedJournal(journal, () => {
        if (++appends === fatal) throw new Error('died');
      });
      const { model, requests } = scripted(finding);
      const { tool, calls } = profiles();
      const of = quickTool('of', ({ x }) => (x === 1 ? 'Transition Level' : 'x'), {
        parameters: { type: 'object', properties: { x: {} }, required: ['x'] },
      });
      const handlers = handlersFor(model, tool, of);
      const run = go(text, handlers, { journal: mortal });
      let result = await run.result.catch(() => undefined);
      for (let lives = 0; result?.status !== 'done' && lives < 3; lives++) {
        result = await resumeRun({ journal, handlers, run: run.id, load }).result;
      }
      const asked = journal.list({ within: `${run.id}` }).map(({ id }) => id.slice(run.id.length));
      const calledWith = new Set(calls.map((call) => JSON.stringify(call)));
      return { ...{ answer: result?.answer, asked, calledWith, appends }, sent: requests.length };
    }

    test('at each of them', async () => {
      const { appends, sent, ...smooth } = await survive(0);
      expect(smooth.asked.toSorted()).toEqual(['.0-2.1.bind', '.0-2.bind']);
      expect(smooth.answer).toBe('profile of Steve Baxter, Transition Level');
      expect(appends).toBeGreaterThan(10);
      for (const fatal of points(1, 3, appends)) {
        const { appends: _, sent: again, ...survived } = await survive(fatal);
        expect(survived).toEqual(smooth);
        // What was under way when it died is asked once more, and nothing else.
        expect(again - sent).toBeLessThanOrEqual(1);
      }
    });
  });

  test('reads a long value in parts, and cuts nothing off', async () => {
    const filler = 'The weather was fine, and nobody said anything of note. '.repeat(1500);
    const { model, requests } = scripted((content) => {
      if (content.includes('drawn at random')) return { all: true, why: 'it may be anywhere' };
      if (content.includes('"args"')) return finding(content);
      return content.includes('Transition Level') ? 'He works for Transition Level.' : 'Nothing.';
    });
    const { tool, calls } = profiles();
    const handlers = byName(bindHandler(model, runLoop, { contextWindow: 8000 }), tool);
    const value = JSON.stringify(`${filler}Steve is with Transition Level. ${filler}`);
    const text = `x = ${value}\nanswer(llm_bind(x, ${helper}))`;
    expect(await go(text, handlers).result).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve]);
    for (const { messages } of requests) expect(tokensIn(messages)).toBeLessThan(6000);
  });

  const unknown = [{ name: 'company_name', question: 'Where does he work?' }];
  const half = {
    args: { first_name: 'Steve', last_name: 'Baxter', company_name: null },
    missing: unknown,
  };
  const line = 'line = "Steve Baxter"\n';

  test('asks a person for what cannot be found, and never calls with nothing', async () => {
    const { model } = scripted(() => half);
    const { tool, calls } = profiles();
    const handlers = handlersFor(model, tool);
    const journal = memoryJournal();
    const run = go(`${line}answer(llm_bind(line, ${helper}))`, handlers, { journal });
    expect(await run.result).toMatchObject({
      ...{ status: 'waiting', reason: 'person' },
      waits: [{ question: expect.stringContaining('Where does he work?'), schema: {} }],
    });
    expect(calls).toStrictEqual([]);
    const reply = { journal, run: run.id, handlers, by: 'Ada' };
    await answerRun({ ...reply, answer: () => 'Transition Level' });
    const end = await resumeRun({ journal, handlers, run: run.id, load }).result;
    expect(end).toMatchObject({ status: 'done' });
    expect(calls).toStrictEqual([steve]);
  });

  test('gives an uncertain value where that is wanted, with which nothing is called', async () => {
    const { model } = scripted(() => half);
    const { tool, calls } = profiles();
    const use = quickTool('use', () => 'used', {
      parameters: { type: 'object', properties: { x: {} } },
    });
    const found = `found = llm_bind(line, ${helper}, unbound="unresolved")\n`;
    const handlers = handlersFor(model, tool, use);
    const text = `${line}${found}answer([is_uncertain(found), found.question, found.missing])`;
    expect(await go(text, handlers).result).toMatchObject({
      ...{ status: 'done', answer: [true, 'Where does he work?', ['company_name']] },
    });
    const using = `${line}${found}answer(use(found))`;
    expect(await go(using, handlers).result).toMatchObject({
      status: 'failed',
      error: { code: 'PV3042', message: expect.stringContaining('Where does he work?'), line: 3 },
    });
    expect(calls).toStrictEqual([]);
  });

  test('fails where that is wanted, at the place of the call', async () => {
    const { model } = scripted(() => half);
    const { tool, calls } = profiles();
    const text = `${line}answer(llm_bind(line, ${helper}, unbound="fail"))`;
    expect(await go(text, handlersFor(model, tool)).result).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('company_name is not known'), line: 2 },
    });
    expect(calls).toStrictEqual([]);
  });

  test('runs a helper once that fails after it has acted', async () => {
    const { model, requests } = scripted(() => ({ args: steve, missing: [] }));
    const calls: unknown[] = [];
    const tool = quickTool(
      'get_linkedin_profile',
      (args) => {
        calls.push(args);
        throw new EffectFailure('PV4299', 'sent, but refused', { answered: true });
      },
      { parameters: profileSchema, effect: 'write' },
    );
    const text = `${line}answer(llm_bind(line, "get_linkedin_profile(first_name)"))`;
    expect(await go(text, handlersFor(model, tool)).result).toMatchObject({
      status: 'failed',
      error: { code: 'PV4299', line: 2 },
    });
    expect(calls).toHaveLength(1);
    expect(requests).toHaveLength(1);
  });

  test('keeps writes in order, and everything else side by side', async () => {
    const names = ['Ann A', 'Bob B', 'Cy C'];
    const { model } = scripted((content) => {
      const [, first, last] = /(Ann|Bob|Cy) (\w)/.exec(content) ?? [];
      return { args: { ...steve, first_name: first, last_name: last }, missing: [] };
    });
    const { tool, calls } = profiles({ effect: 'write' });
    const text = `found = []\nfor name in ${JSON.stringify(names)}:\n    found.append(llm_bind(name, ${helper}))\nanswer(found)`;
    const side = await go(text, handlersFor(model, tool)).result;
    expect(side.status).toBe('done');
    expect(calls.map((one) => (one as typeof steve).first_name)).toStrictEqual([
      'Ann',
      'Bob',
      'Cy',
    ]);
    const alone = await go(text, handlersFor(model, tool), { sequential: true }).result;
    expect(alone.answer).toStrictEqual(side.answer);
  });
});

test('a loop over names takes the time of its longest chain', async () => {
  const names = ['Ann A', 'Bob B', 'Cy C', 'Di D', 'Eve E'];
  const program = `summaries = []
for name in team():
    profile = llm_bind(name, ${helper})
    summaries.append(summary(text = profile))
answer(summaries)`;

  /** Milliseconds of the run, by a clock that moves only where nothing else can happen. */
  async function makespan(sequential: boolean) {
    const clock = new TestClock();
    const after = (ms: number): Promise<void> =>
      new Promise((resolve) => clock.after(ms, () => resolve()));
    const { model } = scripted((content) => {
      const [, first, last] = /(\w+) ([A-E])\b/.exec(content) ?? [];
      return { args: { ...steve, first_name: first, last_name: last }, missing: [] };
    });
    const slow: Model = {
      ...model,
      complete: async (request, context) => {
        await after(400);
        return await model.complete(request, context);
      },
    };
    const taking = (name: string, ms: number, of: (args: Arguments) => unknown, more = {}) =>
      quickTool(name, async (args) => after(ms).then(() => of(args)), more);
    const text = { type: 'object', properties: { text: {} } };
    const handlers = handlersFor(
      slow,
      taking('team', 100, () => names),
      taking('get_linkedin_profile', 300, ({ first_name }) => `of ${first_name}`, {
        ...{ parameters: profileSchema, aliases: ['WebHelpers.get_linkedin_profile'] },
      }),
      taking('summary', 200, (args) => `short: ${args.text}`, { parameters: text }),
    );
    const began = clock.now();
    const run = go(program, handlers, { clock, sequential });
    let result: Awaited<typeof run.result> | undefined;
    const ending = run.result.then((ended) => {
      result = ended;
      return ended;
    });
    while (!result) {
      await settle(60);
      const [next = 0] = clock.waits();
      if (!result) clock.advance(next);
    }
    return { ms: clock.now() - began, answer: (await ending).answer };
  }
  const side = await makespan(false);
  const alone = await makespan(true);
  const chain = 100 + 400 + 300 + 200;
  expect(side.ms / chain).toBeLessThanOrEqual(1.15);
  expect(alone.ms).toBeGreaterThanOrEqual(100 + 5 * (chain - 100));
  expect(side.answer).toStrictEqual(names.map((name) => `short: of ${name.split(' ')[0]}`));
  expect(alone.answer).toStrictEqual(side.answer);
});

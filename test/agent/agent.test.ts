/** An agent as whoever embeds planvm uses it: sessions, their events, and what other agents see. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Agent, openAgent } from '../../src/agent/agent.ts';
import type { AgentOptions } from '../../src/agent/options.ts';
import type { AgentEvent } from '../../src/agent/port/events.ts';
import type { Session } from '../../src/agent/session.ts';
import type { OwnModel } from '../../src/effects/model/own-model.ts';
import { defineTool } from '../../src/effects/tool/tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-agent-'));
afterAll(() => rmSync(folder, { recursive: true }));

let journals = 0;
const newJournal = (): string => join(folder, `${journals++}.db`);

async function opened(options: AgentOptions = {}): Promise<Agent> {
  const agent = await openAgent(options);
  onTestFinished(() => agent.close());
  return agent;
}

/** Gives its replies in turn. */
function scripted(...replies: readonly string[]): OwnModel & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async complete({ messages }) {
      asked.push(messages.map(({ content }) => content).join('\n'));
      const reply = replies[asked.length - 1];
      if (reply === undefined) throw new Error(`no reply is left for: ${asked.at(-1)}`);
      return reply;
    },
  };
}

const fenced = (program: string): string => `\`\`\`starlark\n${program}\n\`\`\``;

async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const cursorOf = (event: AgentEvent): string | undefined =>
  event.type === 'run.event' ? event.cursor : undefined;

/** What of a stream is in the journal. */
const journaled = (events: readonly AgentEvent[]): AgentEvent[] =>
  events.filter((event) => cursorOf(event) !== undefined);

const price = defineTool({
  name: 'price',
  description: 'The price of an article.',
  parameters: {
    type: 'object',
    properties: { article: { type: 'string' } },
    required: ['article'],
  },
  effect: 'read',
  run: ({ article }) => (article === 'bread' ? 3 : 2),
});

/** A tool that cannot be undone, and what it was called with. */
function wiping() {
  const wiped: unknown[] = [];
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes a disk.',
    parameters: { type: 'object', properties: { disk: { type: 'string' } }, required: ['disk'] },
    effect: 'write',
    destructive: true,
    run({ disk }) {
      wiped.push(disk);
      return `wiped ${disk}`;
    },
  });
  return { wipe, wiped };
}

const buying =
  'bread = price(article = "bread")\nmilk = price(article = "milk")\nanswer(bread + milk)';

/** Without the model that decides whether a program is wanted. */
const asProgram = { route: 'program' } as const;

describe('ask', () => {
  test('plans and runs in one session, whose journaled events have cursors', async () => {
    const journal = newJournal();
    const agent = await opened({ journal, tools: [price], model: scripted(fenced(buying)) });
    const session = agent.ask('What do bread and milk cost?', { ...asProgram, id: 'buy' });
    const events = await eventsOf(session);
    const end = await session.end;
    expect(end).toMatchObject({ status: 'done', answer: 5, next: [] });
    expect(end.runs).toHaveLength(2);
    expect(end.planning).toMatchObject({ modelCalls: 1 });
    const began = events.filter(({ type }) => type === 'run.began');
    expect(began).toMatchObject([
      { run: 'buy', loop: { name: 'plan' } },
      { run: end.run, dialect: 'starlark' },
    ]);
    expect(agent.runs.session('buy').map(({ id }) => id)).toEqual(end.runs);
    for (const id of end.runs) {
      const cursors = events.flatMap((event) => cursorOf(event) ?? []);
      const own = cursors.filter((cursor) => cursor.startsWith(`${id}:`));
      const { events: count } = agent.runs.get(id);
      expect(own).toEqual(Array.from({ length: count }, (_, at) => `${id}:${at + 1}`));
    }
  });

  test('another agent follows the same session, from any cursor', async () => {
    const journal = newJournal();
    const agent = await opened({ journal, tools: [price], model: scripted(fenced(buying)) });
    const session = agent.ask('What do bread and milk cost?', asProgram);
    const live = journaled(await eventsOf(session));
    const other = await opened({ journal });
    const all = await eventsOf(other.follow(session.id));
    expect(journaled(all)).toEqual(live);
    expect(all.at(-1)).toMatchObject({ type: 'ended', end: { status: 'done', answer: 5 } });
    for (const [at, event] of live.entries()) {
      const rest = await eventsOf(other.follow(session.id, { after: cursorOf(event) }));
      expect(journaled(rest)).toEqual(live.slice(at + 1));
    }
  });

  test('a failed run is repaired, and both programs are in the session', async () => {
    const wrong = 'answer(price(article = "bread") + "x")';
    const right = fenced('answer(price(article = "bread") + 1)');
    const model = scripted(fenced(wrong), right);
    const agent = await opened({ tools: [price], model });
    const session = agent.ask('What does bread cost with a bag?', asProgram);
    const events = await eventsOf(session);
    expect(await session.end).toMatchObject({ status: 'done', answer: 4 });
    expect(events.map(({ type }) => type)).toContain('repair.began');
  });

  test('a model that writes no program is an end, and no rejection', async () => {
    const model = scripted('Bread is bread.', 'Milk is milk.', 'Salt is salt.');
    const agent = await opened({ tools: [price], model });
    const end = await agent.ask('What does bread cost?', asProgram).end;
    expect(end).toMatchObject({ status: 'failed', answer: null });
    expect(end.error?.code).toMatch(/^PV7/);
    expect(end.next.length).toBeGreaterThan(0);
  });

  test('a budget that is met suspends it, and `next` says how much is enough', async () => {
    const journal = newJournal();
    const agent = await opened({ journal, tools: [price] });
    const { status, reason, next, run } = await agent.run(buying, { limits: { effects: 1 } }).end;
    expect({ status, reason }).toEqual({ status: 'suspended', reason: 'limit' });
    const [step] = next;
    expect(step).toMatchObject({ do: 'resume', run, needs: { name: 'effects' } });
    const other = await opened({ journal, tools: [price] });
    const enough = step?.do === 'resume' ? step.needs?.enough : undefined;
    expect(await other.resume(run, { limits: { effects: enough ?? 0 } }).end).toMatchObject({
      ...{ status: 'done', answer: 5 },
    });
  });

  test('one action at a time, and tasks that run side by side', async () => {
    const steps = ['Thought: I look.\nAction: price[bread]', 'Thought: So.\nAction: Finish[3]'];
    const reacting = await opened({ tools: [price], model: scripted(...steps) });
    expect(await reacting.react('What does bread cost?').end).toMatchObject({
      ...{ status: 'done', answer: '3' },
    });
    const plan = 'Thought: Both.\n1. price["bread"]\n2. price["milk"]\n3. join()\n<END_OF_PLAN>';
    const join = 'Thought: 3 and 2.\nAction: Finish(5)';
    const planning = await opened({ tools: [price], model: scripted(plan, join) });
    expect(await planning.tasks('What do bread and milk cost?').end).toMatchObject({
      ...{ status: 'done', answer: '5' },
    });
  });
});

describe('an id', () => {
  test('gives the same session again, also after its end; another goal is refused', async () => {
    const journal = newJournal();
    const model = scripted(fenced(buying));
    const agent = await opened({ journal, tools: [price], model });
    const ask = (from: Agent, goal: string): Session => from.ask(goal, { ...asProgram, id: 'buy' });
    const first = await ask(agent, 'What do bread and milk cost?').end;
    const again = await ask(agent, 'What do bread and milk cost?').end;
    expect(again).toMatchObject({ run: first.run, status: 'done', answer: 5 });
    const other = await opened({ journal, tools: [price], model });
    expect(await ask(other, 'What do bread and milk cost?').end).toMatchObject({
      ...{ run: first.run, answer: 5 },
    });
    expect(model.asked).toHaveLength(1);
    await expect(ask(other, 'What does salt cost?').end).rejects.toMatchObject({ code: 'PV5113' });
  });

  test('that two agents start at once runs once', async () => {
    const journal = newJournal();
    let calls = 0;
    const count = defineTool({
      name: 'count',
      description: 'Counts its calls.',
      parameters: { type: 'object' },
      run: () => ++calls,
    });
    const agents = [
      await opened({ journal, tools: [count] }),
      await opened({ journal, tools: [count] }),
    ];
    const ends = await Promise.all(
      agents.map((agent) => agent.run('answer(count() + (1 << 60))', { id: 'once' }).end),
    );
    expect(calls).toBe(1);
    expect(ends.map(({ run, answer }) => [run, answer])).toEqual([
      ['once', 2n ** 60n + 1n],
      ['once', 2n ** 60n + 1n],
    ]);
  });
});

describe('what waits', () => {
  test('is approved by another agent, and goes on in a third', async () => {
    const journal = newJournal();
    const { wipe, wiped } = wiping();
    const first = await opened({ journal, tools: [wipe] });
    const end = await first.run('answer(wipe(disk = "a"))').end;
    expect(end).toMatchObject({ status: 'waiting', next: [{ do: 'reply' }] });
    await first.close();
    const desk = await opened({ journal });
    const effect = end.waits?.[0]?.effect ?? '';
    expect(await desk.reply(end.run, { effect, approved: true, by: 'ann' })).toEqual([effect]);
    expect(wiped).toEqual([]);
    const last = await opened({ journal, tools: [wipe] });
    const [due] = last.resumeDue();
    expect(await due?.end).toMatchObject({ run: end.run, status: 'done', answer: 'wiped a' });
    expect(wiped).toEqual(['a']);
  });

  test('stays as it is where a tool is missing, also with a reply', async () => {
    const journal = newJournal();
    const { wipe, wiped } = wiping();
    const agent = await opened({ journal, tools: [wipe] });
    const { run } = await agent.run('answer(wipe(disk = "a"))').end;
    const before = agent.runs.export(run).replace(/"exportedAt":\d+/, '');
    const without = await opened({ journal });
    const reply = { approved: true, by: 'ann' };
    await expect(without.resume(run, { reply }).end).rejects.toThrow('wipe');
    await expect(without.fork(run, {}).end).rejects.toThrow('wipe');
    expect(agent.runs.export(run).replace(/"exportedAt":\d+/, '')).toBe(before);
    expect(agent.runs.list()).toHaveLength(1);
    expect((await agent.runs.result(run))?.waits?.[0]).not.toHaveProperty('reply');
    expect(await agent.resume(run, { reply }).end).toMatchObject({ answer: 'wiped a' });
    expect(wiped).toEqual(['a']);
  });
});

test('playbooks are played, ask, and go on in another agent', async () => {
  const journal = newJournal();
  const desk = [
    '# Desk',
    '## Main',
    '### Triggers',
    '- At the beginning',
    '### Steps',
    '- Ask user for $day',
    '- Return $day',
  ].join('\n');
  const welcome = '{"say": "Which day?"}';
  const heard = '{"set": {"day": "Sunday"}}';
  const agent = await opened({ journal, model: scripted(welcome, heard) });
  const first = await agent.play(desk).end;
  expect(first).toMatchObject({ status: 'waiting', waits: [{ kind: 'question' }] });
  const other = await opened({ journal, model: scripted(heard) });
  const reply = { answer: 'Sunday', by: 'kim' };
  expect(await other.resume(first.run, { reply }).end).toMatchObject({
    ...{ run: first.run, status: 'done', answer: 'Sunday' },
  });
});

test('what is judged and revised belongs to the session of its run', async () => {
  const verdict = '{"accept": false, "reason": "It has no bag.", "suggestion": "Add a bag."}';
  const bagged = fenced('answer(price(article = "bread") + 1)');
  const model = scripted(fenced('answer(price(article = "bread"))'), verdict, bagged);
  const agent = await opened({ tools: [price], model });
  const first = await agent.ask('What does bread cost with a bag?', asProgram).end;
  const judging = agent.judge(first.run);
  expect((await judging.end).answer).toMatchObject({ accept: false });
  const revising = agent.revise(first.run, 'Add a bag.');
  expect(await revising.end).toMatchObject({ status: 'done', answer: 4 });
  for (const session of [judging, revising]) {
    const followed = await eventsOf(agent.follow(session.id));
    expect(followed.at(-1)).toMatchObject({ type: 'ended', end: { answer: 4 } });
  }
});

test('a fork is previewed without a trace, and performs what is new', async () => {
  const asked: unknown[] = [];
  const counted = { ...price, run: (args: { article: string }) => asked.push(args.article) };
  const agent = await opened({ tools: [counted] });
  const { run } = await agent.run(buying).end;
  const changes = { outcomes: { '0#1': { value: 10 } } };
  const preview = await agent.previewFork(run, changes);
  expect(agent.runs.list()).toHaveLength(1);
  const session = agent.fork(run, changes, { id: 'dearer', title: 'Dearer bread' });
  expect(await session.end).toMatchObject({ run: 'dearer', answer: 12 });
  expect(asked).toEqual(['bread', 'milk']);
  expect(preview).toMatchObject({ run });
  expect(agent.runs.get('dearer')).toMatchObject({ title: 'Dearer bread', base: { run } });
  const followed = await eventsOf(agent.follow(session.id));
  expect(followed.at(-1)).toMatchObject({ type: 'ended', end: { answer: 12 } });
});

test('stop suspends a session, which another agent resumes', async () => {
  const journal = newJournal();
  let isOpen = false;
  const slow = defineTool({
    name: 'slow',
    description: 'Waits until somebody stops it.',
    parameters: { type: 'object' },
    effect: 'read',
    run: () => (isOpen ? 'there' : new Promise(() => {})),
  });
  const agent = await opened({ journal, tools: [slow] });
  const session = agent.run('answer(slow())');
  session.subscribe((event) => {
    if (event.type === 'run.event' && event.event.type === 'effect.started') session.stop();
  });
  const end = await session.end;
  expect(end).toMatchObject({ status: 'suspended', reason: 'interrupted' });
  expect(end.next).toEqual([{ do: 'resume', run: end.run }]);
  isOpen = true;
  const other = await opened({ journal, tools: [slow] });
  expect(await other.resume(end.run).end).toMatchObject({ status: 'done', answer: 'there' });
});

test('events are plain JSON, and a large integer survives it', async () => {
  const agent = await opened();
  const session = agent.run('answer(1 << 80)');
  const events = await eventsOf(session);
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  const answer = { $int: String(2n ** 80n) };
  expect(events.at(-1)).toMatchObject({ type: 'ended', end: { answer } });
  expect((await session.end).answer).toBe(2n ** 80n);
});

describe('whoever embeds an agent', () => {
  test('looks at a program before it runs, and changes it', async () => {
    const seen: string[] = [];
    const agent = await opened({
      model: scripted(fenced('answer(1)')),
      async review({ text, dialect, confirm }) {
        seen.push(`${dialect} ${confirm} ${text.trim()}`);
        return text.replace('1', '2');
      },
    });
    const { status, answer } = await agent.ask('Count.', { route: 'program', confirm: true }).end;
    expect({ status, answer, seen }).toEqual({
      ...{ status: 'done', answer: 2 },
      seen: ['starlark true answer(1)'],
    });
  });

  test('goes through a run: what it asks for begins when they have come there', async () => {
    const calls: string[] = [];
    const agent = await opened({
      tools: [{ ...price, run: () => calls.push('price') }],
      async goThrough(travel) {
        calls.push('held');
        await travel.goTo('end');
      },
    });
    const { status } = await agent.run('answer(price(article = "bread"))').end;
    expect({ status, calls }).toEqual({ status: 'done', calls: ['held', 'price'] });
  });
});

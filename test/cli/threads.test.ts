/** Conversations: `planvm repl` with a model on loopback, and `planvm thread`. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import type { Script } from '../support/model-server.ts';
import { fenced, type Talk, talking as talkingWith } from '../support/talk.ts';

const tools = `
const parameters = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
export default [
  { name: 'shelf', description: 'Says where it stands.', parameters, effect: 'read',
    run: ({ topic }) => 'shelf of ' + topic },
];`;

const first = `def place(topic):
    """Where a topic stands."""
    return shelf(topic = topic).upper()

found = place("tides")
answer(found)`;

/** Answers a goal by the first rule whose words are in it. */
const script =
  (rules: Readonly<Record<string, string>>): Script =>
  ({ prompt }) => {
    const last = prompt.slice(prompt.lastIndexOf('Goal: '));
    const rule = Object.keys(rules).find((words) => last.includes(words));
    return rules[rule ?? ''] ?? `no rule for ${last}`;
  };

const talking = (
  rules: Readonly<Record<string, string>>,
  use: (talk: Talk) => Promise<void>,
): Promise<void> => talkingWith(script(rules), tools, use);

const moons = 'answer(place("moons") + " after " + found)';

test('a turn knows what was said, and has functions and variables of those before it', async () => {
  await talking({ tides: fenced(first), moons: fenced(moons) }, async (talk) => {
    const done = await talk.repl(['Where are the tides?', 'And the moons?', '/vars', '/functions']);
    expect(done.stderr).toContain('later programs may call place(topic)');
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toContain('SHELF OF TIDES\nSHELF OF MOONS after SHELF OF TIDES\n');
    expect(done.stdout).toMatch(/found +SHELF OF TIDES/);
    expect(done.stdout).toMatch(/place\(topic\) +Where a topic stands\./);

    const { prompt, messages } = talk.server.requests[1] ?? { prompt: '', messages: [] };
    expect(prompt).toContain('User: Where are the tides?\n\nYou: SHELF OF TIDES');
    expect(messages[0]?.content).toContain('- `place(topic)`: Where a topic stands.');
    expect(messages[0]?.content).toContain('`conversation`');

    // The program that has run is whole: it is shown, and replayed, with the function in it.
    const shown = await talk.planvm('show', 'last');
    expect(shown.stdout).toContain('def place(topic):');
    expect(await talk.planvm('replay', 'last')).toMatchObject({ code: 0 });
  });
});

test('what earlier turns have brought is asked about before it goes out', async () => {
  const rules = {
    tides: fenced('mail(to = "kim")\nfound = shelf(topic = "tides")\nanswer(found)'),
    moons: fenced('mail(to = found)\nanswer("sent")'),
  };
  const mail = tools.replace(
    '];',
    `  { name: 'mail', description: 'Mails.', effect: 'write', destructive: true,
      parameters: { type: 'object', properties: { to: { type: 'string' } } }, run: () => 'sent' },
];`,
  );
  await talkingWith(script(rules), mail, async (talk) => {
    const lines = ['Where are the tides?', 'And the moons?'];
    const done = await talk.repl(lines, '--approve', 'untrusted');
    expect(done.stdout).toContain('shelf of tides');
    expect(done.stderr).toContain('`to` may come from what earlier runs have left in `found`');
    expect(done.stderr).toContain('a model has written the program after it had read what came of');
    const [run] = JSON.parse((await talk.planvm('runs', '--json')).stdout);
    expect(run).toMatchObject({ status: 'waiting', reason: 'approval' });
  });
});

test('what a person has typed is not taken for what earlier runs have left', async () => {
  const mail = tools.replace(
    '];',
    `  { name: 'mail', description: 'Mails.', effect: 'write', destructive: true,
      parameters: { type: 'object', properties: { to: { type: 'string' } } }, run: () => 'sent' },
];`,
  );
  const rules = {
    first: fenced('said = who\nanswer(said)'),
    second: fenced('mail(to = who + found)\nanswer("sent")'),
  };
  await talkingWith(script(rules), mail, async (talk) => {
    const lines = ['/code', 'who = "kim"', 'found = shelf("tides")', '/auto', 'first', 'second'];
    const done = await talk.repl(lines, '--approve', 'untrusted');
    const why = '`to` may come from what earlier runs have left in `found`; a model has written';
    expect(done.stderr).toContain(why);
  });
});

test('a conversation is gone on with by another process', async () => {
  await talking({ tides: fenced(first), moons: fenced(moons) }, async (talk) => {
    await talk.repl(['Where are the tides?']);
    const next = await talk.repl(['And the moons?', '/messages 2'], '--thread', 'last');
    expect(next).toMatchObject({ code: 0 });
    expect(next.stdout).toContain('SHELF OF MOONS after SHELF OF TIDES\n');
    expect(next.stdout).toMatch(/user \(program\)\nAnd the moons\?\n\nassistant \(done, r\w+\)/);

    const [thread, ...others] = JSON.parse((await talk.planvm('thread', '--json')).stdout);
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ title: 'Where are the tides?', messages: 4, mode: 'program' });
    expect(thread.usage).toMatchObject({ modelCalls: 2 });
    const shown = await talk.planvm('thread', 'show', thread.id.slice(0, 4));
    expect(shown.stdout).toContain('SHELF OF MOONS after');
  });
});

test('what fails is said, is part of the conversation, and does not end it', async () => {
  const wrong = fenced('answer(shelf(topic = "x")[100])');
  await talking({ broken: wrong, tides: fenced(first) }, async (talk) => {
    const lines = ['What is broken?', 'Where are the tides?', '/messages'];
    const done = await talk.repl(lines, '--repair', '0');
    expect(done.code).toBe(1);
    expect(done.stdout).toContain('assistant (failed, r');
    expect(done.stdout).toMatch(/The program failed: PV\d+ /);
    expect(done.stdout).toContain('SHELF OF TIDES');
    expect(talk.server.requests.at(-1)?.prompt).toContain('You: The program failed: PV');
  });
});

test('a direct answer is one call of the model, which sees what was said', async () => {
  await talking({ tides: fenced(first), '': 'Because of the moon.' }, async (talk) => {
    const done = await talk.repl(['Where are the tides?', '/direct Why are there tides?', '/cost']);
    expect(done.stdout).toContain('SHELF OF TIDES\nBecause of the moon.\n');
    expect(done.stdout).toContain('2 model calls · 20 tokens in, 10 out');
    const asked = JSON.stringify(talk.server.requests[1]?.messages);
    expect(asked).toContain('Why are there tides?');
    expect(asked).toContain('SHELF OF TIDES');
    const runs = JSON.parse((await talk.planvm('runs', '--json')).stdout);
    expect(runs[0]).toMatchObject({ status: 'done', title: 'Why are there tides?' });
  });
});

test('code and goals share their variables and functions, in both ways', async () => {
  const program = fenced('answer(twice(base))');
  await talking({ tides: fenced(first), doubled: program }, async (talk) => {
    const lines = [
      '/code',
      'base = 21',
      'def twice(n):',
      '    return n * 2',
      '/program',
      'Give me the base doubled.',
      'Where are the tides?',
      '/code place("x") + found',
    ];
    const done = await talk.repl(lines);
    expect(done).toMatchObject({ code: 0 });
    expect(done.stdout).toBe('42\nSHELF OF TIDES\n"SHELF OF XSHELF OF TIDES"\n');
  });
});

test('a function that is defined anew takes the place of the earlier one, with a warning', async () => {
  const again = 'def place(topic):\n    return "nowhere"\nanswer(place("x"))';
  await talking(
    { tides: fenced(first), anew: fenced(again), moons: fenced(moons) },
    async (talk) => {
      const done = await talk.repl(['Where are the tides?', 'Say it anew.', 'And the moons?']);
      expect(done.stderr).toContain(
        'warning PV6703: place is defined anew, and the earlier place is gone',
      );
      expect(done.stdout).toContain('nowhere after SHELF OF TIDES\n');
    },
  );
});

test('messages are forgotten, and texts of several lines are one goal', async () => {
  await talking({ tides: fenced(first), '': fenced('answer(1)') }, async (talk) => {
    const lines = ['Where are the tides?', 'One\\', 'two', '/messages', '/clear'];
    const done = await talk.repl([...lines, '/messages', '/quit', 'never seen']);
    expect(done.stderr).toContain('4 messages forgotten\nnothing was said yet');
    expect(done.stdout).toContain('user (program)\nOne\ntwo\n');
    expect(talk.server.requests).toHaveLength(2);
  });
});

test('messages and programs are changed in an editor', async () => {
  await talking({ tides: fenced(first) }, async (talk) => {
    talk.folder.write('edit.sh', '#!/bin/sh\nsed -i "s/TIDES/WAVES/; s/tides/waves/" "$1"\n');
    const env = { ...talk.env, EDITOR: 'sh edit.sh' };
    const input = 'Where are the tides?\n/edit_program\n/edit\n/messages\n/show\n';
    const done = await talk.folder.planvm(['repl'], { env, input });
    expect(done.stdout).toContain('SHELF OF TIDES\nSHELF OF WAVES\n');
    expect(done.stdout).toContain('user\nWhere are the waves?\n');
    expect(done.stdout).toContain('found = place("waves")');
  });
});

test('a conversation is named, written, read and deleted', async () => {
  await talking({ tides: fenced(first), moons: fenced(moons) }, async (talk) => {
    await talk.repl(['Where are the tides?', '/save talk.md', '/save talk.json']);
    expect(talk.folder.read('talk.md')).toContain('## user\n\nWhere are the tides?');
    expect(talk.folder.read('talk.md')).toContain('```starlark\ndef place(topic):');

    const { stdout } = await talk.repl(['/load talk.json', 'And the moons?']);
    expect(stdout).toContain('SHELF OF MOONS after SHELF OF TIDES');
    const threads = JSON.parse((await talk.planvm('thread', '--json')).stdout);
    expect(threads).toHaveLength(2);
    await talk.repl(['/load last', '/thread title Heavens']);
    expect((await talk.planvm('thread')).stdout).toContain('Heavens');
    for (const { id } of threads) await talk.planvm('thread', 'delete', id);
    expect((await talk.planvm('thread')).stderr).toContain('no conversations yet');
    const gone = await talk.planvm('thread', 'show', 'last');
    expect(gone).toMatchObject({ code: 2 });
    expect(gone.stderr).toContain('error PV6701: there is no thread yet');
  });
});

test.each([
  ['', 'no editor is configured: VISUAL and EDITOR are not set'],
  ['vim -n', 'the editor vim -n needs a terminal, and there is none here'],
])('where no editor can be opened it says so at once: EDITOR=%j', async (EDITOR, message) => {
  await talking({ tides: fenced(first) }, async (talk) => {
    const env = { ...talk.env, EDITOR };
    const input = 'Where are the tides?\n/edit_ast\n/edit\n/code\n2 + 2\n';
    const done = await talk.folder.planvm(['repl'], { env, input });
    expect(done.stderr.split(message)).toHaveLength(3);
    // The session goes on.
    expect(done.stdout).toContain('\n4\n');
  });
});

test('another model and another system message answer from there on, and stay', async () => {
  await talking({ '': 'Yes.' }, async (talk) => {
    const lines = ['/direct one?', '/model openai/other', '/system Be brief.', '/direct two?'];
    const done = await talk.repl([...lines, '/model opnai/x', '/direct three?']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("no provider 'opnai'");
    const asked = talk.server.requests.map(({ model, messages }) => [model, messages[0]?.role]);
    expect(asked.map(([model]) => model)).toEqual(['test', 'other', 'other']);
    expect(talk.server.requests[1]?.messages[0]?.content).toContain('Be brief.');
    await talk.repl(['/direct four?'], '--thread', 'last');
    expect(talk.server.requests.at(-1)).toMatchObject({ model: 'other' });
  });
});

test.each([
  ['/hlep', 'there is no command /hlep; did you mean /help?'],
  ['/load nowhere.json', 'error PV6706: cannot read nowhere.json: there is no such file'],
  ['/thread t999', 'error PV6701: there is no thread'],
  ['/show', 'no program has run yet'],
])('%s says what is wrong', async (line, words) => {
  using folder = new Folder();
  const done = await folder.planvm(['repl'], { input: `${line}\n1 + 1\n` });
  expect(done).toMatchObject({ code: 1, stdout: '2\n' });
  expect(done.stderr).toContain(words);
});

/** A conversation as one program with inputs and guards, and what a guard leads to. */
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import type { Script } from '../support/model-server.ts';
import { startModelServer } from '../support/model-server.ts';
import { fenced, talking } from '../support/talk.ts';

const tools = `
const parameters = { type: 'object', properties: { topic: { type: 'string' } }, required: ['topic'] };
export default [
  { name: 'shelf', description: 'Says where it stands.', parameters, effect: 'read',
    run: ({ topic }) => topic === 'voids' ? '' : 'shelf of ' + topic },
];`;

const compiled = `# input: topic = "tides" -- what to look for
place = shelf(topic = topic)
if place == "":
    fail("guard: " + topic + " stand on no shelf")
answer(place.upper())`;

const script: Script = ({ prompt, messages }) => {
  const system = messages[0]?.content ?? '';
  if (system.includes('Write one program that reaches goals like them')) {
    if (prompt.includes('no guard')) return `Mended:\n${fenced(compiled)}`;
    return fenced(compiled.replace(/if place[\s\S]*shelf"\)\n/, ''));
  }
  if (prompt.includes('did not fit')) return fenced('answer("looked elsewhere for " + topic)');
  return fenced('answer(shelf(topic = "tides").upper())');
};

test('a conversation becomes a program that runs for other values, by its name', async () => {
  await talking(script, tools, async ({ server, planvm, repl }) => {
    await repl(['Where are the tides?']);

    const made = await planvm('thread', 'compile', 'last', '--name', 'places', '--json');
    expect(made.stderr).toContain('PV7009 the program has no guard');
    expect(JSON.parse(made.stdout)).toMatchObject({
      ...{
        label: 'places',
        goal: 'Where are the tides?',
        inputs: ['topic'],
        text: `${compiled}\n`,
      },
    });
    const asked = server.requests.find(({ prompt }) => prompt.includes('It answered:'));
    expect(asked?.prompt).toContain('Goal: Where are the tides?');
    expect(asked?.prompt).toContain('It answered: SHELF OF TIDES');

    const before = server.requests.length;
    const same = await planvm('run', '@places', '-q');
    expect(same).toMatchObject({ code: 0, stdout: 'SHELF OF TIDES\n' });
    const other = await planvm('run', '@places', '--input', 'topic=moons', '-q');
    expect(other).toMatchObject({ code: 0, stdout: 'SHELF OF MOONS\n' });
    expect(server.requests).toHaveLength(before);

    // A guard that does not hold: the goal is planned again, with the values that were given.
    const elsewhere = await planvm('run', '@places', '--input', 'topic=voids');
    expect(elsewhere).toMatchObject({ code: 0, stdout: 'looked elsewhere for voids\n' });
    expect(elsewhere.stderr).toContain('guard: voids stand on no shelf; the goal is planned again');
    const { prompt } = server.requests.at(-1) ?? { prompt: '' };
    expect(prompt).toContain(
      'Where are the tides?\nWith topic = "voids"\nA program for this did not',
    );

    const held = await planvm('run', '@places', '--input', 'topic=voids', '--no-replan', '--json');
    expect(held.code).toBe(1);
    expect(JSON.parse(held.stdout).error).toMatchObject({ code: 'PV3105' });
  });
});

test('what a saved plan has written before its guard fails is not written again', async () => {
  const saved = `# input: key = "a"
n = note(key = key)
if key == "z":
    fail("guard: no " + key)
answer(n)`;
  const note = `
const parameters = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
import { appendFileSync } from 'node:fs';
export default [
  { name: 'note', description: 'Notes.', parameters, effect: 'write', destructive: false,
    run: ({ key }) => { appendFileSync('notes.txt', key + ' '); return 'noted ' + key; } },
];`;
  await using server = await startModelServer(({ messages }) => {
    const system = messages[0]?.content ?? '';
    if (system.includes('Write one program that reaches')) return fenced(saved);
    if (!system.includes('You correct programs')) return fenced('answer(note(key = "a"))');
    return `PLAN\n${fenced('n = note(key = key)\nanswer("so be it: " + n)')}`;
  });
  using folder = new Folder({ 'tools.mjs': note });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.mjs', PLANVM_DIALECT: 'starlark' },
    PLANVM_ROUTE: 'program',
  };
  await folder.planvm(['repl'], { env, input: 'Note a.\n' });
  await folder.planvm(['thread', 'compile', 'last', '--name', 'n'], { env });
  const done = await folder.planvm(['run', '@n', '--input', 'key=z'], { env });
  expect(done).toMatchObject({ code: 0, stdout: 'so be it: noted z\n' });
  expect(done.stderr).toContain('guard: no z; what was done stays, and the rest is written again');
  expect(folder.read('notes.txt')).toBe('a z ');
});

test('/compile does the same at the prompt', async () => {
  await talking(script, tools, async ({ repl }) => {
    const done = await repl(['Where are the tides?', '/compile']);
    expect(done).toMatchObject({ code: 0, stdout: `SHELF OF TIDES\n${compiled}\n` });
    expect(done.stderr).toContain('planvm run @where-are-the-tides');
  });
});

test('a compilation that was killed is resumed, and its program is saved by its name', async () => {
  const isWriting = Promise.withResolvers<void>();
  let killed = false;
  const hangs: Script = (request) => {
    if (killed || !request.prompt.includes('It answered:')) return script(request);
    isWriting.resolve();
    return { hang: true };
  };
  await talking(hangs, tools, async ({ folder, env, planvm, repl }) => {
    await repl(['Where are the tides?']);
    const writing = folder.start(['thread', 'compile', 'last', '--name', 'places'], { env });
    await isWriting.promise;
    writing.process.kill('SIGKILL');
    await writing.ended;
    killed = true;
    const resumed = await planvm('resume', 'last');
    expect([resumed.code, resumed.stdout.trim()]).toEqual([0, compiled]);
    const [, plan = ''] = /saved as (p\w+): planvm run @places/.exec(resumed.stderr) ?? [];
    const other = await planvm('run', '@places', '--input', 'topic=moons', '-q');
    expect(other).toMatchObject({ code: 0, stdout: 'SHELF OF MOONS\n' });

    // The process may also end between the program and its being saved.
    const [{ run }] = JSON.parse((await planvm('plans', '--json')).stdout);
    await planvm('plans', 'rm', plan);
    const kept = await planvm('resume', run);
    expect([kept.code, kept.stdout.trim()]).toEqual([0, compiled]);
    expect(kept.stderr).toContain(`saved as ${plan}: planvm run @places`);
    expect(await planvm('resume', run)).toMatchObject({ code: 2 });
  });
});

test.each([
  [['thread', 'compile', 'last'], 'error PV6701: there is no thread yet'],
  [['run', '@nothing'], 'error PV6041: there is no plan nothing'],
])('%j says what is missing', async (args, words) => {
  using folder = new Folder();
  const done = await folder.planvm(args);
  expect(done.code).toBe(2);
  expect(done.stderr).toContain(words);
});

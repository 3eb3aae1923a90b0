/** Questions and approvals by the command line: from another process, or in place. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

/** `wipe` cannot be undone; `gate` waits until there is a file `open`. Both note their calls. */
const tools = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  const note = (text) => appendFileSync('calls.log', text + '\\n');
  const parameters = { type: 'object', properties: { disk: { type: 'string' } } };
  export default [
    { name: 'wipe', description: 'Wipes a disk.', effect: 'write', destructive: true, parameters,
      run({ disk }) { note('wipe ' + disk); return 'wiped ' + disk; } },
    { name: 'gate', description: 'Waits.', effect: 'pure', async run() {
      process.stderr.write('waiting in gate\\n');
      while (!existsSync('open')) await setTimeout(10);
      return 'open'; } },
  ];`;

const workshop = (): Folder =>
  new Folder({
    'tools.mjs': tools,
    'ask.star': 'name = ask("Who are you?")\nanswer("Hi " + name)\n',
    'several.star': 'answer(parallel(lambda q: ask(q, choices = ["yes", "no"]), ["A?", "B?"]))\n',
    'number.star': 'answer(ask("How many?", schema = {"type": "integer"}) + 1)\n',
    'wipe.star': 'answer(wipe(disk = "b"))\n',
    'beside.star': 'x = ask("Go on?")\ng = gate()\nanswer([x, g])\n',
    'nap.star': 'sleep(3600 * 5)\nanswer("up")\n',
    'plan.json': [
      calling(0, 'ask', { question: 'Which city?', choices: ['Paris', 'Oslo'] }, 'city'),
      calling(1, 'wipe', { disk: ref('city') }, 'done'),
      answering(2, `${ref('done')}.`),
    ],
  });

const withTools = ['--tools', 'tools.mjs'];

describe('a question', () => {
  test('ends the run, exit 4, and says how to answer; the answer goes on', async () => {
    using folder = workshop();
    const asked = await folder.planvm(['run', 'ask.star']);
    expect(asked).toMatchObject({ code: 4, stdout: '' });
    const [, id = ''] =
      /\? 1 it asks: Who are you\? \(effect 0#1\)\n.*\n {2}planvm answer (r\w+) "…"\n$/.exec(
        asked.stderr,
      ) ?? [];
    expect(id).not.toBe('');
    expect((await folder.planvm(['runs'])).stdout).toMatch(/waiting \(person\)/);
    const answered = await folder.planvm(['answer', id, 'Ada']);
    expect(answered).toMatchObject({ code: 0, stdout: 'Hi Ada\n' });
    const twice = await folder.planvm(['answer', id, 'Bob']);
    expect(twice.code).toBe(2);
    expect(twice.stderr).toContain(`PV5142: run ${id} does not wait for an answer`);
  });

  test('is in the result as data', async () => {
    using folder = workshop();
    const { stdout } = await folder.planvm(['run', 'ask.star', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'waiting',
      reason: 'person',
      waits: [{ kind: 'question', effect: '0#1', question: 'Who are you?' }],
    });
    const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
    expect(shown.effects).toMatchObject([{ name: 'ask', kind: 'person', status: 'waiting' }]);
  });

  test('of several is answered by its id; by the number of a choice as well', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'several.star']);
    const which = await folder.planvm(['answer', 'last', 'yes']);
    expect(which.code).toBe(2);
    expect(which.stderr).toContain('PV5143: which one is meant? it asks: A?');
    expect(which.stderr).toMatch(/planvm answer r\w+ 0\.1#1 "…"; planvm answer r\w+ 0\.2#1 "…"/);
    expect(await folder.planvm(['answer', 'last', '0.2#1', '2'])).toMatchObject({ code: 4 });
    const wrong = await folder.planvm(['answer', 'last', 'perhaps']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('does not fit: got "perhaps", want one of "yes", "no"');
    const last = await folder.planvm(['answer', 'last', '0.1#1', 'yes']);
    expect(last).toMatchObject({ code: 0 });
    expect(JSON.parse(last.stdout)).toEqual(['yes', 'no']);
  });

  test('of several people is answered by whose it is', async () => {
    using folder = workshop();
    const when = 'def when(who):\n    return ask("When?", to = who)\n';
    folder.write('people.star', `${when}answer(parallel(when, ["Clara", "Bob"]))\n`);
    const asked = await folder.planvm(['run', 'people.star', '--json']);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      waits: [
        { question: 'When?', to: 'Clara' },
        { question: 'When?', to: 'Bob' },
      ],
    });
    const [row] = JSON.parse((await folder.planvm(['runs', '--for', 'clara', '--json'])).stdout);
    expect(row).toMatchObject({
      status: 'waiting',
      waits: [
        { kind: 'question', question: 'When?', to: 'Clara' },
        { kind: 'question', question: 'When?', to: 'Bob' },
      ],
    });
    expect((await folder.planvm(['runs', '--for', 'Eve'])).stderr).toContain('no such run');
    expect((await folder.planvm(['runs'])).stdout).toContain('waiting (person Clara, Bob)');
    const nobody = await folder.planvm(['answer', 'last', '--as', 'Eve', 'now']);
    expect(nobody.stderr).toMatch(/PV5142: run \w+ asks nothing of Eve/);
    expect(nobody.stderr).toContain('it asks Clara, Bob');
    const bob = await folder.planvm(['answer', 'last', '--as', 'bob', 'at two']);
    expect(bob.code).toBe(4);
    expect(bob.stderr).toMatch(/it asks Clara: When\?[\s\S]*answer \w+ --as Clara "…"/);
    const both = await folder.planvm(['answer', 'last', '--as', 'Clara', 'at one']);
    expect(JSON.parse(both.stdout)).toEqual(['at one', 'at two']);
  });

  test('of the user is listed beside those of others, and told apart from them', async () => {
    using folder = workshop();
    const ours = '{"question": "What?"}, {"question": "When?", "to": "Clara"}';
    folder.write('ours.star', `answer(parallel(lambda one: ask(**one), [${ours}]))\n`);
    await folder.planvm(['run', 'ours.star']);
    const { stdout } = await folder.planvm(['runs']);
    expect(stdout).toMatch(
      /waiting \(person the user, Clara\).*\n {2}it asks: What\?.*\n {2}it asks Clara: When\?/,
    );
    const which = await folder.planvm(['answer', 'last', 'this']);
    expect(which.stderr).toMatch(/answer r\w+ --as user "…"; planvm answer r\w+ --as Clara "…"/);
    const misspelled = await folder.planvm(['answer', 'last', '--as', 'Clra', 'this']);
    expect(misspelled).toMatchObject({ code: 2 });
    expect(misspelled.stderr).toMatch(/PV5142: run \w+ asks nothing of Clra[\s\S]*mean Clara\?/);
    const own = await folder.planvm(['answer', 'last', '--as', 'user', 'this']);
    expect(own.code).toBe(4);
    const [row] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(row.waits).toMatchObject([{ question: 'When?', to: 'Clara' }]);
  });

  test('takes data by its schema, and an answer that is left until the run goes on', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'number.star']);
    const wrong = await folder.planvm(['answer', 'last', 'many']);
    expect(wrong.stderr).toContain('PV5144');
    const left = await folder.planvm(['answer', 'last', '41', '--no-run', '--json']);
    expect(JSON.parse(left.stdout)).toMatchObject({ effects: ['0#1'], resumed: false });
    const twice = await folder.planvm(['answer', 'last', '42']);
    expect(twice.stderr).toMatch(/PV5142: \S+ has replied to effect 0#1 of run \w+ already/);
    expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: '42\n' });
  });

  test('from stdin; and what is no answer is refused', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'ask.star']);
    const noAnswer = await folder.planvm(['answer', 'last', '0#1']);
    expect(noAnswer.stderr).toContain('PV6002: got the effect 0#1, and no answer');
    const words = await folder.planvm(['answer', 'last', 'Ada', 'Lovelace']);
    expect(words.stderr).toContain('put an answer of several words in quotes');
    const read = await folder.planvm(['answer', 'last', '-'], { input: 'Ada\nLovelace\n' });
    expect(read.stdout).toBe('Hi Ada\nLovelace\n');
  });

  test('is answered to the process that has the run', async () => {
    using folder = workshop();
    const call = folder.start(['run', 'beside.star', ...withTools]);
    await call.said('waiting in gate');
    const left = await folder.planvm(['answer', 'last', 'yes']);
    expect(left).toMatchObject({ code: 0 });
    expect(left.stderr).toMatch(/^the process that has run r\w+ takes it in a moment$/m);
    folder.write('open', '');
    const ended = await call.ended;
    // It waits where the answer came after its last look, which is a second old at most.
    const { stdout } = ended.code === 4 ? await folder.planvm(['resume', 'last']) : ended;
    expect(JSON.parse(stdout)).toEqual(['yes', 'open']);
  });
});

describe('what cannot be undone', () => {
  test('waits for an approval from another process', async () => {
    using folder = workshop();
    const asked = await folder.planvm(['run', 'wipe.star', ...withTools]);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toMatch(/ {2}planvm approve r\w+ 0#1\n {2}planvm deny r\w+ 0#1\n$/);
    const approved = await folder.planvm(['approve', 'last', '--note', 'checked']);
    expect(approved).toMatchObject({ code: 0, stdout: 'wiped b\n' });
    expect(folder.read('calls.log')).toBe('wipe b\n');
  });

  test('fails where it is denied, with the reason', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'wipe.star', ...withTools]);
    const denied = await folder.planvm(['deny', 'last', '0#1', '--note', 'wrong disk']);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toMatch(/PV4020: wipe was not approved by \S+: wrong disk/);
    expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 4 });
    const all = await folder.planvm(['approve', 'last', '--all']);
    expect(all).toMatchObject({ code: 0, stdout: 'wiped b\n' });
  });

  test.each<[string, (folder: Folder) => void, string]>([
    ['its tools file', (folder) => folder.write('tools.mjs', 'export default [{'), 'PV6008'],
    ['its tool', (folder) => folder.write('tools.mjs', 'export default [];'), 'PV5104'],
    ['the configuration', (folder) => folder.write('planvm.config.json', '{'), 'PV6003'],
  ])('is not approved where %s is missing', async (_, damage, code) => {
    using folder = workshop();
    await folder.planvm(['run', 'wipe.star', ...withTools]);
    const state = async () => [
      (await folder.planvm(['runs', '--json'])).stdout,
      (await folder.planvm(['show', 'last', '--json'])).stdout,
      (await folder.planvm(['export', 'last', '-o', '-'])).stdout.replace(/"exportedAt":\d+/, ''),
    ];
    const before = await state();
    damage(folder);
    for (const command of ['approve', 'deny', 'resume']) {
      const failed = await folder.planvm([command, 'last']);
      expect(failed.code, command).not.toBe(0);
      expect(failed.stderr).toContain(code);
    }
    rmSync(join(folder.path, 'planvm.config.json'), { force: true });
    folder.write('tools.mjs', tools);
    expect(await state()).toEqual(before);
    expect((await folder.planvm(['approve', 'last'])).stdout).toBe('wiped b\n');
  });

  test('is approved for later without its tools, which is shown at once', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'wipe.star', ...withTools]);
    rmSync(join(folder.path, 'tools.mjs'));
    const left = await folder.planvm(['approve', 'last', '--no-run', '--note', 'checked']);
    expect(left).toMatchObject({ code: 0, stdout: '' });
    expect(left.stderr).toMatch(/it is left with run \w+, which goes on with planvm resume \w+/);
    const reply = { kind: 'approve', note: 'checked' };
    const [listed] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(listed).toMatchObject({ waits: [{ kind: 'approval', reply }] });
    const shown = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
    expect(shown).toMatchObject({ waits: [{ kind: 'approval', reply }] });
    const said = /; approved by \S+, and not taken yet: checked/;
    expect((await folder.planvm(['runs'])).stdout).toMatch(said);
    const text = await folder.planvm(['show', 'last']);
    expect(text.stdout).toMatch(said);
    expect(text.stderr).toMatch(/planvm resume \w+\n {2}planvm deny \w+ 0#1\n$/);
    const again = await folder.planvm(['approve', 'last', '--no-run']);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/PV5142: \S+ has replied to effect 0#1/);
    folder.write('tools.mjs', tools);
    const denied = await folder.planvm(['deny', 'last', '--note', 'wrong disk']);
    expect(denied.code).toBe(1);
    expect(denied.stderr).toMatch(/PV4020: wipe was not approved by \S+: wrong disk/);
    const [after] = JSON.parse((await folder.planvm(['runs', '--json'])).stdout);
    expect(after).not.toHaveProperty('waits');
  });

  test.each([
    ['--yes', 'wipe'],
    ['--approve', 'none'],
  ])('is performed with %s %s', async (...flags) => {
    using folder = workshop();
    const ran = await folder.planvm(['run', 'wipe.star', ...withTools, ...flags]);
    expect(ran).toMatchObject({ code: 0, stdout: 'wiped b\n' });
  });

  test('--yes takes names of tools only', async () => {
    using folder = workshop();
    const ran = await folder.planvm(['run', 'wipe.star', ...withTools, '--yes', 'whipe']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'PV6002: --yes: there is no tool whipe\n  hint: did you mean wipe?',
    );
  });

  test('is as the configuration and the environment say', async () => {
    using folder = workshop();
    folder.write('planvm.config.json', { yes: ['wipe'] });
    expect(await folder.planvm(['run', 'wipe.star', ...withTools])).toMatchObject({ code: 0 });
    const env = { PLANVM_APPROVE: 'all', PLANVM_YES: 'mail' };
    const asked = await folder.planvm(['run', 'wipe.star', ...withTools], { env });
    expect(asked.code).toBe(4);
    const wrong = await folder.planvm(['run', 'wipe.star'], { env: { PLANVM_APPROVE: 'some' } });
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain(
      'PV6005: PLANVM_APPROVE: got some, want none, untrusted, destructive',
    );
  });

  test('stays approved when the run goes on without the option', async () => {
    using folder = workshop();
    await folder.planvm(['run', 'plan.json', ...withTools, '--yes', 'wipe']);
    const { code, stdout } = await folder.planvm(['answer', 'last', 'Oslo']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'wiped Oslo.\n' });
  });
});

test('a long pause lets the process go', async () => {
  using folder = workshop();
  const ran = await folder.planvm(['run', 'nap.star']);
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(/it pauses until \d{4}-.* \(effect 0#1\)\n.*waiting \(time\)/);
  expect(ran.stderr).toMatch(/ {2}planvm resume r\w+\n$/);
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('a question is asked in place, again where the answer does not fit', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run number.star', folder.path);
    await terminal.shows('? How many?');
    await terminal.shows('> ');
    terminal.type('many\r');
    await terminal.shows('the answer must be integer');
    await terminal.shows('> ');
    terminal.type('41\r');
    await terminal.shows('42');
    expect(await terminal.ended()).toBe(0);
  });

  test('what is pasted is one answer, of several lines; its last line wants its Enter', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run ask.star', folder.path);
    await terminal.shows('> ');
    terminal.type('Ada\rCountess\rof Love');
    await terminal.shows('of Love');
    terminal.type('lace\r');
    await terminal.shows('Hi Ada\r\nCountess\r\nof Lovelace');
    expect(await terminal.ended()).toBe(0);
  });

  test('an approval is asked in place', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run wipe.star --tools tools.mjs', folder.path);
    await terminal.shows('! wipe {"disk":"b"}');
    await terminal.shows('approve?');
    terminal.type('n wrong disk\r');
    await terminal.shows('PV4020');
    await terminal.shows('wrong disk');
    expect(await terminal.ended()).toBe(1);
  });

  test('whoever decides sees what has happened so far, and is told what to type', async () => {
    using folder = workshop();
    folder.write(
      'slow.mjs',
      `export default [{ name: 'look', description: 'Looks.', effect: 'read',
      run: () => new Promise((resolve) => setTimeout(resolve, 300, 1)) }];`,
    );
    folder.write('look.star', 'x = look()\nif x == 1:\n    wipe(disk = "b")\n');
    const command = 'run look.star --tools tools.mjs --tools slow.mjs';
    await using terminal = new Terminal(command, folder.path);
    await terminal.shows('◐ 1');
    await terminal.shows('✔ 1');
    await terminal.shows('approve?');
    terminal.type('help\r');
    await terminal.shows('type y to approve');
    await terminal.shows('approve?');
    terminal.type('n\r');
    expect(await terminal.ended()).toBe(1);
  });

  test('Ctrl-D leaves the question open', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run ask.star', folder.path);
    await terminal.shows('> ');
    terminal.type('\u0004');
    await terminal.shows('waiting (person)');
    expect(await terminal.ended()).toBe(4);
  });

  test('Ctrl-C interrupts the run', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run ask.star', folder.path);
    await terminal.shows('> ');
    terminal.type('\u0003');
    await terminal.shows('interrupted');
    expect(await terminal.ended()).toBe(130);
    expect(await folder.planvm(['answer', 'last', 'Ada'])).toMatchObject({ stdout: 'Hi Ada\n' });
  });

  test('the prompt of Starlark asks as well', async () => {
    using folder = workshop();
    await using terminal = new Terminal('repl --tools tools.mjs', folder.path);
    await terminal.shows('>>> ');
    terminal.type('ask("Who are you?")\r');
    await terminal.shows('? Who are you?');
    await terminal.shows('> ');
    terminal.type('Ada\r');
    await terminal.shows('Ada');
    await terminal.shows('>>> ');
    terminal.type('wipe(disk = "b")\r');
    await terminal.shows('approve?');
    terminal.type('n\r');
    await terminal.shows('PV4020');
    await terminal.shows('>>> ');
    terminal.type('\u0004');
    expect(await terminal.ended()).toBe(1);
  });

  test('--no-input asks nothing', async () => {
    using folder = workshop();
    await using terminal = new Terminal('run ask.star --no-input', folder.path);
    await terminal.shows('planvm answer r');
    expect(await terminal.ended()).toBe(4);
  });
});

/** `planvm ask` in Starlark: which way it goes, and what a person does before a program runs. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';
import { inOrder, type Script, startModelServer } from '../support/model-server.ts';

const tools = `const parameters = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
export default [
  { name: 'lookup', description: 'Looks up.', parameters, effect: 'read', run: ({ key }) => 'shelf of ' + key },
];
`;
const program = 'found = lookup(key = "tides")\nanswer(found)\n';
const direct = '<answer>Blue.</answer>';

const accepted = '{"reason": "It says where.", "accept": true, "suggestion": ""}';

interface Asked {
  readonly folder: Folder;
  readonly ask: (args: readonly string[], input?: string) => ReturnType<Folder['planvm']>;
  readonly planvm: (...args: string[]) => ReturnType<Folder['planvm']>;
  readonly requests: () => {
    readonly prompt: string;
    readonly system: string;
    readonly all: string;
  }[];
}

async function asking(
  script: Script,
  use: (asked: Asked) => Promise<void>,
  more: Record<string, string> = {},
): Promise<void> {
  await using server = await startModelServer(script);
  using folder = new Folder({ 'tools.ts': tools });
  const env = {
    ...server.env.openai,
    ...{ PLANVM_MODEL: 'openai/test', PLANVM_TOOLS: 'tools.ts' },
    ...more,
  };
  await use({
    folder,
    ask: (args, input = '') => folder.planvm(['ask', ...args], { env, input }),
    planvm: (...args) => folder.planvm(args, { env }),
    requests: () =>
      server.requests.map(({ prompt, messages }) => ({
        prompt,
        system: messages[0]?.content ?? '',
        all: JSON.stringify(messages),
      })),
  });
}

test('what a model can say at once is answered by one reply, as a run with its cost', async () => {
  await asking(inOrder(direct), async ({ ask, planvm, requests }) => {
    const done = await ask(['Which colour has the sky?', '--json']);
    expect(done.code).toBe(0);
    const result = JSON.parse(done.stdout);
    expect(result).toMatchObject({ answer: 'Blue.', usage: { modelCalls: 1 } });
    expect(requests()[0]?.prompt).toContain('Goal: Which colour has the sky?');
    expect(requests()[0]?.system).toContain('- `lookup(key: string)`: Looks up.');
    const shown = JSON.parse((await planvm('show', result.run, '--json')).stdout);
    expect(shown.effects).toEqual([]);
  });
});

test.each([
  ['words', 'I would not know.'],
  ['a call', '{"name": "lookup", "arguments": {"key": "tides"}}'],
])('%s in place of a program are corrected', async (_what, reply) => {
  await asking(inOrder(reply, program), async ({ ask, requests }) => {
    const done = await ask(['Where are the tides?']);
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
    expect(requests()).toHaveLength(2);
  });
});

test('--direct and --program ask no model which way to go, and exclude each other', async () => {
  await asking(inOrder('Blue.', program), async ({ ask, requests }) => {
    expect((await ask(['Which colour?', '--direct'])).stdout).toBe('Blue.\n');
    expect((await ask(['Where are the tides?', '--program'])).stdout).toBe('shelf of tides\n');
    expect(requests()).toHaveLength(2);
    expect(await ask(['x', '--direct', '--program'])).toMatchObject({ code: 2 });
  });
});

test.each(['--turns', '--judge'])(
  '%s before the goal says what it has taken for its number',
  async (option) => {
    using folder = new Folder();
    const done = await folder.planvm(['ask', option, 'Where are the tides?']);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain(`${option}: got Where are the tides?, want a whole number`);
    expect(done.stderr).toMatch(new RegExp(`write ${option}=\\d+, or the goal first`));
  },
);

test('the setting route decides where no option does', async () => {
  await asking(
    inOrder(program),
    async ({ ask }) => {
      expect((await ask(['Where are the tides?'])).stdout).toBe('shelf of tides\n');
    },
    { PLANVM_ROUTE: 'program' },
  );
});

test.each([
  [['--judge'], ['answer(lookup(key = 1 // 0))', program, accepted]],
  [
    ['--dialect', 'react'],
    ['Thought: a\nAction: lookup["tides"]', 'Action: Finish["there"]'],
  ],
  [
    ['--dialect', 'llmcompiler'],
    ['1. lookup["tides"]\n2. join()', 'Action: Finish(there)'],
  ],
])('the system message begins every conversation: ask %j', async (args, replies) => {
  await asking(
    inOrder(...replies),
    async ({ ask, requests }) => {
      const done = await ask(['Where are the tides?', ...args]);
      expect(done, done.stderr).toMatchObject({ code: 0 });
      const firsts = requests().map(({ system }) => system);
      expect(firsts).toEqual(replies.map(() => 'Be brief.'));
    },
    { PLANVM_SYSTEM: 'Be brief.' },
  );
});

test('what is piped in is an input: its size and head are told, all of it is worked on', async () => {
  const text = `first line\n${'more '.repeat(400)}the end`;
  const summary = 'answer(llm_call([stdin], "Summarise it."))\n';
  await asking(inOrder(summary, 'Short.', program), async ({ ask, requests }) => {
    expect((await ask(['Summarise it.'], text)).stdout).toBe('Short.\n');
    expect(requests()[0]?.prompt).toContain(
      `- stdin: string of ${text.length} characters = "first`,
    );
    expect(requests()[0]?.prompt).toContain('more characters)');
    expect(requests()[0]?.prompt).not.toContain('the end');
    expect(requests()[1]?.all).toContain('the end');
    await ask(['Summarise it.', '--program'], text);
    expect(requests()[2]?.system).toContain('set before the first line: `stdin`');
    expect(requests()[2]?.prompt).toContain('- stdin: string of');
  });
});

test('stdin is left alone where it is to be, and must be text', async () => {
  await asking(inOrder('Blue.'), async ({ ask, requests }) => {
    await ask(['Which colour?', '--direct', '--no-stdin'], 'something');
    expect(requests()[0]?.prompt).not.toContain('something');
    const clash = await ask(['x', '--direct', '--input', 'stdin=1'], 'something');
    expect(clash).toMatchObject({ code: 2, stderr: expect.stringContaining('PV6007') });
    const large = await ask(['x', '--direct', '--value-bytes', '4'], 'something');
    expect(large).toMatchObject({ code: 2, stderr: expect.stringContaining('PV7505') });
  });
});

test('--show shows the program with its lines, and is off where nobody looks on', async () => {
  await asking(inOrder(program, program), async ({ ask }) => {
    const shown = await ask(['Where are the tides?', '--program', '--show']);
    expect(shown.stderr).toContain('1 │ found = lookup(key = "tides")\n2 │ answer(found)\n');
    expect((await ask(['Where?', '--program'])).stderr).not.toContain('│');
  });
});

test('--edit runs what the editor leaves, and shows its errors as comments until there are none', async () => {
  const editor = `import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv[2];
const text = readFileSync(file, 'utf8');
const next = text.startsWith('#!') ? text.replaceAll('lookop', 'lookup') : 'answer(lookop(key = "sea"))\\n';
writeFileSync('seen.txt', text);
writeFileSync(file, next);
`;
  const env = { VISUAL: `"${process.execPath}" editor.mjs` };
  await asking(
    inOrder(program),
    async ({ ask, folder }) => {
      folder.write('editor.mjs', editor);
      const done = await ask(['Where are the tides?', '--program', '--edit']);
      expect(done).toMatchObject({ code: 0, stdout: 'shelf of sea\n' });
      expect(folder.read('seen.txt')).toMatch(/^#! line 1, column 8: PV\d{4} .*lookop/);
    },
    env,
  );
});

test.each([
  ['leaves nothing', 'cp /dev/null', 130, 'PV7502'],
  ['fails', 'exit 3; :', 1, 'PV6702'],
  ['mends nothing', "sed -i 's/lookup/lookop/'", 3, 'PV7504'],
])('an editor that %s runs nothing', async (_what, EDITOR, code, words) => {
  await asking(
    inOrder(program),
    async ({ ask, planvm }) => {
      const done = await ask(['Where are the tides?', '--program', '--edit']);
      expect(done.stderr).toContain(words);
      expect(done.code).toBe(code === 1 ? 2 : code);
      expect(JSON.parse((await planvm('runs', '--json')).stdout)).toHaveLength(1);
    },
    { EDITOR },
  );
});

test('--confirm waits where nobody can be asked; resume is the yes', async () => {
  await asking(inOrder(program), async ({ ask, planvm }) => {
    const waits = await ask(['Where are the tides?', '--confirm']);
    expect(waits).toMatchObject({ code: 4, stdout: '' });
    expect(waits.stderr).toContain('1 │ found = lookup');
    const [, run = ''] = /planvm resume (\S+)/.exec(waits.stderr) ?? [];
    const done = await planvm('resume', run);
    expect(done).toMatchObject({ code: 0, stdout: 'shelf of tides\n' });
  });
});

test('--step goes through the program, with the values that each statement gave', async () => {
  const two = 'a = "tides"\nfound = lookup(key = a)\nanswer(found)\n';
  await asking(inOrder(two), async ({ ask }) => {
    const done = await ask(['Where?', '--program', '--step'], 's\ns\nc\n');
    expect(done.code).toBe(0);
    expect(done.stdout).toContain('a = "tides"');
    expect(done.stdout).toContain('shelf of tides');
  });
});

test('what another process is to go on with after the plan, it goes on with', async () => {
  const calling = 'answer(llm_call(["sky"], "Which colour?"))\n';
  await asking(inOrder(calling, { status: 400, message: 'no' }, 'Blue.'), async (asked) => {
    const failed = await asked.ask(['Which colour?', '--repair', '0']);
    expect(failed.code).toBe(1);
    const done = await asked.planvm('resume', 'last');
    expect(done).toMatchObject({ code: 0, stdout: 'Blue.\n' });
  });
});

describe('a model that cannot be had is told in one line, and repairs nothing', () => {
  test.each([
    ['directly', ['--direct']],
    ['by whichever way', []],
    ['by a program', ['--program']],
    ['by tasks', ['--dialect', 'llmcompiler']],
    ['step by step', ['--dialect', 'react']],
  ])('%s', async (_name, flags) => {
    await using server = await startModelServer(() => ({ status: 401, message: 'bad key' }));
    using folder = new Folder({});
    const command = ['ask', 'Hello', '--model', 'openai/gpt-5-mini', ...flags];
    const { code, stderr } = await folder.planvm(command, { env: server.env.openai });
    expect(code).toBe(1);
    expect(server.requests).toHaveLength(1);
    const told = stderr.split('\n').filter((line) => line.includes('bad key'));
    expect(told).toEqual([expect.stringMatching(/^error PV4102: .*\(401\): bad key; check that /)]);
    expect(stderr).not.toContain('repair');
  });

  test('with all attempts of a network that is down', async () => {
    const server = await startModelServer(() => ({ drop: true }));
    await server.close();
    using folder = new Folder({});
    const command = ['ask', 'Hello', '--model', 'openai/gpt-5-mini', '--direct'];
    const { code, stderr } = await folder.planvm(command, { env: server.env.openai });
    expect(code).toBe(1);
    const told = stderr.split('\n').filter((line) => line.includes('PV4107'));
    expect(told).toEqual([expect.stringMatching(/^error PV4107: .*\(3 attempts\); check /)]);
    expect(stderr).not.toContain('repair');
  });
});

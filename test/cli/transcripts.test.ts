/** What forks, revisions and the debugger ask of a model goes into transcripts, and comes back. */
import { expect, test } from 'vitest';
import { calling, Folder, ref } from '../support/cli.ts';
import { inOrder, startModelServer } from '../support/model-server.ts';

const writes = (number: number, prompt: string): ReturnType<typeof calling> =>
  calling(number, 'llm_generate', { prompt }, 'final_answer');
const plan = [calling(0, 'calculate', { expression: '6 * 7' }, 'x'), writes(1, `Say ${ref('x')}`)];

test('forks, revisions and runs under the debugger are recorded and replayed', async () => {
  const changed = JSON.stringify(writes(1, `Sing ${ref('x')}`));
  const replies = inOrder('one', 'two', `STEP\n${changed}`, 'three', 'four');
  await using server = await startModelServer(replies);
  using folder = new Folder({ 'plan.json': plan });
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test' };
  const online = (...args: string[]) => folder.planvm(args, { env });
  expect(await online('run', 'plan.json', '-q')).toMatchObject({ code: 0, stdout: 'one\n' });
  const [base] = JSON.parse((await online('runs', '--json')).stdout);
  const fork = ['fork', base.run, '--at', '1', '-q'];
  const revise = ['revise', base.run, 'Sing it.', '--at', '1', '--scope', 'step', '-q'];
  const debug = ['debug', 'plan.json'];
  const recorded = [
    await online(...fork, '--fresh', 'models', '--record', 'fork.ndjson'),
    await online(...revise, '--record', 'revise.ndjson'),
    await folder.planvm([...debug, '--record', 'debug.ndjson'], { env, input: 'c\n' }),
  ];
  expect(recorded.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(recorded.map(({ stdout }) => stdout.split('\n').at(-2))).toEqual([
    ...['two', 'three'],
    expect.stringMatching(/end: done$/),
  ]);
  expect(server.requests).toHaveLength(5);

  // Without a model, and a key.
  const offline = (args: readonly string[], input = '') => folder.planvm([...args], { input });
  const replayed = [
    await offline([...fork, '--replay', 'fork.ndjson']),
    await offline([...revise, '--replay', 'revise.ndjson']),
    await offline([...debug, '--replay', 'debug.ndjson'], 'c\n'),
  ];
  expect(replayed.map(({ code, stdout }) => [code, stdout])).toEqual(
    recorded.map(({ stdout }) => [0, stdout]),
  );
  expect(server.requests).toHaveLength(5);
  const runs: { run: string }[] = JSON.parse((await offline(['runs', '--json'])).stdout);
  for (const { run } of runs) expect(await offline(['replay', run])).toMatchObject({ code: 0 });
});

test('lines that name what the last message says answer in whichever command it is met', async () => {
  const line = (prompt: string, action: string) => ({ prompt, reply: `Action: ${action}` });
  const lines = [
    line('*Say it in feet.*', 'Finish[15771 ft]'),
    line('*Observation: 4807*', 'Finish[4807 m]'),
    line('Question: How high?*', 'calculate[4800 + 7]'),
  ];
  const transcript = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
  using folder = new Folder({ 'lines.ndjson': transcript });
  const replay = ['--replay', 'lines.ndjson', '-q'];
  const asked = await folder.planvm(['ask', 'How high?', '--dialect', 'react', ...replay]);
  expect(asked).toMatchObject({ code: 0, stdout: '4807 m\n' });
  const revised = await folder.planvm(['revise', 'last', 'Say it in feet.', ...replay]);
  expect(revised).toMatchObject({ code: 0, stdout: '15771 ft\n' });
});

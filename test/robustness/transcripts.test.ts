/** What was recorded once is the same run again, without a network; what was not says so. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const asking = (seq_no: number, prompt: string, output: string): unknown => ({
  ...calling(seq_no, 'llm_generate', {}, ''),
  parameters: { tool_name: 'llm_generate', tool_params: { prompt }, output_vars: output },
});

const plan = [
  asking(0, 'Name a river.', 'river'),
  asking(1, 'Name a mountain.', 'mountain'),
  asking(2, `Which is older, ${ref('river')} or ${ref('mountain')}?`, 'older'),
  {
    seq_no: 3,
    type: 'jmp',
    execution_objective: 'Decide.',
    parameters: {
      condition_prompt: `Is ${ref('older')} a river?`,
      jump_if_true: 4,
      jump_if_false: 5,
    },
  },
  answering(4, `the river ${ref('river')}`),
  answering(5, `the mountain ${ref('mountain')}`),
];

const wise = (prompt: string): string => {
  if (prompt.includes('Which is older')) return 'The Rhine is.';
  if (prompt.includes('Name a river')) return 'Rhine';
  return prompt.includes('mountain') ? 'Matterhorn' : '{"result": true, "explanation": "It is."}';
};

async function recorded(): Promise<{ folder: Folder; answer: unknown; usage: unknown }> {
  await using server = await startModelServer(({ prompt }) => wise(prompt));
  const folder = new Folder({ 'plan.json': plan });
  const args = ['run', 'plan.json', '--model', 'openai/test', '--record', 'calls.ndjson', '--json'];
  const { stdout } = await folder.planvm(args, { env: server.env.openai });
  expect(server.requests).toHaveLength(4);
  const { answer, usage } = JSON.parse(stdout);
  return { folder, answer, usage };
}

const replay = ['run', 'plan.json', '--replay', 'calls.ndjson', '--json'];

test('a whole run is replayed offline: the same answer, the same tokens', async () => {
  const { folder, answer, usage } = await recorded();
  using _folder = folder;
  const { code, stdout } = await folder.planvm(replay);
  expect(code).toBe(0);
  expect({ answer: JSON.parse(stdout).answer, usage: JSON.parse(stdout).usage }).toEqual({
    answer,
    usage: { ...(usage as object), cost: expect.anything() },
  });
  expect(answer).toBe('the river Rhine');
});

test('a prompt that has changed fails at its step, with the nearest that was recorded', async () => {
  const { folder } = await recorded();
  using _folder = folder;
  folder.write('plan.json', [asking(0, 'Name a long river.', 'river'), ...plan.slice(1)]);
  const { code, stdout } = await folder.planvm(replay);
  expect(code).toBe(1);
  const { run, error } = JSON.parse(stdout);
  expect(error).toMatchObject({ code: 'PV4402', step: '0' });
  expect(`${error.message} ${error.hint}`).toContain('Name a river.');
  // Once the transcript has the reply, the run goes on; what it answers leads nowhere new.
  const reply = JSON.stringify({ prompt: 'Name a long river.', reply: 'Rhine' });
  folder.write('calls.ndjson', `${folder.read('calls.ndjson')}${reply}\n`);
  const resumed = await folder.planvm(['resume', run]);
  expect(resumed).toMatchObject({ code: 0, stdout: 'the river Rhine\n' });
});

test('a transcript whose last line was cut says which line, and is not changed', async () => {
  const { folder } = await recorded();
  using _folder = folder;
  const whole = folder.read('calls.ndjson');
  folder.write('calls.ndjson', whole.slice(0, -30));
  const { code, stdout } = await folder.planvm(replay);
  expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
    code: 2,
    error: { code: 'PV4401', message: expect.stringMatching(/calls\.ndjson.*4/) },
  });
  expect(folder.read('calls.ndjson')).toBe(whole.slice(0, -30));
});

test('planning and the run are recorded in one transcript and replayed from it', async () => {
  await using server = await startModelServer(({ prompt, index }) =>
    index === 0 ? JSON.stringify(plan) : wise(prompt),
  );
  using folder = new Folder();
  const goal = ['ask', 'Tell me of the oldest.', '--dialect', 'stackvm-2', '--json'];
  const live = await folder.planvm(
    [...goal, '--model', 'openai/test', '--record', 'calls.ndjson'],
    { env: server.env.openai },
  );
  expect(live.code).toBe(0);
  const again = await folder.planvm([...goal, '--replay', 'calls.ndjson']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout).answer).toEqual(JSON.parse(live.stdout).answer);
});

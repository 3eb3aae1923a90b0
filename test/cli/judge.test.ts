/** Verdicts of a model on answers: kept with the run, and what follows from a rejection. */
import { expect, test } from 'vitest';
import { answering, Folder } from '../support/cli.ts';
import { inOrder, type Script, startModelServer } from '../support/model-server.ts';

const planOf = (text: string): string => JSON.stringify([answering(0, text)]);
const accept = '{"reason": "It says where.", "accept": true, "suggestion": ""}';
const reject = '{"reason": "It does not say where.", "accept": false, "suggestion": "Name it."}';

async function inFolder(
  script: Script,
  use: (
    planvm: (...args: string[]) => ReturnType<Folder['planvm']>,
    prompts: () => string[],
  ) => Promise<void>,
): Promise<void> {
  await using server = await startModelServer(script);
  using folder = new Folder();
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test', PLANVM_DIALECT: 'stackvm-2' };
  await use(
    (...args) => folder.planvm(args, { env }),
    () => server.requests.map(({ prompt }) => prompt),
  );
}

test('an answer that is rejected is revised with what the judge suggests', async () => {
  const script = inOrder(planOf('Somewhere.'), reject, planOf('On shelf 12.'), accept);
  await inFolder(script, async (planvm, prompts) => {
    const done = await planvm('ask', 'Where are the tides?', '--judge', '1', '--json');
    expect(done.code).toBe(0);
    const verdict = { accept: true, reason: 'It says where.', suggestion: '', by: 'openai/test' };
    expect(JSON.parse(done.stdout)).toMatchObject({
      answer: 'On shelf 12.',
      answers: [{ verdict }],
      usage: { modelCalls: 4 },
    });
    expect(prompts()[1]).toContain('The answer:\nSomewhere.');
    expect(prompts()[2]).toContain('The answer was rejected: It does not say where.\nName it.');
    const runs = JSON.parse((await planvm('runs', '--json')).stdout);
    expect(runs).toHaveLength(6);
    const base = await planvm('show', runs[4].run);
    expect(base.stdout).toContain('✖ rejected by openai/test: It does not say where.');
    expect(base.stdout).toContain('to change: Name it.');
    const tree = await planvm('tree', runs[4].run);
    expect(tree.stdout).toMatch(/done .*→ Somewhere\. {2}rejected/);
    expect(tree.stdout).toMatch(/└─ .*→ On shelf 12\. {2}accepted/);
  });
});

test('a judge reads all answers of a program', async () => {
  const program = 'answer("On shelf 12.")\nanswer({"floor": 3})';
  await inFolder(inOrder(program, accept), async (planvm, prompts) => {
    const done = await planvm('ask', 'Where?', '--dialect', 'starlark', '--program', '--judge');
    expect(done).toMatchObject({ code: 0, stdout: 'On shelf 12.\n{\n  "floor": 3\n}\n' });
    expect(prompts()[1]).toContain('The answer:\nOn shelf 12.\n{"floor":3}');
  });
});

test('an answer that stays rejected is given, with what was said of it', async () => {
  await inFolder(inOrder(planOf('Somewhere.'), reject), async (planvm) => {
    const done = await planvm('ask', 'Where are the tides?', '--judge');
    expect(done).toMatchObject({ code: 0, stdout: 'Somewhere.\n' });
    expect(done.stderr).toContain('✖ rejected by openai/test: It does not say where.');
  });
});

test('an answer that the model cannot judge is still given', async () => {
  await inFolder(inOrder(planOf('On shelf 12.'), 'Hm.'), async (planvm) => {
    const done = await planvm('ask', 'Where are the tides?', '--judge', '1');
    expect(done).toMatchObject({ code: 0, stdout: 'On shelf 12.\n' });
    expect(done.stderr).toContain('PV7008: the model gave no verdict');
  });
});

test('judge judges the answer of any run that has a goal', async () => {
  await inFolder(inOrder(planOf('On shelf 12.'), accept, reject), async (planvm) => {
    await planvm('ask', 'Where are the tides?');
    const { run } = JSON.parse((await planvm('runs', '--json')).stdout)[0];
    const done = await planvm('judge', run, '--json');
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ run, accept: true, by: 'openai/test' });
    const [loop] = JSON.parse((await planvm('runs', '--json')).stdout);
    const named = await planvm('judge', loop.run);
    expect(named.code).toBe(2);
    expect(named.stderr).toContain('is one of the control loop judge');
    // The latest run is the one that has judged; what is meant is what it has judged.
    expect(JSON.parse((await planvm('show', 'last', '--json')).stdout).run).toBe(run);
    const again = await planvm('judge', 'last', '--goal', 'Where are the ebbs?');
    expect(again.code).toBe(1);
    expect((await planvm('show', run)).stdout).toContain('✖ rejected');
  });
});

test('what cannot be judged says why', async () => {
  await inFolder(inOrder(), async (planvm) => {
    const none = await planvm('judge', 'last');
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('PV6012');
  });
  await using server = await startModelServer(inOrder());
  using folder = new Folder({ 'plan.json': [answering(0, 'yes')], 'mute.star': 'x = 1\n' });
  const env = { ...server.env.openai, PLANVM_MODEL: 'openai/test' };
  await folder.planvm(['run', 'plan.json'], { env });
  const nameless = await folder.planvm(['judge', 'last'], { env });
  expect(nameless).toMatchObject({ code: 2 });
  expect(nameless.stderr).toContain('say it with --goal');
  await folder.planvm(['run', 'mute.star'], { env });
  const mute = await folder.planvm(['judge', 'last', '--goal', 'Say yes.'], { env });
  expect(mute).toMatchObject({ code: 2 });
  expect(mute.stderr).toContain('has given no answer');
});

test('what a process was to make of a verdict, another makes that takes it up', async () => {
  const better = planOf('On shelf 12.');
  const thrice = [better, accept, better, accept, better, accept];
  await inFolder(inOrder(planOf('Somewhere.'), reject, ...thrice), async (planvm) => {
    const runs = async (): Promise<string[]> => {
      const listed: { run: string }[] = JSON.parse((await planvm('runs', '--json')).stdout);
      return listed.map(({ run }) => run);
    };
    await planvm('ask', 'Where are the tides?', '--judge', '1');
    const [base = '', judge = ''] = (await runs()).slice(3, 5).toReversed();
    for (const name of [judge, base]) {
      // As if the process had died once the verdict was kept.
      await planvm('delete', '--yes', ...(await runs()).slice(0, 3));
      const done = await planvm('resume', name, '--json');
      expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', answer: 'On shelf 12.' });
      expect(await runs()).toHaveLength(6);
      // Nothing is left to do then.
      expect((await planvm('resume', name)).stderr).toContain('PV5106');
    }
  });
});

const verdict = (outcome: string, more: Record<string, string> = {}): string =>
  JSON.stringify({ reason: 'It is dry.', outcome, suggestion: '', rewritten: '', ...more });
const dry = 'answer("12")\n';
const inStarlark = ['--dialect', 'starlark', '--program'];

test('an answer that is put in other words stands behind the first one, in a program of both', async () => {
  const better = verdict('rewrite answer', { rewritten: 'They are on\nshelf 12.' });
  await inFolder(inOrder(dry, better, verdict('satisfies')), async (planvm, prompts) => {
    const args = ['ask', 'Where are the tides?', '--judge', '2', '--json', ...inStarlark];
    const done = await planvm(...args);
    expect(JSON.parse(done.stdout)).toMatchObject({
      status: 'done',
      answer: 'They are on\nshelf 12.',
      answers: [{ value: '12' }, { verdict: { accept: true, outcome: 'satisfies' } }],
    });
    expect(prompts()).toHaveLength(3);
    expect(done.stderr).toContain('rejected by openai/test, rewrite answer: It is dry.');
  });
});

test('a judge that gives up leaves the answer, whatever revisions there are', async () => {
  await inFolder(inOrder(dry, verdict('give_up')), async (planvm, prompts) => {
    const done = await planvm('ask', 'Where?', '--judge', '2', ...inStarlark);
    expect(done).toMatchObject({ code: 0, stdout: '12\n' });
    expect(done.stderr).toContain('give up: It is dry.');
    expect(prompts()).toHaveLength(2);
  });
});

test('a judge that wants other words says which', async () => {
  const script = inOrder(dry, verdict('rewrite answer'), verdict('satisfies'));
  await inFolder(script, async (planvm, prompts) => {
    await planvm('ask', 'Where?', '--judge', '1', ...inStarlark);
    expect(prompts()[2]).toContain('"rewritten" is empty');
  });
});

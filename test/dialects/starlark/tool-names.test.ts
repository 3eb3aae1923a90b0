/** Tools whose names no program can write are called by names that it can. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { starlark } from '../../../src/dialects/starlark/index.ts';
import { callable } from '../../../src/dialects/starlark/resolve/tool-names.ts';
import { run } from '../../../src/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';

const handler = (name: string) => ({
  spec: toolSpec({
    name,
    description: `Is ${name}.`,
    effect: 'read',
    parameters: { type: 'object', properties: { n: {} }, required: ['n'] },
  }),
  perform: async (): Promise<string> => name,
});

const tools = ['get-weather', 'mail.send', 'class', 'a-b', 'a.b', 'a_b'].map(handler);
const specs = new Map(tools.map(({ spec }) => [spec.name, spec]));

test('dots, dashes and words of the language become names; one that is a name keeps it', () => {
  expect([...callable(specs)].map(([name, { name: own }]) => [name, own])).toEqual([
    ['a_b', 'a_b'],
    ['get_weather', 'get-weather'],
    ['mail.send', 'mail.send'],
    ['class_', 'class'],
    ['a.b', 'a.b'],
  ]);
});

test('they are called, checked and described by these names', async () => {
  const text = 'answer([get_weather(n = 1), try_call(mail_send, n = 1).value, class_(n = 1)])';
  const { answer } = await run(text, { dialect: 'starlark', tools });
  expect(answer).toEqual(['get-weather', 'mail.send', 'class']);
  const environment = { tools: specs, inputs: [] };
  const { diagnostics } = checkProgram('get_weather()', environment, { dialect: 'starlark' });
  expect(diagnostics).toMatchObject([{ message: 'get-weather lacks the parameter n' }]);
  expect(starlark.describe(environment)).toContain('- `get_weather(n)`: Is get-weather.');
});

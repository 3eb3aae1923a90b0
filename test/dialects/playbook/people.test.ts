/** What check says of people, of servers, and of whom playbooks speak to. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';

const forecast = toolSpec({
  name: 'Weather.forecast',
  description: 'The weather.',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
});

function said(steps: readonly string[], rest = '', tools = new Map([[forecast.name, forecast]])) {
  const text = `# Desk

## Main($city)
### Triggers
- At the beginning
### Steps
${steps.map((step) => `- ${step}`).join('\n')}
${rest}`;
  const { diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect: 'playbook' });
  return diagnostics.map(({ code, severity, message, hint, line }) => ({
    ...{
      is: `${code} ${severity}`,
      line,
      text: hint === undefined ? message : `${message} | ${hint}`,
    },
  }));
}

const clara = '\n# Clara:Human\n';

describe('whom a line speaks to', () => {
  test.each<[string, string, string]>([
    ['Say(Dave, "Hello")', 'PV2433 error', 'got Dave to say this to, and there is nobody of that'],
    ['Say(Clra, "Hello")', 'PV2433 error', '| did you mean Clara?'],
    [
      'Ask Dave for $day',
      'PV2433 warning',
      'got Dave, who is nobody of the file: at best, the user',
    ],
    ['Tell Dave that it rains', 'PV2433 warning', '| write # Dave:Human for a person'],
  ])('%s is told', (step, is, text) => {
    expect(said([step], clara)).toMatchObject([
      { is, line: 7, text: expect.stringContaining(text) },
    ]);
  });

  test.each([
    'Say(Clara, "Hello")',
    'Ask Clara for $day',
    'Ask User for $day',
    'Ask the visitor for $day',
    'Say(user, Hello)',
    'Say(desk, "Hello to myself")',
    'Say("Welcome, everybody")',
  ])('%s is fine', (step) => {
    expect(said([step], clara)).toStrictEqual([]);
  });
});

describe('an agent that is made by a name', () => {
  const greeter =
    '\n# Greeter\n\n## Greet($who)\npublic: true\n### Steps\n- Return 1\n' +
    '\n## Think\n### Steps\n- Return 2\n';
  const named = 'Create a Greeter agent named Anna';
  const pick = '\n```tools\ndef Pick():\n    return "Anna"\n```\n';
  const code = '\n```tools\ndef Make():\n    return CreateAgent("Greeter", "Anna")\n```\n';

  test.each<[string, readonly string[], string, readonly string[]]>([
    ['offers what it is like', [named, 'Anna.Greet("Bo")'], '', []],
    ['made by a call', ['CreateAgent("Greeter", name="Anna")', 'Anna.Greet("Bo")'], '', []],
    ['made by a function', ['Make()', 'Anna.Greet("Bo")'], code, []],
    ['offers nothing else', [named, 'Anna.Gret("Bo")'], '', ['PV2404 error']],
    ['keeps to itself what is not public', [named, 'Anna.Think()'], '', ['PV2417 error']],
    ['gets the arguments', [named, 'Anna.Greet("Bo", 2)'], '', ['PV2416 warning']],
    ['is nobody where no line makes it', ['Anna.Greet("Bo")'], '', ['PV2404 error']],
    ['is in a variable', ['$a = Pick()', '$a.Greet("Bo")', 'b = $a', 'b.Greet("Bo")'], pick, []],
    ['is in a list', ['$all = Pick()', '$all[0].Greet("Bo")'], pick, []],
    ['in a variable offers nothing else', ['$a = Pick()', '$a.Gret("Bo")'], pick, ['PV2404 error']],
    ['in a variable keeps that, too', ['a = Pick()', 'a.Think()'], pick, ['PV2417 error']],
    ['in a variable gets the arguments', ['$a = Pick()', '$a.Greet()'], pick, ['PV2415 warning']],
  ])('%s', (_, steps, rest, codes) => {
    expect(said(steps, `${rest}${greeter}`).map(({ is }) => is)).toStrictEqual(codes);
  });
});

test('what is said of a person and does nothing is told', () => {
  const text = `${clara}metadata:
  name: Clara
  delivery_channel: buffered
  meeting_notifications: sometimes
---

## Nothing
### Steps
- Say("Nothing")
`;
  expect(said(['Say("Hi")'], text).map(({ text: one }) => one)).toStrictEqual([
    expect.stringContaining('got delivery_channel: buffered for Clara, of which nothing comes'),
    expect.stringContaining(
      'got meeting_notifications: sometimes for Clara, of which nothing comes | want all, targeted',
    ),
    expect.stringContaining('got the playbook Nothing of Clara, which no model is'),
  ]);
  expect(said(['Say("Hi")'], `${clara}delivery_channel: streaming\n`)).toStrictEqual([]);
  expect(said(['Say("Hi")'], `${clara}meeting_notifications: targeted\n`)).toStrictEqual([]);
});

const weather = '\n# Weather:MCP\n';

describe('a server', () => {
  test.each<[string, string[]]>([
    ['Get $sky from Weather.forecast', []],
    ['$sky = Weather.forecast($city)', []],
    ['$sky = Weather.forcast($city)', ['PV2404 error']],
    ['$sky = Weather.forecast()', ['PV2415 warning']],
    ['$sky = Weather.forecast($city, 3)', ['PV2416 warning']],
  ])('%s is held against what it offers', (step, codes) => {
    expect(said([step, 'Say("{$sky}")'], weather).map(({ is }) => is)).toStrictEqual(codes);
  });

  test('is told of where nobody knows what it offers: calls are not checked', () => {
    const found = said(['$sky = Weather.anything()', 'Say("{$sky}")'], weather, new Map());
    expect(found).toMatchObject([
      {
        is: 'PV2431 warning',
        line: 10,
        text: expect.stringContaining('calls of it are not checked'),
      },
    ]);
  });
});

test.each<[string, string]>([
  ['- At the beginning', 'got cli_entry: true at Other, want it at one playbook alone'],
  ['- When $city == "Rome"', 'got cli_entry: true at Main, which does not begin with the program'],
])('one playbook takes the inputs, and begins: %s', (trigger, text) => {
  const main = (more: string): string =>
    `# Desk\n\n## Main($city)\ncli_entry: true\n### Triggers\n${trigger}\n### Steps\n- Return 1\n${more}`;
  const other = main('').replace('# Desk\n', '').replace('Main', 'Other');
  const source = trigger.includes('beginning') ? main(other) : main('');
  const { diagnostics } = checkProgram(
    source,
    { tools: new Map(), inputs: [] },
    { dialect: 'playbook' },
  );
  expect(diagnostics.filter(({ code }) => code === 'PV2435')).toMatchObject([{ message: text }]);
});

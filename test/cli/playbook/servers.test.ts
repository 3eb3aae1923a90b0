/** MCP servers as agents of playbooks, through the whole command line. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { oddServer } from '../../support/mcp.ts';
import { inOrder, type ServedReply, startModelServer } from '../../support/model-server.ts';
import { startWeatherServer } from '../../support/weather-server.ts';
import { ops } from './ops.ts';

const main = `# Desk
You know the weather.

## Main($city)
### Triggers
- At the beginning
### Steps
- $forecast = Weather.forecast($city)
- Look at the sky
- Say("{$forecast}")
- Return $forecast
`;

const remote = (lines: readonly string[]): string =>
  `${main}
# Weather
remote:
${lines.map((line) => `  ${line}`).join('\n')}
`;

const rain = { city: 'Bruges', sky: 'rain', degrees: 12 };

/** Plays a file, with what it wants to run. */
async function played(
  text: string,
  flags: readonly string[] = [],
  more: {
    files?: object;
    env?: Record<string, string>;
    replies?: readonly ServedReply[];
    city?: string;
  } = {},
) {
  await using models = await startModelServer(inOrder(...(more.replies ?? [ops({ at: '02' })])));
  const folder = new Folder({ 'x.playbook.md': text, ...more.files });
  const city = `city=${more.city ?? 'Bruges'}`;
  const args = ['x.playbook.md', '--model', 'openai/test', '--input', city];
  const env = { ...models.env.openai, ...more.env };
  const ended = await folder.planvm(['run', ...args, ...flags], { env });
  return { ...ended, requests: models.requests, folder };
}

describe('a server that the file describes', () => {
  test('is an agent whose tools are its playbooks; its key is a variable', async () => {
    await using weather = await startWeatherServer(
      ({ authorization }) => authorization === 'Bearer rain or shine',
    );
    const text = remote([
      ...['type: mcp', 'transport: streamable-http', `url: ${weather.url}`, 'timeout: 20'],
      ...['auth:', '  type: bearer', '  env: WEATHER_KEY'],
    ]);
    const { folder, ...done } = await played(text, ['--trust-servers'], {
      files: { '.env': 'WEATHER_KEY="rain or shine"\n' },
    });
    using _ = folder;
    expect(done).toMatchObject({ code: 0 });
    expect(JSON.parse(done.stdout.slice(done.stdout.indexOf('\n')))).toEqual(rain);
    expect(weather.calls).toStrictEqual([{ name: 'forecast', args: { city: 'Bruges' } }]);
    const prompt = JSON.stringify(done.requests[0]?.body);
    expect(prompt).toContain('= 01 $forecast = Weather.forecast($city)');
    expect(prompt).toContain('Weather.forecast(city: string, days: integer = …)');
  });

  test('fails a call as data, which the model reads', async () => {
    await using weather = await startWeatherServer();
    const { folder, ...done } = await played(remote([`url: ${weather.url}`]), ['--trust-servers'], {
      city: 'Atlantis',
      replies: [ops({ unexpected: 'no such town' }, { return: null })],
    });
    using _ = folder;
    expect(done.code).toBe(0);
    expect(JSON.stringify(done.requests[0]?.body)).toContain('there is no Atlantis');
  });

  test.each([
    ['crash', 'PV4804', 'MCP server Odd has gone', 'see what x.playbook.md:13 says of it'],
    ['refuses', 'PV4807', 'MCP server Odd refused (-32602)', undefined],
    ['no_result', 'PV4805', 'MCP server Odd gave no answer of MCP', undefined],
  ])('that does %s tells its model so once, and says what to look at', async (tool, ...said) => {
    const lines = [`command: ${process.execPath}`, `args: [${oddServer}]`];
    const text = remote(lines)
      .replaceAll('Weather', 'Odd')
      .replace('Odd.forecast($city)', `Odd.${tool}()`);
    const { folder, ...done } = await played(text, ['--trust-servers'], {
      replies: [ops({ unexpected: 'no forecast' }, { return: null })],
    });
    using _ = folder;
    expect(done.code, done.stderr).toBe(0);
    expect(done.requests).toHaveLength(1);
    const [code, message = '', hint] = said;
    expect(JSON.stringify(done.requests[0]?.body)).toContain(`${code}: ${message}`);
    const { effects } = JSON.parse((await folder.planvm(['show', 'last', '--json'])).stdout);
    const { outcome, step } = effects.find(({ name }: { name: string }) => name === `Odd.${tool}`);
    expect({ step, code: outcome.error.code, hint: outcome.error.hint }).toEqual({
      ...{ step: 'Desk.Main:01', code, hint },
    });
  });

  test('has nothing beyond the public web that nobody allows: nothing is asked of anybody', async () => {
    await using weather = await startWeatherServer();
    const { folder, ...done } = await played(remote([`url: ${weather.url}`]));
    using _ = folder;
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toContain('PV6904');
    expect(done.stderr).toContain('x.playbook.md:13: agent Weather wants http://127.0.0.1');
    expect(done.stderr).toContain('--trust-servers');
    expect([weather.seen, done.requests]).toStrictEqual([[], []]);
  });

  test('that is down ends the run before a model is asked, and says where it is named', async () => {
    const { folder, ...done } = await played(
      remote(['command: node', 'args: [no-such-server.js]']),
      ['--trust-servers'],
    );
    using _ = folder;
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toContain('PV6906');
    expect(done.stderr).toContain('x.playbook.md:13: agent Weather:');
    expect(done.stderr).toContain('MODULE_NOT_FOUND');
    expect(done.requests).toHaveLength(0);
  });
});

describe('a server of .mcp.json', () => {
  const desk = `# Desk

\`\`\`tools
def twice(title):
    return [Odd.fine(), odd.book(title)]
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $title
- $first = Odd.fine()
- $both = twice($title)
- Return $both

# Odd:MCP
`;
  const odd = { command: process.execPath, args: [oddServer], env: { ODD_MARK: 'starts' } };

  test('is an agent by its name; a run in another process has it again', async () => {
    await using models = await startModelServer(
      inOrder(ops({ say: 'Which book?' }), ops({ set: { title: 'Tides' } })),
    );
    using folder = new Folder({ 'desk.playbook.md': desk });
    folder.write('.mcp.json', { mcpServers: { odd } });
    const env = { ...models.env.openai };
    const unlisted = await folder.planvm(['check', 'desk.playbook.md']);
    expect(unlisted).toMatchObject({ code: 0 });
    expect(unlisted.stdout).toContain('what Odd offers is not known here');
    const asked = await folder.planvm(['run', 'desk.playbook.md', '--model', 'openai/test'], {
      env,
    });
    expect(asked).toMatchObject({ code: 4, stdout: 'Which book?\n' });
    const named = await folder.planvm(['answer', 'last', 'Tides', '--yes', 'odd.book'], { env });
    expect(named.code, named.stderr).toBe(4);
    expect(named.stderr).toContain('How many seats for Tides?');
    const answered = await folder.planvm(['answer', 'last', '3'], { env });
    expect(answered.code, answered.stderr).toBe(0);
    expect(JSON.parse(answered.stdout)[0]).toBe('fine it is');
    expect(folder.read('starts').match(/start/g)).toHaveLength(3);
    folder.write('desk.playbook.md', desk.replace('$first = Odd.fine', '$first = Odd.fien'));
    const checked = await folder.planvm(['check', 'desk.playbook.md']);
    expect(checked.code).toBe(3);
    expect(checked.stdout).toContain('did you mean odd.fine?');
  });
});

/** A server over stdio whose tools are those that a file beside it names. */
const changing = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const inputSchema = { type: 'object', properties: {} };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const list = JSON.parse(readFileSync('tools.json', 'utf8'));
  const tools = list.map((tool) => ({ description: tool.name, inputSchema, ...tool }));
  const serverInfo = { name: 'changing', version: '1' };
  const { protocolVersion } = params ?? {};
  if (method === 'tools/list') send({ id, result: { tools } });
  else if (method !== 'tools/call') {
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else send({ id, result: { content: [{ type: 'text', text: params.name }] } });
});
`;

test('a tool that only read, and may do more by now, is said and waits for a person', async () => {
  const listed = (readOnlyHint: boolean) => [{ name: 'look', annotations: { readOnlyHint } }];
  using folder = new Folder({
    'x.playbook.md': [
      '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps',
      '- $a = Shop.look()\n- $b = Ask(user, "Again?")\n- $c = Shop.look()\n- Return $c\n',
      '# Shop:MCP\n',
    ].join('\n'),
    'server.mjs': changing,
    'tools.json': listed(true),
    '.mcp.json': { mcpServers: { Shop: { command: 'node', args: ['server.mjs'] } } },
  });
  const run = ['run', 'x.playbook.md', '--trust-servers'];
  expect(await folder.planvm(run)).toMatchObject({ code: 4 });
  folder.write('tools.json', listed(false));
  expect(await folder.planvm(['mcp', 'refresh'])).toMatchObject({ code: 0 });
  const answered = await folder.planvm(['answer', 'last', 'yes']);
  expect(answered.code, answered.stderr).toBe(4);
  expect(answered.stderr).toContain('PV6045');
  expect(answered.stderr).toContain('is to be approved');
  const approved = await folder.planvm(['approve', 'last']);
  expect(approved).toMatchObject({ code: 0, stdout: 'look\n' });
});

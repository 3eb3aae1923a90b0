/** Agents that are servers at an address: each way to speak to them, each key, calls that hang. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { inOrder, startModelServer } from '../../support/model-server.ts';
import { hasTerminal, Terminal } from '../../support/terminal.ts';
import { startWeatherServer, type WeatherServer } from '../../support/weather-server.ts';
import { ops } from './ops.ts';

const desk = (steps: readonly string[], remote: readonly string[]): string =>
  `# Desk

## Main
### Triggers
- At the beginning
### Steps
${steps.map((line) => `- ${line}`).join('\n')}

# Weather
remote:
${remote.map((line) => `  ${line}`).join('\n')}
`;

const asks = ['$sky = Weather.forecast("Bruges")', 'Return $sky'];

const rain = { city: 'Bruges', sky: 'rain', degrees: 12 };

interface Way {
  readonly remote: (weather: WeatherServer) => readonly string[];
  readonly steps?: readonly string[];
  readonly replies?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly isLetIn?: Parameters<typeof startWeatherServer>[0];
}

async function run(way: Way) {
  await using weather = await startWeatherServer(way.isLetIn);
  await using models = await startModelServer(inOrder(...(way.replies ?? [])));
  using folder = new Folder({ 'x.playbook.md': desk(way.steps ?? asks, way.remote(weather)) });
  const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--trust-servers', '--json'];
  const done = await folder.planvm([...args, ...(way.flags ?? [])], {
    env: { ...models.env.openai, ...way.env },
  });
  const shown = await folder.planvm(['show', 'last', '--json']);
  return { ...done, weather, requests: models.requests, shown: shown.stdout };
}

const password = Buffer.from('ann:sun & moon').toString('base64');

const ways: [string, 'url' | 'sseUrl', readonly string[], (headers: object) => boolean][] = [
  [
    'sse with a bearer token',
    'sseUrl',
    ['transport: sse', 'auth:', '  type: bearer', '  env: WEATHER_KEY'],
    (headers) => Object(headers).authorization === 'Bearer sun & moon',
  ],
  [
    'streamable HTTP with a key in a header of its own',
    'url',
    ['auth:', '  type: api_key', '  header: X-Sky', '  env: WEATHER_KEY'],
    (headers) => Object(headers)['x-sky'] === 'sun & moon',
  ],
  [
    'streamable HTTP with name and password',
    'url',
    ['auth:', '  type: basic', '  username: ann', '  env: WEATHER_KEY'],
    (headers) => Object(headers).authorization === `Basic ${password}`,
  ],
];

describe.each(ways)('an agent by %s', (_, address, remote, isLetIn) => {
  const way: Way = {
    remote: (weather) => [`url: ${weather[address]}`, ...remote],
    isLetIn,
  };

  test('answers calls, and its key is nowhere in the run', async () => {
    const { code, stdout, stderr, weather, shown } = await run({
      ...way,
      env: { WEATHER_KEY: 'sun & moon' },
    });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: rain });
    expect(weather.calls).toStrictEqual([{ name: 'forecast', args: { city: 'Bruges' } }]);
    for (const text of [stdout, stderr, shown]) {
      expect(text).not.toContain('sun & moon');
      expect(text).not.toContain(password);
    }
  });

  test('refuses a wrong key before a model is asked', async () => {
    const { code, stderr, weather, requests } = await run({ ...way, env: { WEATHER_KEY: 'rust' } });
    expect(code).toBe(2);
    expect(stderr).toContain('PV6906');
    expect(stderr).toContain('x.playbook.md:10: agent Weather');
    expect(stderr).toContain('WEATHER_KEY');
    expect([weather.calls, requests]).toStrictEqual([[], []]);
  });
});

describe.each<'url' | 'sseUrl'>(['url', 'sseUrl'])('a call without an answer (%s)', (address) => {
  const remote: Way['remote'] = (weather) => [
    ...[`url: ${weather[address]}`, 'timeout: 800ms'],
    ...(address === 'sseUrl' ? ['transport: sse'] : []),
  ];

  test('is cut off and taken back; the run goes on with what has failed', async () => {
    const { code, stdout, stderr, weather, requests } = await run({
      remote,
      flags: ['--attempts', '2'],
      steps: ['$sky = Weather.forecast("Nowhere")', 'Tell them of it', 'Return $sky'],
      replies: [ops({ unexpected: 'no answer' }, { return: 'unknown' })],
    });
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'done', answer: 'unknown' });
    expect(weather.calls).toHaveLength(weather.cancelled.length);
    expect(new Set(weather.cancelled)).toStrictEqual(new Set(['forecast']));
    const told = JSON.stringify(requests[0]?.body);
    expect(told).toContain('Weather.forecast into $sky failed');
    expect(told).toContain('gave no answer within 800 ms');
  });

  test('that may have changed something is taken back, and a person is asked what is so', async () => {
    const { code, stdout, stderr, weather, requests } = await run({
      remote,
      flags: ['--yes', 'Weather.warn_all'],
      steps: ['$sky = Weather.warn_all("Nowhere")', 'Return $sky'],
    });
    expect(code, stderr).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'suspended', reason: 'unknown' });
    expect(weather.cancelled).toStrictEqual(['warn_all']);
    expect([weather.calls, requests]).toMatchObject([{ length: 1 }, { length: 0 }]);
  });
});

test('what a server has to read and to ask is had as its tools are', async () => {
  const { code, stdout, stderr } = await run({
    remote: ({ url }) => [`url: ${url}`],
    steps: [
      '$climate = Weather.read_resource("weather://climate")',
      '$report = Weather.get_prompt("report", {"city": "Bruges"})',
      'Return [$climate, $report]',
    ],
  });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).answer).toMatchObject([
    { uri: 'weather://climate', text: 'mild and wet' },
    { messages: [{ role: 'user', content: 'Write a report on Bruges.' }] },
  ]);
});

describe.skipIf(!hasTerminal)('at a terminal a person is asked whether it may be had', () => {
  test('yes: it is; another process has what was allowed; no: nobody is spoken to', async () => {
    await using weather = await startWeatherServer();
    const steps = [
      '$sky = Weather.forecast("Bruges")',
      'Ask user for $day',
      'Return [$sky["city"], $day]',
    ];
    await using models = await startModelServer(
      inOrder(ops({ say: 'Which day?' }), ops({ set: { day: 'Monday' } })),
    );
    using folder = new Folder({ 'x.playbook.md': desk(steps, [`url: ${weather.url}`]) });
    const env = models.env.openai;
    const command = 'run x.playbook.md --model openai/test';
    {
      await using terminal = new Terminal(command, folder.path, env);
      await terminal.shows('x.playbook.md:11: agent Weather wants http://127.0.0.1');
      await terminal.shows('Allow it?');
      terminal.type('n');
      await terminal.shows('PV6904');
      expect(await terminal.ended()).toBe(2);
    }
    expect([weather.seen, models.requests]).toStrictEqual([[], []]);
    {
      await using terminal = new Terminal(command, folder.path, env);
      await terminal.shows('Allow it?');
      terminal.type('y');
      await terminal.shows('Which day?');
      // Ctrl-D is for who asks: it would be lost on a model that still writes.
      await terminal.shows('> ');
      // Answered later, by another process.
      terminal.type('\u0004');
      expect(await terminal.ended()).toBe(4);
    }
    const answered = await folder.planvm(['answer', 'last', 'Monday'], { env });
    expect(answered.code, answered.stderr).toBe(0);
    expect(JSON.parse(answered.stdout)).toStrictEqual(['Bruges', 'Monday']);
    expect(weather.calls).toHaveLength(1);
  });
});

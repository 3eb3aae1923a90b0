/**
 * Keys of services, planted in the environment, and services that repeat what they are sent: in
 * results, in errors, in both forms of a password. None may be in a prompt, a journal, an event,
 * an error, or a file that is kept.
 */
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { Folder } from '../support/cli.ts';
import { startModelServer } from '../support/model-server.ts';

const secrets: Readonly<Record<string, string>> = {
  SERPAPI_API_KEY: 'serp-Planted-1001-a/b+c',
  BRAVE_API_KEY: 'brave-Planted-1002',
  TAVILY_API_KEY: 'tavily-Planted-1003',
  FINNHUB_API_KEY: 'finn-Planted-1005',
  SHOP_TOKEN: 'shop-Planted-1006',
  BASIC_SECRET: 'ada:basic-Planted-1007',
  MCP_TOKEN: 'mcp-Planted-1008',
  CATALOG_CARD_KEY: 'card-Planted-1010',
  SITE_PASSWORD: 'site-Planted-1011',
};
const password = 'smtp-Planted-1009';

/** Every form in which a service may repeat them. */
const forms: readonly string[] = [...Object.values(secrets), password].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
]);

/** Answers with all that it was sent, well and badly by turns. */
async function startEcho() {
  const sent: string[] = [];
  const server = createHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { url = '', headers } = request;
    if (url.startsWith('/login')) {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<form method="post" action="/seen"><input id="p" name="p"><button id="b">');
      return;
    }
    sent.push(`${url} ${JSON.stringify(headers)} ${body}`);
    const status = [200, 401, 500][sent.length % 3] ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: `rejected ${url}`, message: body, headers }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    sent,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A mail server that refuses every login, and says which. */
async function startMail() {
  const said: string[] = [];
  const server = createTcp((socket) => {
    socket.write('220 mail.example.net ESMTP\r\n');
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (text: string) => {
      said.push(text);
      if (/^EHLO/i.test(text)) socket.write('250-mail.example.net\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n');
      else socket.write(`535 5.7.8 no: ${text.trim()} ${password}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    said,
    url: `smtp://ada:${password}@127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

const program = `found = [
    try_call(search_internet, query = "tides"),
    try_call(search_news, query = "tides"),
    try_call(get_stock_price, symbol = "ACME"),
    try_call(get_market_capitalization, symbol = "ACME"),
    try_call(shop_items, id = "1"),
    try_call(shop_basic, id = "2"),
    try_call(search_linkedin_profile, first_name = "Ada", last_name = "Lovelace"),
    try_call(get_latest_form_text, symbol = "ACME", form = "10-K"),
    try_call(catalog.listCards, shelf = "a"),
    try_call(browse, steps = [{"goto": site + "/login"},
        {"fill": "#p", "with": {"env": "SITE_PASSWORD"}}, {"click": "#b"},
        {"extract": "body", "name": "said"}]),
    try_call(send_email, "a@example.net", ["b@example.net"], "subject", "body"),
]
answer(llm_generate("Sum up: " + str(found)))
`;

test('keys are sent to services, and nowhere else, whatever these repeat', async () => {
  await using echo = await startEcho();
  await using mail = await startMail();
  await using models = await startModelServer(({ prompt }) => `seen ${prompt}`);
  using folder = new Folder({
    'plan.star': program,
    'planvm.config.json': {
      tools: [
        'planvm:web?private=loopback&cache=false&engine=brave',
        'planvm:market',
        'planvm:email',
        'planvm:linkedin?private=loopback&engine=serpapi',
        'planvm:edgar',
        `planvm:browser?private=loopback&secrets=SITE_PASSWORD@${new URL(echo.url).host}`,
      ],
      openapi: ['catalog.json'],
      http: {
        shop_items: {
          description: 'Items of a shop.',
          request: `GET ${echo.url}/items/{id}`,
          headers: { authorization: `Bearer \${SHOP_TOKEN}` },
        },
        shop_basic: {
          description: 'The same in another way.',
          request: `GET ${echo.url}/basic/{id}`,
          headers: { authorization: `Basic \${BASIC_SECRET}` },
        },
      },
    },
    'catalog.json': {
      ...{ openapi: '3.1.0', info: { title: 'Catalog', version: '1' } },
      servers: [{ url: echo.url }],
      components: { securitySchemes: { card: { type: 'apiKey', in: 'query', name: 'card' } } },
      security: [{ card: [] }],
      paths: {
        '/cards/{shelf}': {
          get: {
            operationId: 'listCards',
            parameters: [{ name: 'shelf', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 200: { description: 'Cards.' } },
          },
        },
      },
    },
    '.mcp.json': {
      mcpServers: {
        far: {
          type: 'http',
          url: `${echo.url}/mcp`,
          headers: { authorization: `Bearer \${MCP_TOKEN}` },
        },
      },
    },
  });
  const env = {
    ...models.env.openai,
    ...secrets,
    SMTP_URL: mail.url,
    PLANVM_SERPAPI_URL: echo.url,
    PLANVM_BRAVE_URL: echo.url,
    PLANVM_TAVILY_URL: echo.url,
    PLANVM_MARKET_URL: echo.url,
    PLANVM_HACKER_NEWS_URL: echo.url,
    PLANVM_EDGAR_URL: echo.url,
    EDGAR_IDENTITY: 'Ada Lovelace ada@example.org',
  };
  const flags = [
    '--model',
    'openai/test',
    '--yes',
    'send_email,browse',
    '--attempts',
    '1',
    '--no-input',
  ];
  const ended = [
    await folder.planvm(['mcp', 'refresh', '--verbose'], { env }),
    await folder.planvm(
      ['run', 'plan.star', '--input', `site="${echo.url}"`, '--events', '--verbose', ...flags],
      { env },
    ),
    await folder.planvm(['show', 'last', '--verbose'], { env }),
  ];
  const [, run] = ended;
  expect(run?.code, run?.stderr).toBe(0);
  // The services have had their keys, so that what they repeat was there to leak.
  const arrived = [...echo.sent, ...mail.said].join('\n');
  for (const name of [
    'SERPAPI_API_KEY',
    'BRAVE_API_KEY',
    'SHOP_TOKEN',
    'MCP_TOKEN',
    'CATALOG_CARD_KEY',
    ...(noBrowser === undefined ? ['SITE_PASSWORD'] : []),
  ]) {
    const secret = secrets[name] ?? '';
    expect(
      [secret, encodeURIComponent(secret)].some((form) => arrived.includes(form)),
      name,
    ).toBe(true);
  }
  expect(mail.said.join('')).toMatch(/AUTH/);
  const kept = globSync('.planvm/**/*', { cwd: folder.path, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)).toString('latin1'));
  const told = ended.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const prompts = models.requests.map(({ body }) => JSON.stringify(body));
  expect(prompts.join()).toContain('Sum up');
  for (const text of [...kept, ...told, ...prompts]) {
    for (const form of forms)
      expect(text.includes(form), `${form} in ${aroundIn(text, form)}`).toBe(false);
  }
});

const aroundIn = (text: string, form: string): string => {
  const at = text.indexOf(form);
  return at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 100);
};

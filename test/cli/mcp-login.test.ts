/** Logins at MCP servers that want OAuth, with an authorization server on this machine. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Folder, ref } from '../support/cli.ts';
import { type OAuthServer, startOAuthServer } from '../support/oauth-mcp-server.ts';

async function workshop(oauth?: object): Promise<{ folder: Folder; server: OAuthServer }> {
  const server = await startOAuthServer();
  onTestFinished(() => server.close());
  const guarded = { type: 'http', url: server.url, ...(oauth && { oauth }) };
  const folder = new Folder({
    '.mcp.json': { mcpServers: { guarded } },
    'ask.star': 'answer(guarded.secret())\n',
  });
  return { folder, server };
}

/** Does what a browser would: goes where it is sent. */
async function logIn(folder: Folder): Promise<string> {
  const call = folder.start(['mcp', 'login', 'guarded']);
  let said = '';
  call.process.stderr?.on('data', (text: string) => {
    said += text;
  });
  await call.said('/authorize?');
  const [address = ''] = /http:\S+\/authorize\?\S+/.exec(said) ?? [];
  const page = await (await fetch(address)).text();
  expect(page).toContain('You can close this page');
  const ended = await call.ended;
  expect(`${ended.stderr}${ended.code}`).toMatch(/0$/);
  return ended.stdout;
}

test('a person logs in once; runs use and renew what was granted', async () => {
  const { folder, server } = await workshop();
  using _ = folder;
  const before = await folder.planvm(['run', 'ask.star']);
  expect(before.stderr).toContain('PV4809');
  expect(before.stderr).toContain('planvm mcp login guarded');
  expect(server.asked).toStrictEqual([]);

  expect(await logIn(folder)).toBe('logged in at guarded: 1 tool\n');
  expect(server.asked).toStrictEqual(['register', 'authorize', 'token authorization_code']);
  expect((await folder.planvm(['run', 'ask.star'])).stdout).toBe('for those who may\n');

  // What has run out is renewed without anybody.
  server.tokens.clear();
  expect((await folder.planvm(['run', 'ask.star'])).stdout).toBe('for those who may\n');
  expect(server.asked.at(-1)).toBe('token refresh_token');

  const kept = join(folder.path, '.config/planvm/mcp');
  const [file = ''] = readdirSync(kept);
  expect(statSync(join(kept, file)).mode & 0o777).toBe(0o600);
  const token = JSON.parse(readFileSync(join(kept, file), 'utf8')).tokens.access_token;
  const exported = await folder.planvm(['export', 'last', '-o', '-']);
  expect(exported.stdout).toContain('for those who may');
  expect(exported.stdout).not.toContain(token);

  expect((await folder.planvm(['mcp', 'logout', 'guarded'])).stderr).toBe(
    'logged out of guarded\n',
  );
  const after = await folder.planvm(['run', 'ask.star']);
  expect(after.code).toBe(1);
  expect(after.stderr).toContain('PV4809');
});

test('a client with a secret needs no person', async () => {
  const { folder, server } = await workshop({
    ...{ grant: 'client_credentials', clientId: 'robot', clientSecret: ref('ROBOT_SECRET') },
  });
  using _ = folder;
  const env = { ROBOT_SECRET: 'robot-secret' };
  expect((await folder.planvm(['run', 'ask.star'], { env })).stdout).toBe('for those who may\n');
  expect(server.asked.every((one) => one === 'token client_credentials')).toBe(true);
  const without = await folder.planvm(['mcp', 'refresh']);
  expect(without.stdout).toContain('the variable ROBOT_SECRET is not set');
});

test('a process is not logged in at, and a name has to be one of a server', async () => {
  using folder = new Folder({ '.mcp.json': { mcpServers: { tool: { command: 'node' } } } });
  const process = await folder.planvm(['mcp', 'login', 'tool']);
  expect(process.code).toBe(2);
  expect(process.stderr).toContain('give it a key by its env');
  expect((await folder.planvm(['mcp', 'login', 'tol'])).stderr).toContain('did you mean tool?');
});

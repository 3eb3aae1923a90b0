/** A server by HTTP that ends and comes back while a run goes on. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Call, Folder } from '../support/cli.ts';

/** Waits until the test says so: nobody looks at a clock for it. */
const gate = `import { existsSync, watch } from 'node:fs';
export default [{
  name: 'gate', description: 'Waits for a file.', effect: 'write',
  async run() {
    console.error('at the gate');
    const opened = new Promise((resolve) => {
      const watcher = watch('.', () => existsSync('open') && (watcher.close(), resolve()));
    });
    if (!existsSync('open')) await opened;
    return 'on';
  },
}];
`;

const program = `a = other.run(program = "answer(1)", dialect = "starlark")
g = gate()
b = other.run(program = "answer(2)", dialect = "starlark")
answer([a["answer"], g, b["answer"]])
`;

async function serve(folder: Folder, port: string): Promise<{ call: Call; url: string }> {
  const call = folder.start(['mcp', '--http', '--port', port]);
  let said = '';
  call.process.stdout?.on('data', (text: string) => {
    said += text;
  });
  await call.said('serving');
  return { call, url: said.trim() };
}

test.each(['legacy', 'auto'])(
  'is spoken to anew (%s), also for a call that writes',
  async (protocol) => {
    using host = new Folder();
    const first = await serve(host, '0');
    using folder = new Folder({
      ...{ 'gate.mjs': gate, 'p.star': program },
      'planvm.config.json': {
        tools: './gate.mjs',
        mcp: { other: { protocol, tools: { run: { destructive: false } } } },
      },
      '.mcp.json': { mcpServers: { other: { type: 'http', url: first.url } } },
    });
    const run = folder.start(['run', 'p.star', '--json']);
    await run.said('at the gate');
    first.call.process.kill('SIGKILL');
    await first.call.ended;
    const second = await serve(host, new URL(first.url).port);
    writeFileSync(join(folder.path, 'open'), '');
    const done = await run.ended;
    second.call.process.kill('SIGINT');
    await second.call.ended;
    expect(JSON.parse(done.stdout)).toMatchObject({ status: 'done', answer: [1, 'on', 2] });
    const runs: unknown[] = JSON.parse((await host.planvm(['runs', '--json'])).stdout);
    expect(runs).toHaveLength(2);
  },
);

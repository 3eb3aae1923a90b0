/** Ctrl-C, once and twice, other signals, and `planvm cancel` from elsewhere. */
import { expect, test } from 'vitest';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const tools = `
  import { existsSync } from 'node:fs';
  const wait = (name) => {
    if (existsSync('open')) return 'through';
    process.stderr.write('in ' + name + '\\n');
    return new Promise(() => {});
  };
  export default [
    { name: 'deaf', description: 'Hears no signal.', effect: 'read', run: () => wait('deaf') },
    { name: 'write', description: 'Writes.', effect: 'write', run: () => wait('write') },
    { name: 'heard', description: 'Says that it was stopped.', effect: 'read',
      run: (_args, { signal }) => new Promise((_resolve, reject) => {
        if (existsSync('open')) { _resolve('through'); return; }
        signal.addEventListener('abort', () => {
          process.stderr.write('stopped: ' + signal.reason.message + '\\n');
          reject(signal.reason);
        });
        process.stderr.write('in heard\\n');
      }) },
  ];`;

const workshop = (tool: string): Folder =>
  new Folder({
    'tools.mjs': tools,
    'plan.json': [calling(0, tool, {}, 'a'), answering(1, ref('a'))],
  });
const run = ['run', 'plan.json', '--tools', 'tools.mjs', '--json'];

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is heard by a tool through its signal; the run is suspended and resumes',
  async (signal) => {
    using folder = workshop('heard');
    const call = folder.start(run);
    await call.said('in heard');
    call.process.kill(signal);
    const { code, stdout, stderr } = await call.ended;
    const { run: id, ...result } = JSON.parse(stdout);
    expect({ code, result }).toMatchObject({
      code: 130,
      result: { status: 'suspended', reason: 'interrupted', error: { code: 'PV5107' } },
    });
    expect(stderr).toContain('stopped: the run was interrupted\n');
    expect(stderr).toContain(`  planvm resume ${id}\n`);
    folder.write('open', '');
    const resumed = await folder.planvm(['resume', id]);
    expect(resumed).toMatchObject({ code: 0, stdout: 'through\n' });
  },
);

test.each(['deaf', 'write'])('Ctrl-C twice ends it, whatever a tool does: %s', async (tool) => {
  using folder = workshop(tool);
  const call = folder.start(run);
  await call.said(`in ${tool}`);
  call.process.kill('SIGINT');
  call.process.kill('SIGINT');
  expect((await call.ended).code).toBe(130);
  folder.write('open', '');
  const args = tool === 'write' ? ['--assume', 'retry'] : [];
  const resumed = await folder.planvm(['resume', 'last', ...args]);
  expect(resumed).toMatchObject({ code: 0, stdout: 'through\n' });
});

test('a run that another process cancels stops, tells its tool, and can be taken up again', async () => {
  using folder = workshop('heard');
  const call = folder.start(run);
  await call.said('in heard');
  const cancelled = await folder.planvm(['cancel', 'last', '--json']);
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ cancelled: false });
  const { code, stdout, stderr } = await call.ended;
  expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 130, status: 'cancelled' });
  expect(stderr).toContain('stopped: the run was cancelled\n');
  const again = await folder.planvm(['cancel', 'last', '--json']);
  expect({ code: again.code, error: JSON.parse(again.stdout).error.code }).toEqual({
    code: 2,
    error: 'PV5106',
  });
  folder.write('open', '');
  expect(await folder.planvm(['resume', 'last'])).toMatchObject({ code: 0, stdout: 'through\n' });
});

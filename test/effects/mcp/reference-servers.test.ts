/** The servers of the reference, from npm, as programs would call them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder, reference, toolsOf } from '../../support/mcp.ts';

const everything = { name: 'every', args: [reference('everything'), 'stdio'] };

describe('filesystem', () => {
  test('reads and writes in its folders, and says no to others', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.txt'), 'seven');
    const files = await toolsOf({ name: 'files', args: [reference('filesystem'), folder] });
    const read = async (path: string): Promise<unknown> =>
      await files.call('read_text_file', { path });
    expect(await read(join(folder, 'a.txt'))).toStrictEqual({ content: 'seven' });
    const path = join(folder, 'b.txt');
    await files.call('write_file', { path, content: 'eight' });
    expect(await read(path)).toStrictEqual({ content: 'eight' });
    await expect(read('/etc/passwd')).rejects.toMatchObject({
      code: 'PV4806',
      answered: true,
      message: expect.stringContaining('outside allowed directories'),
    });
  });

  test('has the classes that its annotations say', async () => {
    const { handlers } = await toolsOf({
      name: 'files',
      args: [reference('filesystem'), newFolder()],
    });
    const classOf = (tool: string): unknown => {
      const { effect, idempotent, destructive } = handlers.get(tool)?.spec ?? {};
      return { effect, idempotent, destructive };
    };
    const read = { effect: 'read', idempotent: true, destructive: false };
    expect(classOf('read_text_file')).toStrictEqual(read);
    expect(classOf('list_directory')).toStrictEqual(read);
    expect(classOf('write_file')).toStrictEqual({
      effect: 'write',
      idempotent: true,
      destructive: true,
    });
    expect(classOf('move_file')).toStrictEqual({
      effect: 'write',
      idempotent: false,
      destructive: true,
    });
    expect(classOf('create_directory')).toStrictEqual({
      ...{ effect: 'write', idempotent: true, destructive: false },
    });
  });
});

test('memory keeps what it is told, in a file that its configuration names', async () => {
  const file = join(newFolder(), 'memory.jsonl');
  const given = { name: 'memory', args: [reference('memory')], env: { MEMORY_FILE_PATH: file } };
  const memory = await toolsOf(given);
  const ada = { name: 'Ada', entityType: 'person', observations: ['wrote a program'] };
  await memory.call('create_entities', { entities: [ada] });
  const again = await toolsOf(given);
  expect(await again.call('search_nodes', { query: 'program' })).toMatchObject({
    entities: [{ name: 'Ada' }],
  });
});

test('sequential-thinking counts thoughts within one session', async () => {
  const args = [reference('sequential-thinking')];
  const thinking = await toolsOf({ name: 'sequential-thinking', args });
  const think = async (thoughtNumber: number): Promise<unknown> =>
    await thinking.call('sequentialthinking', {
      thought: `thought ${thoughtNumber}`,
      nextThoughtNeeded: thoughtNumber < 2,
      thoughtNumber,
      totalThoughts: 2,
    });
  expect(await think(1)).toMatchObject({ thoughtHistoryLength: 1 });
  expect(await think(2)).toMatchObject({ thoughtHistoryLength: 2 });
  expect(thinking.handlers.get('sequentialthinking')?.spec.aliases).toStrictEqual([
    'sequential_thinking.sequentialthinking',
  ]);
});

describe('everything', () => {
  test('returns texts, data, pictures, resources and links', async () => {
    const every = await toolsOf(everything);
    expect(await every.call('echo', { message: 'hello' })).toBe('Echo: hello');
    expect(await every.call('get-structured-content', { location: 'New York' })).toMatchObject({
      conditions: 'Cloudy',
    });
    const [, image] = (await every.call('get-tiny-image')) as unknown[];
    expect(image).toMatchObject({ type: 'image', mimeType: 'image/png', bytes: 4033 });
    const [, link] = (await every.call('get-resource-links', { count: 1 })) as unknown[];
    expect(link).toMatchObject({ type: 'resource_link', uri: 'demo://resource/dynamic/blob/1' });
    const [, held] = (await every.call('get-resource-reference', {
      ...{ resourceType: 'Text', resourceId: 1 },
    })) as unknown[];
    expect(held).toMatchObject({ type: 'resource', uri: 'demo://resource/dynamic/text/1' });
  });

  test('gives its resources and prompts by tools of its namespace', async () => {
    const every = await toolsOf(everything);
    const uri = 'demo://resource/dynamic/text/7';
    expect(await every.call('read_resource', { uri })).toMatchObject({
      uri,
      mimeType: 'text/plain',
    });
    const rome = { name: 'args-prompt', arguments: { city: 'Rome' } };
    expect(await every.call('get_prompt', rome)).toStrictEqual({
      messages: [{ role: 'user', content: "What's weather in Rome?" }],
    });
    const missing = every.call('read_resource', { uri: 'demo://nothing' });
    await expect(missing).rejects.toMatchObject({ code: 'PV4807', answered: true });
    expect(every.handlers.get('get-sum')?.spec.aliases).toStrictEqual(['every.get_sum', 'get_sum']);
  });

  test('lets settings say which tools may be called, and what they are', async () => {
    const { handlers } = await toolsOf({
      ...everything,
      policy: {
        allow: ['get-*', 'echo'],
        deny: ['get-env'],
        timeoutMs: 5000,
        tools: { echo: { effect: 'write', destructive: true, limits: { callsPerRun: 2 } } },
      },
    });
    const names = [...handlers.keys()];
    expect(names).toContain('get-sum');
    expect(names).not.toContain('get-env');
    expect(names).not.toContain('toggle-simulated-logging');
    expect(handlers.get('echo')?.spec).toMatchObject({
      ...{ effect: 'write', idempotent: true, destructive: true },
      limits: { timeoutMs: 5000, callsPerRun: 2 },
    });
  });

  test('is cancelled in the midst of a long operation, which tells how far it is', async () => {
    const every = await toolsOf(everything);
    const { attempt } = await import('../../support/attempt.ts');
    const context = attempt();
    const heard = Promise.withResolvers<string>();
    const long = every.handlers.get('trigger-long-running-operation');
    const running = long?.perform(
      { duration: 60, steps: 600 },
      { ...context, progress: heard.resolve },
    );
    expect(await heard.promise).toBe('1/600\n');
    context.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(await every.call('echo', { message: 'still here' })).toBe('Echo: still here');
  });
});

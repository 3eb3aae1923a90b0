import { describe, expect, test } from 'vitest';
import { readServers } from '../../../src/effects/mcp/config.ts';
import { expand } from '../../../src/effects/mcp/expand.ts';
import { BadMcpFile } from '../../../src/effects/mcp/reader.ts';
import { ref } from '../../support/cli.ts';

const read = (servers: unknown): ReturnType<typeof readServers> =>
  readServers(JSON.stringify({ mcpServers: servers }), '.mcp.json');

const problem = (text: string): string => {
  try {
    readServers(text, '.mcp.json');
  } catch (error) {
    if (error instanceof BadMcpFile) return `${error.message} (${error.hint ?? ''})`;
    throw error;
  }
  return 'nothing is wrong';
};

describe('a file that names servers', () => {
  test('has processes and addresses', () => {
    const [first, second, third] = read({
      files: { command: 'npx', args: ['-y', 'x', '.'], env: { KEY: ref('KEY') } },
      'far-away': { type: 'http', url: 'https://example.org/mcp', headers: { A: 'b' } },
      old: { type: 'sse', url: 'https://example.org/sse' },
    });
    expect(first?.transport).toStrictEqual({
      kind: 'stdio',
      command: 'npx',
      args: ['-y', 'x', '.'],
      env: { KEY: ref('KEY') },
      cwd: undefined,
    });
    expect(second?.transport).toMatchObject({ kind: 'http', url: 'https://example.org/mcp' });
    expect(third?.transport.kind).toBe('sse');
  });

  test('keeps what belongs to other programs, and leaves out what is disabled', () => {
    expect(read({ a: { command: 'x', alwaysAllow: ['y'], timeout: 60 } })).toHaveLength(1);
    expect(read({ a: { command: 'x', disabled: true } })).toHaveLength(0);
  });

  test('gives each server a hash of what it is, whatever the variables are', () => {
    const [one] = read({ a: { command: 'x', env: { T: ref('T') } } });
    const [same] = read({ a: { env: { T: ref('T') }, command: 'x' } });
    const [other] = read({ a: { command: 'x', args: ['y'], env: { T: ref('T') } } });
    expect(same?.hash).toBe(one?.hash);
    expect(other?.hash).not.toBe(one?.hash);
  });

  test.each([
    ['{ "mcpServers": { "a": { "command": 3 } } }', ':1:37: a.command: got 3, want a text'],
    ['{\n "mcpServers": {\n  "a": {} } }', ':3:8: a has neither command nor url'],
    ['{ "mcpServers": { "a": { "comand": "x" } } }', 'a has comand (did you mean command?)'],
    ['{ "mcpServers": { "a b": { "command": "x" } } }', 'got "a b", want a name of letters'],
    ['{ "mcpServers": { "a": { "command": "x", "args": ["y", 1] } } }', 'a.args[1]: got 1'],
    ['{ "mcpServers": { "a": { "command": "x", "env": { "K": 1 } } } }', 'a.env.K: got 1'],
    ['{ "mcpServers": { "a": { "type": "pipe", "url": "x" } } }', 'a.type: got "pipe", want'],
    ['{ "mcpServers": { "a": { "type": "http" } } }', 'a: got no url, want an address'],
    ['{ "mcpServers": [] }', 'mcpServers: got a list, want an object'],
    ['{ "servers": {} }', 'got no mcpServers, want an object of servers by name'],
    ['{ "mcpServers": {}', '.mcp.json:1:'],
    ['', '.mcp.json:1:1:'],
  ])('says what is wrong and where: %s', (text, expected) => {
    expect(problem(text)).toContain(expected);
  });
});

describe('a variable in a text', () => {
  test('is looked up, or has a default', () => {
    expect(expand(`${ref('A')}/${ref('B:-b')}`, { A: 'a' }, 'x')).toBe('a/b');
    expect(expand(ref('A:-b'), { A: '' }, 'x')).toBe('b');
    expect(expand(`$A ${ref('1')}`, {}, 'x')).toBe(`$A ${ref('1')}`);
  });

  test('is named where it is not set', () => {
    expect(() => expand(`Bearer ${ref('TOKEN')}`, {}, 'git.headers.Authorization')).toThrow(
      expect.objectContaining({
        code: 'PV4802',
        message: 'git.headers.Authorization: the variable TOKEN is not set',
      }),
    );
  });
});

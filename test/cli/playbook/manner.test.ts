/** How playbooks are played: the option before the variable, the configuration, the file, the default. */
import { describe, expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const body = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Greet()

## Greet
### Steps
- Say("Hello.")
- Say("What a day.")
`;

const text = `---\nplanvm:\n  inline: 0\n  strictness: enforce\n---\n${body}`;

const explain = ['check', 'x.playbook.md', '--explain'];

test('inlining is what the nearest place says', async () => {
  using folder = new Folder({ 'x.playbook.md': body });
  const limit = async (args: readonly string[] = [], env = {}): Promise<string | undefined> => {
    const { stdout } = await folder.planvm([...explain, ...args], { env });
    return /Greet: 2 lines, (.*)/.exec(stdout)?.[1];
  };
  expect(await limit()).toBe('at most 8');
  folder.write('x.playbook.md', text);
  expect(await limit()).toBe('more than 0');
  folder.write('planvm.config.json', { playbooks: { inline: 4 } });
  expect(await limit()).toBe('at most 4');
  const env = { PLANVM_PLAYBOOKS: 'inline=1,chat=keep' };
  expect(await limit([], env)).toBe('more than 1');
  expect(await limit(['--inline', '3'], env)).toBe('at most 3');
  const { stdout } = await folder.planvm(['doctor', '--json'], { env });
  expect(JSON.parse(stdout).settings).toContainEqual({
    name: 'playbooks',
    value: { inline: 1, chat: 'keep' },
    origin: 'PLANVM_PLAYBOOKS in the environment, planvm.config.json',
  });
});

test('a run is as strict as its file wants, compiled or not; the configuration may want less', async () => {
  // To name a line without setting what it names is enough but where a file wants more.
  await using server = await startModelServer(() => ops({ at: '01' }));
  using folder = new Folder({ 'x.playbook.md': text.replace('Greet()', 'Choose a $colour') });
  const { env } = { env: server.env.openai };
  const run = ['run', 'x.playbook.md', '--model', 'openai/test', '--inline', '8'];
  expect(await folder.planvm(run, { env })).toMatchObject({ code: 1 });
  const { stdout } = await folder.planvm(['compile', 'x.playbook.md']);
  folder.write('x.pbasm', stdout);
  const compiled = run.map((word) => word.replace('playbook.md', 'pbasm'));
  expect(await folder.planvm(compiled, { env })).toMatchObject({ code: 1 });
  folder.write('planvm.config.json', { playbooks: { strictness: 'advise' } });
  expect(await folder.planvm(run, { env })).toMatchObject({ code: 0 });
  expect(server.requests).toHaveLength(5);
});

test('times of the day are by the clocks that the nearest place says', async () => {
  // A run waits for what is due soon: these are not, whenever this is run.
  const inThreeDays = new Date(Date.now() + 3 * 24 * 3600 * 1000);
  const day = inThreeDays.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  const times = `---
timezone: Asia/Kolkata
---
# Desk

\`\`\`tools
@playbook(triggers = ["Every ${day} at 18:30"])
def Bell():
    return 1

@playbook(triggers = ["Every ${day} at 7:15 in New York"])
def Other():
    return 2

@playbook(triggers = ["At the beginning"])
def Main():
    return 3
\`\`\`
`;
  using folder = new Folder({ 'x.playbook.md': times });
  const zones = async (args: readonly string[] = []): Promise<readonly string[]> => {
    // No model is asked: there is none.
    expect(await folder.planvm(['run', 'x.playbook.md', ...args])).toMatchObject({ code: 4 });
    const { stdout } = await folder.planvm(['show', 'last', '--json']);
    const { effects } = JSON.parse(stdout) as {
      readonly effects: readonly { readonly name: string; readonly request: { zone: string } }[];
    };
    return effects.flatMap(({ name, request }) => (name === 'due_time' ? [request.zone] : []));
  };
  expect(await zones()).toEqual(['Asia/Kolkata', 'America/New_York']);
  folder.write('planvm.config.json', { playbooks: { timezone: 'Europe/Lisbon' } });
  expect(await zones()).toEqual(['Europe/Lisbon', 'America/New_York']);
  expect(await zones(['--timezone', 'Asia/Tokyo'])).toEqual(['Asia/Tokyo', 'America/New_York']);
  const { code, stderr } = await folder.planvm([
    'run',
    'x.playbook.md',
    '--timezone',
    'Asia/Tokio',
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain('did you mean Asia/Tokyo?');
});

describe('what nobody can mean', () => {
  test('is left out of a file, and check says so', async () => {
    using folder = new Folder({ 'x.playbook.md': text.replace('inline: 0', 'inlin: 0') });
    const { code, stdout } = await folder.planvm(['check', 'x.playbook.md']);
    expect(code).toBe(0);
    expect(stdout).toContain('PV2434');
    expect(stdout).toContain('planvm: got inlin, want one of strictness, inline');
    expect(stdout).toContain('(did you mean inline?)');
  });

  test.each([
    [{ 'planvm.config.json': { playbooks: { inline: -1 } } }, {}, 'PV6004', 'got inline: -1'],
    [{ 'planvm.config.json': { playbooks: { chat: 'often' } } }, {}, 'PV6004', 'want one of auto'],
    [{}, { PLANVM_PLAYBOOKS: 'turns=0' }, 'PV6005', 'got turns: 0, want a whole number from 1'],
    [{}, { PLANVM_PLAYBOOKS: 'fast' }, 'PV6005', 'PLANVM_PLAYBOOKS: got fast, want one of'],
  ])('%j and %j are refused', async (files, env, code, message) => {
    using folder = new Folder({ 'x.playbook.md': body, ...files });
    const said = await folder.planvm(explain, { env });
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(code);
    expect(said.stderr).toContain(message);
  });
});

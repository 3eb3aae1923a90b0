/** `planvm check`, `compile` and `spec` of playbooks. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Folder } from '../support/cli.ts';

const bikes = `# Bike desk
## Main
### Triggers
- At the beginning
### Steps
!import steps.md
- End program
`;

const files = {
  'bikes.playbook.md': bikes,
  'steps.md': '- Ask the user for $day\n- $bikes = FreeBikes($day)\n- Suggest one of the $bikes\n',
  'tools.json': [{ name: 'FreeBikes', description: 'Lists.', parameters: { type: 'object' } }],
  'tools.mjs': `export default [{ name: 'FreeBikes', description: 'Lists.', effect: 'read',
    parameters: { type: 'object' }, run: () => [] }];`,
};

const module = ['--tools', 'tools.mjs'];
const declared = ['--tools', 'tools.json'];

test('compile prints numbered steps, which compile to themselves and check', async () => {
  using folder = new Folder(files);
  const { code, stdout, stderr } = await folder.planvm(['compile', 'bikes.playbook.md', ...module]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`- T1:BGN At the beginning

### Steps

- 01:QUE? Ask the user for $day; YLD for user
- 02:QUE $bikes = FreeBikes($day); YLD for call
- 03:EXE? Suggest one of the $bikes
- 04:YLD End program
`);
  folder.write('bikes.pbasm', stdout);
  expect((await folder.planvm(['compile', 'bikes.pbasm', ...module])).stdout).toBe(stdout);
  expect((await folder.planvm(['check', 'bikes.pbasm', ...declared])).stdout).toBe(
    '✔ bikes.pbasm: a valid program (playbook), 3 formal lines, 1 open\n',
  );
});

test('check says what is wrong and where', async () => {
  using folder = new Folder({ ...files, 'steps.md': '- $x = FreeBikse($y)\n' });
  const { code, stdout } = await folder.planvm([
    'check',
    'bikes.playbook.md',
    '--json',
    ...declared,
  ]);
  expect(code).toBe(3);
  const { diagnostics, dialect, ok } = JSON.parse(stdout);
  expect({ dialect, ok }).toEqual({ dialect: 'playbook', ok: false });
  expect(
    diagnostics.map(({ code: one, line, hint }: Record<string, unknown>) => [one, line, hint]),
  ).toEqual([['PV2404', 1, 'did you mean FreeBikes?']]);
});

const coded = (body: string): string =>
  `# Desk\n\n\`\`\`tools\n${body}\n\`\`\`\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- A()\n`;

test.each([
  ['a name that there is not', 'def A():\n    return totl(3)', '5:12: error PV2321'],
  ['files of the host', 'def A():\n    return open("notes.txt")', '5:12: error PV2321'],
  ['an effect of the loop', 'def A():\n    give_up(code = "a")', '5:5: error PV2321'],
  ['what the loop holds', 'x = 1\ndef A():\n    return books', '6:12: error PV2321'],
  ['other files', 'load("a.star", "b")\ndef A():\n    return b', '4:1: error PV2323: got load'],
])('check says of a block that it calls %s, as run does', async (_, body, place) => {
  using folder = new Folder({ 'a.playbook.md': coded(body) });
  const { code, stdout } = await folder.planvm(['check', 'a.playbook.md']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining(place) });
  const run = await folder.planvm(['run', 'a.playbook.md']);
  expect({ code: run.code, stderr: run.stderr }).toEqual({
    ...{ code: 3, stderr: expect.stringContaining(place) },
  });
});

test('where a module is not read, a block may call what it may have', async () => {
  const body = 'def A():\n    return FreeBikes("Sunday")';
  using folder = new Folder({ 'a.playbook.md': coded(body), 'tools.mjs': files['tools.mjs'] });
  const unread = await folder.planvm(['check', 'a.playbook.md', ...module]);
  expect(unread.code).toBe(0);
  expect((await folder.planvm(['check', 'a.playbook.md'])).code).toBe(3);
});

test('a file outside of the folder is not imported', async () => {
  using folder = new Folder({
    'in/a.playbook.md': bikes.replace('steps.md', '../steps.md'),
    ...files,
  });
  const { code, stdout } = await folder.planvm(['check', 'in/a.playbook.md']);
  expect(code).toBe(3);
  expect(stdout).toContain('error PV1408: cannot import ../steps.md');
});

test.each([
  ['a link out of the folder', 'out.md'],
  ['a link to a folder elsewhere', 'away/secret.md'],
  ['a link to a device', 'zero.md'],
  ['a pipe that nobody writes to', 'pipe.md'],
  ['a folder', 'sub'],
  ['what its name hides', '.env'],
  ['a plain name for what is hidden', 'plain.md'],
  ['bytes that are no text', 'bytes.md'],
  ['a link to the file itself', 'self.md'],
  ['more than all imports may hold', 'long.md'],
])('%s is not imported', async (_, name) => {
  using folder = new Folder({
    'in/a.playbook.md': bikes.replace('steps.md', name),
    'in/sub/steps.md': '- End program\n',
    'in/.env': 'KEY=1\n',
    'in/long.md': '- Say("a")\n'.repeat(100_000),
    'secret.md': '- Say("secret")\n',
  });
  const links = {
    ...{ 'out.md': '../secret.md', away: '..', 'zero.md': '/dev/zero', 'plain.md': '.env' },
    'self.md': 'a.playbook.md',
  };
  for (const [from, to] of Object.entries(links)) symlinkSync(to, join(folder.path, 'in', from));
  execFileSync('mkfifo', [join(folder.path, 'in/pipe.md')]);
  writeFileSync(join(folder.path, 'in/bytes.md'), Buffer.from([0xff, 0xfe, 0x00]));
  const { code, stdout } = await folder.planvm(['check', 'in/a.playbook.md']);
  expect(code).toBe(3);
  expect(stdout).toContain(`in/a.playbook.md:6:1: error PV1408: cannot import ${name}`);
});

test('a link within the folder is imported', async () => {
  using folder = new Folder({ ...files, 'in/a.playbook.md': bikes, 'in/sub/own.md': '- $x = 1\n' });
  symlinkSync('sub/own.md', join(folder.path, 'in/steps.md'));
  const { code, stdout } = await folder.planvm(['compile', 'in/a.playbook.md']);
  expect(code).toBe(0);
  expect(stdout).toContain('- 01:EXE $x = 1');
});

test('spec describes how playbooks are written, by an example that is valid itself', async () => {
  using folder = new Folder(files);
  const { code, stdout } = await folder.planvm(['spec', 'playbook', ...module]);
  expect(code).toBe(0);
  expect(stdout).toContain('### FreeBikes');
  const example = /````markdown\n([\s\S]*?)````/.exec(stdout)?.[1] ?? '';
  folder.write('example.playbook.md', example);
  expect((await folder.planvm(['check', 'example.playbook.md', '--strict'])).stdout).toMatch(
    /^✔ example\.playbook\.md: a valid program \(playbook\), \d+ formal lines, \d+ open\n$/,
  );
});

/** `planvm check`, `compile`, `spec` and `disasm` of playbooks. */
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

- 01:QUE Say(user, Ask the user for $day)
- 02:YLD for user
- 03:QUE $bikes = FreeBikes($day)
- 04:YLD for call
- 05:EXE? Suggest one of the $bikes
- 06:YLD for exit
`);
  folder.write('bikes.pbasm', stdout);
  expect((await folder.planvm(['compile', 'bikes.pbasm', ...module])).stdout).toBe(stdout);
  expect((await folder.planvm(['disasm', 'bikes.pbasm', ...module])).stdout).toBe(stdout);
  expect((await folder.planvm(['check', 'bikes.pbasm', ...declared])).stdout).toBe(
    '✔ bikes.pbasm: a valid program (playbook)\n',
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
  ).toEqual([
    ['PV2404', 6, 'did you mean FreeBikes?'],
    ['PV2406', 6, null],
  ]);
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

test('spec describes how playbooks are written, by an example that is valid itself', async () => {
  using folder = new Folder(files);
  const { code, stdout } = await folder.planvm(['spec', 'playbook', ...module]);
  expect(code).toBe(0);
  expect(stdout).toContain('### FreeBikes');
  const example = /````markdown\n([\s\S]*?)````/.exec(stdout)?.[1] ?? '';
  folder.write('example.playbook.md', example);
  expect((await folder.planvm(['check', 'example.playbook.md', '--strict'])).stdout).toBe(
    '✔ example.playbook.md: a valid program (playbook)\n',
  );
});

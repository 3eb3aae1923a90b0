/** Places in files that playbooks import: each names its own file and the line there. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const begin = '### Triggers\n- At the beginning\n';

/** Errors before, in and behind imports; one of a file that imports another, further in. */
const wrong = {
  'in/a.playbook.md': `# Desk
You help.

\`\`\`tools
def first(n):
    return nope1(n)

!import sub/code.star
def last(n):
    return nope2(n)
\`\`\`

## Main
${begin}### Steps
- $n = 1
- If $n > 0
  !import sub/steps.md
- $b = Nobody1($n)
- End program
`,
  'in/sub/code.star': 'def second(n):\n    return nope3(n)\n',
  'in/sub/steps.md': '- $m = second($n)\n!import deep/steps.md\n- Nobody2($m)\n',
  'in/sub/deep/steps.md': '- Say "x"\n- Nobody3($n)\n  !import none.md\n',
};

test('errors and warnings of check, with the line that they are about', async () => {
  using folder = new Folder(wrong);
  const { code, stdout } = await folder.planvm(['check', 'in/a.playbook.md', '--json']);
  expect(code).toBe(3);
  const found: Record<string, unknown>[] = JSON.parse(stdout).diagnostics;
  expect(found.map((one) => [one.code, one.file ?? '', one.line, one.column])).toEqual([
    ['PV2321', '', 6, 12],
    ['PV2321', '', 10, 12],
    ['PV2404', '', 20, 3],
    ['PV2321', 'sub/code.star', 2, 12],
    ['PV2404', 'sub/deep/steps.md', 2, 3],
    ['PV1408', 'sub/deep/steps.md', 3, 3],
    ['PV2404', 'sub/steps.md', 3, 3],
  ]);
  const shown = (await folder.planvm(['check', 'in/a.playbook.md'])).stdout;
  for (const text of [
    'in/sub/code.star:2:12: error PV2321: undefined: nope3',
    '\n   2 |     return nope3(n)\n     |            ^',
    'in/sub/deep/steps.md:2:3: error PV2404: there is no playbook, function or tool Nobody3',
    '\n   2 | - Nobody3($n)\n     |   ^',
    'in/a.playbook.md:20:3: error PV2404: there is no playbook, function or tool Nobody1',
    '\n  20 | - $b = Nobody1($n)\n     |   ^',
  ]) {
    expect(shown).toContain(text);
  }
});

test('steps of a run, in what is shown of it and at its states', async () => {
  using folder = new Folder({
    'a.playbook.md': `# Desk\n\n## Main\n${begin}### Steps\n!import sub/steps.md\n- Return 7\n`,
    'sub/steps.md': '- Say("Hello")\n- Say("Bye")\n',
  });
  const ran = await folder.planvm(['run', 'a.playbook.md']);
  expect([ran.code, ran.stdout]).toEqual([0, 'Hello\nBye\n7\n']);
  const { stdout } = await folder.planvm(['show', 'last']);
  expect(stdout).toContain('Say("Hello")  sub/steps.md:1');
  expect(stdout).toContain('Say("Bye")  sub/steps.md:2');
  const state = await folder.planvm(['show', 'last', '--at', 'Main:02']);
  expect(state.stdout).toContain('  sub/steps.md\n     1 - Say("Hello")\n▶    2 - Say("Bye")');
});

test.each([
  ['a function', '!import sub/code.star', '', 'sub/code.star:6:14', 'return n / 0'],
  ['a placeholder', '', '\n!import sub/about.md\n', 'a.playbook.md:7:', '## Other'],
])('an error of a run in %s', async (_, code, about, place, line) => {
  using folder = new Folder({
    'a.playbook.md': `# Desk\n\n\`\`\`tools\n${code}\n\`\`\`\n\n## Other\n${about}${begin}\n`,
    'sub/code.star':
      '@playbook(triggers = ["At the beginning"])\ndef go():\n    return second(1)\n\n' +
      'def second(n):\n    return n / 0\n',
    'sub/about.md': 'Today.\nAnd {len(5)} too.\n',
  });
  await using models = await startModelServer(() => ops({ return: 1 }));
  const run = ['run', 'a.playbook.md', '--model', 'openai/test'];
  const ran = await folder.planvm(run, { env: models.env.openai });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain(place);
  expect(ran.stderr).toContain(line);
});

/**
 * Runs of playbooks that stop in the midst: what is said of it names the line of the playbook, or of
 * its functions, where they stand; never one of the loop that plays them.
 */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { followed } from '../../support/playbook-follower.ts';

const desk = `# Desk
\`\`\`tools
def spin(n):
    for i in range(n):
        for j in range(n):
            n += 1
    return n

def outer(n):
    return spin(n) + note(n)
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- Say("One")
- $b = outer(1000000)
- Say("Two {$b}")
`;

const tools = `
const n = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const run = () => new Promise(() => {});
export default [
  { name: 'note', description: 'Notes it.', effect: 'write', idempotent: false, parameters: n, run },
];
`;

async function stoppedBy(text: string, ...more: readonly string[]) {
  await using models = await startModelServer(({ messages }) => followed(messages));
  using folder = new Folder({ 'x.playbook.md': text, 'tools.ts': tools });
  const own = [
    '--tools',
    './tools.ts',
    '--yes',
    'note',
    '--model',
    'openai/gpt-4o',
    '--inline',
    '0',
  ];
  const args = ['run', 'x.playbook.md', ...own, ...more];
  const { stderr, stdout } = await folder.planvm([...args, '--json'], { env: models.env.openai });
  return { stderr, run: JSON.parse(stdout) };
}

test('instructions used up within a function: its line, with the calls that led there', async () => {
  const { stderr } = await stoppedBy(desk, '--instructions', '300000');
  expect(stderr).toMatch(/^x\.playbook\.md:[456]:\d+: error PV5101: .* 300000 instructions/m);
  expect(stderr).toContain(`step: Main:02
  calls, innermost last:
    x.playbook.md:17:3: in Main:02
    x.playbook.md:10:16: in outer
`);
  expect(stderr).toMatch(/^ {4}x\.playbook\.md:[456]:\d+: in spin$/m);
});

test('a call of a model that does not fit the budget: the line that it is for', async () => {
  const text = desk.replace('$b = outer(1000000)', 'Say a word');
  const { stderr } = await stoppedBy(text, '--cost', '0.000001');
  expect(stderr).toContain('x.playbook.md:17:3: error PV5101: the run cannot keep to its 0.000001');
  expect(stderr).toContain('the next call, of turn, is expected to take 0.0');
});

test('a call in a function of which nobody knows whether it acted: its line, and the calls', async () => {
  const { stderr } = await stoppedBy(desk.replace('1000000', '1'), '--timeout', '300');
  expect(stderr).toContain('x.playbook.md:10:26: error PV5102: nobody knows');
  expect(stderr).toContain(`step: Main:02
  calls, innermost last:
    x.playbook.md:17:3: in Main:02
    x.playbook.md:10:26: in outer
`);
  expect(stderr).not.toContain('the loop that plays');
});

test('a question in a function that runs beside others: its line, and the calls', async () => {
  const asking = `# Desk
\`\`\`tools
def one(n):
    return ask(question = n)

def both(n):
    return parallel(one, [n + "?", n + "!"])
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- $b = both("Who")
- Return $b
`;
  const { run } = await stoppedBy(asking);
  expect(run).toMatchObject({ status: 'waiting', waits: [{}, {}] });
  expect(run.error).toMatchObject({ code: 'PV5140', step: 'Main:01', file: 'x.playbook.md' });
  expect(run.error).toMatchObject({ line: 4, column: 15 });
  expect(run.error.trace.map(({ name }: { name: string }) => name)).toEqual([
    ...['Main:01', 'both', 'one'],
  ]);
});

const serving = `# Desk
\`\`\`tools
def hour(n):
    return 5 // n
\`\`\`
## Main
Serve until {hour(0)}, {$name}.
### Triggers
- At the beginning
### Steps
- $d = {"a": 1}
- Return $d["c"]
`;

test('a placeholder that cannot be computed: the place in what it calls', async () => {
  const { run } = await stoppedBy(serving.replace(', {$name}', ''));
  expect(run.error).toMatchObject({ code: 'PV3003', line: 4, column: 14, file: 'x.playbook.md' });
});

test('a value to return that cannot be computed: the line that returns it, once', async () => {
  const { stderr, run } = await stoppedBy(serving.replace('{hour(0)}, {$name}', 'noon'));
  expect(stderr).toContain(
    'x.playbook.md:12:3: error PV7313: at Desk.Main:02: PV3005: key "c" not in dict',
  );
  expect(run.error).toMatchObject({ step: 'Main:02', line: 12, column: 3 });
  expect(run.error.hint).toMatch(/^look at what the line computes/);
});

const nested = `# Desk
\`\`\`tools
def outer(n):
    return ring(n)

def ring(n):
    return Say_it(n)

def low(n):
    return 1 // n
\`\`\`
## Main
### Triggers
- At the beginning
### Steps
- $b = outer(0)
- Return $b

## Say_it(n)
### Steps
- Say a word
- Return low(n)
`;

test('a playbook that a function calls: its line, and the calls that lead there', async () => {
  await using models = await startModelServer(() => 'Words.');
  using folder = new Folder({ 'x.playbook.md': nested });
  const args = ['run', 'x.playbook.md', '--model', 'openai/m', '--json'];
  const { stderr, stdout } = await folder.planvm(args, { env: models.env.openai });
  expect(stderr).toContain('x.playbook.md:21:3: error PV7301: at Desk.Say_it:01: got words alone');
  const { error } = JSON.parse(stdout);
  expect(error).toMatchObject({ step: 'Say_it:01', line: 21, column: 3, file: 'x.playbook.md' });
  expect(error.trace).toEqual([
    { name: 'Main:01', line: 16, column: 3 },
    { name: 'outer', line: 4, column: 16 },
    { name: 'ring', line: 7, column: 18 },
    { name: 'Say_it:01', line: 21, column: 3 },
  ]);
});

test.each([
  ['an input that is missing', '## Main(day)', '- Return day', 'Main', 7],
  ['a time that is still to come', '## Main', '- Say("a")', 'T', 14],
])('a run that waits for %s: the first line of its playbook', async (_, head, line, step, at) => {
  const clock = '## T\n### Triggers\n- Every day at 9:30\n### Steps\n- Say("b")\n';
  const text = `# Desk\n\n${head}\n### Triggers\n- At the beginning\n### Steps\n${line}\n\n\n${clock}`;
  const { run } = await stoppedBy(text);
  expect(run).toMatchObject({ status: 'waiting', error: { step, line: at, column: 3 } });
  expect(run.error.file).toBe('x.playbook.md');
});

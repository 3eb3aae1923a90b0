/** The debugger by lines of playbooks: stops before them, steps into calls, conditions. */

import { expect, test, vi } from 'vitest';
import { load } from '../../../src/agent/record/load.ts';
import { Debugger } from '../../../src/cli/debug/debugger.ts';
import { styleOf } from '../../../src/cli/view/output.ts';
import { loadProgram } from '../../../src/engine/load.ts';
import { readPast } from '../../../src/engine/past/read-past.ts';
import { type Played, played } from '../../planner/playbook/played.ts';
import { ops } from './ops.ts';

const shown = vi.hoisted((): string[] => []);

vi.mock(import('../../../src/cli/view/output.ts'), async (original) => {
  const take = (text: string): void => void shown.push(...text.split('\n'));
  return { ...(await original()), print: take, say: take };
});

const text = `# Desk

\`\`\`tools
def Twice(n):
    return Half(n) * 4
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $n = 4
- $x = Twice($n)
- $y = Add($x, 1)
- $z = 1
- Return $y

## Half(n)
### Steps
- $seen = True
- Return 2

## Add(n, m)
### Steps
- sum = n + m
- Return sum
`;

/** What is shown for lines that somebody types. */
async function debugged(...lines: readonly string[]): Promise<readonly string[]> {
  const run = await played(text, { replies: [] });
  expect(run.result).toMatchObject({ status: 'done', answer: 9 });
  return await looked(run, lines);
}

async function looked({ journal, result }: Played, lines: readonly string[]) {
  const past = readPast(journal.events(result.run));
  const parts = { loaded: loadProgram(result.run, past, load), past, status: result.status };
  const style = styleOf(process.stdout);
  const debug = new Debugger({ run: result.run, parts, style });
  shown.length = 0;
  for (const line of lines) await debug.obey(line);
  return [...shown];
}

/** Without the numbers of moments, and the lines of source. */
const stops = (lines: readonly string[]): readonly string[] =>
  lines.flatMap(
    (line) => /^\[\d+\] (?:step (\S+)|(end|start))/.exec(line)?.slice(1).join('') ?? [],
  );

test('step and next go into playbooks, also those that functions call', async () => {
  for (const word of ['s', 'n']) {
    const into = await debugged(word, word, word, word, word, word, word);
    expect(stops(into)).toEqual([
      ...['Main:01', 'Main:02', 'Half:01', 'Half:02', 'Main:03', 'Add:01', 'Add:02'],
    ]);
  }
});

test('it stops before a line, and shows frames and variables of the playbooks alone', async () => {
  const lines = await debugged('break Half:02', 'c', 'where', 'vars', 'print n + 1, $n');
  expect(lines.slice(0, 4)).toEqual([
    '1  break step Half:02',
    'step Half:02',
    expect.stringMatching(/^\[\d+\] step Half:02 RET Return 2$/),
    '▶   21 - Return 2',
  ]);
  const where = lines.slice(4).join('\n');
  expect(where).toContain('step Half:02 was entered, and nothing of it done');
  expect(where).toMatch(
    / {2}Main line x.playbook.md:13\n▶ Half line x.playbook.md:21\n {4}n {2}int {2}4\n/,
  );
  expect(where).toMatch(/\$n +int +4\n\$seen +bool +true\nn +int +4\n\(5, 4\)$/);
});

test('a condition decides whether a line is stopped at; a playbook alone is its first line', async () => {
  const lines = await debugged(
    ...['break Half:01 if $n > 4', 'break step Add if n == 8', 'c', 'delete all'],
    ...['break if $y == 9', 'c'],
  );
  expect(stops(lines)).toEqual(['Add:01', 'Main:04']);
});

test('what is changed by a line is met before the next; a line that there is not is refused', async () => {
  const lines = await debugged('break change $x', 'break Mian:02', 'break step Main:09', 'c');
  expect(stops(lines)).toEqual(['Main:03']);
  expect(lines.join('\n')).toContain('there is no line Main:09; did you mean Main:0');
  expect(lines.join('\n')).toContain('there is no line Mian:02; did you mean Main:02?');
  const [none] = await debugged('break Mian');
  expect(none).toContain('break: got Mian, want step ID');
});

test('reverse goes back to a line', async () => {
  expect(stops(await debugged('go end', 'break Half', 'reverse', 'go Main:04'))).toEqual([
    ...['end', 'Half:01', 'Main:04'],
  ]);
});

test('of a program that waits for a person it says what it asks', async () => {
  const asking =
    '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n- Ask user for $day\n';
  const run = await played(asking, { replies: [ops({ say: 'Which day?' })] });
  expect(run.result.status).toBe('waiting');
  const lines = await looked(run, ['go end', 'where']);
  expect(lines[0]).toMatch(/^\[\d+\] end: waits for 0#\d+ ask: Which day\?$/);
  expect(lines[1]).toMatch(/^waits for 0#\d+ ask: Which day\?$/);
});

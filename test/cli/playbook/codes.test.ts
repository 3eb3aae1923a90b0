/** What ends a run of playbooks: each with its code, at the line of the file that it is about. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { type ServedRequest, startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

/** Its steps begin in line 6. */
const desk = (steps: string, rest = ''): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const onA = (condition: string): string =>
  `## T\n### Triggers\n- When $a ${condition}\n### Steps\n- Say("t")\n`;

const word = desk('- Say a word\n- Say("Bye")');
const rain = desk('- While it rains\n  - Choose a number $n\n- Say("a")');

interface Row {
  readonly code: string;
  readonly line: number;
  readonly step?: string;
  readonly text: string;
  /** No model is asked where it is absent. */
  readonly reply?: string | ((request: ServedRequest) => string);
  readonly flags?: readonly string[];
}

const seed = (n: number): string =>
  `@playbook(triggers=["When $a${n} is set"])\ndef Step${n}():\n    state["a${n + 1}"] = 1\n`;

const rows: readonly Row[] = [
  { code: 'PV7301', line: 6, text: word, reply: 'I think that a word is due now.' },
  { code: 'PV7302', line: 6, text: word, reply: ops({ at: '42' }) },
  { code: 'PV7304', line: 6, text: word, reply: ops({ call: 'Refund' }) },
  {
    ...{ code: 'PV7306', line: 6, reply: ops({ call: 'F', args: { m: 1 }, into: '$a' }) },
    text: desk('- Work out $a\n- Return $a', '## F(n: int) -> int\n### Steps\n- Return n\n'),
  },
  { code: 'PV7307', line: 6, text: word, reply: ops({ say: 'It is {$b}.' }) },
  { code: 'PV7308', line: 6, text: word, reply: ops({ note: 'Nothing to do.' }) },
  { code: 'PV7310', line: 6, text: word, reply: '{"yield": "nobody"}' },
  {
    ...{ code: 'PV7311', line: 7, text: desk('- $a = 1\n- Say a word', onA('sounds odd')) },
    reply: ({ prompt }) => (prompt.startsWith('Conditions') ? 'who knows' : ops({ say: 'a' })),
  },
  { code: 'PV7312', line: 6, text: word, reply: ops({ say: 'a', to: 'Clerk' }) },
  {
    ...{ code: 'PV7314', line: 6, text: desk('- $a: int = how many\n- Return $a') },
    reply: ops({ set: { $a: 'many' } }),
  },
  {
    ...{ code: 'PV7321', line: 7, step: 'Main:01.01@2', text: rain, flags: ['--turns', '2'] },
    reply: ({ index }) => ops({ at: '01', holds: true }, { at: '01.01' }, { set: { $n: index } }),
  },
  {
    ...{ code: 'PV7322', line: 6, text: rain },
    reply: ops({ at: '01', holds: true }, { at: '01.01' }, { set: { $n: 1 } }),
  },
  {
    ...{ code: 'PV7323', line: 10, flags: ['--depth', '4'] },
    text: desk('- Return F(1)', '## F(n)\n### Steps\n- m = F(n)\n- Return [m]\n'),
  },
  {
    ...{ code: 'PV7324', line: 12, flags: ['--turns', '2', '--inline', '0'] },
    text: desk(
      '- Ring()\n- Ring()\n- Ring()',
      '## Ring\n### Steps\n- Say(Clerk, "Ring!")\n\n# Clerk\nYou are brief.\n',
    ),
    reply: ops({ return: null }),
  },
  {
    ...{ code: 'PV7325', line: 8 },
    text: word.replace('Main\n', 'Main\nmeeting: true\nrequired_attendees: [Zed]\n'),
  },
  {
    ...{ code: 'PV7326', line: 15, flags: ['--trigger-depth', '2'] },
    text: desk('- $a0 = 1\n- Say("a")', `\`\`\`tools\n${[0, 1, 2].map(seed).join('\n')}\`\`\`\n`),
  },
  {
    ...{ code: 'PV7327', line: 6, flags: ['--strictness', 'enforce'] },
    text: desk('- $a = "word"\n- Say("{$a}")', onA('> 0')),
  },
];

test.each(rows)(
  '$code ends a run, at its line',
  async ({ code, line, step, text, reply = () => 'nobody asks', flags = [] }) => {
    await using models = await startModelServer((one) =>
      typeof reply === 'string' ? reply : reply(one),
    );
    using folder = new Folder({ 'x.playbook.md': text });
    const args = ['run', 'x.playbook.md', '--model', 'openai/test', '--json'];
    const ended = await folder.planvm([...args, ...flags], { env: models.env.openai });
    expect(ended.code, ended.stderr).toBe(1);
    const { status, error } = JSON.parse(ended.stdout);
    const place = { line, ...(step !== undefined && { step }) };
    expect({ status, error }).toMatchObject({ status: 'failed', error: { code, ...place } });
  },
);

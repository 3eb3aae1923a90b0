/** What ends a run of playbooks: each with its code, at the line of the file that it is about. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import type { ServedRequest } from '../../support/model-server.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

/** Its steps begin in line 6. */
const desk = (steps: string, rest = ''): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const callee = '## F(n: int) -> int\n### Steps\n- Return n\n';

const onA = (steps: string): string => `## T\n### Triggers\n- When $a > 0\n### Steps\n${steps}\n`;

const call = (callee: string, args: object, into: string) => ({ call: callee, args, into });

const wait = { yield: 'call' };

interface Row {
  readonly code: string;
  readonly line: number;
  readonly step?: string;
  readonly text: string;
  readonly reply: string | ((request: ServedRequest) => string);
  readonly flags?: readonly string[];
}

const seed = (n: number): string =>
  `@playbook(triggers=["When $a${n} is set"])\ndef Step${n}():\n    state["a${n + 1}"] = 1\n`;

const rows: readonly Row[] = [
  {
    ...{ code: 'PV7306', line: 6, text: desk('- $a = F(1)\n- Say("{$a}")', callee) },
    reply: ops(call('F', { m: 1 }, '$a'), wait),
  },
  { code: 'PV7307', line: 6, text: desk('- Say a word'), reply: ops({ say: 'It is {$b}.' }) },
  { code: 'PV7310', line: 6, text: desk('- Say a word'), reply: '{"op":"say","value":"a"}' },
  {
    ...{ code: 'PV7311', line: 6 },
    text: desk('- $a = 1\n- Say("a")', onA('- Say("t")').replace('> 0', 'sounds odd')),
    reply: ({ messages }) =>
      messages[0]?.content.startsWith('You decide') ? 'who knows' : ops({ set: { $a: 1 } }),
  },
  {
    ...{ code: 'PV7312', line: 6, text: desk('- Say a word'), flags: ['--strictness', 'enforce'] },
    reply: ops({ say: 'a', to: 'Clerk' }),
  },
  {
    ...{ code: 'PV7314', line: 6, text: desk('- $a:int = how many\n- Return $a') },
    reply: ops({ set: { $a: 'many' } }, { step: '02' }, { return: '$a' }),
  },
  {
    ...{ code: 'PV7315', line: 6, text: desk('- Say("You owe 12 euros")') },
    reply: ops({ say: 'You owe 21 euros' }),
  },
  {
    ...{ code: 'PV7316', line: 7, text: desk('- $a = 12\n- Return $a') },
    reply: ops({ set: { $a: 12 } }, { step: '02' }, { return: 21 }),
  },
  {
    // What is told again is no visit of its line.
    ...{ code: 'PV7317', line: 7, step: 'Main:02' },
    text: desk('- $n = 5\n- If $n > 3\n  - Say("big")\n- Otherwise\n  - Say("small")'),
    reply: ops({ step: '01' }, { set: { $n: 5 } }, { step: '03' }, { say: 'small' }),
  },
  {
    ...{ code: 'PV7321', line: 6, step: 'Main:01.02@2', flags: ['--turns', '2'] },
    text: desk('- While it rains\n  - Think of $n\n- Say("a")'),
    reply: ({ index }) => ops({ step: '01' }, { step: '01.01' }, { set: { $n: index } }, wait),
  },
  {
    ...{
      code: 'PV7322',
      line: 6,
      text: desk('- While it rains\n  - Think of the sun\n- Say("a")'),
    },
    reply: ops({ step: '01' }, { step: '01.01' }, { think: 'on' }, wait),
  },
  {
    ...{ code: 'PV7323', line: 11, flags: ['--depth', '4'] },
    text: desk('- $a = F(1)\n- Say("{$a}")', '## F(n)\n### Steps\n- m = F(n)\n- Return [m]\n'),
    reply: ({ prompt }) => ops(call('F', { n: 1 }, prompt.includes('## Main') ? '$a' : 'm'), wait),
  },
  {
    ...{ code: 'PV7324', line: 12, flags: ['--turns', '2', '--inline', '0'] },
    text: desk(
      '- Ring()\n- Ring()\n- Ring()',
      '## Ring\n### Steps\n- Tell Clerk to ring\n\n# Clerk\nYou are brief.\n',
    ),
    reply: ({ prompt, messages }) => {
      if (messages[0]?.content.includes('You are Clerk')) return ops({ return: null });
      if (prompt.includes('## Ring')) return ops({ say: 'Ring!', to: 'Clerk' }, { return: null });
      const ring = { call: 'Ring' };
      return ops({ step: '01' }, ring, { step: '02' }, ring, { step: '03' }, ring);
    },
  },
  {
    ...{ code: 'PV7325', line: 8 },
    text: desk('- Say("a")').replace('Main\n', 'Main\nmeeting: true\nrequired_attendees: [Zed]\n'),
    reply: '',
  },
  {
    ...{ code: 'PV7326', line: 15, flags: ['--trigger-depth', '2'] },
    text: desk('- $a0 = 1\n- Say("a")', `\`\`\`tools\n${[0, 1, 2].map(seed).join('\n')}\`\`\`\n`),
    reply: ops({ set: { $a0: 1 } }),
  },
  {
    ...{ code: 'PV7327', line: 6, flags: ['--strictness', 'enforce'] },
    text: desk('- $a = a word\n- Say("{$a}")', onA('- Say("t")')),
    reply: ops({ set: { $a: 'word' } }, { step: '02' }, { say: '{$a}' }),
  },
];

test.each(rows)(
  '$code ends a run, at its line',
  async ({ code, line, step, text, reply, flags = [] }) => {
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

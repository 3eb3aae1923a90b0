/** What has fired in a call does not fire there again; each call of a playbook begins anew. */
import { describe, expect, test } from 'vitest';
import { type Asked, ops, played } from './played.ts';

const tank = (lines: readonly string[], trigger: string, more = ''): string => `# Tank
## Main
### Triggers
- At the beginning
### Steps
${lines.map((line) => `- ${line}`).join('\n')}
- Return "end"
## Fill(v)
### Steps
- $x = v
- Say("filled {v}")
## High
${more}### Triggers
- ${trigger}
### Steps
- Say("high at {$x}")
`;

/** Follows the lines of whatever playbook it is shown, from where it is told to. */
function follow({ messages }: Asked): string {
  const shown = messages.findLast(({ content }) => /^## /m.test(content))?.content ?? '';
  const last = messages.at(-1)?.content ?? '';
  const from = [...last.matchAll(/(?:Begin|Go on) at line (\d\d)/g)].at(-1)?.[1] ?? '01';
  const rows = [...shown.matchAll(/^\s*(\d\d):([A-Z]{3}) ?(.*)$/gm)];
  const said: Record<string, unknown>[] = [];
  for (const [, line = '', code = '', text = ''] of rows.filter(([, line = '']) => line >= from)) {
    said.push({ step: line });
    const set = /^\$x = (\d+|v)$/.exec(text)?.[1];
    const fill = /^Fill\((\d+)\)$/.exec(text)?.[1];
    const words = /^Say\(user, "(.*)"\)$/.exec(text)?.[1];
    if (set) said.push({ set: { x: set === 'v' ? '$v' : Number(set) } });
    if (fill) said.push({ call: 'Fill', args: [Number(fill)] });
    if (words) said.push({ say: words });
    if (code === 'YLD') said.push({ yield: 'call' });
    if (code === 'RET') said.push({ return: text.includes('end') ? 'end' : null });
    if (code === 'YLD' || code === 'RET') break;
  }
  return ops(...said);
}

const high = (said: readonly unknown[]): readonly unknown[] =>
  said.filter((one) => String(one).startsWith('high'));

describe.each([{ inline: 0 }, { inline: 12 }])('with %o', ({ inline }) => {
  test.each([
    [
      ['$x = 20', 'Fill(30)', 'Fill(40)'],
      [20, 30, 40],
    ],
    [
      ['Fill(30)', '$x = 20', 'Fill(40)'],
      [30, 20, 40],
    ],
    [
      ['Fill(30)', 'Fill(40)'],
      [30, 40],
    ],
  ])('%j fires once in each call: at %j', async (lines, at) => {
    const { result, said } = await played(tank(lines, 'When $x > 15'), { replies: follow, inline });
    expect(result.error).toBeUndefined();
    expect(high(said)).toEqual(at.map((one) => `high at ${one}`));
  });

  test('with `retrigger: edge`, what held in another call held when it was last looked at', async () => {
    const lines = ['$x = 20', 'Fill(30)', 'Fill(1)', '$x = 40'];
    const text = tank(lines, 'When $x > 15', 'retrigger: edge\n');
    const { result, said } = await played(text, { replies: follow, inline });
    expect(result.error).toBeUndefined();
    expect(high(said)).toEqual(['high at 20', 'high at 40']);
  });

  test('a model is asked in each call for what it has said of another one', async () => {
    const asked: unknown[] = [];
    const lines = ['$x = 20', 'Fill(30)'];
    const { said } = await played(tank(lines, 'When $x is too much'), {
      replies: follow,
      inline,
      matches: ({ changed, conditions }) => {
        asked.push(changed);
        const [{ id }] = conditions as [{ id: string }];
        return [id];
      },
    });
    expect(asked).toEqual([{ $x: 20 }, { $x: 30 }]);
    expect(high(said)).toEqual(['high at 20', 'high at 30']);
  });
});

test('what is played for a trigger does not set it off, nor does what that calls', async () => {
  const text = `${tank(['$x = 20'], 'When $x > 15').trim()}
- Fill(50)
- $x = 60
- Return "end"
`;
  const { result, said } = await played(text, { replies: follow, inline: 0 });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['high at 20', 'filled 50']);
});

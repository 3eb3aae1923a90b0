/** `$_`: what the last call of a playbook returned. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { link } from '../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/tree-of.ts';
import { quickTool } from '../engine/support.ts';
import { ops, played } from '../planner/playbook/played.ts';

const desk = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const compiled = (text: string) => compiledOf(readTree(text).tree, []);

const twice = '## Twice(n)\n### Steps\n- Return 2 * n\n';

const reading = (name: string, perform: () => unknown) =>
  quickTool(name, perform, { effect: 'read', parameters: { type: 'object', properties: {} } });

const wait = { yield: 'call' };

describe('what $_ is', () => {
  test('it is the result of the playbook that was called last, behind a yield for it', async () => {
    const text = desk('- Twice(4)\n- Twice(21)\n- Say("It is {$_}.")', twice);
    expect(printCompiled(compiled(text))).toContain('03:YLD for call');
    const { result, said, prompts } = await played(text, {
      replies: [
        ops({ call: 'Twice', args: { n: 4 } }, { call: 'Twice', args: { n: 21 } }, wait),
        ops({ return: 8 }),
        ops({ return: 42 }),
        ops({ say: 'It is {$_}.' }),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(said).toEqual(['It is 42.']);
    expect(prompts[3]).toContain('$_ = 42');
  });

  test('a tool may be called and its result be said in one reply', async () => {
    const text = desk('- look()\n- Say("{$_}")\n- Return $_');
    const { result, said } = await played(text, {
      tools: [reading('look', () => 'a lake')],
      replies: [ops({ call: 'look', args: {} }, wait), ops({ say: '{$_}' }, { return: '$_' })],
    });
    expect(said).toEqual(['a lake']);
    expect(result.answer).toBe('a lake');
  });

  test('it is of one call: a playbook that is called has its own', async () => {
    const inner = '## Inner\n### Steps\n- look()\n- Return "{$_}!"\n';
    const { result, prompts } = await played(desk('- Inner()\n- Return "{$_}?"', inner), {
      tools: [reading('look', () => 'a lake')],
      replies: [
        ops({ call: 'Inner', args: {} }, wait),
        ops({ call: 'look', args: {} }, wait),
        ops({ return: '{$_}!' }),
        ops({ return: '{$_}?' }),
      ],
    });
    expect(result.answer).toBe('a lake!?');
    expect(prompts[1]).not.toContain('$_ =');
  });

  test('a call behind one that is queued comes behind it, also where it only reads', async () => {
    const { said } = await played(desk('- Twice(4)\n- look()\n- Say("{$_}")', twice), {
      tools: [reading('look', () => 'a lake')],
      replies: [
        ops({ call: 'Twice', args: { n: 4 } }, { call: 'look', args: {} }, wait),
        ops({ return: 8 }),
        ops({ say: '{$_}' }),
      ],
    });
    expect(said).toEqual(['a lake']);
  });

  test('behind a call that has failed there is none, and the model is told so', async () => {
    const broken = reading('look', () => {
      throw new Error('the lake is dry');
    });
    const { said, prompts } = await played(desk('- Twice(4)\n- look()\n- Say("{$_}")', twice), {
      tools: [broken],
      replies: [
        ops({ call: 'Twice', args: { n: 4 } }, { call: 'look', args: {} }, wait),
        ops({ return: 8 }),
        ops({ say: '{$_}' }),
        ops({ say: 'There is nothing.' }),
      ],
    });
    expect(prompts[2]).toContain('look failed');
    expect(prompts[3]).toContain('$_ has no value yet');
    expect(said).toEqual(['There is nothing.']);
  });
});

test('what is said of a playbook without steps may speak of it, from its first call on', async () => {
  const { result, prompts } = await played(
    '# Desk\n\n## Main\nCall look, then say {$_} in short.\n### Triggers\n- At the beginning\n',
    {
      tools: [reading('look', () => 'a lake')],
      replies: [ops({ call: 'look', args: {} }, wait), ops({ return: '$_' })],
    },
  );
  expect(result.error).toBeUndefined();
  expect(prompts[0]).toContain('then say {$_} in short');
  expect(prompts[1]).toContain('$_ = "a lake"');
  expect(result.answer).toBe('a lake');
});

test('in a compiled playbook, one that is read on a way without a yield is warned of', () => {
  const said = (steps: string) =>
    checkProgram(
      `# Desk\n\n## Main() -> str\n### Triggers\n- T1:BGN At the beginning\n### Steps\n${steps}`,
      { tools: new Map([['look', quickTool('look', () => 1).spec]]), inputs: [] },
      { dialect: 'playbook' },
    ).diagnostics.map(({ code, line }) => `${line}: ${code}`);
  expect(said('- 01:QUE look()\n- 02:QUE Say(user, "{$_}")\n- 03:RET')).toEqual(['8: PV2410']);
  const yielding = '- 01:QUE look()\n- 02:YLD for call\n- 03:QUE Say(user, "{$_}")\n- 04:RET';
  expect(said(yielding)).toEqual([]);
});

test('whoever reads no $_ is shown none, keeps none, and waits for nothing more', async () => {
  const text = desk('- Twice(4)\n- Say("Done.")', twice);
  expect(printCompiled(compiled(text))).not.toContain('YLD for call');
  const { prompts, woven } = await played(text, {
    replies: [ops({ call: 'Twice', args: { n: 4 } }, { say: 'Done.' }), ops({ return: 8 })],
  });
  expect(prompts.join('\n')).not.toContain('$_ =');
  expect(woven).not.toContain('"last": True');
});

test('a call whose result is $_ is made, and none of its steps stands in its place', () => {
  const file = link(compiled(desk('- Twice(4)\n- Return $_', twice)));
  expect(file.inlining).toMatchObject([
    { callee: 'Twice', isInlined: false, why: 'Main reads $_, which its calls set' },
  ]);
});

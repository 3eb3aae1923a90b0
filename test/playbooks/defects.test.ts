/**
 * What went wrong in the interpreters of playbooks there have been, item by item: each tried again
 * here.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkProgram } from '../../src/dialects/index.ts';
import { printCompiled } from '../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../src/dialects/playbook/tree-of.ts';
import type { Model, ModelRequest } from '../../src/effects/model/model.ts';
import { quickTool } from '../engine/support.ts';
import { ops, orders, played, stageOf } from '../planner/playbook/played.ts';
import { streamed } from './streamed.ts';

const desk = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

const call = (name: string, args: object = {}, into?: string) => ({
  ...{ call: name, args },
  ...(into !== undefined && { into }),
});

const wait = { yield: 'call' };

/** A tool that reads and takes nothing. */
const reading = (name: string, perform: () => unknown) =>
  quickTool(name, perform, { effect: 'read', parameters: { type: 'object', properties: {} } });

afterEach(() => vi.restoreAllMocks());

describe('of March', () => {
  test('1: arguments come to the callee, and its result to the variable', async () => {
    const { result, prompts } = await played(
      desk(
        '- $r = F(2)\n- Say("{$r}")\n- Return $r',
        '## F(n)\n### Steps\n- m = n twice\n- Return m\n',
      ),
      {
        replies: [
          ops(call('F', { n: 2 }, 'r'), wait),
          ops({ set: { m: 4 } }, { return: '$m' }),
          ops({ say: '{$r}' }, { return: '$r' }),
        ],
      },
    );
    expect(prompts[1]).toContain('n = 2');
    expect(prompts[1]).toContain('F(n=2)');
    expect(result.answer).toBe(4);
  });

  test('2: what is queued is played in its order, and who has queued it goes on behind it', async () => {
    const rest = '## G\n### Steps\n- Say("g")\n\n## H\n### Steps\n- Say("h")\n';
    const { prompts, said } = await played(desk('- G()\n- H()\n- Say("end")', rest), {
      replies({ prompt }) {
        const [, called] = /It was called as ([GH])\(\)\. Begin/.exec(prompt) ?? [];
        if (called !== undefined) return ops({ say: called.toLowerCase() });
        if (prompt.includes('Go on at line')) return ops({ say: 'end' });
        return ops(call('G'), call('H'), { step: '03' }, wait);
      },
    });
    expect(said).toEqual(['g', 'h', 'end']);
    expect(prompts).toHaveLength(4);
  });

  test('3: a wait for the person that stands alone waits', async () => {
    const { result, prompts } = await played(desk('- Wait for user to say something\n- Return 1'), {
      replies: ['```json\n{"trace":[{"Main:01:YLD":[{"yield_type":"ForUserInput"}]}]}\n```'],
    });
    expect(result).toMatchObject({ status: 'waiting', reason: 'person' });
    expect(prompts).toHaveLength(1);
  });

  test('4: telling several things asks nobody and stops at none of them', async () => {
    const { result, said, prompts } = await played(
      desk('- For each $n in 1 and 2\n  - Say("{$n}")'),
      {
        replies: [ops({ set: { $n: 1 } }, { say: '{$n}' }, { set: { $n: 2 } }, { say: '{$n}' })],
      },
    );
    expect(result.status).toBe('done');
    expect(said).toEqual(['1', '2']);
    expect(prompts).toHaveLength(1);
  });

  test('5: a message to an idle program begins nothing anew, and sets off what it is for', async () => {
    const rest =
      '## Back\n### Triggers\n- When the user wants money back\n### Steps\n- Say("ok")\n';
    const { said, prompts } = await played(desk('- Say("Hello")', rest), {
      idle: true,
      answers: ['my money, please', 'nice weather'],
      matches: ({ message }) => (String(message).includes('money') ? ['Desk.Back:T1'] : []),
      replies: [ops({ say: 'Hello' }), ops({ say: 'ok' }), ops({ say: 'Indeed' })],
    });
    expect(said).toEqual(['Hello', 'ok', 'Indeed']);
    expect(prompts).toHaveLength(3);
    expect(prompts[1]).toContain('It was called as Back(). Begin at line 01.');
    expect(prompts[2]).not.toContain('It was called as Main()');
    expect(prompts[2]).toContain('The person wrote: "nice weather"');
  });

  test.each([
    ['a prologue alone', '{"trace":[{"prologue":"I think"}]}', 'PV7301'],
    ['a line that there is not', '{"trace":[{"Main:17:EXE":[]}]}', 'PV7302'],
  ])('6: %s is named, mended once, and no error of the host', async (_, reply, code) => {
    const mended = await played(desk('- Say("Hi")'), { replies: [reply, ops({ say: 'Hi' })] });
    expect(mended.result.status).toBe('done');
    const twice = await played(desk('- Say("Hi")'), { replies: [reply, reply] });
    expect(twice.result).toMatchObject({ status: 'failed', error: { code } });
  });

  test('7: a tool that fails is told to the model, which goes on', async () => {
    const broken = reading('tide', () => {
      throw new Error('the gauge is dry');
    });
    const { result, prompts } = await played(desk('- $t = tide()\n- Say what came of it'), {
      tools: [broken],
      replies: [ops(call('tide', {}, 't'), wait), ops({ say: 'none' })],
    });
    expect(result.status).toBe('done');
    expect(prompts[1]).toContain('the gauge is dry');
  });

  test('8: what is said comes out while its turn is still going on', async () => {
    const { model } = streamed([[{ say: 'first' }, { say: 'second' }, { return: null }]]);
    const text = desk('- Say("first")\n- Say("second")');
    const { journal, result } = await played(text, { model, replies: [] });
    const types = journal
      .events(result.run)
      .filter(({ type }) => type === 'message.emitted' || type === 'effect.settled')
      .map(({ type }) => type);
    expect(types).toEqual(['message.emitted', 'message.emitted', 'effect.settled']);
  });

  test('9: a call of what another agent has is named, with whose it is', async () => {
    const { prompts } = await played(
      `${desk('- $r = Clerk.Rate()')}\n# Clerk\n\n## Rate\npublic: true\n### Steps\n- Return 1\n`,
      { replies: [ops(call('Desk.Rate')), ops(call('Clerk.Rate'))] },
    );
    expect(prompts[1]).toContain(
      'there is no playbook or tool Desk.Rate; did you mean Clerk.Rate?',
    );
  });

  test('9: a call of what there is not is named, with what is near', async () => {
    const { result, prompts } = await played(
      desk('- Greet()', '## Greet\n### Steps\n- Say("Hi")\n'),
      {
        replies: [ops(call('Great')), ops(call('Greet')), ops({ say: 'Hi' })],
      },
    );
    expect(prompts[1]).toContain('there is no playbook or tool Great; did you mean Greet?');
    expect(result.status).toBe('done');
  });

  test('10: what a person wrote is for the playbook that has asked, and for no other', async () => {
    const { prompts } = await played(
      desk('- Ask user for $name\n- F()\n- Say("bye")', '## F\n### Steps\n- Say("f")\n'),
      {
        answers: ['it is Zebulon'],
        replies: [
          ops({ say: 'Name?' }, { yield: 'user' }),
          ops({ set: { $name: 'Z' } }, call('F'), wait),
          ops({ say: 'f' }),
          ops({ say: 'bye' }),
        ],
      },
    );
    expect(prompts.map((prompt) => prompt.includes('Zebulon'))).toEqual([false, true, false, true]);
  });

  test('11: the conversation of a frame goes on, word for word', async () => {
    const tide = reading('tide', () => 'low');
    const { prompts } = await played(desk('- $t = tide()\n- Say("{$t}")'), {
      tools: [tide],
      replies: [ops(call('tide', {}, 't'), wait), ops({ say: '{$t}' })],
    });
    expect(prompts[1]?.startsWith(prompts[0] ?? '?')).toBe(true);
  });

  test('12: no clock ends a run or a playbook: a person may take days', async () => {
    let now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => (now += 3_600_000));
    const text = desk('- Ask user for $name\n- Say("Hi {$name}")');
    const replies = [ops({ say: 'Name?' }, { yield: 'user' })];
    const stage = stageOf(text, { replies });
    const asked = await stage.start();
    expect(asked.status).toBe('waiting');
    now += 9 * 24 * 3_600_000;
    const { journal } = stage;
    const later = stageOf(text, {
      ...{ journal, answers: ['Ann'] },
      replies: () => ops({ set: { $name: 'Ann' } }, { say: 'Hi {$name}' }),
    });
    expect(await later.resume(asked.run)).toMatchObject({ status: 'done' });
  });

  test('13: two agents or playbooks of one name are refused', () => {
    const tools = { tools: new Map(), inputs: [] };
    const check = (text: string) => checkProgram(text, tools, { dialect: 'playbook' }).diagnostics;
    const other = '# Desk\n\n## Other\n### Steps\n- Say("x")\n';
    const twice = check(`${desk('- Say("Hi")')}\n${other}`);
    expect(twice.filter(({ severity }) => severity === 'error')).toHaveLength(1);
    const same = check(desk('- Say("Hi")', '## Main\n### Steps\n- Say("x")\n'));
    expect(same.some(({ message }) => message.includes('Main'))).toBe(true);
  });

  test('14: two agents call each other to and fro', async () => {
    const text =
      `${desk('- $n = Wall.Hit(1)\n- Return $n', '## Back(n)\npublic: true\n### Steps\n- Return n\n')}\n` +
      '# Wall\n\n## Hit(n)\npublic: true\n### Steps\n- m = Desk.Back(n)\n- Say("{m}")\n- Return m\n';
    const { result, said } = await played(text, {
      replies: [
        ops(call('Wall.Hit', { n: 1 }, '$n'), wait),
        ops(call('Desk.Back', { n: '$n' }, 'm'), wait),
        ops({ return: '$n' }),
        ops({ say: '{m}' }, { return: '$m' }),
        ops({ return: '$n' }),
      ],
    });
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(said).toEqual(['1']);
  });

  test('15: nothing of prompts and variables is printed', async () => {
    const out = vi.spyOn(process.stdout, 'write');
    const log = vi.spyOn(console, 'log');
    await played(desk('- Say("Hi")'), { replies: [ops({ say: 'Hi' })] });
    expect(out).not.toHaveBeenCalled();
    expect(log).not.toHaveBeenCalled();
  });
});

describe('of the last one', () => {
  test('no message is lost behind one that was streamed, also within a condition', async () => {
    const steps = '- Say("one")\n- $n = 2\n- If $n is 2\n  - Say("two {$n}")\n- Say("three")';
    const { said } = await played(desk(steps), {
      replies: [ops({ say: 'one' }, { set: { $n: 2 } }, { say: 'two {$n}' }, { say: 'three' })],
    });
    expect(said).toEqual(['one', 'two 2', 'three']);
  });

  test('what stands behind a wait or a return never acts', async () => {
    const calls: unknown[] = [];
    const order = quickTool('order', ({ n }) => calls.push(n), orders);
    const { result, said } = await played(desk('- Ask user for $n\n- order($n)'), {
      tools: [order],
      answers: ['3'],
      replies: [
        ops({ say: 'How many?' }, { yield: 'user' }, call('order', { n: 99 }), { say: 'done' }),
        ops(
          { set: { $n: 3 } },
          call('order', { n: '$n' }),
          { return: 1 },
          call('order', { n: 98 }),
        ),
      ],
    });
    expect(result.error).toBeUndefined();
    expect(calls).toEqual([3]);
    expect(said).toEqual(['How many?']);
  });

  test('a turn that is mended repeats no effect', async () => {
    const calls: unknown[] = [];
    const order = quickTool('order', ({ n }) => calls.push(n), orders);
    const first = [call('order', { n: 1 }), { say: 'ordered' }];
    const { result, said } = await played(desk('- order(1)\n- Say("ordered")\n- Return 1'), {
      tools: [order],
      replies: [ops(...first, { step: '44' }), ops(...first, { return: 1 })],
    });
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(calls).toEqual([1]);
    expect(said).toEqual(['ordered']);
  });

  test('steps that are left out are seen', async () => {
    const { result } = await played(desk('- Say("terms")\n- Ask user for $ok\n- Return $ok'), {
      replies: () => ops({ step: '03' }, { return: true }),
    });
    expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7303' } });
  });

  test('conditions that are expressions ask no model, and fire once in a frame', async () => {
    const judged: unknown[] = [];
    const rest = '## B\n### Triggers\n- When $x > 15\n### Steps\n- Say("big")\n';
    const { said } = await played(desk('- $x = 20\n- $x = 30\n- Return $x', rest), {
      matches(one) {
        judged.push(one);
        return [];
      },
      replies: [
        ops({ set: { $x: 20 } }),
        ops({ say: 'big' }),
        ops({ step: '02' }, { set: { $x: 30 } }, { step: '03' }, { return: '$x' }),
      ],
    });
    expect(judged).toEqual([]);
    expect(said).toEqual(['big']);
  });

  test('calls that do not need each other run beside each other', async () => {
    let under = 0;
    let most = 0;
    const slow = {
      ...quickTool('look', () => '', { effect: 'read', parameters: orders.parameters }),
      perform: async () => {
        most = Math.max(most, ++under);
        for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
        return under--;
      },
    };
    const { result } = await played(desk('- $a = look(1)\n- $b = look(2)\n- Say("{$a} {$b}")'), {
      tools: [slow],
      replies: [
        ops(call('look', { n: 1 }, '$a'), call('look', { n: 2 }, '$b'), wait),
        ops({ say: '{$a} {$b}' }),
      ],
    });
    expect(result.status).toBe('done');
    expect(most).toBe(2);
  });

  test('requests are marked for providers that keep what they have read', async () => {
    const requests: ModelRequest[] = [];
    const model: Model = {
      name: 'marked',
      async complete(request, context) {
        requests.push(request);
        const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 };
        context.use(usage);
        return { text: ops({ say: 'Hi' }), finishReason: 'stop', usage };
      },
    };
    await played(desk('- Say("Hi")'), { model, replies: [] });
    expect(requests[0]?.messages.map(({ role, keep }) => [role, keep])).toEqual([
      ['system', true],
      ['user', true],
    ]);
  });

  test('each change of a variable is an event of the run', async () => {
    const { journal, result } = await played(desk('- $n = 2\n- Return $n'), {
      replies: [ops({ set: { $n: 2 } }, { return: '$n' })],
    });
    const sets = journal
      .events(result.run)
      .filter((event) => event.type === 'effect.part' && event.value.includes('"set"'));
    expect(sets).toHaveLength(1);
  });

  test.each(['Loadfile("/etc/passwd")', 'open("/etc/passwd")', 'eval("1")'])(
    'there is no %s for a reply to call',
    async (statement) => {
      const { result } = await played(desk('- Say("Hi")'), {
        replies: () => `\`\`\`python\nx = await ${statement}\n\`\`\``,
      });
      expect(result).toMatchObject({ status: 'failed', error: { code: 'PV7304' } });
    },
  );

  test('a placeholder is filled in with what is there, and runs no code', async () => {
    const text = desk(
      '- F(2)',
      '## F(n)\nOf {n}, not of {open("/etc/passwd")}.\n### Steps\n- Say("f")\n',
    );
    const { prompts, result } = await played(text, {
      replies: [ops(call('F', { n: 2 }), wait), ops({ say: 'f' })],
    });
    expect(result.status).toBe('done');
    expect(prompts[1]).toContain('Of 2, not of {open("/etc/passwd")}.');
  });

  test('a message may be as long as it is', async () => {
    const long = 'word '.repeat(40_000);
    const { result } = await played(desk('- Ask user for $text\n- Return $text'), {
      answers: [long],
      replies: [
        ops({ say: 'Text?' }, { yield: 'user' }),
        ops({ set: { $text: 'long' } }, { return: '$text' }),
      ],
    });
    expect(result).toMatchObject({ status: 'done', answer: 'long' });
  });

  test('a playbook without steps is followed without being compiled by a model first', async () => {
    const { result, prompts } = await played(
      '# Desk\n\n## Main\nSay hello.\n### Triggers\n- At the beginning\n',
      { replies: [ops({ say: 'Hello' }, { return: 1 })] },
    );
    expect(result).toMatchObject({ status: 'done', answer: 1 });
    expect(prompts).toHaveLength(1);
  });

  test('what is compiled plays as what it was compiled from', async () => {
    const text = desk('- $n = F(2)\n- Say("{$n}")', '## F(n)\n### Steps\n- Say("f")\n- Return n\n');
    const replies = [
      ops(call('F', { n: 2 }, 'n'), wait),
      ops({ say: 'f' }, { return: '$n' }),
      ops({ say: '{$n}' }),
    ];
    const source = await played(text, { replies });
    const printed = printCompiled(compiledOf(readTree(text).tree, []));
    const compiled = await played(printed, { replies });
    expect(source.said).toEqual(['f', '2']);
    expect(compiled.said).toEqual(source.said);
    expect(compiled.prompts).toEqual(source.prompts);
  });
});

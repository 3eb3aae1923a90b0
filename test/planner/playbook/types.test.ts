/** Types that playbooks declare: what is computed is held to them as what is spelled out is. */
import { describe, expect, test } from 'vitest';
import type { Handler } from '../../../src/engine/handler.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { orders, type PlayOptions, played } from './played.ts';

const main = (steps: string, rest = ''): string =>
  `# Till\n${rest}## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}`;

const tool = (name: string, value: unknown): Handler => ({
  spec: toolSpec({ name, description: '', parameters: {} }),
  perform: async () => value as never,
});

async function play(text: string, options: PlayOptions) {
  const { result, prompts } = await played(text, options);
  const { status, answer, error } = result;
  return { status, answer, error: error && `${error.code} ${error.message}`, prompts };
}

describe('an expression', () => {
  const text = main('- $word = "ten"\n- $n:int = $word\n- Return $n');
  const wrong = '{"step":"01"}\n{"set":{"$word":"ten"}}\n{"step":"02"}\n{"set":{"$n":"$word"}}';
  const right = '{"step":"02"}\n{"set":{"$n":10}}\n{"step":"03"}\n{"return":"$n"}';

  test('of another type is told, and put right', async () => {
    const { answer, prompts } = await play(text, { replies: [wrong, right] });
    expect(answer).toBe(10);
    expect(prompts[1]).toContain('at Till.Main:02: got "ten" for $n, want a value of the type int');
  });

  test('ends the run when it comes again', async () => {
    const { error } = await play(text, { replies: [wrong, wrong] });
    expect(error).toMatch(/^PV7314 .*got "ten" for \$n, want a value of the type int/);
  });

  test('is let pass where that is asked for', async () => {
    const reply = `${wrong}\n{"step":"03"}\n{"return":"$n"}`;
    expect((await play(text, { replies: [reply], strictness: 'advise' })).answer).toBe('ten');
  });
});

describe('what a call gives', () => {
  const text = main('- $n:int = Count()\n- Return $n');
  const first = '{"step":"01"}\n{"call":"Count","into":"$n"}\n{"yield":"call"}';

  test('a tool: of another type it has failed', async () => {
    const { answer, prompts } = await play(text, {
      replies: [first, '{"step":"02"}\n{"return":0}'],
      tools: [tool('Count', 'many')],
    });
    expect(answer).toBe(0);
    expect(prompts[1]).toContain(
      'Count into $n failed: got "many" for $n, want a value of the type int',
    );
  });

  test('a tool: a number that is written as a text is one', async () => {
    const { answer } = await play(text, {
      replies: [first, '{"step":"02"}\n{"return":"$n"}'],
      tools: [tool('Count', ' 41 ')],
    });
    expect(answer).toBe(41);
  });

  test.each([0, 8])('a playbook, with inlining up to %d steps', async (inline) => {
    const sub = '## Count\n### Steps\n- $words = "many"\n- Return $words\n';
    const counting = '{"step":"01"}\n{"set":{"$words":"many"}}\n{"step":"02"}\n{"return":"$words"}';
    const inner =
      '{"step":"01.01"}\n{"set":{"$words":"many"}}\n{"step":"01.02"}\n{"set":{"$n":"$words"}}';
    const again = '{"step":"01.02"}\n{"set":{"$n":0}}\n{"step":"02"}\n{"return":"$n"}';
    const { answer, prompts } = await play(main('- $n:int = Count()\n- Return $n\n', '') + sub, {
      replies: inline === 0 ? [first, counting, '{"step":"02"}\n{"return":0}'] : [inner, again],
      inline,
    });
    expect(answer).toBe(0);
    expect(prompts.at(-1)).toContain('got "many" for $n, want a value of the type int');
  });
});

describe('a parameter', () => {
  const sub = '\n## Twice(n:int)\n### Steps\n- Say how much it is\n- Return n * 2\n';
  const text = (steps: string, rest = ''): string => main(steps, rest) + sub;
  const twice = '{"step":"01"}\n{"say":"{n} twice"}\n{"step":"02"}\n{"return":"n * 2"}';

  test('that a reply gives another type is told', async () => {
    const call = (value: string): string =>
      `{"step":"01"}\n{"call":"Twice","args":{"n":${value}},"into":"$r"}\n{"yield":"call"}`;
    const { answer, prompts } = await play(text('- $r = Twice("many")\n- Return $r'), {
      replies: [call('"many"'), call('"4"'), twice, '{"step":"02"}\n{"return":"$r"}'],
      inline: 0,
    });
    expect(prompts[1]).toContain('got "many" for n of Twice, want a value of the type int');
    expect(answer).toBe(8);
  });

  test('that a function gives another type is an error of the function', async () => {
    const code = '```tools\ndef Try():\n    return Twice("many")\n```\n';
    const { prompts } = await play(text('- $r = Try()\n- Return $r', code), {
      replies: [
        '{"step":"01"}\n{"call":"Try","into":"$r"}\n{"yield":"call"}',
        '{"step":"02"}\n{"return":0}',
      ],
      inline: 0,
    });
    expect(prompts[1]).toMatch(
      /Try into \$r failed: .*Twice: got .*many.* for n of Twice, want a value of the type int/,
    );
  });

  test('of the beginning: an input of another type ends the run, a person is asked again', async () => {
    const asking =
      '# Till\n## Main($n:int)\n### Triggers\n- At the beginning\n### Steps\n- Return $n';
    const replies = ['{"step":"01"}\n{"return":"$n"}'];
    const given = await play(asking, { replies, given: { n: 'many' } });
    expect(given.error).toMatch(
      /^PV7314 at Till.Main: got "many" for \$n of Main, want a value of the type int/,
    );
    const { result } = await played(asking, { replies, given: { n: 'many' } });
    expect(result.error).toMatchObject({ file: 'x.playbook.md', line: 6, step: 'Main:01' });
    const asked = await play(asking, { replies, answers: ['many', '7'] });
    expect(asked.answer).toBe(7);
    const never = await play(asking, { replies, answers: ['a', 'b', 'c'] });
    expect(never.error).toMatch(/^PV7314 at Till.Main:01: got "c" for \$n, want/);
  });
});

describe('types with parts', () => {
  const text = main('- $word = "ten"\n- $all:list[int] = [1, $word]\n- Return $all');
  const set = (value: string): string =>
    `{"step":"01"}\n{"set":{"$word":"ten"}}\n{"step":"02"}\n{"set":{"$all":${value}}}`;
  const right = '{"step":"02"}\n{"set":{"$all":[1,2]}}\n{"step":"03"}\n{"return":"$all"}';

  test.each(['[1, "ten"]', '[1, "$word"]', '["$word"]'])('hold items: %s', async (value) => {
    const { answer, prompts } = await play(text, { replies: [set(value), right] });
    expect(answer).toEqual([1, 2]);
    expect(prompts[1]).toContain('for $all, want a value of the type list[int]');
  });

  test('hold what is returned to the values that there are', async () => {
    const rated = `# Till\n## Main -> Literal["hot", "cold"]\n### Triggers\n- At the beginning
### Steps\n- Return how warm it is`;
    const replies = ['{"step":"01"}\n{"return":"warm"}', '{"step":"01"}\n{"return":"hot"}'];
    const { answer, prompts } = await play(rated, { replies });
    expect(answer).toBe('hot');
    expect(prompts[1]).toContain(
      'Main gives "warm", want a value of the type Literal["hot", "cold"]',
    );
  });
});

describe('a text that a variable hands to a tool for a number', () => {
  const order: Handler = {
    spec: toolSpec({ name: 'Order', description: '', ...orders }),
    perform: async ({ n }) => `${n} as a ${typeof n}`,
  };
  const called =
    '{"step":"01"}\n{"set":{"$n":"2"}}\n{"step":"02"}\n' +
    '{"call":"Order","args":{"n":"$n"},"into":"$x"}\n{"yield":"call"}';
  const end = '{"step":"03"}\n{"return":"$x"}';
  const handed = (target: string, last: string) =>
    play(main(`- ${target} = "2"\n- $x = Order($n)\n- Return $x`), {
      replies: [called, last],
      tools: [order],
    });

  test('is one where the variable is declared as one', async () => {
    expect(await handed('$n:int', end)).toMatchObject({ answer: '2 as a number' });
  });

  test('stays a text else: the call fails, and says so', async () => {
    const { answer, prompts } = await handed('$n', '{"step":"03"}\n{"return":"none"}');
    expect(answer).toBe('none');
    expect(prompts[1]).toContain('wrong arguments for Order: n: got string "2", want integer');
  });
});

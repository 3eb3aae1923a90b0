/** What a playbook says that it returns: what it does return is held to that. */
import { describe, expect, test } from 'vitest';
import { link } from '../../../src/dialects/playbook/link/link.ts';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { compiledOf, readTree } from '../../../src/dialects/playbook/tree-of.ts';
import { fileOf } from '../../dialects/playbook/written.ts';
import { type PlayOptions, played } from './played.ts';

const program = (steps: string, rest: string): string =>
  `# Till\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n${rest}`;

async function play(text: string, options: PlayOptions) {
  const { result, prompts } = await played(text, { inline: 0, ...options });
  const { status, answer, error } = result;
  return { status, answer, error: error && `${error.code} ${error.message}`, prompts };
}

const count = '## Count -> int\n### Steps\n- $words = "many"\n- Return $words\n';
const call = '{"step":"01"}\n{"call":"Count","into":"$r"}\n{"yield":"call"}';
const returned = '{"step":"02"}\n{"return":"$r"}';
const words = '{"step":"01"}\n{"set":{"$words":"many"}}\n';
const many = `${words}{"step":"02"}\n{"return":"$words"}`;
const wrong = 'Count gives "many", want a value of the type int';

describe('a playbook that says what it gives', () => {
  const text = program('- $r = Count()\n- Return $r', count);

  test('what is computed and of another type is told once, and put right', async () => {
    const { answer, prompts } = await play(text, {
      replies: [call, many, '{"step":"02"}\n{"return":3}', returned],
    });
    expect(prompts[2]).toContain(wrong);
    expect(answer).toBe(3);
  });

  test('what is spelled out, too; a number that is written as a text is one', async () => {
    const { answer, prompts } = await play(text, {
      replies: [
        ...[call, `${words}{"step":"02"}\n{"return":"too many"}`],
        ...['{"step":"02"}\n{"return":"3"}', returned],
      ],
    });
    expect(prompts[2]).toContain('Count gives "too many", want a value of the type int');
    expect(answer).toBe(3);
  });

  test('the second time ends the run; who is only advised goes on', async () => {
    const replies = [call, many, '{"step":"02"}\n{"return":"$words"}'];
    const { error } = await play(text, { replies });
    expect(error).toMatch(/^PV7314 .*at Till.Count:02: Count gives "many", want a value of /);
    const advised = await play(text, { replies: [call, many, returned], strictness: 'advise' });
    expect(advised.answer).toBe('many');
  });

  test('a call that is the last thing it does is held to what the caller says', async () => {
    const middle = '## Middle -> int\n### Steps\n- $q = Last()\n- Return $q\n';
    const last = '## Last\n### Steps\n- $words = "many"\n- Return $words\n';
    const of = (gives: string): string =>
      program('- $r = Middle()\n- Return $r', middle + last.replace('Last', `Last${gives}`));
    const tails = (gives: string): (true | undefined)[] =>
      [...(link(fileOf(of(gives)), { inlineSteps: 0 }).agents[0]?.playbooks[1]?.lines ?? [])].map(
        ([, { tail }]) => tail,
      );
    expect(tails('')).not.toContain(true);
    expect(tails(' -> str')).not.toContain(true);
    expect(tails(' -> integer')).toContain(true);
    expect(tails(' -> int')).toContain(true);
    const { answer, prompts } = await play(of(''), {
      replies: [
        call.replace('Count', 'Middle'),
        '{"step":"01"}\n{"call":"Last","into":"$q"}\n{"yield":"call"}',
        ...[many, '{"step":"02"}\n{"return":"$q"}', '{"step":"02"}\n{"return":4}'],
      ],
    });
    expect(prompts[4]).toContain('Middle gives "many", want a value of the type int');
    expect(answer).toBe(4);
  });

  test('a function of its name has failed', async () => {
    const code = '```tools\n@playbook(public=True)\ndef Count() -> int:\n    return "many"\n```\n';
    const { prompts } = await play(text.replace(count, '').replace('## Main', `${code}## Main`), {
      replies: [call, '{"step":"02"}\n{"return":0}'],
    });
    expect(prompts[1]).toContain(wrong);
  });

  test.each(['', '@playbook\n'])(
    'a function that is no playbook has failed, too: %j',
    async (mark) => {
      const block = `\`\`\`tools\n${mark}def Count() -> int:\n    return WORDS\n\`\`\`\n`;
      const of = (words: string): string =>
        text.replace(count, '').replace('## Main', `${block.replace('WORDS', words)}## Main`);
      const replies = [call, '{"step":"02"}\n{"return":"$r"}'];
      const wronged = [call, '{"step":"02"}\n{"return":0}'];
      const { prompts } = await play(of('"many"'), { replies: wronged });
      expect(prompts[1]).toContain(wrong);
      const bare = of('"many"').replace('- $r = Count()\n- Return $r', '- Count()\n- Return 0');
      const alone = await play(bare, {
        replies: [call.replace(',"into":"$r"', ''), wronged[1] ?? ''],
      });
      expect(alone.prompts[1]).toContain(wrong);
      expect((await play(of('"3"'), { replies })).answer).toBe(3);
      const advised = await play(of('"many"'), { replies, strictness: 'advise' });
      expect(advised.answer).toBe('many');
    },
  );

  test('what functions give is written into the compiled form, and read back', () => {
    const types = '(n: int, m = ")") -> list[str]';
    const block = `\`\`\`tools\ndef Count${types}:\n    return []\ndef One(): return 1\n\`\`\`\n`;
    const of = `# Till\n${block}## Main\n### Steps\n- $r = Count(1)\n`;
    const printed = printCompiled(fileOf(of));
    expect(printed).toContain('def Count(n, m = ")") -> list[str]:\n    return []\ndef One(): ');
    expect(printCompiled(compiledOf(readTree(printed).tree))).toBe(printed);
  });

  test('words alone are told before they are said', async () => {
    const free = '## Count -> int\nHow many?\n';
    const of = program('- $r = Count()\n- Return $r', free);
    const { result, prompts, said } = await played(of, {
      ...{ inline: 0, replies: [call, 'many', '5', returned] },
    });
    expect(prompts[2]).toContain(wrong);
    expect(said).toEqual(['5']);
    expect(result.answer).toBe(5);
  });

  test('a description alone is asked once more', async () => {
    const raw = '## Count -> int\nexecution_mode: raw\n\nHow many?\n';
    const of = program('- $r = Count()\n- Return $r', raw);
    const { answer, prompts } = await play(of, { replies: [call, 'many', '5', returned] });
    expect(prompts[2]).toContain(wrong);
    expect(answer).toBe(5);
    const { result } = await played(of, { inline: 0, replies: [call, 'many', 'many'] });
    expect(result.error?.message).toContain(`at Till.Count: ${wrong}`);
    expect(result.warnings.filter(({ message }) => message.includes(wrong))).toHaveLength(1);
  });
});

describe('in the place of its call', () => {
  const inlining = (steps: string, rest = count) =>
    link(fileOf(program(steps, rest))).inlining.map(({ isInlined, why }) =>
      isInlined ? true : why,
    );

  test('its type is that of the variable that gets the result', async () => {
    const { answer, prompts } = await play(program('- $r = Count()\n- Return $r', count), {
      inline: 8,
      replies: [
        '{"step":"01.01"}\n{"set":{"$words":"many"}}\n{"step":"01.02"}\n{"set":{"$r":"$words"}}',
        '{"step":"01.02"}\n{"set":{"$r":0}}\n{"step":"02"}\n{"return":"$r"}',
      ],
    });
    expect(prompts[1]).toContain('got "many" for $r, want a value of the type int');
    expect(answer).toBe(0);
  });

  test.each<[string, string, string | true]>([
    ['- $r = Count()\n- $r = "none"', count, 'it gives int, and $r is set elsewhere, too'],
    ['- $r:str = Count()', count, 'it gives int, not str'],
    ['- $r:integer = Count()\n- $r = 5', count, true],
    ['- Return Count()', count, 'it gives int, and Main does not say so'],
    ['- Count()', count, 'it gives int, which no variable takes'],
    ['- Count()', '## Count -> int\n### Steps\n- Say("Many")\n', true],
    ['- $r = Count()', count.replace('int', 'some bikes'), true],
    [
      '- $r = Count()',
      `${count}## Other\n### Steps\n- $r = "none"\n`,
      'it gives int, and $r is set elsewhere, too',
    ],
    ['- r = Count()', `${count}## Other\n### Steps\n- r = "none"\n`, true],
  ])('%s', (steps, rest, want) => {
    expect(inlining(steps, rest)).toEqual([want]);
  });
});

test('a function that is set off and gives another type ends the run at its place', async () => {
  const code =
    '```tools\n@playbook(triggers = ["When $n > 3"])\ndef Check(n) -> bool:\n' +
    '    return "yes"\n```\n';
  const { error } = await play(program('- $n = 7\n- Return $n', code), {
    replies: ['{"step":"01"}\n{"set":{"$n":7}}\n{"step":"02"}\n{"return":"$n"}'],
  });
  expect(error).toMatch(
    /^PV7314 .*at Till.Check: Check gives "yes", want a value of the type bool/,
  );
});

/**
 * What a reply sets before it names a line belongs to the question that was answered: it moves
 * nothing, and counts for no line and no round of a loop.
 */
import { describe, expect, test } from 'vitest';
import { forms, type Op } from '../../playbooks/forms.ts';
import { ops, played } from './played.ts';

const trips = (...lines: readonly string[]) =>
  `# Trips\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

const at = (step: string) => ({ step });
const set = (name: string, value: unknown) => ({ set: { [name]: value } });
const asked = ops(at('01'), { say: 'Where to?' }, at('02'), { yield: 'user' });
const ends = (line: number) => [
  ...[at(`0${line}`), { say: 'To {$city}.' }],
  ...[at(`0${line + 1}`), { return: '$city' }],
];

describe('where lines ahead set the same variable', () => {
  const branch = ['- If $city is a country', '  - $city = its capital'];
  const says = ['- Say("To {$city}.")', '- Return $city'];
  const capital = trips('- Ask user for $city', ...branch, ...says);
  const unnamed = trips('- Ask the user where to go, and wait', ...branch, ...says);
  const unread = trips(
    '- Ask the user where to go, and wait',
    '- If it rains',
    '  - $city = Bath',
    ...says,
  );
  const own = trips('- Ask user for $city', '- $city = the capital of $city', ...says);
  const paris = [at('03'), at('03.01'), set('city', 'Paris'), ...ends(4)];

  test.each<readonly [string, string, readonly object[], string]>([
    ['what holds', capital, [set('city', 'France'), ...paris], 'Paris'],
    ['what does not hold', capital, [set('city', 'Ulm'), at('03'), ...ends(4)], 'Ulm'],
    ['before a branch that may not be', unread, [set('city', 'Ulm'), at('03'), ...ends(4)], 'Ulm'],
    ['behind the wait', capital, [at('02'), set('city', 'France'), ...paris], 'Paris'],
    ['in no words of it', unnamed, [set('city', 'France'), ...paris], 'Paris'],
    ['what a line makes of it', own, [set('city', 'France'), ...paris.slice(2)], 'Paris'],
    ['the next line', own, [set('city', 'France'), at('03'), ...paris.slice(2)], 'Paris'],
  ])('%s', async (_, program, reply, city) => {
    const { result, said, prompts } = await played(program, {
      replies: [asked, ops(...reply)],
      answers: ['France'],
    });
    expect(result).toMatchObject({ status: 'done', answer: city, warnings: [] });
    expect([said.at(-1), prompts.length]).toEqual([`To ${city}.`, 2]);
  });

  test.each([
    [
      'april',
      [
        '`Var[$city, "France"]`\n`Step["Main:03:CND"]`\n`Step["Main:03.01:EXE"]`',
        '`Var[$city, "Paris"]`\n`Step["Main:04:QUE"]` `Say("To {$city}.")`',
        '`Step["Main:05:RET"]` `Return[$city]`\nyld return',
      ],
    ],
    [
      'Python',
      [
        'self.state.city = "France"\nawait self.Step("Main:03:CND")',
        'await self.Step("Main:03.01:EXE")\nself.state.city = "Paris"',
        'await self.Step("Main:04:QUE")\nawait Say("user", f"To {self.state.city}.")',
        'await self.Step("Main:05:RET")\nawait self.Return(self.state.city)',
      ],
    ],
  ])('in replies as %s', async (form, lines) => {
    const text = lines.join('\n');
    const reply = form === 'Python' ? `\`\`\`python\n${text}\n\`\`\`` : text;
    const { result } = await played(capital, { replies: [asked, reply], answers: ['France'] });
    expect(result).toMatchObject({ status: 'done', answer: 'Paris', warnings: [] });
  });

  test.each([
    ['a trace in JSON', forms['a trace in JSON']],
    ['a trace in YAML', forms['a trace in YAML']],
    ['JSON, a line each', forms['JSON, a line each']],
  ])('at the first line of the reply, in %s', async (_, form) => {
    const twice = trips('- Up to 2 times:', '  - Ask for another $city', '  - Say("To {$city}.")');
    const reply = (...ops: readonly Op[]) => form?.({ of: 'Main', ops }, twice) ?? '';
    const ask = [at('01'), at('01.01'), { say: 'Where to?' }, at('01.02'), { yield: 'user' }];
    const tell = (name: string) => [at('01.03'), set('$city', name), { say: 'To {$city}.' }];
    const { result } = await played(twice, {
      replies: [
        reply(...ask),
        reply(...tell('Ulm'), at('01.04'), ...ask),
        reply(...tell('Bath'), at('01.04'), at('01'), { return: null }),
      ],
      answers: ['Ulm', 'Bath'],
    });
    expect(result).toMatchObject({ status: 'done', warnings: [] });
  });

  const bad = { call: 'nothing', args: {} };
  const begun = [set('city', 'France'), at('03'), at('03.01'), set('city', 'Paris')];

  test.each<readonly [string, readonly object[], readonly object[]]>([
    ['all of it', begun, [set('city', 'France'), ...paris]],
    ['the answer, and goes on', begun, [set('city', 'France'), ...ends(4)]],
    ['the answer, and nothing else was', begun.slice(0, 1), [set('city', 'France'), ...paris]],
    ['the answer behind a line', [at('03')], [set('city', 'France'), ...paris.slice(1)]],
  ])('who is to mend a reply tells again %s', async (_, first, again) => {
    const { result, said } = await played(capital, {
      replies: [asked, ops(...first, bad), ops(...again)],
      answers: ['France'],
    });
    expect([result.status, result.answer, said.at(-1)]).toEqual(['done', 'Paris', 'To Paris.']);
  });

  test('who names no lines sets the answer first, and then what the line says', async () => {
    const sets = [set('city', 'France'), set('city', 'Paris')];
    const { result } = await played(own, {
      replies: [asked, ops(...sets, { say: 'To {$city}.' }, { return: '$city' })],
      answers: ['France'],
    });
    expect(result).toMatchObject({ status: 'done', answer: 'Paris', warnings: [] });
  });

  test('what a line decides is held to it, as nobody was asked for it', async () => {
    const program = trips('- Ask user for $city', '- $price = 3', '- Return $price');
    const { prompts } = await played(program, {
      replies: [
        asked,
        ops(set('price', 7), at('04'), { return: '$price' }),
        ops(at('03'), set('price', 3), at('04'), { return: '$price' }),
      ],
      answers: ['Rome'],
    });
    expect(prompts[2]).toContain('line 03 sets $price to 3, got 7');
  });
});

describe('in loops, it is of the round that asked', () => {
  const loop = (head: string, ...lines: readonly string[]) =>
    trips(
      `- ${head}`,
      ...['- Ask user for $word', ...lines].map((one) => `  ${one}`),
      '- Return 1',
    );
  const ask = [at('01'), at('01.01'), { say: 'Word?' }, at('01.02'), { yield: 'user' }];
  const leave = [at('01'), at('02'), { return: 1 }];

  test.each<readonly [string, string, readonly object[], readonly object[]]>([
    ['so many', loop('Three times:', '- Say("Thanks.")'), [{ say: 'Thanks.' }], [at('01.04')]],
    [
      'so many at most',
      loop('Up to 3 times:', '- If $word is new', '  - Break'),
      [],
      [at('01.04')],
    ],
    ['a question alone', loop('Three times:'), [], []],
    ['as long as', loop('While $word is not odd (up to 3 times)', '- Think'), [], [at('01.04')]],
  ])('%s', async (_, program, acts, back) => {
    const round = (word: string) => [set('word', word), at('01.03'), ...acts, ...back];
    const { result, prompts } = await played(program, {
      replies: [
        ops(...ask),
        ops(...round('a'), ...ask),
        ops(...round('b'), ...ask),
        ops(...round('c'), ...leave),
      ],
      answers: ['a', 'b', 'c'],
    });
    expect(result).toMatchObject({ status: 'done', answer: 1, warnings: [] });
    const told = prompts
      .slice(1)
      .map((one) => [...one.matchAll(/At line 01: (.*)\./g)].at(-1)?.[1]);
    expect(told).toEqual(['round 1 of 3', 'round 2 of 3', 'round 3 of 3']);
  });

  test('the line behind that sets it is of the same round', async () => {
    const program = trips(
      ...['- Three times:', '  - Say("How many?")', '  - Wait for the user'],
      ...['  - $n = what the user said', '- Return $n'],
    );
    const how = [at('01'), at('01.01'), { say: 'How many?' }, at('01.02'), { yield: 'user' }];
    const round = (n: number) => [set('n', n), at('01.03'), at('01.04')];
    const { result, prompts } = await played(program, {
      replies: [
        ops(...how),
        ops(...round(1), ...how),
        ops(...round(2), ...how),
        ops(...round(3), at('01'), at('02'), { return: '$n' }),
      ],
      answers: ['1', '2', '3'],
    });
    expect(prompts.at(-1)).toContain('At line 01: round 3 of 3.');
    expect(result).toMatchObject({ status: 'done', answer: 3 });
  });

  test('a line behind the loop that sets it, too, waits for its turn', async () => {
    const program = trips(
      ...['- Twice:', '  - While $ok is not "yes"', '    - Ask user for $ok'],
      ...['  - $ok = "no"', '- Return 1'],
    );
    const inner = [at('01.01'), at('01.01.01'), { say: 'OK?' }, at('01.01.02'), { yield: 'user' }];
    const over = [set('ok', 'yes'), at('01.01.03'), at('01.01'), at('01.02'), set('ok', 'no')];
    const { result } = await played(program, {
      replies: [
        ops(at('01'), ...inner),
        ops(set('ok', 'hm'), at('01.01.03'), ...inner),
        ops(...over, at('01.03'), at('01'), ...inner),
        ops(...over, at('01.03'), at('01'), at('02'), { return: 1 }),
      ],
      answers: ['hm', 'yes', 'yes'],
    });
    expect(result).toMatchObject({ status: 'done', answer: 1, warnings: [] });
  });
});

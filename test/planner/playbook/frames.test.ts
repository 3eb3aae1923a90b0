/** What frames of playbooks on the machine give: tail calls, calls side by side, code, modes, agents. */
import { expect, test } from 'vitest';
import { memoryJournal } from '../../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../../engine/support.ts';
import { ops, played, saidIn, stageOf } from './played.ts';

const main = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

test('a call that is the last thing a playbook does takes its place: nobody goes on with the caller', async () => {
  const text = main(
    '- $x = 1\n- Return Second(2)',
    '## Second(n)\n### Steps\n- Say("two")\n- Return n\n',
  );
  const { result, said, prompts } = await played(text, {
    replies: [
      ops({ set: { x: 1 } }, { call: 'Second', args: { n: 2 } }, { yield: 'call' }),
      ops({ say: 'two' }, { return: '$n' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({ status: 'done', answer: 2 });
  expect(said).toEqual(['two']);
  expect(prompts).toHaveLength(2);
});

test('playbooks that nobody notices run beside each other, with results in order', async () => {
  const text = main(
    '- $a = Look("a")\n- $b = Look("b")\n- Say("{$a} {$b}")',
    '## Look(what)\n### Steps\n- found = search(what)\n- Return found\n',
  );
  let under = 0;
  let most = 0;
  const search = {
    ...quickTool('search', () => '', {
      parameters: { type: 'object', properties: { what: {} }, required: ['what'] },
    }),
    perform: async ({ what }: Readonly<Record<string, unknown>>) => {
      most = Math.max(most, ++under);
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
      under--;
      return `found ${what}`;
    },
  };
  const { result, said } = await played(text, {
    tools: [search],
    replies: ({ prompt }) => {
      const [, what] = /Look\(what="(\w)"\)/.exec(prompt) ?? [];
      if (what !== undefined && /Results:/.test(prompt)) return ops({ return: '$found' });
      if (what !== undefined) {
        return ops({ call: 'search', args: { what: '$what' }, into: 'found' }, { yield: 'call' });
      }
      if (/Results:/.test(prompt)) return ops({ say: '{$a} {$b}' }, { return: null });
      return ops(
        { call: 'Look', args: { what: 'a' }, into: 'a' },
        { call: 'Look', args: { what: 'b' }, into: 'b' },
        { yield: 'call' },
      );
    },
  });
  expect(result.error).toBeUndefined();
  expect(said).toEqual(['found a found b']);
  expect(most).toBe(2);
});

test('functions call playbooks, see what agents know, and stand on one stack with them', async () => {
  const text = `# Desk

\`\`\`tools
def total(kind):
    def one(n):
        return n * state["factor"]
    return one(Price(kind)) + 1
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $factor = 10
- $sum = total("city")
- Return $sum

## Price(kind)
### Steps
- Return 4
`;
  const { result } = await played(text, {
    replies: [
      ops(
        { set: { factor: 10 } },
        { call: 'total', args: { kind: 'city' }, into: 'sum' },
        { yield: 'call' },
      ),
      ops({ return: 4 }),
      ops({ return: '$sum' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe(41);
});

test('a function that fails is told, as a tool is', async () => {
  const text = `# Desk

\`\`\`tools
def price(kind):
    return {"city": 10}[kind]
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $price = price("race")
- Say what came of it
`;
  const { result, prompts } = await played(text, {
    replies: [
      ops({ call: 'price', args: { kind: 'race' }, into: 'price' }, { yield: 'call' }),
      ops({ say: 'No price.' }, { return: null }),
    ],
  });
  expect(result.status).toBe('done');
  expect(prompts[1]).toContain('race');
  expect(prompts[1]).toContain('failed');
});

test('raw playbooks are one completion; descriptions are filled in when they start', async () => {
  const text = `# Desk
You are terse.

## Main
### Triggers
- At the beginning
### Steps
- $word = blue
- $poem = Poem("sea")
- Return $poem

## Poem(topic)
execution_mode: raw
Write about {topic} in {$word}. Keep {unknown things} as they are.
`;
  const { result, prompts } = await played(text, {
    replies: [
      ops(
        { set: { word: 'blue' } },
        { call: 'Poem', args: { topic: 'sea' }, into: 'poem' },
        { yield: 'call' },
      ),
      'Waves.',
      ops({ return: '$poem' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe('Waves.');
  expect(prompts[1]).toContain('Write about sea in blue. Keep {unknown things} as they are.');
  expect(prompts[1]).toContain('You are terse.');
  expect(prompts[1]).not.toContain('topic: sea');
});

test('a description has parameters of the agent without their dollar, and those of its calls', async () => {
  const text = `# Desk

## Main($who="Ann")
Serve {who}, {$who} and {late}.
### Triggers
- At the beginning
### Steps
- $poem = Poem("sea")
- Return $poem

## Poem(topic)
execution_mode: raw
As in: {Old(topic)}

## Old(topic)
execution_mode: raw
Of old.
`;
  const { result, prompts } = await played(text, {
    replies: [
      ops({ call: 'Poem', args: { topic: 'sea' }, into: 'poem' }, { yield: 'call' }),
      'Foam.',
      'Waves.',
      ops({ return: '$poem' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(prompts[0]).toContain('Serve Ann, Ann and {late}.');
  expect(prompts[1]).toMatch(/Of old\.\n\ntopic: sea$/);
  expect(prompts[2]).toMatch(/As in: Foam\.$/);
});

test('what playbooks say that a function calls is said before it waits, and once', async () => {
  const text = `# Survey

\`\`\`tools
def both():
    return Question("sea") + Question("land")
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $all = both()
- Say("all: {$all}")

## Question(topic)
### Steps
- Say("About {topic}:")
- Ask who knows the most about it, as $person
- Say("Thank you, {$person}.")
- Return $person
`;
  const replies = ({ prompt }: { prompt: string }): string => {
    const turn = prompt.split('user: ').at(-1) ?? '';
    const [, person] = /The person wrote: "(.*)"/.exec(turn) ?? [];
    if (turn.includes('## Main') && turn.includes('Begin'))
      return ops({ step: '01' }, { call: 'both', args: {}, into: 'all' }, { yield: 'call' });
    if (turn.includes('Begin'))
      return ops({ say: 'About {topic}:' }, { step: '02' }, { say: 'Who?' }, { yield: 'user' });
    if (person) {
      const thanks = [{ step: '04' }, { say: 'Thank you, {$person}.' }];
      return ops({ set: { person } }, ...thanks, { step: '05' }, { return: '$person' });
    }
    return ops({ step: '03' }, { say: 'all: {$all}' });
  };
  const journal = memoryJournal();
  const { run, status } = await stageOf(text, { journal, replies }).start();
  expect(status).toBe('waiting');
  const first = ['About sea:', 'Who?'];
  expect(saidIn(journal, run)).toEqual(first);
  const second = [...first, 'Thank you, Ann.', 'About land:', 'Who?'];
  await stageOf(text, { journal, replies, answers: ['Ann'] }).resume(run);
  expect(saidIn(journal, run)).toEqual(second);
  const ended = await stageOf(text, { journal, replies, answers: ['Bo'] }).resume(run);
  expect(ended.error).toBeUndefined();
  expect(saidIn(journal, run)).toEqual([...second, 'Thank you, Bo.', 'all: AnnBo']);
});

test('agents call what others offer, each with variables of its own', async () => {
  const text = `# Desk

## Main
### Triggers
- At the beginning
### Steps
- $x = 1
- $rate = Tax.Rate(80000)
- Return $rate

# Tax

## Rate(income)
public: true
### Steps
- $x = 15
- Return $x
`;
  const { result, prompts } = await played(text, {
    replies: [
      ops(
        { set: { x: 1 } },
        { call: 'Tax.Rate', args: { income: 80000 }, into: 'rate' },
        { yield: 'call' },
      ),
      ops({ set: { x: 15 } }, { return: '$x' }),
      ops({ return: '$rate' }),
    ],
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe(15);
  expect(prompts[1]).not.toContain('$x = 1\n');
});

test('several playbooks that start are played in their order; the first gives the answer', async () => {
  const text =
    '# Desk\n\n## One\n### Triggers\n- At the beginning\n### Steps\n- Return 1\n\n' +
    '## Two\n### Triggers\n- At the beginning\n### Steps\n- Say("two")\n- Return 2\n';
  const { result, said } = await played(text, {
    replies: [ops({ return: 1 }), ops({ say: 'two' }, { return: 2 })],
  });
  expect(result.answer).toBe(1);
  expect(said).toEqual(['two']);
});

test('the tools of a server are called as members of the agent that has its name', async () => {
  const text = `# Weather:MCP\nremote:\n  type: mcp\n\n${main('- $f = Weather.forecast("Rome")\n- Return $f')}`;
  const forecast = quickTool('Weather.forecast', ({ city }) => `sun in ${city}`, {
    parameters: { type: 'object', properties: { city: {} }, required: ['city'] },
  });
  const { result, prompts } = await played(text, {
    tools: [forecast],
    replies: [
      ops({ call: 'Weather.forecast', args: { city: 'Rome' }, into: 'f' }, { yield: 'call' }),
      ops({ return: '$f' }),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'sun in Rome' });
  expect(prompts[0]).toContain('Weather.forecast(city');
});

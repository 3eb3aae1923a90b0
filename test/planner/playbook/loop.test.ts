/** The loop over playbooks: frames, variables, calls, questions, ends. */
import { describe, expect, test } from 'vitest';
import { quickTool } from '../../engine/support.ts';
import { ops, played } from './played.ts';

const main = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

describe('calls of playbooks', () => {
  const text = main(
    '- $a = First("x")\n- Say("{$a}")\n- Return $a',
    '## First(word)\n### Steps\n- $b = Second(word)\n- Return $b\n\n' +
      '## Second(word)\n### Steps\n- Say("{word}!")\n- Return 100\n',
  );

  test('hand over arguments and give back what is returned, frame by frame', async () => {
    const { result, said, prompts } = await played(text, {
      replies: [
        ops({ call: 'First', args: { word: 'x' }, into: 'a' }, { yield: 'call' }),
        ops({ call: 'Second', args: { word: '$word' }, into: 'b' }, { yield: 'call' }),
        ops({ say: '{$word}!' }, { return: 100 }),
        ops({ return: '$b' }),
        ops({ say: '{$a}' }, { return: '$a' }),
      ],
    });
    expect(result).toMatchObject({ status: 'done', answer: 100 });
    expect(said).toEqual(['x!', '100']);
    expect(prompts[2]).toContain('word');
    expect(prompts[4]).toContain('100');
  });

  test('run in the order in which they were queued', async () => {
    const two = main(
      '- G()\n- H()\n- Say("end")',
      '## G\n### Steps\n- Say("g")\n\n## H\n### Steps\n- Say("h")\n',
    );
    const { said, result } = await played(two, {
      replies: [
        ops({ call: 'G' }, { call: 'H' }, { yield: 'call' }),
        ops({ say: 'g' }, { return: null }),
        ops({ say: 'h' }, { return: null }),
        ops({ say: 'end' }, { return: null }),
      ],
    });
    expect(result.status).toBe('done');
    expect(said).toEqual(['g', 'h', 'end']);
  });
});

test('a variable that is None is shown as it is, though no line ahead reads it', async () => {
  const text = main('- Greet()', '## Greet(order=None)\n### Steps\n- Say("Hi")\n');
  const { prompts } = await played(text, {
    replies: [
      ops({ call: 'Greet' }, { yield: 'call' }),
      ops({ say: 'Hi' }, { return: null }),
      ops({ return: null }),
    ],
  });
  expect(prompts[1]).toContain('order = null');
});

test('locals of a caller are not seen by a callee, and stay what they were', async () => {
  const text = main(
    '- x = 100\n- F()\n- Return x',
    '## F\n### Steps\n- x = 5\n- $seen = yes\n- Return x\n',
  );
  const { result, prompts } = await played(text, {
    replies: [
      ops({ set: { x: 100 } }, { call: 'F' }, { yield: 'call' }),
      ops({ set: { x: 5 } }, { set: { $seen: 'yes' } }, { return: '$x' }),
      ops({ return: '$x' }),
    ],
  });
  expect(result.answer).toBe(100);
  expect(prompts[1]).not.toContain('100');
});

test('a tool that fails is told, and no end of the run', async () => {
  const tool = quickTool('search', () => {
    throw new Error('the archive is closed');
  });
  const { result, prompts } = await played(main('- $found = search()\n- Say what was found'), {
    tools: [tool],
    replies: [
      ops({ call: 'search', into: 'found' }, { yield: 'call' }),
      ops({ say: 'Nothing.' }, { return: null }),
    ],
  });
  expect(result.status).toBe('done');
  expect(prompts[1]).toContain('archive is closed');
});

test('a question waits; its answer is there for the model, and nothing is asked twice', async () => {
  const text = main('- Ask user for $name\n- Say("Hello {$name}")');
  const { said, prompts } = await played(text, {
    answers: ['John'],
    replies: [
      ops({ say: 'Your name?' }, { yield: 'user' }),
      ops({ set: { name: 'John' } }, { say: 'Hello {$name}' }),
    ],
  });
  expect(said).toEqual(['Your name?', 'Hello John']);
  expect(prompts[1]).toContain('John');
});

test('without anybody there the run waits, and goes on with the answer', async () => {
  const { result } = await played(main('- Ask user for $name'), {
    replies: [ops({ say: 'Your name?' }, { yield: 'user' })],
  });
  expect(result).toMatchObject({ status: 'waiting', reason: 'person' });
  expect(result.waits).toMatchObject([{ question: 'Your name?' }]);
});

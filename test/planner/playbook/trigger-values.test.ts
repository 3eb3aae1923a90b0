/** A playbook that is set off, and a parameter of it that nobody has said the value of. */
import { expect, test } from 'vitest';
import { ops, played } from './played.ts';

const desk = (parameter: string, steps: string): string => `# Desk

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $mood
- Return $mood

## Status(${parameter})
### Triggers
- When somebody asks for an order
### Steps
${steps}
`;

async function warned(text: string, match: unknown = 'Desk.Status:T1'): Promise<readonly string[]> {
  const { result } = await played(text, {
    answers: ['where is order 12?'],
    matches: () => [match],
    replies: [
      ops({ say: 'How are you?' }, { yield: 'user' }),
      ops({ set: { order: 12 } }, { return: 1 }),
      ops({ set: { mood: 'fine' } }, { step: '03' }, { return: '$mood' }),
    ],
  });
  expect(result).toMatchObject({ status: 'done', answer: 'fine' });
  return result.warnings.map(({ message }) => message).filter((one) => one.includes('PV7334'));
}

test('it is warned of, with both by name, and what to do', async () => {
  const [told, ...others] = await warned(desk('$order', '- Find the order\n- Return 1'));
  const words = 'Desk.Status is played without a value for its $order: what set it off says none';
  expect(told).toContain(words);
  expect(told).toContain('ask for it in its first line');
  expect(others).toEqual([]);
});

const values = { id: 'Desk.Status:T1', values: { order: 12 } };

test.each([
  ['a line asks for it', desk('$order', '- Ask user for $order\n- Return 1'), undefined],
  ['it has a value of its own', desk('$order=1', '- Find the order\n- Return 1'), undefined],
  ['the message says it', desk('$order', '- Find the order\n- Return 1'), values],
])('it is not where %s', async (_, text, match) => {
  expect(await warned(text, match)).toEqual([]);
});

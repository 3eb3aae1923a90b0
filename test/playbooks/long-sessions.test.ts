/** Sessions of many turns: bounded, told in short in jumps, and nothing of them out of reach. */
import { expect, test } from 'vitest';
import type { Message } from '../../src/effects/model/model.ts';
import { ops, played } from '../planner/playbook/played.ts';

const rounds = 60;

const text =
  '# Clinic\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n' +
  '- Ask user for their $name and anything to mind\n' +
  `- For each $n in 1 to ${rounds}\n  - Ask user for a $note\n` +
  '- $advice = what fits their allergy\n- Return $advice\n';

const filler = 'The row was read twice, and then once more. '.repeat(22);
// What matters stands behind the part of a message that every summary keeps.
const letter = `I am Ann. ${filler.slice(0, 550)} I am allergic to hazelnuts. ${filler}`;
const notes = Array.from({ length: rounds }, (_, n) => `Note ${n + 1}: ${filler}`);

/** A model that follows the lines, and knows what its prompt says. */
function reply(prompt: string): string {
  const line = [...prompt.matchAll(/(?:Begin|Go on) at line (\d\d(?:\.\d\d)*)/g)].at(-1)?.[1];
  const n = Number([...prompt.matchAll(/^\$n = (\d+)$/gm)].at(-1)?.[1] ?? 0);
  const asking = [
    { step: '03.01' },
    { say: 'A note, please.' },
    { step: '03.02' },
    { yield: 'user' },
  ];
  const next = [{ set: { $n: n + 1 } }, ...asking];
  if (line === '01') {
    return ops({ step: '01' }, { say: 'Who are you?' }, { step: '02' }, { yield: 'user' });
  }
  if (line === '03') return ops({ set: { $name: 'Ann' } }, { step: '03' }, ...next);
  const noted = [{ set: { $note: `note ${n}` } }, { step: '03.03' }, { step: '03' }];
  if (n < rounds) return ops(...noted, ...next);
  const [, nuts] = /allergic to (\w+)/.exec(prompt) ?? [];
  if (!nuts && !prompt.includes('(it stood here whole') && prompt.includes('earlier: string of')) {
    return ops({ show: ['earlier'] });
  }
  const end = [{ step: '04' }, { set: { $advice: `no ${nuts}` } }, { step: '05' }];
  return ops(...(line === '03.03' ? noted : []), ...end, { return: '$advice' });
}

/** Whether a request begins with all of the one before, and the reply to it. */
const goesOn = (before: readonly Message[], after: readonly Message[]): boolean =>
  before.every(({ content }, at) => after[at]?.content === content);

test('what a person wrote first is there for the last of sixty turns', async () => {
  const requests: (readonly Message[])[] = [];
  const { result, prompts } = await played(text, {
    answers: [letter, ...notes],
    replies({ prompt, messages }) {
      requests.push(messages);
      return reply(prompt);
    },
  });
  expect(result.error).toBeUndefined();
  expect(result.answer).toBe('no hazelnuts');
  expect(prompts).toHaveLength(rounds + 3);
  // It was no more among what each request says, and was asked for.
  expect(prompts.at(-2)).not.toContain('hazelnuts');
  expect(prompts.at(-2)).toContain('The person wrote: "I am Ann.');
  expect(prompts.at(-1)).toContain('I am allergic to hazelnuts.');
  for (const prompt of prompts.slice(0, -1)) expect(prompt.length).toBeLessThan(45_000);
  const jumps = requests.filter(
    (messages, at) => at > 0 && !goesOn(requests[at - 1] ?? [], messages),
  );
  expect(jumps.length).toBeGreaterThan(1);
  expect(jumps.length).toBeLessThan(8);
  for (const messages of requests.slice(0, -1)) {
    const kept = messages.flatMap(({ keep }, at) => (keep ? [at] : []));
    expect(kept).toEqual([0, messages.length - 1]);
  }
});

test('what is left out may be asked for in the very turn that leaves it out', async () => {
  let asked = 0;
  const { result, prompts } = await played(text, {
    answers: [letter, ...notes],
    replies({ prompt, number }) {
      if (asked > 0) throw new Error('that is all');
      if (!prompt.includes('(at length in earlier)')) return reply(prompt);
      asked = number;
      return ops({ show: ['earlier'] });
    },
  });
  expect(result.error?.message).toContain('that is all');
  expect(prompts[asked - 1]).toMatch(/^earlier: string of \d+ characters, not shown$/m);
  expect(prompts[asked]).toMatch(/^earlier = "/m);
  expect(prompts[asked]).toContain('I am allergic to hazelnuts.');
});

/**
 * A program with a loop, a branch, calls, a question and a trigger, killed before any append, with
 * replies in each of the forms that there have been: it goes on to the same log, asks a model
 * nothing else, and says the same. Killed within replies, it does and says all that once.
 */
import { describe, expect, test } from 'vitest';
import type { Model } from '../../src/effects/model/model.ts';
import type { Handler } from '../../src/engine/handler.ts';
import type { Journal } from '../../src/engine/journal/journal.ts';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { quickTool } from '../engine/support.ts';
import {
  type Asked,
  dyingBefore,
  type PlayOptions,
  type Stage,
  saidIn,
  stageOf,
} from '../planner/playbook/played.ts';
import { points } from '../support/depth.ts';
import { followed } from '../support/playbook-follower.ts';
import { type Form, forms, type Op } from './forms.ts';
import { answeredIn, logOf } from './story.ts';

const program = `# Tours

\`\`\`tools
def Tax(price):
    return price + 1
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- Ask user for $guest
- $total = 0
- For each $day in ["Monday", "Sunday"]
  - If $day == "Monday"
    - $price = price($day)
  - Otherwise
    - $price = Weekend($day)
  - $price = Tax($price)
  - $total = $total + $price
  - book($price)
- Say("{$guest} pays {$total}.")
- Return $total

## Weekend(day)
### Steps
- Say("{day} is a dear one.")
- $price = price(day)
- Return $price

## Dear
retrigger: edge
### Triggers
- When $total > 20
### Steps
- book(0)
- Say("That is a lot, {$guest}.")
`;

const parameters = { type: 'object', properties: { day: {} }, required: ['day'] };

type Played = Pick<Stage, 'journal' | 'prompts'> & { readonly run: string };

function toolsFor(booked: unknown[]): readonly Handler[] {
  const price = quickTool('price', ({ day }) => (day === 'Monday' ? 10 : 15), { parameters });
  const book = quickTool('book', ({ euros }) => booked.push(euros) > 0, {
    ...{ effect: 'write', idempotent: true },
    parameters: { type: 'object', properties: { euros: {} }, required: ['euros'] },
  });
  return [price, book];
}

/** What a call of each has where its line names nothing. */
const names: Readonly<Record<string, string>> = {
  ...{ price: 'day', Weekend: 'day', Tax: 'price', book: 'euros' },
};

/** What follows the playbook, in a form; not all of them give values without names. */
function replyIn(form: Form, messages: Asked['messages']): string {
  const asked = messages.map(({ content }) => content).join('\n');
  const of = [...asked.matchAll(/^## (\w+)\(/gm)].at(-1)?.[1] ?? '';
  const ops: Op[] = followed(messages)
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ args, ...op }) => {
      return { ...op, ...(args && { args: { [names[op.call] ?? '']: args[0] } }) };
    });
  return form({ of, ops }, program);
}

const said = ['Sunday is a dear one.', 'That is a lot, Ann.', 'Ann pays 27.'];

/** All but the words of the question, which are the model's own. */
const saidBy = (journal: Journal, run: string): readonly unknown[] =>
  saidIn(journal, run).filter((one) => !String(one).startsWith('Ask '));

/** A model that writes its replies line by line, with a pause behind each. */
function streaming(form: Form): Model {
  return {
    name: 'streaming',
    async complete({ messages }, context) {
      const usage = { modelCalls: 1, inputTokens: 1, outputTokens: 1, cost: 0 };
      context.use(usage);
      const text = replyIn(form, messages);
      for (const line of text.split('\n')) {
        if (context.signal.aborted) throw context.signal.reason;
        context.progress(`${line}\n`);
        for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      }
      return { text: `${text}\n`, finishReason: 'stop', usage };
    },
  };
}

/** Plays it as a whole, then dying before appends; `check` is given what each comes to. */
async function killedAnywhere(
  options: () => Partial<PlayOptions> & Pick<PlayOptions, 'replies'>,
  check: (again: Played, whole: Played) => void,
  stride = 11,
): Promise<number> {
  const booked: unknown[] = [];
  const stage = (more: Partial<PlayOptions>) =>
    stageOf(program, {
      ...{ tools: toolsFor(booked), answers: ['Ann'], strictness: 'enforce' },
      ...{ ...options(), ...more },
    });
  const first = stage({});
  const result = await first.start();
  expect([result.error, result.answer, result.warnings]).toEqual([undefined, 27, []]);
  const whole = { ...first, run: result.run };
  expect(saidBy(whole.journal, whole.run)).toEqual(said);
  expect(booked).toEqual([11, 0, 16]);
  for (const fatal of points(2, stride)) {
    booked.length = 0;
    const journal = memoryJournal();
    const ended = await stage({ journal: dyingBefore(journal, fatal) })
      .start()
      .then(
        () => true,
        () => false,
      );
    if (ended) return fatal;
    const [run] = journal.list();
    if (!run) throw new Error('there is no run');
    const again = stage({ journal, answers: ['Ann'].slice(answeredIn(journal, run.id)) });
    const came = await again.resume(run.id);
    expect([fatal, came.error, came.answer]).toEqual([fatal, undefined, 27]);
    expect(saidBy(journal, run.id)).toEqual(said);
    // One that was on its way is booked once more, by the same key.
    expect(booked.filter((one, at) => one !== booked[at - 1])).toEqual([11, 0, 16]);
    expect(booked.length).toBeLessThanOrEqual(4);
    check({ ...again, run: run.id }, whole);
  }
  throw new Error('it never came to its end');
}

describe.each(Object.entries(forms))('with replies in the form of %s', (_, form) => {
  test('between them, it goes on to the same log', async () => {
    const replies = ({ messages }: Asked): string => replyIn(form, messages);
    const times = await killedAnywhere(
      () => ({ replies }),
      (again, whole) => {
        expect(logOf(again.journal, again.run)).toEqual(logOf(whole.journal, whole.run));
        const known = new Set(whole.prompts);
        expect(again.prompts.filter((prompt) => !known.has(prompt))).toEqual([]);
      },
    );
    expect(times).toBeGreaterThan(10);
  });

  test('within them, it does and says each once', async () => {
    const options = () => ({ replies: [], model: streaming(form) });
    expect(await killedAnywhere(options, () => {}, 17)).toBeGreaterThan(40);
  });
});

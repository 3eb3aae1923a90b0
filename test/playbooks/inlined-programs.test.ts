/**
 * Programs of plain lines, made at random: they say, call and return the same whether their
 * playbooks are played or stand in the places of their calls.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { played } from '../planner/playbook/played.ts';
import { propertyRuns } from '../support/depth.ts';
import { followed } from '../support/playbook-follower.ts';
import {
  openPlaybooks,
  randomAnswers,
  randomPlaybooks,
  randomTools,
} from '../support/random-playbooks.ts';

async function play(text: string, inline: number) {
  const { tools, calls } = randomTools();
  const replies = ({ messages }: { messages: Parameters<typeof followed>[0] }): string =>
    followed(messages);
  const { result, said, prompts } = await played(text, {
    inline,
    tools,
    answers: randomAnswers,
    replies,
  });
  const { answer, error } = result;
  return { of: { error, answer, said, calls }, replies: prompts.length };
}

/** At each limit of inlining, it does what it does with none. */
async function playedAlike(text: string, ...limits: readonly number[]) {
  const apart = await play(text, 0);
  expect(apart.of.error).toBeUndefined();
  for (const limit of limits) {
    const within = await play(text, limit);
    expect(within.of).toEqual(apart.of);
    expect(within.replies).toBeLessThanOrEqual(apart.replies);
  }
  return apart.of;
}

test('programs do the same, inlined or played', async () => {
  await fc.assert(
    fc.asyncProperty(randomPlaybooks, async (text) => {
      await playedAlike(text, 8, 30);
    }),
    propertyRuns(10),
  );
});

test('so do those that leave open what to do', async () => {
  await fc.assert(
    fc.asyncProperty(openPlaybooks, async (text) => {
      await playedAlike(text, 8, 30);
    }),
    propertyRuns(4),
  );
});

/** What begins, and further playbooks. */
const desk = (steps: string, rest: string): string =>
  `# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}\n`;

test.each([
  [
    'a variable is what it was when it was passed on, whatever a further call sets',
    desk(
      `- $b = 2
- Outer($b)
- Return $b`,
      `## Outer(y)
### Steps
- Say("one")
- Say("two")
- Say("three")
- Inner()
- Say("y is {y}")

## Inner($b=5)
### Steps
- Say("b is {$b}")
- Say("four")
- Say("five")
- Say("six")`,
    ),
    { said: expect.arrayContaining(['y is 2']) },
  ],
  [
    'what a call gives is set also where it is returned at once, and somebody reads it',
    desk(
      `- Outer()
- Say("c is {$c}")
- Return $c`,
      `## Outer
### Steps
- $c = Inner()
- Return $c

## Inner
### Steps
- $c = "x"
- Return "y"`,
    ),
    { answer: 'y', said: ['c is y'] },
  ],
  [
    'what was passed on stays as it was, whatever lines in words make of it and of its variable',
    desk(
      `- $a = 1
- m = 3
- Near($a, m)
- Say("m {m}")
- Return $a`,
      `## Near(x, y)
### Steps
- Decide on $a
- Say("x is {x}")
- Decide on x
- Decide on y
- Say("a {$a}, x {x}, y {y}")`,
    ),
    { answer: 7, said: ['x is 1', 'a 7, x 7, y 7', 'm 3'] },
  ],
  [
    'a question is left out for what a line in words has set, inlined or played',
    desk(
      `- Decide on $n
- Greet()
- Return $n`,
      `## Greet
### Steps
- Ask user for $n
- Say("so {$n}")`,
    ),
    { answer: 7, said: ['so 7'] },
  ],
  [
    'what lines in words set of the agent is not lost beside another call',
    desk(
      `- $a = 1
- p = Near(1)
- q = Near(2)
- Say("{p}, {q}, {$a}")
- Return $a`,
      `## Near(x)
### Steps
- Decide on $a
- Return $a`,
    ),
    { answer: 'odd', said: ['7, odd, odd'] },
  ],
  [
    'rounds go on where a playbook that is called in them goes over the same variable',
    desk(
      `- For each $i in ["p", "q"]
  - Outer(1)
- Return $i`,
      `## Outer($a)
### Steps
- For $i from 1 to 2
  - Say("at {$i}")
  - take($a)`,
    ),
    { answer: 2, said: ['at 1', 'at 2', 'at 1', 'at 2'] },
  ],
  [
    'a line in words is not held to the type of what a call gives, inlined or played',
    desk(
      `- $r = Name()
- Say("r {$r}")
- Decide on $r
- Return $r`,
      `## Name() -> str
### Steps
- Return "Ann"`,
    ),
    { answer: 2, said: ['r Ann'] },
  ],
  [
    'rounds go on where words of a playbook that is called in them make another of their items',
    desk(
      `- For each $i in ["p", 2, 7]
  - Better()
  - Say("at {$i}")
- Return $i`,
      `## Better
### Steps
- Decide on $i`,
    ),
    { answer: 'odd', said: ['at 2', 'at 7', 'at odd'] },
  ],
  [
    'a question is left out for what its caller has set, inlined or played',
    desk(
      `- $name = "Ann"
- Greet()
- Return $name`,
      `## Greet
### Steps
- Ask user for $name
- Say("hello {$name}")`,
    ),
    { answer: 'Ann', said: ['hello Ann'] },
  ],
  [
    'a playbook has what its caller has called before it, inlined or played',
    desk(
      `- $c = take(7)
- Near(1)
- Return $c`,
      `## Near(x)
### Steps
- If $c == 1
  - Say("one")
- Otherwise
  - Say("other")`,
    ),
    { answer: 1, said: ['one'] },
  ],
  [
    'what another agent has called back is known behind its call',
    desk(
      `- $b = 2
- Clerk.Rate(7)
- If $b == 7
  - Say("seven")
- Clerk.Rate(9)
- Look()
- Return $b`,
      `## Look
### Steps
- If $b == 9
  - Say("nine")
- Otherwise
  - Say("other")

## Put(x)
public: true
### Steps
- $b = x

# Clerk
## Rate(x)
public: true
### Steps
- Desk.Put(x)`,
    ),
    { answer: 9, said: ['seven', 'nine'] },
  ],
  [
    'what a round before has set is unset in the next',
    desk(
      `- For each $i in [1, 2]
  - Look($i)
- Return 1`,
      `## Look(x)
### Steps
- If x == 1
  - z = 3
- If z == 3
  - Say("set at {x}")
- Otherwise
  - Say("unset at {x}")`,
    ),
    { said: ['set at 1', 'unset at 2'] },
  ],
])('%s', async (_, text, expected) => {
  expect(await playedAlike(text, 8)).toMatchObject(expected);
});

/** Programs as they are, one effect at a time, and killed before appends: what comes of them is equal. */
import { quickTool } from '../engine/support.ts';
import { orders } from '../planner/playbook/played.ts';
import { desk } from './desk.ts';
import { tell } from './story.ts';

const order = (calls: unknown[]) =>
  quickTool(
    'order',
    (args) => {
      calls.push(args.n);
      return args.n;
    },
    { ...orders, idempotent: true },
  );

tell('a chat with formal and open lines', {
  program: desk(
    '- Ask user for $day\n- $n = order(len($day))\n- If $n > 3\n  - Order five more, and tell them\n' +
      '- $word = Find($day)\n- Say("{$n} {$word}")\n- Return $n',
    '## Find(day)\n### Steps\n- Find a $word for {day}\n- Return $word\n\n' +
      '## Sundays\n### Triggers\n- When $day == "Sunday"\n### Steps\n- Say("Sunday!")\n',
  ),
  answers: ['what days?', 'Sunday please'],
  tools: (calls) => [order(calls)],
  replies: {
    'Main:01': [
      ['Sunday please', [{ set: { day: 'Sunday' } }]],
      ['what days', [{ say: 'Any. Which?' }]],
      ['', [{ say: 'Which day?' }]],
    ],
    'Main:03.01': [{ call: 'order', args: { n: 5 } }, { say: 'Five more.' }],
    'Find:01': [{ set: { $word: 'tide' } }],
  },
  said: ['Which day?', 'Any. Which?', 'Sunday!', 'Five more.', '6 tide'],
  calls: [6, 5],
  answer: 6,
});

const spoken = (topic: string, say: string) => [
  ...[{ at: '02.01' }, { at: '02.02' }, { set: { topic } }, { at: '02.03' }, { say }],
];

tell('a chat in words that a trigger in words interrupts', {
  program: 'safe-chat',
  answers: ['hello', 'dragons', 'something bad', 'bye'],
  matches: ({ changed }) => (Object(changed).$topic === 'bad' ? ['Nursery.Safeguard:T1'] : []),
  replies: {
    'Main:02': [{ at: '02', holds: true }, { at: '02.01' }, { yield: 'user' }],
    'Main:02.01': [
      ['"bye"', [...spoken('sleep', 'Bye.'), { at: '02', holds: false }]],
      ['something bad', spoken('bad', 'Never said.')],
      ['', spoken('dragons', 'I love {$topic}.')],
    ],
    'Main:02.02': [{ at: '02.02' }, { at: '02.03' }, { say: 'Better not.' }],
    'Main:02.03': [{ say: 'Better not.' }],
  },
  said: [
    ...['What shall we talk about?', 'I love dragons.', 'Let us talk about something else.'],
    ...['Better not.', 'Bye.', 'Sleep well.'],
  ],
  answer: 'sleep',
});

tell('a meeting of three, in rounds', {
  program: 'meeting',
  replies: {
    'ChooseDish:02': [
      ['Fish.', [{ at: '02', holds: false }]],
      ['', [{ at: '02', holds: true }, { at: '02.01' }, { say: 'What else?', to: 'meeting' }]],
    ],
    'ChooseDish:02.01': [{ say: 'What else?', to: 'meeting' }],
    'ChooseDish:03': [{ return: 'fish' }],
    HearAgent: [
      ['What else?', [{ say: 'Fish.' }]],
      ['What shall we cook', [{ say: 'Soup.' }]],
      ['', [{ note: 'nothing' }]],
    ],
  },
  said: ['It is fish.'],
  answer: 'fish',
});

tell('a game of two, of whom one was made for it', {
  program: 'guessing-game',
  replies: {
    'Main:01': [{ call: 'CreateAgent', args: { like: 'Player', name: 'Bob' }, into: '$bob' }],
    'Main:02': [
      ['into $winner', [{ set: { winner: 'Bob' } }]],
      [
        '',
        [
          {
            ...{ call: 'Game', into: '$winner' },
            args: { topic: 'the number 7', attendees: ['Player', '$bob'] },
          },
        ],
      ],
    ],
    'Game:02': [
      ['said: "9"', [{ at: '02', holds: false }]],
      ['', [{ at: '02', holds: true }, { at: '02.01' }, { say: 'A number?', to: 'meeting' }]],
    ],
    'Game:02.01': [{ say: 'A number?', to: 'meeting' }],
    'Game:03': [{ return: 'Bob' }],
    HearAgent: [
      ['said: "3"', [{ say: '9' }]],
      ['', [{ say: '3' }]],
    ],
  },
  said: ['Bob has won.'],
  answer: 'Bob',
});

tell('an agent that was made is asked by the variable that holds it', {
  program: 'tax-advice',
  answers: ['80000'],
  matches: ({ sender }) =>
    sender === 'FrontDesk' ? [{ id: 'TaxExpert.Rate:T1', values: { amount: 80000 } }] : [],
  replies: {
    'Main:01': [
      ['80000', [{ set: { income: 80000 } }]],
      ['', [{ say: 'What do you earn?' }]],
    ],
    'Main:02': [{ call: 'CreateAgent', args: { like: 'TaxExpert', name: 'Ada' }, into: '$expert' }],
    'Main:03': [
      ['15%', [{ set: { rate: '15%' } }]],
      ['', [{ say: 'The rate for {$income}?', to: '$expert' }]],
    ],
  },
  said: ['What do you earn?', 'Your rate is 15%.'],
  answer: '15%',
});

tell('two agents call each other', {
  program: 'two-agents',
  answers: ['I make 80000'],
  replies: {
    'Main:01': [
      ['80000', [{ set: { $income: 80000 } }]],
      ['', [{ say: 'What do you earn?' }]],
    ],
    'Rate:03': [{ return: 15 }],
  },
  said: ['What do you earn?', 'Your rate is 15.'],
  answer: 15,
});

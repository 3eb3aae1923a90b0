/** Programs that talk with a person: an order desk, a reading room, a nursery, an atlas. */
import { describe } from 'vitest';
import { noting } from './noting.ts';
import { tell } from './story.ts';

describe('order status: a question until it is answered well, functions, tools, results', () => {
  const find = { call: 'FindOrder', args: { order: '$order' }, into: '$found' };
  const check = [
    ...[{ step: '01' }, { call: 'IsNumber', args: { order: '$order' }, into: 'valid' }],
    { yield: 'call' },
  ];
  const count = (tries: number) => [
    ...[{ step: '04.04' }, { set: { $tries: tries } }, { step: '04.05' }],
    { yield: 'call' },
  ];
  const again = [{ step: '04.06' }, { step: '04' }];
  tell({
    program: 'order-status',
    tools: (calls) => [
      noting(calls, 'look_up', ['order'], ({ order }) => ({ order, street: 'Quay 1' })),
      noting(calls, 'scans_of', ['order', 'days'], () => ['Bonn', 'Rome']),
    ],
    answers: ['it is abc', '1234'],
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { say: 'Welcome to the parcel desk.' }],
          ...[{ step: '02' }, { set: { $tries: 0 } }, { step: '03' }, { set: { $found: false } }],
          ...[{ step: '04' }, { step: '04.01' }, { say: 'Which order?' }],
          ...[{ step: '04.02' }, { yield: 'user' }],
        ],
      },
      {
        of: 'Main',
        ops: [{ set: { $order: 'abc' } }, { step: '04.03' }, find, ...count(1)],
      },
      { of: 'FindOrder', ops: check },
      {
        of: 'FindOrder',
        ops: [
          ...[{ step: '03' }, { step: '03.01' }, { say: '{order} is no number of ours.' }],
          ...[{ step: '03.02' }, { return: false }],
        ],
      },
      {
        of: 'Main',
        ops: [...again, { step: '04.01' }, { say: 'Which one, then?' }, { yield: 'user' }],
      },
      {
        of: 'Main',
        ops: [{ set: { $order: '1234' } }, { step: '04.03' }, find, ...count(2)],
      },
      { of: 'FindOrder', ops: check },
      {
        of: 'FindOrder',
        ops: [
          ...[{ step: '03' }, { step: '04' }],
          ...[{ call: 'look_up', args: { order: '$order' }, into: 'record' }],
          ...[{ step: '05' }, { return: '$record' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...again,
          ...[{ step: '05' }, { step: '06' }],
          { call: 'Where', args: { order: '$order', days: 2 }, into: '$place' },
          ...[{ step: '07' }, { yield: 'call' }],
        ],
      },
      {
        of: 'Where',
        ops: [
          { step: '01' },
          { call: 'scans_of', args: { order: '$order', days: '$days' }, into: 'scans' },
          { yield: 'call' },
        ],
      },
      { of: 'Where', ops: [{ return: 'Rome' }] },
      {
        of: 'Main',
        ops: [
          { step: '08' },
          { say: 'Order {$order} is {$place}.' },
          { step: '09' },
          { return: '$place' },
        ],
      },
    ],
    said: [
      ...['Welcome to the parcel desk.', 'Which order?', 'abc is no number of ours.'],
      ...['Which one, then?', 'Order 1234 is Rome.'],
    ],
    answer: 'Rome',
    calls: [
      ['look_up', '1234'],
      ['scans_of', '1234', 2],
    ],
    skip: { turn: 11, ops: [{ step: '09' }, { return: 'Rome' }] },
  });
});

describe('web search: three searches in one reply, in a loop of two attempts at most', () => {
  const round = (attempt: number, queries: readonly string[]) => [
    ...[{ step: '05' }, { step: '05.01' }, { set: { $attempt: attempt } }],
    ...[{ step: '05.02' }, { set: { $queries: queries } }],
    { step: '05.03' },
    ...queries.flatMap((query) => [{ step: '05.03.01' }, { call: 'search', args: { query } }]),
    { yield: 'call' },
  ];
  tell({
    program: 'web-search',
    tools: (calls) => [noting(calls, 'search', ['query'], ({ query }) => `a page about ${query}`)],
    answers: ['How high is the tide in Bonn?'],
    turns: [
      {
        of: 'Main',
        ops: [{ step: '01' }, { say: 'What would you like to know?' }, { yield: 'user' }],
      },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $question: 'How high is the tide in Bonn?' } }],
          ...[
            { step: '03' },
            { set: { $attempt: 0 } },
            { step: '04' },
            { set: { $enough: false } },
          ],
          ...round(1, ['tide Bonn', 'Bonn sea', 'Rhine tide']),
        ],
      },
      {
        of: 'Main',
        ops: [
          { set: { $enough: false } },
          ...round(2, ['Bonn level', 'Bonn height', 'gauge Bonn']),
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $enough: false } }, { step: '05' }, { step: '06' }, { step: '06.01' }],
          ...[{ say: 'I could not find it.' }, { step: '08' }, { return: '$attempt' }],
        ],
      },
    ],
    said: ['What would you like to know?', 'I could not find it.'],
    answer: 2,
    calls: ['tide Bonn', 'Bonn sea', 'Rhine tide', 'Bonn level', 'Bonn height', 'gauge Bonn'].map(
      (query) => ['search', query],
    ),
    skip: { turn: 3, ops: [{ return: 2 }] },
  });
});

describe('safe chat: what only a model can tell interrupts the loop, and the loop goes on', () => {
  tell({
    program: 'safe-chat',
    answers: ['Tell me about boats', 'Tell me about war', 'Good night'],
    judged: 3,
    matches: ({ changed }) => (/war/.test(JSON.stringify(changed)) ? ['Nursery.Safeguard:T1'] : []),
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { say: 'What shall we talk about?' }, { step: '02' }],
          ...[{ step: '02.01' }, { yield: 'user' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ step: '02.02' }, { set: { $topic: 'boats' } }],
          ...[{ step: '02.03' }, { say: 'I like {$topic}!' }, { step: '02.04' }, { step: '02' }],
          ...[{ step: '02.01' }, { yield: 'user' }],
        ],
      },
      {
        of: 'Main',
        isCutByTrigger: true,
        ops: [
          { step: '02.02' },
          { set: { $topic: 'war' } },
          { step: '02.03' },
          { say: 'I like {$topic}!' },
        ],
      },
      { of: 'Safeguard', ops: [{ step: '01' }, { say: 'Let us talk about something else.' }] },
      {
        of: 'Main',
        ops: [
          ...[{ step: '02.03' }, { say: 'Say boats?' }, { step: '02.04' }, { step: '02' }],
          ...[{ step: '02.01' }, { yield: 'user' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[
            { step: '02.02' },
            { set: { $topic: 'sleep' } },
            { step: '02.03' },
            { say: 'You too.' },
          ],
          ...[{ step: '03' }, { say: 'Sleep well.' }, { step: '04' }, { return: '$topic' }],
        ],
      },
    ],
    said: [
      ...['What shall we talk about?', 'I like boats!', 'Let us talk about something else.'],
      ...['Say boats?', 'You too.', 'Sleep well.'],
    ],
    answer: 'sleep',
    skip: { turn: 5, ops: [{ step: '04' }, { return: '$topic' }] },
  });
});

describe('country facts: a function goes through countries and calls a playbook for each', () => {
  tell({
    program: 'country-facts',
    tools: (calls) => [noting(calls, 'neighbours', ['country'], () => ['India', 'China'])],
    answers: ['Bhutan'],
    turns: [
      { of: 'Main', ops: [{ step: '01' }, { say: 'Which country?' }, { yield: 'user' }] },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $country: 'Bhutan' } }, { step: '03' }],
          { call: 'neighbours', args: { country: '$country' }, into: '$near' },
          { yield: 'call' },
        ],
      },
      {
        of: 'Main',
        ops: [
          { call: 'AllFacts', args: { countries: '$near' }, into: '$facts' },
          { yield: 'call' },
        ],
      },
      { of: 'Fact', ops: [{ step: '01' }, { return: 'tea' }] },
      { of: 'Fact', ops: [{ step: '01' }, { return: 'silk' }] },
      {
        of: 'Main',
        ops: [{ call: 'Joined', args: { facts: '$facts' }, into: '$line' }, { yield: 'call' }],
      },
      { of: 'Main', ops: [{ say: '{$line}' }, { return: '$facts' }] },
    ],
    said: ['Which country?', 'India: tea; China: silk'],
    answer: { India: 'tea', China: 'silk' },
    calls: [['neighbours', 'Bhutan']],
    skip: { turn: 6, ops: [{ return: '$facts' }] },
  });
});

/** Programs that serve people: company, a help line, a sales desk, the morning news. */
import { describe } from 'vitest';
import { noting } from './noting.ts';
import { tell } from './story.ts';

describe('chat: an open conversation, until somebody says goodbye', () => {
  const reply = (said: string) => [
    ...[{ step: '02.02' }, { say: said }, { step: '02.03' }, { step: '02' }],
    ...[{ step: '02.01' }, { yield: 'user' }],
  ];
  const end = [{ step: '03' }, { say: 'Sleep well.' }, { step: '04' }, { yield: 'exit' }];
  tell({
    program: 'chat',
    answers: ['It is dark', 'And cold', 'Good night'],
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { say: 'Hello!' }, { step: '02' }],
          ...[{ step: '02.01' }, { yield: 'user' }],
        ],
      },
      { of: 'Main', ops: reply('It will be light.') },
      { of: 'Main', ops: reply('Take a blanket.') },
      { of: 'Main', ops: [{ step: '02.02' }, { say: 'Good night.' }, { step: '02' }, ...end] },
    ],
    said: ['Hello!', 'It will be light.', 'Take a blanket.', 'Good night.', 'Sleep well.'],
    skip: { turn: 3, ops: [{ step: '02.02' }, ...end.slice(2)] },
  });
});

describe('help line: playbooks called by their names, an address that is checked, an early end', () => {
  const more = [...[{ step: '08' }, { say: 'Anything else?' }, { step: '09' }, { yield: 'user' }]];
  tell({
    program: 'customer-support',
    tools: (calls) => [noting(calls, 'ship', ['what', 'email'], () => 'shipped')],
    answers: ['It does not click, I am ann@', 'ann@example.com', 'No, thanks'],
    judged: 2,
    matches: ({ changed }) =>
      /"ann@"/.test(JSON.stringify(changed)) ? ['HelpLine.CheckTheAddress:T1'] : [],
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { say: 'What is wrong, and where can we write to?' }],
          ...[{ step: '02' }, { yield: 'user' }],
        ],
      },
      {
        ...{ of: 'Main', isCutByTrigger: true },
        ops: [{ set: { $email: 'ann@' } }, { step: '04' }, { call: 'FindTheCause' }],
      },
      {
        of: 'CheckTheAddress',
        ops: [
          ...[{ step: '01' }, { say: 'That is no address.' }],
          ...[{ step: '02' }, { yield: 'user' }],
        ],
      },
      { of: 'CheckTheAddress', ops: [{ set: { $email: 'ann@example.com' } }, { return: null }] },
      {
        of: 'Main',
        ops: [
          ...[{ step: '03' }, { step: '04' }, { call: 'FindTheCause' }],
          ...[{ step: '05' }, { yield: 'call' }],
        ],
      },
      {
        of: 'FindTheCause',
        ops: [{ step: '01' }, { set: { $cause: 'switch' } }, { return: null }],
      },
      {
        of: 'Main',
        ops: [...[{ step: '06' }, { step: '06.01' }, { call: 'SendANewSwitch' }], ...more],
      },
      {
        of: 'SendANewSwitch',
        ops: [
          ...[{ step: '01' }, { call: 'ship', args: { what: 'switch', email: '$email' } }],
          ...[{ step: '02' }, { say: 'A new switch is on its way.' }, { return: null }],
        ],
      },
      {
        ...{ of: 'Main', isLast: true },
        ops: [
          ...[{ set: { $more: false } }, { step: '10' }, { step: '10.01' }],
          ...[{ call: 'EndConversation' }, { yield: 'call' }],
        ],
      },
      {
        of: 'EndConversation',
        ops: [{ step: '01' }, { say: 'Goodbye.' }, { step: '02' }, { yield: 'exit' }],
      },
    ],
    said: [
      ...['What is wrong, and where can we write to?', 'That is no address.'],
      ...['A new switch is on its way.', 'Anything else?', 'Goodbye.'],
    ],
    calls: [['ship', 'switch', 'ann@example.com']],
    skip: { turn: 6, ops: [{ step: '06' }, ...more] },
  });
});

describe('sales: what a playbook finds out sets off another in its midst', () => {
  tell({
    program: 'account-manager',
    tools: (calls) => [noting(calls, 'list_price', ['seats'], ({ seats }) => Number(seats) * 9)],
    answers: ['We are Quay, and 60'],
    turns: [
      {
        of: 'Main',
        ops: [
          ...[{ step: '01' }, { say: 'Who are you, and how many?' }],
          ...[{ step: '02' }, { yield: 'user' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          { set: { $company: 'Quay', $seats: 60 } },
          ...[{ step: '03' }, { call: 'Offer', args: { seats: '$seats' }, into: '$offer' }],
          ...[{ step: '04' }, { yield: 'call' }],
        ],
      },
      {
        ...{ of: 'Offer', isCutByTrigger: true },
        ops: [
          ...[{ step: '01' }, { set: { $score: 120 } }, { step: '02' }],
          { call: 'list_price', args: { seats: 1 }, into: 'price' },
        ],
      },
      {
        of: 'KeyAccount',
        ops: [
          ...[{ step: '01' }, { say: 'Somebody will call {$company}.' }],
          ...[{ step: '02' }, { set: { $manager: 'Ada' } }, { return: null }],
        ],
      },
      {
        of: 'Offer',
        ops: [
          ...[{ step: '02' }, { call: 'list_price', args: { seats: '$seats' }, into: 'price' }],
          ...[{ step: '03' }, { return: '$price' }],
        ],
      },
      {
        of: 'Main',
        ops: [
          ...[{ step: '05' }, { say: '{$company}: {$offer}' }],
          ...[{ step: '06' }, { return: '$offer' }],
        ],
      },
    ],
    said: ['Who are you, and how many?', 'Somebody will call Quay.', 'Quay: 540'],
    answer: 540,
    calls: [['list_price', 60]],
    skip: { turn: 5, ops: [{ step: '06' }, { return: '$offer' }] },
  });
});

describe('morning: a loop in a loop, and all of it once more for another city', () => {
  const city = (name: string, topics: readonly string[]) => [
    {
      of: 'Main',
      ops: [
        ...[{ set: { $city: name } }, { step: '03' }],
        { call: 'weather', args: { city: '$city' }, into: '$weather' },
        ...[{ step: '04' }, { yield: 'call' }],
      ],
    },
    {
      of: 'Main',
      ops: [
        ...[{ step: '05' }, { say: '{$city}: {$weather}' }],
        ...[{ step: '06' }, { set: { $topics: topics } }, { step: '07' }],
        ...[{ set: { $topic: topics[0] } }, { step: '07.01' }],
        { call: 'news', args: { topic: '$topic' }, into: '$news' },
        ...[{ step: '07.02' }, { yield: 'call' }],
      ],
    },
  ];
  const items = (...all: readonly string[]) =>
    all.flatMap((item) => [
      ...[{ step: '07.03' }, { set: { $item: item } }],
      ...[{ step: '07.03.01' }, { say: '{$topic}: {$item}' }],
    ]);
  const again = [
    ...[{ step: '07.03' }, { step: '07' }, { step: '08' }, { say: 'Another one?' }],
    ...[{ step: '09' }, { yield: 'user' }],
  ];
  const bye = [{ step: '11' }, { say: 'Have a good day.' }, { step: '12' }, { return: '$city' }];
  tell({
    program: 'news-and-weather',
    tools: (calls) => [
      noting(calls, 'weather', ['city'], ({ city: one }) => (one === 'Bonn' ? 'fog' : 'sun')),
      noting(calls, 'news', ['topic'], ({ topic }) => [`more ${topic}`, `less ${topic}`]),
    ],
    answers: ['Bonn', 'Yes, please', 'Rome', 'No'],
    turns: [
      {
        of: 'Main',
        ops: [{ step: '01' }, { say: 'Which city?' }, { step: '02' }, { yield: 'user' }],
      },
      ...city('Bonn', ['trains', 'rain']),
      {
        of: 'Main',
        ops: [
          ...items('more trains', 'less trains'),
          ...[{ step: '07.03' }, { step: '07' }, { set: { $topic: 'rain' } }, { step: '07.01' }],
          { call: 'news', args: { topic: '$topic' }, into: '$news' },
          ...[{ step: '07.02' }, { yield: 'call' }],
        ],
      },
      { of: 'Main', ops: [...items('more rain', 'less rain'), ...again] },
      {
        of: 'Main',
        ops: [
          ...[{ set: { $again: true } }, { step: '10' }, { step: '10.01' }, { step: '01' }],
          ...[{ say: 'It is Rome, then?' }, { step: '02' }, { yield: 'user' }],
        ],
      },
      ...city('Rome', ['boats']),
      { of: 'Main', ops: [...items('more boats', 'less boats'), ...again] },
      { of: 'Main', ops: [{ set: { $again: false } }, { step: '10' }, ...bye] },
    ],
    said: [
      ...['Which city?', 'Bonn: fog', 'trains: more trains', 'trains: less trains'],
      ...['rain: more rain', 'rain: less rain', 'Another one?', 'It is Rome, then?', 'Rome: sun'],
      ...['boats: more boats', 'boats: less boats', 'Another one?', 'Have a good day.'],
    ],
    answer: 'Rome',
    calls: [
      ['weather', 'Bonn'],
      ['news', 'trains'],
      ['news', 'rain'],
      ['weather', 'Rome'],
      ['news', 'boats'],
    ],
    skip: { turn: 9, ops: [{ step: '10' }, ...bye.slice(2)] },
  });
});

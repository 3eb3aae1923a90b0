import { tell } from './story.ts';
tell('meeting', { program: 'meeting', replies: {
  'ChooseDish:02': [['Fish.', [{at:'02',holds:false}]], ['Cook said', [{at:'02', holds:true},{at:'02.01'},{say:'What else?', to:'meeting'}]], ['', [{at:'02',holds:false}]]],
  'ChooseDish:02.01': [{say:'What else?', to:'meeting'}],
  'ChooseDish:03': [{return:'fish'}],
  HearAgent: [['What else?', [{say:'Fish.'}]], ['What shall we cook', [{say:'Soup.'}]], ['', [{note:'nothing'}]]],
}, said: ['It is fish.'], answer: 'fish' });
tell('tax', { program: 'tax-advice', answers: ['80000'], matches: ({ sender }) => sender === 'FrontDesk' ? [{ id: 'TaxExpert.Rate:T1', values: { amount: 80000 } }] : [], replies: {
  'Main:01': [['80000', [{set:{income:80000}}]], ['', [{say:'What do you earn?'}]]],
  'Main:02': [{at:'02'},{ call: 'CreateAgent', args: { like: 'TaxExpert', name: 'Ada' }, into: '$expert' }],
  'Main:03': [['15%', [{set:{rate:'15%'}}]], ['', [{at:'03'},{say:'The rate for {$income}?', to:'$expert'}]]],
}, said: ['What do you earn?', 'Your rate is 15%.'], answer: '15%' });
tell('game', { program: 'guessing-game', replies: {
  'Main:01': [{ call: 'CreateAgent', args: { like: 'Player', name: 'Bob' }, into: '$bob' }],
  'Main:02': [['Game', [{set:{winner:'Bob'}}]], ['', [{ call: 'Game', args: { topic: 'the number 7', attendees: ['Player', '$bob'] }, into: '$winner' }]]],
  'Game:02': [['said: "9"', [{at:'02', holds:false}]], ['', [{at:'02',holds:true},{at:'02.01'},{say:'A number?', to:'meeting'}]]],
  'Game:02.01': [{say:'A number?', to:'meeting'}],
  'Game:03': [{return:'Bob'}],
  'Play:01': [['is over', [{at:'01', holds:false}]], ['said: "3"', [{at:'01', holds:true},{at:'01.01'},{say:'9'}]], ['', [{at:'01', holds:true},{at:'01.01'},{say:'3'}]]],
}, said: ['Bob has won.'], answer: 'Bob' });
tell('safe chat', { program: 'safe-chat', answers: ['dragons', 'something bad', 'bye'], matches: ({message}) => String(message).includes('bad') ? ['Nursery.Safeguard:T1'] : [], replies: {
  'Main:02': [['"bye"', [{at:'02',holds:false}]], ['', [{at:'02',holds:true}]]],
  'Main:02.01': [['The person wrote', [{at:'02.01'}]], ['', [{yield:'user'}]]],
  'Main:02.02': [{set:{topic:'dragons'}}],
  'Main:02.03': [{say:'I love {$topic}'}],
}, said: ['What shall we talk about?', 'I love dragons', 'Let us talk about something else.', 'I love dragons', 'I love dragons', 'Sleep well.'], answer: 'dragons' });

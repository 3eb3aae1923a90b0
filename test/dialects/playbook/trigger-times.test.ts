/** Which triggers are a time, a beginning or an end, and which only speak of one. */
import { expect, test } from 'vitest';
import { isOfEvent } from '../../../src/dialects/playbook/steps/triggers/named-event.ts';
import { triggerOf } from '../../../src/dialects/playbook/steps/triggers/trigger.ts';
import { clockOf } from '../../../src/dialects/playbook/text/times.ts';

const codeOf = (text: string): string =>
  triggerOf({ text, place: { line: 1, column: 1 }, children: [] }, 0).code;

test.each([
  ['After 5 minutes', { kind: 'after', seconds: 300 }],
  ['In 5 minutes', { kind: 'after', seconds: 300 }],
  ['When 10 minutes have passed', { kind: 'after', seconds: 600 }],
  ['10 seconds later', { kind: 'after', seconds: 10 }],
  ['After 1 hour and 30 minutes', { kind: 'after', seconds: 5400 }],
  ['Après 5 minutes', { kind: 'after', seconds: 300 }],
  ['Every 2 hours', { kind: 'every', seconds: 7200 }],
  ['every day', { kind: 'every', seconds: 86_400 }],
  ['Hourly', { kind: 'every', seconds: 3600 }],
  ['Before the program ends', { kind: 'exit' }],
  ['before ending', { kind: 'exit' }],
  ['avant la fin', { kind: 'exit' }],
])('%s is a time', (text, clock) => {
  expect(clockOf(text)).toEqual(clock);
  expect(codeOf(text)).toBe('EVT');
});

test.each([
  'At the beginning',
  'At the beginning of the program',
  'When the program starts',
  'When the conversation begins',
  'on startup',
  'Au début',
])('%s is a beginning', (text) => {
  expect(codeOf(text)).toBe('BGN');
});

test.each([
  'When the user wants to cancel before the program ends',
  'When somebody asks when the program ends',
  'When the guest wants to leave before the end of the film',
  'When the user asks what to do before ending the contract',
  'When the user wants a seat at the start of the row',
  'At the start of an order',
  'When the user asks when the session starts',
  'When the agent begins to stutter',
  'When the user was happy at first',
  'When the playbook starts to bore the user',
  'When somebody asks for the seconds',
  'When somebody asks for the hours',
  'When the guest wants to book a room for 2 days',
  'When someone asks for a day off',
  'When the user says they will be late by 10 minutes',
  'When the user asks to be called back in 5 minutes',
  'When the order is 3 days late',
  'When the patient has had a fever for three days',
  'When the user gives their hours',
  'When somebody enters the number of days',
  'When $days is more than 3 days',
  'When $x is set for the second time',
  'When the user asks what happens every day',
  'When somebody asks for every 2 hours reminders',
])('%s is for a model to judge', (text) => {
  expect(clockOf(text)).toBeUndefined();
  expect(codeOf(text)).toBe('CND');
});

test.each([
  'When the event paid arrives',
  'When the event order paid arrives.',
  'When the user event arrives',
  'When the event customer order arrives',
  'When an event called order.paid occurs',
  'On event order_paid',
  'On the event: paid',
  'On receiving the paid event',
  'When the order_paid event comes',
  'When the webhook order_paid is received',
  "Quand l'événement paid arrive",
])('%s is an event of a name, which nobody sets off by words', (text) => {
  expect([codeOf(text), isOfEvent(text)]).toEqual(['EVT', true]);
});

test.each([
  'When an event arrives',
  'On any event',
  'When the next event comes',
  'When a message arrives',
  'When the payment arrives',
  'When the event is cancelled',
  'When the event that they booked happens',
  'When the event paid arrives or the user says so',
  'When the guest asks about the event paid',
])('%s may be what somebody says', (text) => {
  expect(isOfEvent(text)).toBe(false);
});

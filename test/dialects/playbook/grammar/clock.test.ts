/** Times in words, and when they come. */
import { expect, test } from 'vitest';
import {
  clockOf,
  momentsIn,
  nextMoment,
  secondsIn,
  untilIn,
} from '../../../../src/dialects/playbook/grammar/clock.ts';
import { fitsOf } from '../../../../src/dialects/playbook/grammar/value-type.ts';
import { zoneLike, zoneNamed } from '../../../../src/program/time-zones.ts';

test.each([
  ['5 minutes', 300],
  ['an hour', 3600],
  ['half an hour', 1800],
  ['1.5 hours', 5400],
  ['an hour and 30 minutes', 5400],
  ['2 heures', 7200],
  ['90s', 90],
  ['two days, 3 hours', 183_600],
  ['a few minutes', undefined],
  ['5 minutes of silence', undefined],
  ['5', undefined],
  ['', undefined],
])('%s lasts %s seconds', (text, seconds) => {
  expect(secondsIn(text)).toBe(seconds);
});

const nine = 9 * 3600;

test.each([
  ['at 9:00', { times: [nine], days: [] }],
  ['every day at 9:00 and 17:30', { times: [nine, 63_000], days: [] }],
  ['Every Monday and Thursday at noon', { times: [43_200], days: [1, 4] }],
  ['weekdays at 9am', { times: [nine], days: [1, 2, 3, 4, 5] }],
  ['Friday to Monday at 12:05 pm', { times: [43_500], days: [0, 1, 5, 6] }],
  ['Mondays, Thursdays at 9', undefined],
  ['Mon, Thurs at 9am', { times: [nine], days: [1, 4] }],
  ['tous les lundis à 9h00', { times: [nine], days: [1] }],
  ['at 9:00 in Berlin', { times: [nine], days: [], zone: 'Europe/Berlin' }],
  ['at 9:00 in Europe/Nowhere', { times: [nine], days: [], zone: 'Europe/Nowhere' }],
  ['at 25:00', undefined],
  ['at 9:00 the guest comes', undefined],
  ['every day', undefined],
])('moments: %s', (text, moments) => {
  expect(momentsIn(text)).toEqual(moments);
});

test.each([
  ['9:00', { times: [nine], days: [] }],
  ['Monday', { times: [0], days: [1] }],
  ['tomorrow at 9:00', { times: [nine], days: [], date: 'tomorrow' }],
  ['2026-12-24', { times: [0], days: [], date: '2026-12-24' }],
  ['2026-12-24T09:00:00Z', { times: [nine], days: [], date: '2026-12-24', zone: 'UTC' }],
  ['2026-13-24', undefined],
  ['the user has left', undefined],
  ['next week', undefined],
])('a wait until %s', (text, moments) => {
  expect(untilIn(text)).toEqual(moments);
});

test.each([
  ['After 5 minutes', { kind: 'after', seconds: 300 }],
  ['Every 2 hours', { kind: 'every', seconds: 7200 }],
  ['Every hour', { kind: 'every', seconds: 3600 }],
  ['Every Sunday at 9:00.', { kind: 'at', times: [nine], days: [0] }],
  ['Before the program ends', { kind: 'exit' }],
  ['When the guest asks for a room for 2 days', undefined],
  ['After the guest has left', undefined],
])('a trigger: %s', (text, clock) => {
  expect(clockOf(text)).toEqual(clock);
});

const at = (text: string): number => Date.parse(text) / 1000;

test.each([
  ['9:00', 'UTC', '2026-03-01T08:00Z', '2026-03-01T09:00Z'],
  ['9:00', 'UTC', '2026-03-01T09:00Z', '2026-03-02T09:00Z'],
  ['Monday', 'UTC', '2026-03-03T00:00Z', '2026-03-09T00:00Z'],
  ['tomorrow', 'Europe/Berlin', '2026-03-01T23:30Z', '2026-03-02T23:00Z'],
  // The clocks are put forward from 2:00 to 3:00, and back from 3:00 to 2:00.
  ['2:30', 'Europe/Berlin', '2026-03-29T00:00Z', '2026-03-29T01:30Z'],
  ['2:30', 'Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T00:30Z'],
])('until %s in %s, from %s: %s', (text, zone, from, to) => {
  const moments = untilIn(text);
  expect(moments && nextMoment(moments, zone, at(from))).toBe(at(to));
});

test('zones are found as people write them', () => {
  expect(['europe/berlin', 'Berlin', 'New York', 'Nowhere'].map(zoneNamed)).toEqual([
    ...['Europe/Berlin', 'Europe/Berlin', 'America/New_York', undefined],
  ]);
  expect(zoneLike('Europe/Berlim')).toBe('Europe/Berlin');
});

const integers = ['int', 'NoneType'];

test.each([
  ['int', integers],
  ['str | None', ['string', 'NoneType']],
  ['list[int]', [{ kind: 'list', items: integers }, 'NoneType']],
  ['dict[str, int]', [{ kind: 'dict', items: integers }, 'NoneType']],
  ['list[int] | dict', [{ kind: 'list', items: integers }, 'NoneType', 'dict']],
  ['Optional[str]', ['string', 'NoneType']],
  ['list[Any]', ['list', 'NoneType']],
  ['int | Any', undefined],
  ['Bike', undefined],
  ['Optional', undefined],
])('the type %s', (text, fits) => {
  expect(fitsOf(text)).toEqual(fits);
});

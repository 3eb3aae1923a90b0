/** The forms in which a model says arguments: src/effects/bind/bound-reply.ts. */
import { describe, expect, test } from 'vitest';
import { readBoundReply } from '../../../src/effects/bind/bound-reply.ts';

const helper = {
  ...{ name: 'WebHelpers.search_linkedin_profile', about: '' },
  wanted: ['first_name', 'last_name', 'company_name'],
  parameters: {
    type: 'object',
    properties: {
      ...{ first_name: { type: 'string' }, last_name: { type: 'string' } },
      company_name: { type: 'string' },
    },
  },
} as const;

/** The arguments, and the question for the company. */
function read(text: string): unknown {
  const reading = readBoundReply(text, helper);
  if (!reading.ok) return reading.problem;
  const { args, questionFor } = reading.value;
  return [args, questionFor('company_name')];
}

const steve = { first_name: 'Steve', last_name: 'Baxter' };
const question = 'Which company does Steve Baxter work for?';

describe('the same is read in every form', () => {
  test.each<[string, string]>([
    [
      'the object that is asked for',
      JSON.stringify({ args: steve, missing: [{ name: 'company_name', question }] }),
    ],
    ['questions by name', JSON.stringify({ args: steve, missing: { company_name: question } })],
    [
      'an object called arguments',
      JSON.stringify({ arguments: steve, missing: { company_name: question } }),
    ],
    [
      'flat, beside what is missing',
      JSON.stringify({ ...steve, missing: [{ name: 'company_name', question }] }),
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual([steve, question]);
    expect(read(`Here it is:\n\`\`\`json\n${text}\n\`\`\``)).toEqual([steve, question]);
  });

  test.each<[string, string]>([
    ['by position', 'WebHelpers.search_linkedin_profile("Steve", "Baxter", None)'],
    ['by its short name', "search_linkedin_profile('Steve', 'Baxter', None)"],
    [
      'by name',
      'search_linkedin_profile(last_name="Baxter", first_name = "Steve", company_name=None)',
    ],
    ['over lines', 'WebHelpers.search_linkedin_profile(\n  "Steve",\n  "Baxter",\n  null,\n)'],
  ])('a call %s', (_, call) => {
    const args = { ...steve, company_name: null };
    for (const text of [
      `${call}  # ${question}`,
      `\`\`\`python\n${call}  # ${question}\n\`\`\``,
      `search_linkedin_profile(first_name, last_name, company_name) becomes\n${call} # ${question}`,
      `<think>search_linkedin_profile("A", "B", "C")</think>${call} # ${question}`,
    ]) {
      expect(read(text), text).toEqual([args, question]);
    }
    expect(read(call)).toEqual([args, undefined]);
  });
});

test('flat, or without what is missing, asks no question', () => {
  expect(read(JSON.stringify(steve))).toEqual([steve, undefined]);
  expect(read(JSON.stringify({ args: steve }))).toEqual([steve, undefined]);
});

test('brackets, commas and quotes within arguments are theirs', () => {
  expect(read('search_linkedin_profile("Steve (Jr.), \\"S\\"", ["a, b)"], {"c": ")"})')).toEqual([
    { first_name: 'Steve (Jr.), "S"', last_name: ['a, b)'], company_name: { c: ')' } },
    undefined,
  ]);
});

test.each([
  'search_linkedin_profile(first_name, last_name, company_name)',
  'search_linkedin_profile("Steve", "Baxter"',
  'search_linkedin_profile("a", "b", "c", "d")',
  'I do not know who that is.',
])('%s is no reply', (text) => {
  expect(read(text)).toMatch(/^got /);
});

test('a parameter that is called like a part of the form is one', () => {
  const parameters = { type: 'object', properties: { args: { type: 'string' } } } as const;
  const reading = readBoundReply('{"args": "-v"}', {
    ...helper,
    ...{ parameters, wanted: ['args'] },
  });
  expect(reading).toMatchObject({ ok: true, value: { args: { args: '-v' } } });
});

test('a reply that is cut in the middle is asked for again', () => {
  expect(read('{"args": {"first_name": "Steve", "last_name": "Bax')).toBe(
    'its JSON ends in the middle',
  );
});

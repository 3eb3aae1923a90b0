/** What the check says of `llm_bind`. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { toolSpec } from '../../../src/program/effect.ts';

const helper = '"WebHelpers.get_linkedin_profile(first_name, last_name company_name)"';
const parameters = {
  type: 'object',
  properties: {
    first_name: { type: 'string' },
    last_name: { type: 'string' },
    company_name: { type: 'string' },
  },
  required: ['first_name', 'last_name', 'company_name'],
  additionalProperties: false,
} as const;
const profile = toolSpec({
  ...{ name: 'get_linkedin_profile', description: 'A profile.', effect: 'read', parameters },
  aliases: ['WebHelpers.get_linkedin_profile'],
});

describe('the check', () => {
  const tools = new Map([['get_linkedin_profile', profile]]);
  const problems = (text: string) =>
    checkProgram(text, { tools, inputs: [] }, { dialect: 'starlark' }).diagnostics.map(
      ({ severity, code, message, hint }) => [severity, code, `${message}; ${hint ?? ''}`],
    );

  test.each([
    [
      'llm_bind("x", "get_linkedin_profil(first_name)")',
      /no tool get_linkedin_profil; did you mean/,
    ],
    [
      'llm_bind("x", "get_linkedin_profile(firstname)")',
      /no parameter firstname; did you mean first/,
    ],
    ['llm_bind(["x"], "get_linkedin_profile")', /one value, got a list; bind each/],
    ['llm_bind("x", "get it!")', /want a tool with its parameters/],
    ['llm_bind("x", "get_linkedin_profile", unbound="none")', /want ask, unresolved, fail/],
  ])('of %s', (text, wanted) => {
    expect(problems(text)).toEqual([['error', 'PV2335', expect.stringMatching(wanted)]]);
  });

  test('mends a missing comma', () => {
    expect(problems(`llm_bind("x", ${helper})`)).toEqual([
      ['warning', 'PV2335', expect.stringContaining('between last_name and company_name')],
    ]);
  });
});

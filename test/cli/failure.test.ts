/** Errors of the agent layer at the terminal: what is advised, and how a command ends. */
import { expect, test } from 'vitest';
import { AgentError, type AgentErrorDetails } from '../../src/agent/port/errors.ts';
import { exit } from '../../src/cli/exit.ts';
import { failureOf } from '../../src/cli/failure.ts';

type Code = ConstructorParameters<typeof AgentError>[0];

const larger = 'resume it with a larger one: the limit tokens at 2000';
const limit = { name: 'tokens', enough: 2000 } as const;

test.each<[Code, AgentErrorDetails, string | undefined, number]>([
  ['PV6006', { hint: 'check the path' }, 'check the path', exit.usage],
  [
    'PV6006',
    { hint: 'check the path', facts: { isMissing: true } },
    'check the path; - reads the program from stdin',
    exit.usage,
  ],
  [
    'PV6018',
    { facts: { run: 'r1', isResumable: true } },
    'planvm resume r1 goes on from here',
    exit.interrupted,
  ],
  ['PV6018', { facts: { run: 'r1', isResumable: false } }, undefined, exit.interrupted],
  [
    'PV6020',
    { hint: larger, facts: { run: 'r1', limit } },
    'resume it with a larger one: --tokens 2000',
    exit.budget,
  ],
  ['PV6020', { facts: { run: 'r1' } }, 'planvm resume r1', exit.budget],
  [
    'PV6043',
    { facts: { run: 'r1', lacks: 'answer' } },
    'planvm show r1 shows what it has done',
    exit.usage,
  ],
  ['PV6501', { hint: 'did you mean wipe?' }, 'did you mean wipe?', exit.usage],
  ['PV6501', {}, 'planvm tools lists them', exit.usage],
  ['PV7501', {}, 'call it at a terminal, or without --confirm', exit.waiting],
  ['PV7504', { hint: 'edit again' }, 'edit again', exit.invalid],
])('%s with %j', (code, details, hint, ends) => {
  const error = new AgentError(code, 'what is the case', details);
  expect(failureOf(error)).toEqual({ code, message: 'what is the case', hint, ends });
});

test('a wrong setting is told with the place that it has its value from', () => {
  const facts = { tool: 'whipe', setting: 'deny', origin: '--deny' };
  const error = new AgentError('PV6501', 'there is no tool whipe', { facts });
  expect(failureOf(error).message).toBe('--deny: there is no tool whipe');
  expect(error.message).toBe('there is no tool whipe');
});

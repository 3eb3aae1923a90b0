/** References to parts of results, held against what tools say that they return. */
import { expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { type JsonSchema, toolSpec } from '../../../src/program/effect.ts';

const number = { type: 'number' };
const results: Readonly<Record<string, JsonSchema | undefined>> = {
  day: { type: 'object', properties: { temp: number, at: { type: 'object' } } },
  range: { type: 'object', additionalProperties: number },
  list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  plain: number,
  open: { type: 'object', properties: { temp: number }, additionalProperties: true },
  text: { type: 'string' },
  silent: undefined,
};
const take = toolSpec({
  name: 'take',
  description: 'Takes anything.',
  effect: 'pure',
  parameters: { type: 'object', properties: { x: {} } },
});
const makers = Object.entries(results).map(([name, returns]) =>
  toolSpec({ name, description: 'Makes it.', effect: 'read', ...(returns && { returns }) }),
);
const tools = new Map([take, ...makers].map((spec) => [spec.name, spec]));

function said(maker: string, argument: string): string[] {
  const text = `Thought: x\n1. ${maker}[]\nThought: y\n2. take[${argument}]\nThought: z\n3. join()\n`;
  const { diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect: 'llmcompiler' });
  return diagnostics
    .filter(({ code }) => code === 'PV2629')
    .map(({ step, line, message, hint }) => `${line} (${step}) ${message}; ${hint}`);
}

test.each([
  ['day', '$1.temp'],
  ['day', '$1.at.anything'],
  ['day', '$1'],
  ['range', '$1["2025-01-06"]'],
  ['list', '$1[0].name'],
  ['open', '$1.other'],
  ['text', '$1.other'],
  ['silent', '$1.other'],
])('%s may have what %s asks for', (maker, argument) => {
  expect(said(maker, argument)).toEqual([]);
});

test.each([
  [
    { men: number, women: number, name: { type: 'string' } },
    ['returns {', 'write $1.men or $1.women'],
  ],
  [{ names: { type: 'array' } }, ['returns {', 'ask a tool for the number alone']],
  [{ people: number, name: { type: 'string' } }, undefined],
  [{ text: { type: 'string' }, revision: number }, undefined],
])('a number wanted of an object with the fields of %j', (properties, found) => {
  const made = toolSpec({
    ...{ name: 'made', description: 'Makes it.', effect: 'read' },
    returns: { type: 'object', properties },
  });
  const double = toolSpec({
    ...{ name: 'double', description: 'Doubles.', effect: 'pure' },
    parameters: { type: 'object', properties: { x: number } },
  });
  const text = 'Thought: x\n1. made[]\nThought: y\n2. double[$1 * 2]\nThought: z\n3. join()\n';
  const environment = { tools: new Map([made, double].map((one) => [one.name, one])), inputs: [] };
  const { diagnostics } = checkProgram(text, environment, { dialect: 'llmcompiler' });
  const [warning] = diagnostics.filter(({ code }) => code === 'PV2629');
  if (!found) expect(warning).toBeUndefined();
  else {
    expect(warning?.message).toContain(found[0]);
    expect(warning?.hint).toBe(found[1]);
  }
});

test.each([
  ['day', '$1.tmp', '4 (2) $1: day returns no "tmp"; did you mean temp?'],
  ['day', '"It is $1.zzzzzz there"', '4 (2) $1: day returns no "zzzzzz"; it has temp, at'],
  [
    'day',
    '[$1[0]]',
    '4 (2) $1: day returns nothing that has a part 0; it returns {temp?: number, at?: object}',
  ],
  [
    'plain',
    '{"a": $1.temp}',
    '4 (2) $1: plain returns nothing that has a part "temp"; it returns number',
  ],
  [
    'range',
    '$1["2025-01-06"].t',
    '4 (2) $1: range returns nothing that has a part "t"; it returns object',
  ],
  ['list', '$1[0].nam', '4 (2) $1: list returns no "nam"; did you mean name?'],
])('%s does not have what %s asks for', (maker, argument, message) => {
  expect(said(maker, argument)).toEqual([message]);
});

test('more calls than a tool allows in a run are told of once, equal ones counted once', () => {
  const few = toolSpec({
    ...{ name: 'few', description: 'Looks.', effect: 'read', limits: { callsPerRun: 2 } },
    parameters: { type: 'object', properties: { x: {} } },
  });
  const calls = (...given: string[]): string[] => {
    const lines = given.map((x, i) => `Thought: t\n${i + 1}. few[${x}]\n`);
    const text = `${lines.join('')}Thought: t\n${given.length + 1}. join()\n`;
    const environment = { tools: new Map([['few', few]]), inputs: [] };
    const { ok, diagnostics } = checkProgram(text, environment, { dialect: 'llmcompiler' });
    expect(ok).toBe(true);
    return diagnostics.map(({ code, step, message }) => `${code} (${step}) ${message}`);
  };
  expect(calls('1', '2', '1')).toEqual([]);
  const said = ['PV2632 (3) few can be called 2 times in a run'];
  expect(calls('1', '2', '3', '3', '4')).toEqual(said);
});

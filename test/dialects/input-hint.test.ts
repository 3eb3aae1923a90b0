/** A name without a value may be an input: a model reads that, and a person reads the flag as well. */
import { expect, test } from 'vitest';
import { flagged } from '../../src/cli/advice.ts';
import { checkProgram } from '../../src/dialects/index.ts';
import { toolSpec } from '../../src/program/effect.ts';

const search = toolSpec({
  name: 'search',
  description: 'Searches.',
  effect: 'read',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
});
const environment = { tools: new Map([['search', search]]), inputs: [] };

const assign = (value: string): string =>
  `[{"seq_no": 0, "type": "assign", "parameters": {"final_answer": "${value}"}}]`;

const programs: readonly (readonly [dialect: string, text: string, code: string])[] = [
  [
    'stackvm-1',
    '[{"seq_no": 0, "type": "assign", "parameters": {"var_name": "final_answer", "value": {"var": "city"}}}]',
    'PV2137',
  ],
  ['stackvm-2', assign(`In \${city}`), 'PV2137'],
  ['starlark', 'answer(city)', 'PV2321'],
  ['starlark', 'def main():\n  return search(city["name"])\nanswer(main())', 'PV2321'],
  ['stack', 'answer(get("city"))', 'PV2710'],
  ['llmcompiler', `1. search["\${city}"]\n2. join()`, 'PV2630'],
];

const found = (text: string, dialect: string) =>
  checkProgram(text, environment, { dialect }).diagnostics.filter(
    ({ severity }) => severity === 'error',
  );

test.each(programs)('%s: %s', (dialect, text, code) => {
  const [first] = found(text, dialect);
  expect(first?.code).toBe(code);
  expect(first?.hint).toContain('a run can be given it as the input city');
  expect(first?.hint).not.toContain('--');
  expect(first && flagged(first).hint).toContain('as the input city (--input city=…)');
});

test('a name that the command line would read in another way has no flag', () => {
  const [first] = found('answer(get("my city"))', 'stack');
  expect(first && flagged(first).hint).toMatch(/as the input "my city"$/);
});

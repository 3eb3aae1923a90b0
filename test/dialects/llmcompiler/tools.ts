/** Tools that plans of these tests call: those of LLMCompiler's glossary, and some for a case. */
import type { Environment } from '../../../src/dialects/dialect.ts';
import { type JsonSchema, type ToolSpec, toolSpec } from '../../../src/program/effect.ts';
import { arithmeticText } from '../../../src/program/json-schema.ts';

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'number' };

function tool(
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): ToolSpec {
  const parameters = { type: 'object', properties, required };
  return toolSpec({ name, description: `Does ${name}.`, effect: 'read', parameters });
}

const place: JsonSchema = { type: 'object', properties: { name: text, height: number } };

export const tools: readonly ToolSpec[] = [
  { ...tool('places_of', { x: {} }), returns: place },
  { ...tool('places', {}), returns: { type: 'array', items: place } },
  tool('NodeStatus', {}),
  { ...tool('Temperature', { date: text }), after: ['NodeStatus'] },
  tool('TemperatureRange', { start_date: text, end_date: text }),
  tool('Calculate', { expression: text }),
  tool('Calculator', { expression: { ...text, contentMediaType: arithmeticText } }),
  tool('Table', { headers: { type: 'array', items: text }, rows: { type: 'array' } }),
  tool('search', { query: text }),
  tool('Search', { query: text, top_k: { type: 'integer' } }, ['query']),
  tool('math', { problem: text, context: { type: 'array' } }, ['problem']),
  tool('double', { value: number }),
  tool('any', { x: {} }),
  tool('pair', { a: {}, b: {} }, ['a']),
  tool('say', { text, language: { type: 'string', enum: ['en', 'fr'] } }),
  tool('weather', { city: text, day: { type: 'string', format: 'date' } }),
  tool('mail', { to: { type: 'string', format: 'email' }, body: text }),
  tool('translated', { text, into: { type: 'string', pattern: '^[a-z]{2}$' } }),
  tool('optional', {
    words: { anyOf: [{ type: 'array', items: text }, { type: 'null' }] },
    note: { anyOf: [text, { type: 'null' }] },
  }),
  tool('largest', { values: { type: 'array', items: number } }),
  tool('flag', { on: { type: 'boolean' }, mode: { type: 'string', enum: ['slow', 'fast'] } }, [
    'on',
  ]),
  tool('open', {}),
  tool('get-weather', { city: text }),
  tool('mcp.search', { query: text }),
  tool('ns:tool/v1', { query: text }),
];

export const environment: Environment = {
  tools: new Map(tools.map((spec) => [spec.name, spec])),
  inputs: [],
};

/** The published JSON Schemas of plans, made from the table of instructions. */
import type { JsonSchema } from '../../program/json-schema.ts';
import {
  type InstructionRow,
  instructionKeys,
  type ParameterRow,
  type ParameterType,
  rows,
} from './instructions.ts';
import { spellings } from './parameters.ts';
import type { DialectName } from './plan.ts';

type Schema = { readonly [keyword: string]: unknown };

const name: Schema = { type: 'string', minLength: 1 };
const number: Schema = { type: 'integer', minimum: 0 };

const types: Readonly<Record<ParameterType, Schema>> = {
  value: {},
  text: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/reference' }] },
  variable: name,
  outputs: { anyOf: [name, { type: 'array', items: name }] },
  step: number,
  branch: { type: 'array', items: { $ref: '#/$defs/instruction' } },
  tool: name,
  arguments: { type: 'object' },
  note: {},
};

/** A type that is in no row is the name of a tool, whose parameters the schema cannot know. */
export function schemaOf(dialect: DialectName): Schema {
  const listed = rows.filter((row) => row.dialects.includes(dialect));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Plan in ${dialect}`,
    description: 'Instructions, executed in the order of their numbers.',
    type: 'array',
    minItems: 1,
    items: { $ref: '#/$defs/instruction' },
    $defs: {
      reference: {
        description: 'The value of a variable, or of a part of it.',
        type: 'object',
        properties: { var: name },
        required: ['var'],
        additionalProperties: false,
      },
      instruction: {
        type: 'object',
        properties: instructionProperties(listed),
        required: ['seq_no', 'type'],
        additionalProperties: false,
        allOf: listed.map((row) => ({
          if: { properties: { type: { const: row.type } } },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: thenOf(row),
        })),
      },
    },
  };
}

/**
 * The same in short, for a model that is held to it while it writes: providers take neither
 * conditions nor references to other parts.
 */
export function replySchemaOf(dialect: DialectName): JsonSchema {
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ...{
          seq_no: { type: 'integer' },
          type: { type: 'string' },
          parameters: { type: 'object' },
        },
        ...(dialect === 'stackvm-2' && { execution_objective: { type: 'string' } }),
        on_error: { type: 'integer' },
      },
      required: ['seq_no', 'type', 'parameters'],
    },
  };
}

function instructionProperties(listed: readonly InstructionRow[]): Schema {
  const keys: Readonly<Record<string, Schema>> = {
    seq_no: { ...number, description: 'Its number, unique and without gaps.' },
    type: {
      description: 'The type of instruction, or the name of a tool.',
      anyOf: [{ enum: listed.map(({ type }) => type) }, name],
    },
    parameters: { description: 'Each type of instruction has its own.' },
    execution_objective: {
      type: ['string', 'null'],
      description: 'What it is for, what result is expected, which later instructions use it.',
    },
    on_error: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'The seq_no to go on at when this instruction fails.',
    },
  };
  return Object.fromEntries(instructionKeys.map((key) => [key, keys[key] ?? {}]));
}

function thenOf(row: InstructionRow): Schema {
  if (row.rest === 'notes') return { description: row.about };
  const properties = row.parameters.flatMap((parameter) =>
    spellings(parameter).map((spelling) => [spelling, propertyOf(parameter, spelling)] as const),
  );
  const needed = row.parameters.filter(({ required }) => required);
  const all = [
    ...needed.map((parameter) => ({
      anyOf: spellings(parameter).map((spelling) => ({ required: [spelling] })),
    })),
    ...(row.needs ? [{ anyOf: row.needs.map((set) => ({ required: set })) }] : []),
  ];
  const parameters: Schema = {
    description: row.about,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(row.rest === 'unknown' ? { additionalProperties: false } : {}),
    ...(all.length > 0 ? { allOf: all } : {}),
  };
  return { properties: { parameters }, required: ['parameters'] };
}

/** An optional parameter may be null, which is the same as absent. */
function propertyOf(parameter: ParameterRow, spelling: string): Schema {
  const { type, required, about, formerly } = parameter;
  const schema = types[type];
  const nullable = required || Object.keys(schema).length === 0;
  return {
    description: about,
    ...(nullable ? schema : { anyOf: [schema, { type: 'null' }] }),
    ...(formerly?.includes(spelling) ? { deprecated: true } : {}),
  };
}

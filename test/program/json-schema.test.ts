/** Schemas of pydantic, FastMCP and zod are full signatures, however they write them. */
import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../src/dialects/signature.ts';
import { type JsonSchema, toolSpec } from '../../src/program/effect.ts';
import { plainSchema } from '../../src/program/json-schema.ts';

const signature = (parameters: JsonSchema): string =>
  signatureOf(toolSpec({ name: 'f', description: 'Does.', parameters }));

const point = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
  required: ['x'],
};

test.each<[string, JsonSchema, string]>([
  ['a reference', { $ref: '#/$defs/Point' }, 'p: {x: number, y?: number | null} = …'],
  ['an older reference', { $ref: '#/definitions/Old' }, 'p: {x: number, y?: number | null} = …'],
  [
    'a reference through another',
    { $ref: '#/$defs/Alias' },
    'p: {x: number, y?: number | null} = …',
  ],
  ['a name that is escaped', { $ref: '#/$defs/a~1b%20c' }, 'p: integer = …'],
  [
    'a list of references',
    { type: 'array', items: { $ref: '#/$defs/Color' } },
    'p: list of "red" | "blue" = …',
  ],
  [
    'allOf of one',
    { allOf: [{ $ref: '#/$defs/Color' }], default: 'red' },
    'p: "red" | "blue" = "red"',
  ],
  [
    'allOf of several',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { $ref: '#/$defs/Color' } } },
      ],
    },
    'p: {a: string, b?: "red" | "blue"} = …',
  ],
  ['anyOf with null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 'p: string | null = …'],
  [
    'a choice with null',
    { anyOf: [{ $ref: '#/$defs/Color' }, { type: 'null' }] },
    'p: "red" | "blue" | null = …',
  ],
  [
    'oneOf',
    { oneOf: [{ type: 'string' }, { $ref: '#/$defs/Point' }] },
    'p: string | {x: number, y?: number | null} = …',
  ],
  ['a choice of constants', { anyOf: [{ const: 'a' }, { const: 1 }] }, 'p: "a" | 1 = …'],
  ['const', { const: 'fixed' }, 'p: "fixed" = …'],
  ['types', { type: ['string', 'null'] }, 'p: string | null = …'],
  ['nullable', { type: 'string', nullable: true }, 'p: string | null = …'],
  [
    'nullable beside a reference',
    { $ref: '#/$defs/Color', nullable: true },
    'p: "red" | "blue" | null = …',
  ],
  [
    'nullable beside allOf',
    { allOf: [{ type: 'integer' }], nullable: true },
    'p: integer | null = …',
  ],
  ['a reference to nothing', { $ref: '#/$defs/Gone' }, 'p = …'],
  ['a reference elsewhere', { $ref: 'https://example.org/a.json' }, 'p = …'],
])('%s', (_name, schema, parameter) => {
  const parameters = {
    type: 'object',
    properties: { p: schema },
    $defs: {
      Point: point,
      Alias: { $ref: '#/$defs/Point' },
      Color: { enum: ['red', 'blue'], title: 'Color' },
      'a/b c': { type: 'integer' },
    },
    definitions: { Old: point },
  };
  expect(signature(parameters)).toBe(`f(${parameter})`);
});

describe('a schema that never ends', () => {
  test('ends in the bare type of what it repeats', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/$defs/Node' } },
    };
    const schema = { properties: { p: { $ref: '#/$defs/Node' } }, $defs: { Node: node } };
    expect(signature(schema)).toBe('f(p: {name?: string, next?: object} = …)');
    const self = { type: 'object', properties: { again: { $ref: '#' } } };
    expect(signature(self)).toBe('f(again: {again?: object} = …)');
    expect(plainSchema({ $ref: '#' })).toEqual({});
  });

  test('is bounded where it doubles with each reference', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => {
        const part = { $ref: `#/$defs/d${i + 1}` };
        return [`d${i}`, { type: 'object', properties: { a: part, b: part } }];
      }),
    );
    const text = JSON.stringify(plainSchema({ properties: { p: { $ref: '#/$defs/d0' } }, $defs }));
    expect(text.length).toBeLessThan(200_000);
  });
});

test('a schema without such keywords stays as it is', () => {
  expect(plainSchema(point.properties.x)).toBe(point.properties.x);
});

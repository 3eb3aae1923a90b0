/** Functions and classes of a module as tools: what is read from how they are written. */
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import { helperTools } from '../../src/effects/tool/helper/exported-tools.ts';
import { declaredTypes, schemaOfType } from '../../src/effects/tool/helper/type-schema.ts';
import { readFunction } from '../../src/effects/tool/helper/written.ts';

const source = `
type Mode = 'fast' | 'slow';
interface Mail { to: string; cc?: string[] }
`;
const declared = declaredTypes(source);

describe('types', () => {
  test.each([
    ['string', { type: 'string' }],
    ['string | undefined', { type: 'string' }],
    ['string | null', { type: ['string', 'null'] }],
    ["'a' | 'b'", { enum: ['a', 'b'] }],
    ['Mode', { enum: ['fast', 'slow'] }],
    ['readonly number[]', { type: 'array', items: { type: 'number' } }],
    ['Array<Mode>', { type: 'array', items: { enum: ['fast', 'slow'] } }],
    ['Promise<boolean>', { type: 'boolean' }],
    ['Date', { type: 'string', format: 'date-time' }],
    ['Record<string, number>', { type: 'object' }],
    ['Unknown', {}],
    ['(a: string) => void', {}],
    [
      'Mail',
      {
        type: 'object',
        properties: {
          to: { type: 'string' },
          cc: { type: 'array', items: { type: 'string' } },
        },
        required: ['to'],
      },
    ],
  ])('%s', (type, schema) => expect(schemaOfType(type, declared)).toEqual(schema));

  test('a type that names itself ends', () => {
    expect(() => schemaOfType('A', declaredTypes('type A = { a: A };'))).not.toThrow();
  });
});

describe('functions', () => {
  const names = (text: string): string[] | undefined =>
    readFunction(text, '', declared)?.parameters.map(
      ({ name, isOptional, isRest }) => `${isRest ? '...' : ''}${name}${isOptional ? '?' : ''}`,
    );

  test.each([
    ['async send(to: string, mode: Mode = "fast", n?: number): Promise<string> {}', 'to mode? n?'],
    ['function f(a: { x: number; y: string }, b = [1, 2], /* last, */ c = "),(") {}', 'a b? c?'],
    ['(a: (x: number) => string, b: Map<string, number>) => 1', 'a b'],
    ['async a => a', 'a'],
    ['f<T>(one: T, ...more: string[]) {}', 'one ...more?'],
    ['f() {}', ''],
    ['f(this: Mail, a: string) {}', 'a'],
  ])('%s', (text, expected) => expect(names(text)?.join(' ')).toBe(expected));

  test('parameters without names are none', () => {
    expect(names('f({ to }: Mail) {}')).toBeUndefined();
  });

  test('types, defaults, documentation', () => {
    const comment = `/**
   * Sends a letter,
   * and waits.
   *
   * @param to - Who gets it.
   * @param {number} copies How many.
   * @effect write
   * @destructive
   */`;
    const read = readFunction('send(to: string, copies = 1): Promise<Mode> {', comment, declared);
    expect(read?.parameters).toMatchObject([
      { name: 'to', schema: { type: 'string', description: 'Who gets it.' } },
      { name: 'copies', schema: { type: 'number', default: 1, description: 'How many.' } },
    ]);
    expect(read?.returns).toEqual({ enum: ['fast', 'slow'] });
    expect(read?.doc.about).toBe('Sends a letter, and waits.');
    expect([...(read?.doc.tags ?? [])]).toEqual([
      ['effect', 'write'],
      ['destructive', ''],
    ]);
  });

  test.each(['f(', 'f(a: {', 'f("', 'f(a = `', '('])('an odd text ends: %s', (text) => {
    expect(() => readFunction(text, '/**', declared)).not.toThrow();
  });
});

test('methods that read alike without their types have the types of their own class', () => {
  const text = `
class Names { find(id: string) { return id; } }
class Shelves { find(id: number) { return id; } }
class More extends Names { static find(id: number[]) { return id; } }
`;
  const blank = stripTypeScriptTypes(text);
  const exports = new Function(`${blank} return { Names, Shelves, More };`)();
  const tools = helperTools({ file: 'h.ts', source: text, blank, exports }, undefined);
  const types = tools.map(({ name, parameters }) => [name, Object(parameters).properties.id.type]);
  expect(types).toEqual([
    ['Names.find', 'string'],
    ['Shelves.find', 'number'],
    ['More.find', 'array'],
  ]);
});

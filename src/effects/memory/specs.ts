/** The declarations of what is remembered, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';

const text = (description: string, maxLength: number): JsonSchema => ({
  ...{ type: 'string', description, minLength: 1, maxLength },
});

const key = text('What it is called, such as customers/renewals.', 200);

const listed: Readonly<Record<string, JsonSchema>> = {
  key: { type: 'string' },
  summary: { type: 'string' },
  updatedAt: { type: 'string', description: 'ISO text.' },
};

const todo: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    text: { type: 'string' },
    done: { type: 'boolean' },
  },
  required: ['id', 'text', 'done'],
};

const memory = (name: string): string[] => [`MemoryHelpers.${name}`];

export const memorySpecs: readonly ToolSpec[] = [
  toolSpec({
    name: 'remember',
    aliases: memory('remember'),
    description:
      'Keeps a value under a key for later runs, in place of what was there. Say in a line what ' +
      'it is: that is what later runs find it by.',
    effect: 'write',
    idempotent: true,
    parameters: {
      type: 'object',
      properties: {
        key,
        value: { description: 'Any data.' },
        summary: { type: 'string', description: 'What it is, in a line.', maxLength: 500 },
      },
      required: ['key', 'value'],
      additionalProperties: false,
    },
    returns: { type: 'object', properties: listed, required: Object.keys(listed) },
  }),
  toolSpec({
    name: 'recall',
    aliases: memory('recall'),
    description: 'The value that was remembered under a key.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { key },
      required: ['key'],
      additionalProperties: false,
    },
  }),
  toolSpec({
    name: 'memories',
    aliases: memory('memories'),
    description: 'What is remembered, newest first: [{ key, summary, updatedAt }], no values.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words that key or summary have; empty: all.' },
        limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'Default: 50.' },
      },
      additionalProperties: false,
    },
    returns: {
      type: 'array',
      items: { type: 'object', properties: listed, required: Object.keys(listed) },
    },
  }),
  toolSpec({
    name: 'forget',
    aliases: memory('forget'),
    description: 'Forgets what is remembered under a key. Returns whether there was anything.',
    effect: 'write',
    idempotent: true,
    destructive: true,
    parameters: {
      type: 'object',
      properties: { key },
      required: ['key'],
      additionalProperties: false,
    },
    returns: { type: 'boolean' },
  }),
  toolSpec({
    name: 'todo_add',
    aliases: memory('todo_add'),
    description: 'Puts something that is to be done on the list. Returns { id, text, done }.',
    effect: 'write',
    idempotent: true,
    parameters: {
      type: 'object',
      properties: { text: text('What is to be done.', 2000) },
      required: ['text'],
      additionalProperties: false,
    },
    returns: todo,
  }),
  toolSpec({
    name: 'todos',
    aliases: memory('todos'),
    description: 'What is to be done, oldest first: [{ id, text, done }].',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { all: { type: 'boolean', description: 'With what is done.' } },
      additionalProperties: false,
    },
    returns: { type: 'array', items: todo },
  }),
  toolSpec({
    name: 'todo_done',
    aliases: memory('todo_done'),
    description: 'Marks something on the list as done, or as open again. Returns it.',
    effect: 'write',
    idempotent: true,
    parameters: {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        done: { type: 'boolean', description: 'Default: true.' },
      },
      required: ['id'],
      additionalProperties: false,
    },
    returns: todo,
  }),
];

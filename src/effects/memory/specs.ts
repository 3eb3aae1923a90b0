/** The declarations of what is remembered, apart from what performs them. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { arrayOf, closed, flag, integer, optional, record, text } from '../tool/fields.ts';

const shortText = (description: string, maxLength: number): JsonSchema =>
  text(description, { minLength: 1, maxLength });

const key = shortText('What it is called, such as customers/renewals.', 200);

const listed = record({ key: text(), summary: text(), updatedAt: text('ISO text.') });

const todo: JsonSchema = record({ id: integer(), text: text(), done: flag() });

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
    parameters: closed({
      key,
      value: { description: 'Any data.' },
      summary: optional(text('What it is, in a line.', { maxLength: 500 })),
    }),
    returns: listed,
  }),
  toolSpec({
    name: 'recall',
    aliases: memory('recall'),
    description: 'The value that was remembered under a key.',
    effect: 'read',
    parameters: closed({ key }),
  }),
  toolSpec({
    name: 'memories',
    aliases: memory('memories'),
    description: 'What is remembered, newest first: [{ key, summary, updatedAt }], no values.',
    effect: 'read',
    parameters: closed({
      query: optional(text('Words that key or summary have; empty: all.')),
      limit: optional(integer('Default: 50.', { minimum: 1, maximum: 1000 })),
    }),
    returns: arrayOf(listed),
  }),
  toolSpec({
    name: 'forget',
    aliases: memory('forget'),
    description: 'Forgets what is remembered under a key. Returns whether there was anything.',
    effect: 'write',
    idempotent: true,
    destructive: true,
    parameters: closed({ key }),
    returns: flag(),
  }),
  toolSpec({
    name: 'todo_add',
    aliases: memory('todo_add'),
    description: 'Puts something that is to be done on the list. Returns { id, text, done }.',
    effect: 'write',
    idempotent: true,
    parameters: closed({ text: shortText('What is to be done.', 2000) }),
    returns: todo,
  }),
  toolSpec({
    name: 'todos',
    aliases: memory('todos'),
    description: 'What is to be done, oldest first: [{ id, text, done }].',
    effect: 'read',
    parameters: closed({ all: optional(flag('With what is done.')) }),
    returns: arrayOf(todo),
  }),
  toolSpec({
    name: 'todo_done',
    aliases: memory('todo_done'),
    description: 'Marks something on the list as done, or as open again. Returns it.',
    effect: 'write',
    idempotent: true,
    parameters: closed({
      id: { type: 'integer', minimum: 1 },
      done: optional(flag('Default: true.')),
    }),
    returns: todo,
  }),
];

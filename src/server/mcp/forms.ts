/**
 * What a run waits for, as forms that a client of MCP shows its user; and what comes back of them.
 * Forms of the protocol are flat: what is deeper is asked for as JSON. Pure.
 */

import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import type { Reply } from '../../agent/port/reply.ts';
import type { OpenApproval, OpenQuestion, OpenWait } from '../../engine/perform/person.ts';
import { stringify } from '../../program/json.ts';
import { withoutControls } from '../../text/words.ts';

export type Form = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>;
export type Asked = OpenQuestion | OpenApproval;

export const isAsked = (wait: OpenWait): wait is Asked => wait.kind !== 'pause';

/** `problem`: what was wrong with the answer before. */
export function formOf(wait: Asked, problem?: string): Form {
  if (wait.kind === 'approval') return approvalForm(wait);
  const question = wait.to === undefined ? wait.question : `For ${wait.to}: ${wait.question}`;
  const message = problem === undefined ? question : `${problem}. ${question}`;
  // What programs say may be a stranger's words.
  return { message: withoutControls(message), requestedSchema: schemaOf(wait) };
}

/**
 * Reads what a client sends, which nobody has checked. Undefined where the user has said nothing,
 * so that the run goes on waiting.
 */
export function replyOf(wait: Asked, response: unknown, by: string): Reply | undefined {
  const { action, content } = membersOf(response);
  if (action !== 'accept') return undefined;
  const { effect } = wait;
  const members = membersOf(content);
  if (wait.kind === 'question') return { by, effect, answer: answerIn(wait, members) };
  const { approve: approved, note } = members;
  if (typeof approved !== 'boolean') return undefined;
  return { by, effect, approved, ...(typeof note === 'string' && note !== '' && { note }) };
}

const argumentsShown = 2000;

function approvalForm({ tool, request, why, effect }: OpenApproval): Form {
  const args = stringify(request);
  const given = args.length > argumentsShown ? `${args.slice(0, argumentsShown)}…` : args;
  return {
    message: withoutControls(`${tool} ${given} is to be approved (effect ${effect}): ${why}`),
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve', description: 'Whether it may be called.' },
        note: { type: 'string', title: 'Note', description: 'Why, for the journal.' },
      },
      required: ['approve'],
    },
  };
}

type Schema = ElicitRequestFormParams['requestedSchema'];

function schemaOf({ choices, schema }: OpenQuestion): Schema {
  if (choices) return only({ type: 'string', enum: choices.map(textOf) });
  if (schema === undefined) return only({ type: 'string' });
  if (isFlat(schema)) return schema as unknown as Schema;
  const { type } = schema;
  if (typeof type === 'string' && simple.has(type)) return only({ ...schema, type });
  return only({ type: 'string', description: `JSON of this schema: ${stringify(schema)}` });
}

const only = (answer: object): Schema =>
  ({ type: 'object', properties: { answer }, required: ['answer'] }) as Schema;

const simple: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** An object whose members are all simple. */
function isFlat({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'object') return false;
  const members = Object.values(membersOf(properties));
  return members.length > 0 && members.every((one) => simple.has(membersOf(one).type));
}

function answerIn({ choices, schema }: OpenQuestion, given: Record<string, unknown>): unknown {
  if (choices) return choices.find((one) => textOf(one) === given.answer) ?? given.answer;
  if (schema === undefined) return given.answer;
  if (isFlat(schema)) return given;
  const isSimple = simple.has(schema.type);
  return isSimple || typeof given.answer !== 'string' ? given.answer : dataIn(given.answer);
}

/** What is no JSON is a text, which the question then refuses or not. */
function dataIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const textOf = (choice: unknown): string =>
  typeof choice === 'string' ? choice : stringify(choice);

const membersOf = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null ? { ...data } : {};

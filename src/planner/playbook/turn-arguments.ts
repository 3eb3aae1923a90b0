/** What the loop says of a turn. */
import { z } from 'zod';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { parametersOf, readData } from '../loop-data.ts';
import type { Entry } from './prompt/session.ts';

export interface TurnArguments {
  readonly frame: FrameView;
  readonly kind: TurnKind;
  readonly session: readonly Entry[];
  readonly variables: readonly ShownVariable[];
  readonly isJudged: boolean;
}

export type TurnKind = 'start' | 'resume' | 'continue';

/** Where a playbook is. */
export interface FrameView {
  readonly playbook: string;
  readonly line: string;
  readonly call: string;
  readonly about?: string | undefined;
  readonly me?: string | undefined;
  readonly made: Readonly<Record<string, string>>;
  readonly asks: readonly string[];
  readonly items: readonly string[];
  readonly decide: boolean;
  readonly zone: string;
  readonly today?: string | undefined;
}

export interface ShownVariable {
  readonly name: string;
  readonly scope: 'local' | 'state';
  /** `once`: whole for this turn; later turns have it in short. */
  readonly how: 'full' | 'once' | 'summary' | 'name';
  readonly value?: unknown;
  readonly about?: AboutValue | undefined;
}

/** Of a value that is not shown whole. */
interface AboutValue {
  readonly type?: string | undefined;
  readonly size?: number | undefined;
  readonly start?: string | undefined;
}

const frame = z.object({
  playbook: z.string().describe('Agent.Name'),
  line: z.string(),
  call: z.string().default('').describe('As in RentBike(day="Sunday").'),
  about: z
    .string()
    .nullish()
    .transform((text) => text ?? undefined)
    .describe('The description of the playbook with its placeholders filled in.'),
  me: z.string().optional().describe('The name of an agent that was created.'),
  made: z
    .record(z.string(), z.string())
    .default({})
    .describe('Agents that were created, by name, and which one each is like.'),
  asks: z.array(z.string()).default([]).describe('Variables without values that it asks for.'),
  items: z.array(z.string()).default([]).describe('Sentences on loops and questions.'),
  decide: z.boolean().default(false).describe('Whether the model decides the condition there.'),
  zone: z.string().default('UTC').describe('Whose clocks say what day it is.'),
  today: z.string().optional(),
});

const variable = z.object({
  name: z.string(),
  scope: z.enum(['local', 'state']),
  how: z
    .enum(['full', 'once', 'summary', 'name'])
    .default('full')
    .describe('once: whole for this turn.'),
  value: z.unknown().optional(),
  about: z
    .object({
      type: z.string().optional(),
      size: z.number().optional(),
      start: z.string().optional(),
    })
    .optional()
    .describe('Of a value that is not shown whole.'),
});

/** The loop hands back what turns and it itself have made. */
const isEntry = (entry: unknown): boolean => typeof Object(entry).is === 'string';

const turnArguments = z.object({
  frame,
  kind: z
    .enum(['start', 'resume', 'continue'])
    .describe('A new frame, one that goes on after a playbook, or after its own calls.'),
  session: z
    .array(z.custom<Entry>(isEntry))
    .describe('What was asked and replied in this frame: "entries" of each turn, and news.'),
  variables: z.array(variable),
  isJudged: z
    .boolean()
    .default(false)
    .describe('Whether triggers are being judged: no text is shown while it is written.'),
});

export const turnSpec: ToolSpec = toolSpec({
  name: 'turn',
  description:
    'Lets a model do open lines of a playbook; to be read with stream(). The parts are ' +
    '{"op": "asked", "entries", "isFresh", "tokens", "chat"}, then {"op": "at", "line", ' +
    '"holds"?}, {"op": "set", "values"}, {"op": "call", "callee", "kind", "args", "into"?, ' +
    '"on"?}, {"op": "say", "text", "to"?}, {"op": "yield", "for", "whom"?, "within"?}, ' +
    '{"op": "return", "value"}, ' +
    '{"op": "show", "names"}, {"op": "note" | "unexpected", "text"}, each with "raw", ' +
    'its line for the session; {"op": "problem", "code", "text", "raw"?, "words"?}; and at last ' +
    '{"op": "end", "isWhole"}. Values are ' +
    '{"is": "value" | "ref" | "text" | "list" | "dict", …}.',
  kind: 'model',
  effect: 'read',
  parameters: parametersOf(turnArguments),
});

const turnHint = 'stream(turn, frame = …, kind = "start", session = [], variables = [])';

export const readTurn = (args: unknown): TurnArguments =>
  readData(turnArguments, args, 'a turn', turnHint);

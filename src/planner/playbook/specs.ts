/** The effects of the loop over playbooks, as a program that replaces the loop sees them. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

const list = (description: string) => ({ type: 'array', items: { type: 'object' }, description });

export const turnSpec: ToolSpec = toolSpec({
  name: 'turn',
  description:
    'Lets a model do open lines of a playbook; to be read with stream(). The parts are ' +
    '{"op": "asked", "entries", "isFresh", "left"?, "tokens", "chat"}, then {"op": "at", "line", ' +
    '"holds"?}, {"op": "set", "values"}, {"op": "call", "callee", "kind", "args", "into"?, ' +
    '"on"?}, {"op": "say", "text", "to"?}, {"op": "yield", "for", "whom"?, "within"?}, ' +
    '{"op": "return", "value"}, ' +
    '{"op": "show", "names", "from"?}, {"op": "note" | "unexpected", "text"}, each with "raw", ' +
    'its line for the session; {"op": "problem", "code", "text", "raw"?, "words"?}; and at last ' +
    '{"op": "end", "used"?, "isWhole"}. Values are ' +
    '{"is": "value" | "ref" | "text" | "list" | "dict", …}.',
  kind: 'model',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      frame: {
        type: 'object',
        description:
          'Where it goes on: {"playbook": "Agent.Name", "line", "call", "about"?, "me"?, ' +
          '"made"?, "earlier"?, "asks"?, "items"?, "decide"?, "zone"?}; "made" has agents that ' +
          'were created, by name, and which one each is like, "asks" the variables without ' +
          'values that the line asks for, "items" sentences on loops and questions, "decide" ' +
          'whether the model decides the condition of the line, "earlier" the name of the ' +
          'variable that is to keep what is "left" of the session, "zone" whose clocks say what ' +
          'day it is.',
      },
      kind: {
        type: 'string',
        enum: ['start', 'resume', 'continue'],
        description: 'A new frame, one that goes on after a playbook, or after its own calls.',
      },
      session: list(
        'What was asked and replied in this frame: "entries" of each turn, replies, and news.',
      ),
      variables: list(
        '{"name", "scope", "how": "full" | "once" | "summary" | "name", "value"?, "about"?, ' +
          '"from"?}: later turns have in short what is shown once.',
      ),
      isJudged: {
        type: 'boolean',
        description: 'Whether triggers are being judged: no text is shown while it is written.',
      },
    },
    required: ['frame', 'kind', 'session', 'variables'],
  },
});

export const matchTriggersSpec: ToolSpec = toolSpec({
  name: 'match_triggers',
  description:
    'Lets a model say which conditions have just come to hold. Returns a list of their ids, or ' +
    'of {"id", "values"} where the message gives what a condition wants, and {"id", "still"} of ' +
    'one that held before and only goes on to; without conditions no model is asked.',
  kind: 'model',
  effect: 'read',
  // It sees nothing of the calls before it, so it does not wait for them.
  blind: true,
  parameters: {
    type: 'object',
    properties: {
      conditions: list(
        '{"id", "text", "wants"?: {name: type}, "held"?: whether it held when it was last asked ' +
          'about}: only those that the changes may decide.',
      ),
      changed: { type: 'object', description: 'Values of the variables that have changed.' },
      long: {
        type: 'object',
        description: 'Of long values: {"start": "…", "end"?, "size": characters}.',
      },
      message: {
        type: ['string', 'object', 'null'],
        description: 'What somebody has just written; of a long text as in `long`.',
      },
      question: {
        type: ['string', 'object', 'null'],
        description: 'What they were asked or told before that.',
      },
      sender: { type: 'string', description: 'Who wrote it, where that is not the user.' },
    },
    required: ['conditions'],
  },
});

export const dueTimeSpec: ToolSpec = toolSpec({
  name: 'due_time',
  description:
    'The first time of day after a moment, by the clocks of a time zone, in seconds since 1970.',
  kind: 'clock',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      times: { type: 'array', items: { type: 'integer' }, description: 'Seconds after midnight.' },
      days: {
        type: 'array',
        items: { type: 'integer' },
        description: 'From 0, Sunday, to 6; every day where there are none.',
      },
      date: { type: 'string', description: 'In place of days: 2026-12-24, or tomorrow.' },
      text: { type: 'string', description: 'In place of all these: words for a time.' },
      zone: { type: 'string', description: 'Such as Europe/Berlin.' },
      after: { type: 'number', description: 'The moment.' },
    },
    required: ['zone', 'after'],
  },
});

/** The effects of the loop over playbooks, as a program that replaces it sees them. */
import { type ToolSpec, toolSpec } from '../../program/effect.ts';

const list = (description: string) => ({ type: 'array', items: { type: 'object' }, description });

export const turnSpec: ToolSpec = toolSpec({
  name: 'turn',
  description:
    'Lets a model go on with a playbook; to be read with stream(). Parts are first {"op": ' +
    '"asked", "entries", "isFresh", "left"?, "tokens", "chat"}, then {"op": "step", "line"}, ' +
    '{"op": "set", "name", "scope", "value", "line"}, {"op": "call", "id", "callee", "kind", ' +
    '"args", "into", "scope", "line", "key"}, {"op": "say", "to"?, "text", "line", "key"}, ' +
    '{"op": "yield", "for", "line", "asks", "whom"}, {"op": "return", "value", "line"}, ' +
    '{"op": "show", "names", "from"?}, {"op": "think" | "note" | "unexpected", "text"}, ' +
    '{"op": "problem", "code", "text", "line", "isFromOutside"?}, and at last {"op": "end", ' +
    '"line", "begun"?, "said", "used"?, "isWhole"}. Values are ' +
    '{"is": "value" | "ref" | "text" | "list" | "dict", …}.',
  kind: 'model',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      frame: {
        type: 'object',
        description:
          'Where it goes on: {"playbook": "Agent.Name", "line", "call", "about"?, "acts"?, ' +
          '"made"?, "items"?, "earlier"?, "unset"?}; "acts" has the keys of what was called and ' +
          'said, by lines, "made" has agents that were made, by name, and what each is like, ' +
          '"items" says which round of its loops it is in, "earlier" the name of the variable ' +
          'that is to keep what is "left" of the session, "unset" what somebody was asked for ' +
          'that has only its value of before.',
      },
      kind: {
        type: 'string',
        enum: ['start', 'resume', 'continue'],
        description: 'A new frame, one that goes on behind a playbook, or behind calls of tools.',
      },
      session: list(
        'What was asked and replied in this frame: "entries" of each turn, replies, and news.',
      ),
      variables: list(
        '{"name", "scope", "how": "full" | "once" | "summary" | "name", "value"?, "about"?, ' +
          '"from"?}: what is shown once stands in no later turn.',
      ),
      known: {
        type: 'array',
        items: { type: 'string' },
        description: 'Lines that ask for what is known already.',
      },
      done: list('Parts of a turn that had a problem, behind which this one goes on.'),
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
  // What has been called before, and waits for the end of a reply, does not keep it waiting.
  blind: true,
  parameters: {
    type: 'object',
    properties: {
      conditions: list(
        '{"id", "text", "wants"?: {name: type}, "held"?: whether it held when it was last asked ' +
          'about}: only those that what has changed may decide.',
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
        description: 'What they were asked before that, or told.',
      },
      sender: { type: 'string', description: 'Who has, where that is not the user.' },
    },
    required: ['conditions'],
  },
});

export const dueTimeSpec: ToolSpec = toolSpec({
  name: 'due_time',
  description:
    'When the first of times of the day comes behind a moment, by the clocks of a time zone; in ' +
    'seconds since 1970, as the moment is.',
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

const task = { type: 'object', description: 'The input variable task, {"compiled", "tools"}.' };

export const openLinesSpec: ToolSpec = toolSpec({
  name: 'open_lines',
  description:
    'Makes the conversation that asks a model what open lines of playbooks mean. Returns ' +
    '{"messages", "schema", "open"}: the last are the names of those lines.',
  effect: 'pure',
  parameters: { type: 'object', properties: { task }, required: ['task'] },
});

export const settleLinesSpec: ToolSpec = toolSpec({
  name: 'settle_lines',
  description:
    'Puts the steps of a reply in the places of open lines, as far as they hold. Returns {"ok", ' +
    '"compiled", "report"}: whether all do, the playbooks with those, what is wrong as text.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: { task, reply: { type: 'string', description: 'What the model wrote.' } },
    required: ['task', 'reply'],
  },
});

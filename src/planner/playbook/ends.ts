/** What the loop over playbooks needs beside turns: ends and warnings that say why, completions. */
import type { LinkedFile } from '../../dialects/playbook/compiled/linked.ts';
import { allowedNames } from '../../dialects/playbook/source/manner.ts';
import { readPlaceholder } from '../../dialects/playbook/weave/placeholders.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { askedBy, type ModelFor } from './model-for.ts';

const giveUpSpec: ToolSpec = toolSpec({
  name: 'give_up',
  description: 'Ends the run as failed, and says why.',
  effect: 'pure',
  parameters: {
    type: 'object',
    properties: {
      code: { type: 'string', description: 'PV73…' },
      why: { type: 'string' },
      at: { type: 'string', description: 'The line that the playbook has come to: Agent.Name:01.' },
    },
    required: ['code', 'why', 'at'],
  },
});

const hints: Readonly<Record<string, string>> = {
  PV7308:
    'look whether replies are cut off (a limit of output tokens, the connection), or say more ' +
    'precisely in the playbook what is to be done',
  PV7321:
    'go on with planvm resume and more turns (--turns), or end the playbook by a line with Return',
  PV7322: 'say in the playbook when it is over, or what is to change from one round to the next',
  PV7323:
    'look for playbooks that call each other without an end, or go on with planvm resume --depth',
  PV7324:
    'say in the playbooks when the talk is over, or go on with planvm resume and more (--turns)',
  PV7325: 'name agents of the file, or people, as attendees or in required_attendees',
  PV7326: 'look for playbooks that set what others are set off by, or raise --trigger-depth',
  PV7327: 'say of what type the variable is where it is set: $n:int = …',
  PV7328:
    'say more precisely in the playbook what is to be done, or go on with planvm resume and more ' +
    '(--slips)',
  PV7334: 'ask for it in its first line, or say what it is where nobody does: F(x = 1)',
};

const otherModel = 'the model does not keep to the form of replies: another one may (--model)';

/** Where it is over; before that, the model is asked once more. */
const hintsAtEnd: Readonly<Record<string, string>> = {
  ...hints,
  PV7301: otherModel,
  PV7304: 'call it in the line by the name that it has, or add what is called to the file',
  PV7310: otherModel,
  PV7313: 'have a line before set what is read there, or say what to do where it is missing',
  PV7314: 'declare the type that its values have, or say in the line what it is to be set to',
};

export const giveUpHandler: Handler = {
  spec: giveUpSpec,
  async perform({ code, why, at }) {
    const hint =
      hintsAtEnd[String(code)] ?? 'say more precisely in the playbook what is to be done';
    const place = `at ${at}: `;
    const said = `${place}${inShort(String(why).replace(place, '').trimEnd())}`;
    throw new EffectFailure(String(code), said, { hint, answered: true, final: true });
  },
};

/** Limits of playbooks, as a command says them that begins a run or goes on with one. */
export type Allowed = { readonly [name in (typeof allowedNames)[number]]?: number | undefined };

/** What is met ends the run, as `give_up` does; a run that is gone on with asks once more. */
export const moreOfHandler = (allowed: Allowed): Handler => ({
  spec: toolSpec({
    name: 'more_of',
    description: 'Gives a limit of the run that is larger than what is used; else it ends the run.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: {
        limit: { type: 'string', enum: [...allowedNames] },
        used: { type: 'integer' },
        code: { type: 'string', description: 'PV73…' },
        why: { type: 'string' },
        at: { type: 'string', description: 'The line that the playbook has come to.' },
      },
      required: ['limit', 'used', 'code', 'why', 'at'],
    },
  }),
  async perform({ limit, used, ...why }, context) {
    const name = allowedNames.find((one) => one === limit);
    const most = (name && allowed[name]) ?? 0;
    return most > Number(used) ? most : await giveUpHandler.perform(why, context);
  },
});

export const warnOfHandler: Handler = {
  spec: toolSpec({
    name: 'warn_of',
    description: 'Says what is odd, as a warning of the run. Returns true.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', description: 'PV73…' }, why: { type: 'string' } },
      required: ['code', 'why'],
    },
  }),
  async perform({ code, why }, context) {
    const hint = hints[String(code)];
    context.warn(`${code} ${why}${hint === undefined ? '' : ` (${hint})`}`);
    return true;
  },
};

/** Lines of a message about an end, and characters of each; the request has the whole reply. */
const linesMax = 24;
const lineMax = 1000;

/** The beginning says what is wrong, and where a long reply went wrong is its end. */
function inShort(text: string): string {
  const lines = text.split('\n').map((line) => byEnds([...line], lineMax, 'characters').join(''));
  return byEnds(lines, linesMax, 'lines').join('\n');
}

function byEnds(parts: readonly string[], most: number, what: string): readonly string[] {
  const left = parts.length - most;
  if (left <= 0) return parts;
  const first = most / 2;
  return [...parts.slice(0, first), `… ${left} ${what} …`, ...parts.slice(first + left)];
}

const completeSpec: ToolSpec = toolSpec({
  name: 'complete',
  description: 'One reply of a model to the description of a playbook, without tools.',
  kind: 'model',
  effect: 'read',
  parameters: {
    type: 'object',
    properties: {
      playbook: { type: 'string', description: 'Agent.Name' },
      prompt: { type: ['string', 'null'], description: 'Its description, filled in.' },
      args: { type: 'object', description: 'What it was called with.' },
    },
    required: ['playbook', 'prompt', 'args'],
  },
});

export function completeHandler(file: LinkedFile, model: ModelFor): Handler {
  return {
    spec: completeSpec,
    model: ({ playbook }) => askedBy(model, String(playbook)),
    async perform({ playbook: id, prompt, args }, context) {
      const agent = file.agents.find(({ playbooks }) => playbooks.some((one) => one.id === id));
      const playbook = agent?.playbooks.find((one) => one.id === id);
      if (!agent || !playbook) {
        throw new EffectFailure('PV7006', `got the playbook ${id}, want one of the program`, {
          mayHaveActed: false,
        });
      }
      const asked = String(prompt ?? playbook.description);
      const given = Object.entries(Object(args))
        .filter(([name]) => !isFilledIn(name, playbook.description))
        .map(([name, one]) => `${name}: ${textOf(one)}`);
      const { text } = await model(playbook.id).complete(
        {
          messages: [
            ...(agent.description === ''
              ? []
              : [{ role: 'system' as const, content: agent.description }]),
            { role: 'user', content: [asked, ...given].join('\n\n') },
          ],
          prompt: asked,
        },
        context,
      );
      return text;
    },
  };
}

/** Whether a description has a value itself, `{about}` or `{Poem(about)}`. */
const isFilledIn = (name: string, description: string): boolean =>
  [...description.matchAll(/\{([^{}]+)\}/g)].some(([, inner = '']) =>
    readPlaceholder(inner.trim())?.names.has(name),
  );

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

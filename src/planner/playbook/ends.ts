/** What the loop over playbooks needs beside turns: how it ends, warnings, completions. */
import type { LinkedFile } from '../../dialects/playbook/link/linked.ts';
import { allowedNames } from '../../dialects/playbook/manner.ts';
import { EffectFailure, type Handler } from '../../engine/handler.ts';
import { toolSpec } from '../../program/effect.ts';
import { askedBy, type ModelFor, playbookIn } from './turn.ts';

const code = { type: 'string', description: 'PV73…' };
const at = {
  type: 'string',
  description: 'The line that the playbook has come to: Agent.Name:01.',
};

const sayMore = 'say more precisely in the playbook what is to be done';
const otherModel = 'the model does not keep to the form of replies: try another one';

const hints: Readonly<Record<string, string>> = {
  PV7301: otherModel,
  PV7304: 'call it in the line by its name, or add what is called to the file',
  PV7308: `see whether replies are cut off (a token limit, the connection), or ${sayMore}`,
  PV7310: otherModel,
  PV7307: 'have an earlier line set what is read there, or say what to do where it is missing',
  PV7313: 'look at what the line computes, and at the values of its variables there',
  PV7314: 'declare the type that its values have, or say in the line what it is to be set to',
  PV7321: 'raise the setting turns and continue, or end the playbook by a line with Return',
  PV7322: 'say in the playbook when it is over, or what changes from one round to the next',
  PV7323: 'look for playbooks that call each other without an end, or raise the setting depth',
  PV7324: 'say in the playbooks when the talk is over, or raise the setting turns and continue',
  PV7325: 'name agents of the file, or people, as attendees or in required_attendees',
  PV7326:
    'look for playbooks that set what others are triggered by, or raise the limit triggerDepth',
  PV7327: 'declare the type of the variable where it is set: $n:int = …',
  PV7328: `${sayMore}, or raise the setting slips and continue`,
};

export const giveUpHandler: Handler = {
  spec: toolSpec({
    name: 'give_up',
    description: 'Ends the run as failed, and says why.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: { code, why: { type: 'string' }, at },
      required: ['code', 'why', 'at'],
    },
  }),
  async perform({ code, why, at }) {
    const place = `at ${at}: `;
    const message = `${place}${shortened(String(why).replace(place, '').trimEnd())}`;
    const hint = hints[String(code)] ?? sayMore;
    throw new EffectFailure(String(code), message, { hint, answered: true, final: true });
  },
};

/** Limits of playbooks, as a command says them that starts or continues a run. */
export type Allowed = { readonly [name in (typeof allowedNames)[number]]?: number | undefined };

/** A limit that is reached ends the run, as `give_up` does; a run that is continued asks again. */
export const moreOfHandler = (allowed: Allowed): Handler => ({
  spec: toolSpec({
    name: 'more_of',
    description: 'Returns a limit of the run that is larger than what is used, or ends the run.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: {
        limit: { type: 'string', enum: [...allowedNames] },
        used: { type: 'integer' },
        code,
        why: { type: 'string' },
        at,
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
    description: 'Reports something odd as a warning of the run. Returns true.',
    effect: 'pure',
    parameters: {
      type: 'object',
      properties: { code, why: { type: 'string' } },
      required: ['code', 'why'],
    },
  }),
  async perform({ code, why }, context) {
    context.warn(`${code} ${why}`);
    return true;
  },
};

/** Lines of a message about an end, and characters of each; the request has the whole reply. */
const linesMax = 24;
const lineMax = 1000;

/** The beginning says what is wrong, and a long reply went wrong at its end. */
function shortened(text: string): string {
  const lines = text.split('\n').map((line) => byEnds([...line], lineMax, 'characters').join(''));
  return byEnds(lines, linesMax, 'lines').join('\n');
}

function byEnds(parts: readonly string[], most: number, unit: string): readonly string[] {
  const surplus = parts.length - most;
  if (surplus <= 0) return parts;
  const first = most / 2;
  return [...parts.slice(0, first), `… ${surplus} ${unit} …`, ...parts.slice(first + surplus)];
}

export function completeHandler(file: LinkedFile, model: ModelFor): Handler {
  return {
    spec: toolSpec({
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
    }),
    model: ({ playbook }) => askedBy(model, String(playbook)),
    async perform({ playbook: id, prompt, args }, context) {
      const { agent, playbook } = playbookIn(file, String(id));
      const { description } = playbook;
      const asked = String(prompt ?? description);
      const values = Object.entries(Object(args))
        .filter(([name]) => !isFilledIn(name, description))
        .map(
          ([name, value]) =>
            `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
        );
      const content = [asked, ...values].join('\n\n');
      const system = { role: 'system', content: agent.description } as const;
      const messages = [{ role: 'user', content } as const];
      const { text } = await model(playbook.id).complete(
        { messages: agent.description === '' ? messages : [system, ...messages], prompt: asked },
        context,
      );
      return text;
    },
  };
}

/** Whether a placeholder of a description has the value: `{about}`, `{Poem($about)}`. */
const isFilledIn = (name: string, description: string): boolean =>
  [...description.matchAll(/\{([^{}]+)\}/g)].some(([, inner = '']) =>
    inner.match(/[\p{XIDS}_]\p{XIDC}*/gu)?.includes(name),
  );

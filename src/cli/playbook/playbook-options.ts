/** The options of commands that run playbooks. */
import { type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { AgentModels } from '../../agent/port/settings.ts';
import { BadQuantity } from '../../agent/settings/quantity.ts';
import {
  chats,
  type Manner,
  mannerDefaults,
  strictnesses,
  zoneProblem,
} from '../../dialects/playbook/manner.ts';
import { wholeNumber } from '../positive.ts';
import { readAgentModel } from '../settings/agent-models.ts';

/** What they give an action. */
export interface PlaybookFlags extends Partial<Manner> {
  /** Whether to say on stderr what became of them, and what prompts were made of. */
  readonly explain?: true;
  /** Whether the servers that the file describes may have what they want. */
  readonly trustServers?: true;
  /** Who follows single agents. */
  readonly agentModel?: AgentModels;
}

/** How a command that knows playbooks is told to explain them. */
const explainOption = (): Option<'--explain'> =>
  new Option(
    '--explain',
    'Of playbooks: also what stands in the place of its call and why, which calls need no way ' +
      'back, where lines wait; and of a run, what the tokens of its prompts are for.',
  ).helpGroup('Playbooks:');

/** Throws `InvalidArgumentError` for a name that no time zone has. */
function zoneIn(given: string): string {
  const problem = zoneProblem(given);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return given;
}

function agentModelIn(given: string, before: AgentModels = {}): AgentModels {
  try {
    return { ...before, ...readAgentModel(given) };
  } catch (error) {
    throw error instanceof BadQuantity ? new InvalidArgumentError(error.message) : error;
  }
}

/** `only`: some of them, by the names under which an action gets them. */
export function addPlaybookOptions(
  command: CommandUnknownOpts,
  { only }: { readonly only?: readonly (keyof PlaybookFlags)[] } = {},
): void {
  const number = (flag: string, about: string) =>
    new Option(`${flag} <n>`, about).argParser((given) => wholeNumber(flag, given));
  const options = [
    new Option(
      '--strictness <how>',
      'What becomes of a reply that does not keep to its playbook: it is asked for once more ' +
        '(repair; the default), also for what is only odd (enforce), or what can be done is ' +
        'done, with warnings (advise).',
    ).choices(strictnesses),
    number(
      '--inline',
      'Playbooks of as many steps stand in the place of their calls; 0: none ' +
        `(${mannerDefaults.inline}).`,
    ),
    number(
      '--turns',
      `How many replies of the model a playbook may take (${mannerDefaults.turns}).`,
    ),
    new Option(
      '--chat <how>',
      'Behind a playbook that it has called, one goes on in its conversation (keep), or in a new ' +
        'one that tells what has been (fresh), or in what costs less by what the model has ' +
        'counted so far (auto; the default).',
    ).choices(chats),
    number(
      '--session-tokens',
      `Conversations of more tokens are told in short (${mannerDefaults.sessionTokens}).`,
    ),
    number('--depth', `How deep playbooks may call each other (${mannerDefaults.depth}).`),
    number(
      '--slips',
      'How often the model may be told within a playbook that its reply cannot stand ' +
        `(${mannerDefaults.slips}).`,
    ),
    new Option(
      '--timezone <name>',
      'By whose clocks times of days are meant that name no zone, such as Europe/Berlin ' +
        `(${mannerDefaults.timezone}).`,
    ).argParser(zoneIn),
  ];
  const agentModel = new Option(
    '--agent-model <agent=provider/model>',
    'Which model follows an agent, or one of its playbooks (Desk.Main=…), instead of --model. ' +
      'May be repeated.',
  )
    .argParser(agentModelIn)
    .conflicts('replay');
  const trust = new Option(
    '--trust-servers',
    'Let the file have the MCP servers that it describes itself: processes, addresses within, ' +
      'variables of the environment. Those of .mcp.json need no such word.',
  );
  for (const option of [explainOption(), ...options, agentModel, trust]) {
    const name = option.attributeName() as keyof PlaybookFlags;
    if (!only || only.includes(name)) command.addOption(option.helpGroup('Playbooks:'));
  }
}

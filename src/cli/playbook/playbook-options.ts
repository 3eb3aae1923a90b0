/** The options of commands that run playbooks. */

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { AgentModels } from '../../agent/port/settings.ts';
import {
  chats,
  type Manner,
  mannerDefaults,
  strictnesses,
  zoneProblem,
} from '../../dialects/playbook/manner.ts';
import { group } from '../command.ts';
import { quantity, wholeNumber } from '../option-value.ts';
import { readAgentModel } from '../settings/settings.ts';

/** What they give an action. */
export interface PlaybookFlags extends Partial<Manner> {
  /** Whether to say on stderr what became of them, and what prompts were made of. */
  readonly explain?: true;
  /** Whether the servers that the file describes may have what they want. */
  readonly trustServers?: true;
  /** Who follows single agents. */
  readonly agentModel?: AgentModels;
}

/** Throws `InvalidArgumentError` for a name that no time zone has. */
function zoneIn(given: string): string {
  const problem = zoneProblem(given);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return given;
}

const agentModelIn = (given: string, before: AgentModels = {}): AgentModels => ({
  ...before,
  ...readAgentModel(given),
});

const all = (): Option[] =>
  group('Playbooks:', [
    [
      '--explain',
      'Of playbooks: also what stands in the place of its call and why, which calls need no way ' +
        'back, where lines wait; and of a run, what the tokens of its prompts are for.',
    ],
    [
      '--strictness <how>',
      'What becomes of a reply that does not keep to its playbook: it is asked for once more ' +
        '(repair; the default), also for what is only odd (enforce), or what can be done is ' +
        'done, with warnings (advise).',
      strictnesses,
    ],
    [
      '--inline <n>',
      'Playbooks of as many steps stand in the place of their calls; 0: none ' +
        `(${mannerDefaults.inline}).`,
      wholeNumber,
    ],
    [
      '--turns <n>',
      `How many replies of the model a playbook may take (${mannerDefaults.turns}).`,
      wholeNumber,
    ],
    [
      '--chat <how>',
      'After a playbook that it has called, one goes on in its conversation (keep), or in a new ' +
        'one that tells what has been (fresh), or in what should cost less (auto; the default).',
      chats,
    ],
    [
      '--session-tokens <n>',
      `Conversations of more tokens are told in short (${mannerDefaults.sessionTokens}).`,
      wholeNumber,
    ],
    [
      '--depth <n>',
      `How deep playbooks may call each other (${mannerDefaults.depth}).`,
      wholeNumber,
    ],
    [
      '--slips <n>',
      'How often the model may be told within a playbook that its reply cannot stand ' +
        `(${mannerDefaults.slips}).`,
      wholeNumber,
    ],
    [
      '--timezone <name>',
      'By whose clocks times of days are meant that name no zone, such as Europe/Berlin ' +
        `(${mannerDefaults.timezone}).`,
      zoneIn,
    ],
    new Option(
      '--agent-model <agent=provider/model>',
      'Which model follows an agent, or one of its playbooks (Desk.Main=…), instead of --model. ' +
        'May be repeated.',
    )
      .argParser(quantity(agentModelIn))
      .conflicts('replay'),
    [
      '--trust-servers',
      'Let the file have the MCP servers that it describes itself: processes, addresses within, ' +
        'variables of the environment. Those of .mcp.json need no such word.',
    ],
  ]);

/** `only`: some of them, by the names under which an action gets them. */
export const playbookOptions = (only?: readonly (keyof PlaybookFlags)[]): Option[] =>
  all().filter((option) => only?.some((name) => name === option.attributeName()) ?? true);

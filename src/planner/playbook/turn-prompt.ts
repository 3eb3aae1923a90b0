/**
 * The messages of a turn, and what of them the session keeps. What does not change comes first:
 * instructions, the agent and what it may call, then the conversation of the frame.
 */
import type { LinkedAgent, LinkedPlaybook } from '../../dialects/playbook/linked.ts';
import type { Message } from '../../effects/model/model.ts';
import { agentText, calleeLines } from './callee-lines.ts';
import type { Directory } from './directory.ts';
import { example, freeInstructions, instructions } from './instructions.ts';
import { playbookText } from './playbook-text.ts';
import { type PromptTokens, tokensOf } from './prompt-tokens.ts';
import { type Entry, entryText, sessionMessages, shownIn } from './session.ts';
import { type ShownVariable, valueLine, writtenName } from './value-lines.ts';

export interface TurnPrompt {
  readonly agent: LinkedAgent;
  readonly playbook: LinkedPlaybook;
  readonly directory: Directory;
  readonly kind: 'start' | 'resume' | 'continue';
  readonly line: string;
  /** `RentBike(day="Sunday")`. */
  readonly call: string;
  /** The description of the playbook with its placeholders filled in. */
  readonly about: string;
  readonly session: readonly Entry[];
  readonly variables: readonly ShownVariable[];
  readonly known: readonly string[];
}

export interface TurnMessages {
  readonly messages: readonly Message[];
  /** What was asked, for the session. */
  readonly asked: Entry;
  readonly tokens: PromptTokens;
}

export function turnMessages(prompt: TurnPrompt): TurnMessages {
  const { agent, playbook, directory, session, line, call, known } = prompt;
  const isOpening = !session.some(({ is }) => is === 'turn');
  const free = playbook.lines.size === 0 ? freeInstructions : '';
  const own = agentText(agent);
  const callees = calleeLines(directory).join('\n');
  const system = [instructions, example, own, callees];
  const text = isOpening ? playbookText(playbook, prompt.about) : '';
  const { lines, shown } = newValues(prompt);
  const values = lines.length === 0 ? '' : ['Variables:', ...lines].join('\n');
  const parts = [isOpening ? free : '', text, values, whatNext(prompt, isOpening)];
  const asked: Entry = { is: 'turn', text: joined(parts), shown };
  const talk = sessionMessages([...session, asked]);
  return {
    messages: withMarks([{ role: 'system', content: joined(system) }, ...talk]),
    asked,
    tokens: {
      instructions: tokensOf(instructions) + tokensOf(free),
      examples: tokensOf(example),
      agent: tokensOf(own),
      callees: tokensOf(callees),
      playbook: tokensOf(text),
      variables: tokensOf(values),
      session: session.reduce((sum, entry) => sum + tokensOf(entryText(entry)), 0),
      instruction: tokensOf(whatNext({ ...prompt, line, call, known }, isOpening)),
    },
  };
}

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** Only what the model has not been shown in this session, or not as it is now. */
function newValues({ session, variables }: TurnPrompt) {
  const before = shownIn(session);
  const lines: string[] = [];
  const shown: Record<string, string> = {};
  for (const variable of variables) {
    const line = valueLine(variable);
    const name = writtenName(variable);
    if (before.get(name) === line) continue;
    shown[name] = line;
    lines.push(line);
  }
  return { lines, shown };
}

function whatNext({ kind, line, call, known, playbook }: TurnPrompt, isOpening: boolean): string {
  const skipped = known.filter((one) => playbook.lines.has(one));
  const skip =
    skipped.length === 0
      ? ''
      : ` What line ${skipped.join(', ')} asks for is known: ask nothing there, and go on.`;
  if (playbook.lines.size === 0) return isOpening ? `It was called as ${call}. Begin.` : 'Go on.';
  if (kind === 'start') return `It was called as ${call}. Begin at line ${line}.${skip}`;
  const before = isOpening ? `It was called as ${call}; the lines before are done. ` : '';
  return `${before}Go on at line ${line}.${skip}`;
}

/** Providers that are told so keep the conversation up to the marked messages for the next turn. */
function withMarks(messages: readonly Message[]): Message[] {
  return messages.map((message, index) =>
    message.role === 'system' || index === messages.length - 1
      ? { ...message, keep: true as const }
      : message,
  );
}

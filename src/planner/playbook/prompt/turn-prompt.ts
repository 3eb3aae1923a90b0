/**
 * The messages of a turn, and what of them the session keeps. What does not change comes first:
 * instructions, the agent and what it may call, then the conversation of the frame.
 */
import type { LinkedAgent, LinkedPlaybook } from '../../../dialects/playbook/compiled/linked.ts';
import type { Chat } from '../../../dialects/playbook/source/manner.ts';
import type { Message } from '../../../effects/model/model.ts';
import { theEnd } from '../check/course/walk.ts';
import type { Answered } from '../check/turn/turn-check.ts';
import type { Directory } from '../check/values/directory.ts';
import type { ChatNote } from '../parts.ts';
import { agentText, calleeLines } from './callee-lines.ts';
import { chooseChat, measuredIn, seenIn, type TurnKind } from './chat-policy.ts';
import { example, freeInstructions, instructions } from './instructions.ts';
import { playbookText } from './playbook-text.ts';
import { type PromptTokens, tokensOf } from './prompt-tokens.ts';
import { inShort, type Retold, retold, sessionTokens } from './recap.ts';
import { type Entry, markOf, sessionMessages, shownIn } from './session.ts';
import { onceLine, type ShownVariable, valueLine, wholeLine, writtenName } from './value-lines.ts';

export interface TurnPrompt {
  readonly agent: LinkedAgent;
  /** The name of one that was made like that agent. */
  readonly me?: string | undefined;
  readonly playbook: LinkedPlaybook;
  readonly directory: Directory;
  readonly kind: TurnKind;
  readonly line: string;
  /** A line of which some is done, and perhaps not all. */
  readonly begun?: string | undefined;
  /** `RentBike(day="Sunday")`. */
  readonly call: string;
  /** The description of the playbook with its placeholders filled in. */
  readonly about: string;
  readonly session: readonly Entry[];
  readonly variables: readonly ShownVariable[];
  readonly answered: Answered;
  /** Which round it is in of loops whose items are known, in words. */
  readonly items?: readonly string[];
  readonly chat: Chat;
  readonly sessionTokensMax: number;
  /** The variable that has what was left out of the conversation. */
  readonly earlier: string;
  /** What a conversation that begins now is called. */
  readonly newSession: string;
}

export interface TurnMessages {
  readonly messages: readonly Message[];
  /** What goes behind the session: what was asked, and before it what stands for all of it. */
  readonly asked: readonly Entry[];
  /** Whether the session itself was left out. */
  readonly isFresh: boolean;
  /** What was left out of it now, at length; empty where nothing was. */
  readonly left: string;
  readonly tokens: PromptTokens;
  readonly chat: ChatNote;
}

export function turnMessages(given: TurnPrompt): TurnMessages {
  const { session, left, chat } = sessionFor(given);
  const isFresh = session !== given.session;
  const prompt = { ...given, session, variables: withLeft(given, left) };
  const { agent, playbook, directory } = prompt;
  const isOpening = !session.some(({ is }) => is === 'turn');
  const free = playbook.lines.size === 0 ? freeInstructions : '';
  const own = agentText(agent, prompt.me);
  const callees = calleeLines(directory).join('\n');
  const system = [instructions, example, own, callees];
  const text = isOpening ? playbookText(playbook, prompt.about) : '';
  const { lines, kept, shown } = newValues(prompt);
  const values = listOf(lines);
  const next = whatNext(prompt, isOpening);
  const told = (values: string): Entry => ({
    ...{ is: 'turn', text: joined([isOpening ? free : '', text, values, next]) },
    ...{ shown, session: chat.session, ...(isFresh && seenIn(given.session)) },
  });
  const asked = told(listOf(kept));
  const talk = sessionMessages([...session, told(values)]);
  const isPassing = given.variables.some(({ how }) => how === 'once');
  return {
    messages: withMarks([{ role: 'system', content: joined(system) }, ...talk], isPassing),
    asked: isFresh ? [...session, asked] : [asked],
    isFresh: isFresh && given.session.length > 0,
    left,
    tokens: {
      instructions: tokensOf(instructions) + tokensOf(free),
      examples: tokensOf(example),
      agent: tokensOf(own),
      callees: tokensOf(callees),
      playbook: tokensOf(text),
      variables: tokensOf(values),
      session: sessionTokens(session),
      instruction: tokensOf(next),
    },
    chat,
  };
}

/** Characters of what a turn sends besides the session and the variables, about. */
export function sizeOf({
  agent,
  playbook,
  directory,
  isOpening,
}: Pick<TurnPrompt, 'agent' | 'playbook' | 'directory'> & {
  /** Whether its playbook is told in it. */
  readonly isOpening: boolean;
}): number {
  const text = isOpening ? playbookText(playbook, playbook.description) : '';
  const system = [instructions, example, agentText(agent), ...calleeLines(directory), text];
  return system.reduce((sum, { length }) => sum + length, 0);
}

interface ChosenSession extends Retold {
  readonly chat: ChatNote;
}

/** The session that the turn goes on with: the one there is, or what is retold of it. */
function sessionFor(prompt: TurnPrompt): ChosenSession {
  const { kind, chat, session, sessionTokensMax, playbook, about, variables } = prompt;
  const { newSession, earlier } = prompt;
  const asked = session.findLast((entry) => entry.is === 'turn');
  const short = inShort(session, sessionTokensMax, earlier);
  if (!asked) {
    const chat = { session: newSession, how: 'new', why: 'it begins' } as const;
    return { session, left: '', ...short, chat };
  }
  const retelling = retold(session, earlier);
  const values = variables.map(valueLine).join('\n');
  const opening =
    sessionTokens(retelling.session) + tokensOf(playbookText(playbook, about) + values);
  const sizes = { session: sessionTokens(session), opening };
  const { isAnew, why } = chooseChat(kind, chat, sizes, measuredIn(session));
  if (isAnew) return { ...retelling, chat: { session: newSession, how: 'anew', why } };
  const same = asked.session ?? newSession;
  if (!short) return { session, left: '', chat: { session: same, how: 'kept', why } };
  const before = `about ${sizes.session} tokens, more than ${sessionTokensMax}`;
  const less = `${before}: ${sessionTokens(short.session)}`;
  return { ...short, chat: { session: newSession, how: 'in short', why: less } };
}

/** The variable that the loop keeps what was left out now in is there once the turn is over. */
function withLeft({ variables, earlier }: TurnPrompt, left: string): readonly ShownVariable[] {
  const isKept = ({ name, scope }: ShownVariable): boolean => name === earlier && scope === 'local';
  if (left === '' || variables.some(isKept)) return variables;
  const about = { type: 'string', size: [...left].length };
  return [...variables, { name: earlier, scope: 'local', how: 'name', about }];
}

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : ['Variables:', ...lines].join('\n');

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** Only what the model has not been shown in this session, or not as it is now. */
function newValues({ session, variables, sessionTokensMax }: TurnPrompt) {
  const before = shownIn(session);
  const lines: string[] = [];
  const kept: string[] = [];
  const shown: Record<string, string> = {};
  for (const variable of variables) {
    const line = valueLine(variable);
    const name = writtenName(variable);
    const mark = markOf(line);
    if (variable.how === 'once') {
      lines.push(wholeLine(variable, sessionTokensMax * wholePerToken));
      kept.push(onceLine(variable, sessionTokensMax * wholePerToken));
    } else if (before.get(name) !== mark) {
      lines.push(line);
      kept.push(line);
    } else continue;
    shown[name] = mark;
  }
  return { lines, kept, shown };
}

/** Characters that a turn shows of a value that was asked for, for each token of a conversation. */
const wholePerToken = 5;

function whatNext(
  { kind, line, begun, call, answered, items = [], playbook }: TurnPrompt,
  isOpening: boolean,
): string {
  const known = whatKnown(answered);
  if (playbook.lines.size === 0) return isOpening ? `It was called as ${call}. Begin.` : 'Go on.';
  if (kind === 'start') return `It was called as ${call}. Begin at line ${line}.${known}`;
  if (line === theEnd) return 'All its lines are done: set what has come of them, and return.';
  const before = isOpening ? `It was called as ${call}; the lines before are done. ` : '';
  const or = begun === undefined ? '' : orAt(line, begun);
  return [`${before}Go on at line ${line}${or}.${known}`, ...items].join(' ');
}

const orAt = (line: string, begun: string): string =>
  line === begun
    ? ' where something of it is left to do, else behind it'
    : `, or at line ${begun} where something of it is left to do`;

function whatKnown({ sure, perhaps }: Answered): string {
  const one = sure.join(', ');
  const other = perhaps.join(', ');
  const skip = ` What line ${one} asks for is known: ask nothing there, and go on.`;
  const there = ` What line ${other} asks for has a value`;
  const look = `${there}: ask there only where that does not answer it.`;
  return `${one && skip}${other && look}`;
}

/**
 * Providers that are told so keep the conversation up to the marked messages for the next turn: all
 * of it, but for a last message that is another one then.
 */
function withMarks(messages: readonly Message[], isPassing: boolean): Message[] {
  const last = messages.length - (isPassing ? 2 : 1);
  return messages.map((message, index) =>
    message.role === 'system' || index === last ? { ...message, keep: true as const } : message,
  );
}

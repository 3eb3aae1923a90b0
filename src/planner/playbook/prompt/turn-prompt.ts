/**
 * The messages of a turn, and what of them the session keeps. What does not change comes first:
 * instructions, the agent and what it may call, then the conversation of the frame.
 */
import { isMachines } from '../../../dialects/playbook/compiled.ts';
import type {
  LinkedAgent,
  LinkedLine,
  LinkedPlaybook,
} from '../../../dialects/playbook/link/linked.ts';
import type { Chat } from '../../../dialects/playbook/manner.ts';
import type { Message, RequestForm } from '../../../effects/model/model.ts';
import type { Directory } from '../check/directory.ts';
import type { ChatNote, PromptTokens } from '../parts.ts';
import { operationsKey, replySchema } from '../reply/operations.ts';
import type { FrameView, ShownVariable, TurnKind } from '../turn-arguments.ts';
import { agentText, calleeLines } from './callee-lines.ts';
import { chooseChat } from './chat-policy.ts';
import { example, freeInstructions, instructions, nativeInstructions } from './instructions.ts';
import { playbookText } from './playbook-text.ts';
import { inShort, retold, sessionTokens, tokensOf } from './recap.ts';
import { type Entry, markOf, sessionMessages, shownIn } from './session.ts';
import { onceLine, valueLine, wholeLine, writtenName } from './value-lines.ts';

export interface TurnPrompt {
  readonly agent: LinkedAgent;
  readonly playbook: LinkedPlaybook;
  readonly directory: Directory;
  readonly kind: TurnKind;
  readonly frame: FrameView;
  readonly session: readonly Entry[];
  readonly variables: readonly ShownVariable[];
  /** `Sunday, 2026-11-29`. */
  readonly today: string;
  readonly chat: Chat;
  readonly sessionTokensMax: number;
  /** The name of a conversation that begins now. */
  readonly newSession: string;
}

export interface TurnMessages {
  readonly messages: readonly Message[];
  /** The same for a model that is held to a schema. */
  readonly native: RequestForm;
  /** What follows the session: what was asked, and before it what replaces all of it. */
  readonly asked: readonly Entry[];
  /** Whether the session itself was left out. */
  readonly isFresh: boolean;
  readonly tokens: PromptTokens;
  readonly chat: ChatNote;
}

export function turnMessages(original: TurnPrompt): TurnMessages {
  const { session, chat } = sessionFor(original);
  const isFresh = session !== original.session;
  const prompt = { ...original, session };
  const { agent, playbook, directory, frame } = prompt;
  const isOpening = !session.some(({ is }) => is === 'turn');
  const free = isOpening && playbook.lines.size === 0 ? freeInstructions : '';
  const own = agentText(agent, frame.me);
  const callees = calleeLines(directory).join('\n');
  const text = isOpening ? shownPlaybook(prompt) : '';
  const { lines, kept, shown, date } = newValues(prompt);
  const next = [date, whatNext(prompt, isOpening)].filter((part) => part !== '').join(' ');
  const turnEntry = (values: string): Entry => ({
    ...{ is: 'turn', text: joined([free, text, values, next]), shown, session: chat.session },
  });
  const values = listOf(lines);
  const asked = turnEntry(listOf(kept));
  const talk = sessionMessages([...session, turnEntry(values)]);
  const isPassing = prompt.variables.some(({ how }) => how === 'once');
  const conversation = withMark(talk, isPassing);
  const system = (words: string): Message => ({
    ...{ role: 'system', content: joined([words, example, own, callees]), keep: true },
  });
  return {
    messages: [system(instructions), ...conversation],
    native: {
      messages: [system(nativeInstructions), ...conversation.map(asNativeReply)],
      format: { kind: 'json', schema: replySchema() },
    },
    asked: isFresh ? [...session, asked] : [asked],
    isFresh: isFresh && original.session.length > 0,
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

/** An earlier reply, a line for each operation, as one object. */
function asNativeReply(message: Message): Message {
  const lines = message.content.split('\n').filter((line) => line !== '');
  if (message.role !== 'assistant' || !lines.every((line) => /^\{.*\}$/.test(line))) return message;
  return { ...message, content: `{"${operationsKey}":[${lines.join(',')}]}` };
}

const shownPlaybook = ({ frame, playbook }: Pick<TurnPrompt, 'frame' | 'playbook'>): string =>
  playbookText(playbook, playbook.lines.values(), frame.about);

/** Characters of what a turn sends besides the session and the variables, about. */
export function sizeOf(
  { agent, playbook, directory }: Pick<TurnPrompt, 'agent' | 'playbook' | 'directory'>,
  isOpening: boolean,
): number {
  const text = isOpening ? playbookText(playbook, playbook.lines.values()) : '';
  const all = [instructions, example, agentText(agent), ...calleeLines(directory), text];
  return all.reduce((sum, { length }) => sum + length, 0);
}

interface ChosenSession {
  readonly session: readonly Entry[];
  readonly chat: ChatNote;
}

/** The session that the turn goes on with: the present one, or a recap of it. */
function sessionFor(prompt: TurnPrompt): ChosenSession {
  const { kind, chat, session, sessionTokensMax, variables, newSession } = prompt;
  const asked = session.findLast((entry) => entry.is === 'turn');
  const short = inShort(session, sessionTokensMax);
  if (!asked) {
    const note = { session: newSession, how: 'new', why: 'it begins' } as const;
    return { session: short ?? session, chat: note };
  }
  const recap = retold(session);
  const values = variables.map(valueLine).join('\n');
  const opening = shownPlaybook(prompt) + values;
  const sizes = {
    session: sessionTokens(session),
    opening: sessionTokens(recap) + tokensOf(opening),
  };
  const { isNew, why } = chooseChat(kind, chat, sizes);
  if (isNew) return { session: recap, chat: { session: newSession, how: 'restarted', why } };
  const same = asked.session ?? newSession;
  if (!short) return { session, chat: { session: same, how: 'kept', why } };
  const before = `about ${sizes.session} tokens, more than ${sessionTokensMax}`;
  const less = `${before}: ${sessionTokens(short)}`;
  return { session: short, chat: { session: newSession, how: 'shortened', why: less } };
}

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : ['Variables:', ...lines].join('\n');

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join('\n\n');

/** Only what the model has not been shown in this session, or not as it is now. */
function newValues({ session, variables, sessionTokensMax, today }: TurnPrompt) {
  const before = shownIn(session);
  const most = sessionTokensMax * wholePerToken;
  const lines: string[] = [];
  const kept: string[] = [];
  const shown: Record<string, string> = {};
  for (const variable of variables) {
    const line = valueLine(variable);
    const name = writtenName(variable);
    const mark = markOf(line);
    if (variable.how === 'once') {
      lines.push(wholeLine(variable, most));
      kept.push(onceLine(variable, most));
    } else if (before.get(name) !== mark) {
      lines.push(line);
      kept.push(line);
    } else continue;
    shown[name] = mark;
  }
  const isSameDay = before.get('today') === today;
  if (!isSameDay) shown.today = today;
  return { lines, kept, shown, date: isSameDay ? '' : `Today is ${today}.` };
}

/** Characters that a turn shows of a value that was asked for, for each token of a conversation. */
const wholePerToken = 5;

function whatNext({ kind, frame, playbook }: TurnPrompt, isOpening: boolean): string {
  const { line, call, items } = frame;
  if (playbook.lines.size === 0) return isOpening ? `It was called as ${call}. Begin.` : 'Go on.';
  const before = kind === 'start' ? '.' : '; the lines before are done.';
  const opening = isOpening ? [`It was called as ${call}${before}`] : [];
  return [...opening, placeSentence(frame, playbook.lines.get(line)), ...items].join(' ');
}

/** `You are at 01; $day has no value yet.` */
function placeSentence({ line, asks, decide }: FrameView, linked: LinkedLine | undefined): string {
  if (line === '') return 'All its lines are done: return.';
  if (linked && isMachines(linked)) {
    return (
      `You are before ${line}, which the machine does next. Do what it needs: call again with ` +
      'other values, set a variable, ask and yield, or return; make nothing up. A later line ' +
      'that you name leaves it out.'
    );
  }
  const place = `You are at ${line}`;
  if (asks.length > 0) {
    return `${place}; ${asks.join(', ')} ${asks.length === 1 ? 'has' : 'have'} no value yet.`;
  }
  if (!decide) return `${place}.`;
  const example = `{"at":"${line}","holds":true} or false`;
  const does = linked?.does;
  if (does?.is !== 'test') {
    return (
      `${place}; decide whether the lines under it are to be done now, once more where it is a ` +
      `loop: ${example}, which goes on after them.`
    );
  }
  const ends = does.kind === 'until' ? '; true ends the loop' : '';
  return (
    `${place}; decide whether its condition holds: ${example}${ends}. ` +
    'Where only the person can say, ask and yield.'
  );
}

/**
 * Providers that are told so cache the conversation up to the marked messages for the next turn:
 * all of it, but for a last message that the next turn has in short.
 */
function withMark(messages: readonly Message[], isPassing: boolean): Message[] {
  const last = messages.length - (isPassing ? 2 : 1);
  return messages.map((message, index) =>
    index === last ? { ...message, keep: true as const } : message,
  );
}

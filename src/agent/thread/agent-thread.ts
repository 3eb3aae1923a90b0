/** A conversation whose goals know what was said before, and what earlier programs have left. */

import { conversationInput } from '../../dialects/starlark/resolve/universe.ts';
import type { Said } from '../../engine/journal/threads.ts';
import type { Background } from '../../planner/goal.ts';
import { decode, encode, fromJson } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import type { SessionEnd } from '../port/events.ts';
import { usageOf } from '../run/usage.ts';
import { answersText } from '../view/answers-text.ts';
import type { Conversation } from './conversation.ts';

/** What a goal of a conversation is asked with. */
export interface ThreadGoal {
  readonly background: Background;
  readonly inputs: ReadonlyMap<string, Value>;
}

export class AgentThread<Session extends { readonly end: Promise<SessionEnd> }> {
  readonly #conversation: Conversation;
  readonly #ask: (text: string, goal: ThreadGoal) => Session;

  constructor(conversation: Conversation, ask: (text: string, goal: ThreadGoal) => Session) {
    this.#conversation = conversation;
    this.#ask = ask;
  }

  get id(): string {
    return this.#conversation.thread.id;
  }

  get messages(): readonly Said[] {
    return this.#conversation.thread.messages;
  }

  /** One goal after the other: what it came to is said in the thread when it ends. */
  ask(text: string): Session {
    const { messages, functions } = this.#conversation.background();
    const { variables } = this.#conversation.thread;
    const left = Object.entries(variables).map(([name, value]) => [name, decode(value)] as const);
    const said = messages.length === 0 ? [] : [[conversationInput, fromJson(messages)] as const];
    const inputs = new Map<string, Value>([...left, ...said]);
    this.#conversation.say({ role: 'user', content: text, at: Date.now(), as: 'auto' });
    const session = this.#ask(text, { background: { messages, functions }, inputs });
    session.end.then(
      (end) => this.#heard(end),
      (error: unknown) => this.#failed(error),
    );
    return session;
  }

  #heard(end: SessionEnd): void {
    const { run, status, answers, error } = end;
    const content =
      answers.length > 0 ? answersText(answers) : error ? `${error.code} ${error.message}` : status;
    const at = Date.now();
    this.#conversation.say({ role: 'assistant', content, at, run, status, usage: usageOf(end) });
    if (status !== 'done') return;
    const changed = Object.entries(end.variables).map(([name, data]) => [
      name,
      encode(fromJson(data)),
    ]);
    const { variables } = this.#conversation.thread;
    this.#conversation.change({ variables: { ...variables, ...Object.fromEntries(changed) } });
  }

  #failed(error: unknown): void {
    const content = error instanceof Error ? error.message : String(error);
    this.#conversation.say({ role: 'assistant', content, at: Date.now(), status: 'failed' });
  }
}

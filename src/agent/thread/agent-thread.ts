/** A conversation whose goals know what was said before, and what earlier programs have left. */

import type { Said } from '../../engine/journal/threads.ts';
import type { Background } from '../../planner/goal.ts';
import { decode } from '../../program/json.ts';
import type { Value } from '../../program/value.ts';
import type { SessionEnd } from '../port/events.ts';
import { type Conversation, variablesOf } from './conversation.ts';

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
    const background = this.#conversation.background();
    const { variables } = this.#conversation.thread;
    const left = Object.entries(variables).map(([name, value]) => [name, decode(value)] as const);
    const inputs = this.#conversation.inputs(new Map(left));
    this.#conversation.say({ role: 'user', content: text, at: Date.now(), as: 'auto' });
    const session = this.#ask(text, { background, inputs });
    session.end.then(
      (end) => this.#heard(end),
      (error: unknown) => this.#failed(error),
    );
    return session;
  }

  #heard(end: SessionEnd): void {
    this.#conversation.sayEnd(end);
    if (end.status !== 'done') return;
    const { variables } = this.#conversation.thread;
    this.#conversation.change({ variables: { ...variables, ...variablesOf(end) } });
  }

  #failed(error: unknown): void {
    const content = error instanceof Error ? error.message : String(error);
    this.#conversation.say({ role: 'assistant', content, at: Date.now(), status: 'failed' });
  }
}

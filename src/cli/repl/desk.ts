/** What the commands of the prompt work with. */
import type { Thread, ThreadMode } from '../../engine/journal/threads.ts';
import type { Turning } from './turn.ts';

/** What a person does with a program: goes through it, says yes to it before it runs. */
export type Look = 'step' | 'confirm';

export interface Desk extends Turning {
  /** Whether a person sits there, and no pipe. */
  readonly isTyped: boolean;
  /** Takes what is typed from here on in another way. */
  setMode(mode: ThreadMode): void;
  /** Looks at programs in another way from here on. */
  setLook(look: Partial<Record<Look, boolean>>): void;
  /** Enters a text as if it were typed in that mode. */
  enter(text: string, mode: ThreadMode): Promise<void>;
  /** Has other models or another system message from here on; null: those of the configuration. */
  configure(changes: { readonly model?: string; readonly system?: string | null }): Promise<void>;
  /** Goes on with another thread. */
  turnTo(thread: Thread): Promise<void>;
  /** The terminal belongs to something else meanwhile. */
  aside<T>(act: () => Promise<T>): Promise<T>;
  /** Something that was entered has not come to its end: the exit code says so. */
  fail(): void;
  leave(): void;
}

/** What can be done with `/name rest`. */
export interface ReplCommand {
  readonly name: string;
  /** Other names, as older tools have them. */
  readonly aliases?: readonly string[];
  /** What may follow it: `[goal]`. */
  readonly takes?: string;
  readonly about: string;
  run(desk: Desk, rest: string): void | Promise<void>;
}

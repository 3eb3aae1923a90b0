/**
 * Conversations: what was said, by whom, and which runs came of it. They stand beside the runs,
 * each on its own: a thread stays when a run of it is deleted, and has its programs itself.
 */
import type { Definition } from '../../program/definition.ts';
import type { Usage } from '../handler.ts';

/**
 * How what is typed is taken: a goal for a program, a question for a direct answer, either of them
 * as a model decides, Starlark.
 */
export const threadModes = ['auto', 'program', 'direct', 'code'] as const;

export type ThreadMode = (typeof threadModes)[number];

export interface Thread {
  /** `t` and ten hexadecimal digits. */
  readonly id: string;
  /** The beginning of the first goal, until somebody gives it another. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts what was saved of it: two processes cannot both save after the same one. */
  readonly version: number;
  readonly mode: ThreadMode;
  /** `provider/model`, where the conversation has one of its own. */
  readonly model?: string | undefined;
  /** The first message of every conversation with the model, where it has one of its own. */
  readonly system?: string | undefined;
  /** In the order in which they were said. */
  readonly messages: readonly Said[];
  /** Functions that its programs have defined and later ones may call, oldest first. */
  readonly definitions: readonly Definition[];
  /** Variables that its programs have left, as tagged JSON by name. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: number;
  /** Of `user`: how it was taken; `page` for a text that was fetched. */
  readonly as?: ThreadMode | 'page';
  /** Of `assistant`: the run that it comes from, how that ended, and what it used. */
  readonly run?: string;
  readonly status?: string;
  readonly usage?: Usage;
  /** The program that has run. */
  readonly program?: { readonly text: string; readonly dialect: string };
}

export interface ThreadStore {
  /**
   * In the place of the one with its id; gives it as it was saved, with the next version.
   * Undefined, and nothing saved, where somebody else has saved the thread meanwhile.
   */
  save(thread: Thread): Thread | undefined;
  find(id: string): Thread | undefined;
  /** The one that was last gone on with comes first. */
  list(): Thread[];
  /** Whether there was one. */
  remove(id: string): boolean;
  close(): void;
}

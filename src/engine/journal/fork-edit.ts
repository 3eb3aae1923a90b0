/** What a fork changes about the history that it shares with its base; journaled with the fork. */
import type { Outcome } from '../../program/effect.ts';

export interface ForkEdit {
  /**
   * The step, `4@2`, or the effect, `0#7`, from whose step on the fork may differ; absent: from the
   * start.
   */
  readonly at?: string;
  /** Canonical texts by name of a global variable, assigned when `at` is entered. */
  readonly set?: Readonly<Record<string, string>>;
  /** By effect id: what counts in place of the outcome that the base has. */
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  /** Replaces the program; the steps before `at` must be the same. */
  readonly program?: { readonly text: string; readonly dialect: string };
  /** What is performed anew from `at` on although the base has its outcome; default `missing`. */
  readonly perform?: 'missing' | 'models' | 'all';
  /** What completed writes of the base that the fork does not request lead to. */
  readonly vanished?: 'warn' | 'ask';
  readonly by: 'person' | 'repair' | 'revise';
  readonly note?: string;
}

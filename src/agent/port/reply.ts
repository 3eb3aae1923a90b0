/** What somebody says to a run that waits. */

export type Reply = ReplyFrom &
  (
    | {
        /** Effect or step ids; absent where there is one, `all` for each that is open. */
        readonly effect?: string | readonly string[];
        readonly approved: boolean;
      }
    | {
        readonly effect?: string;
        readonly to?: string;
        readonly answer: unknown;
        /** Whether it is text as a person types it: the number of a choice, or JSON. */
        readonly isTyped?: boolean;
      }
  );

interface ReplyFrom {
  /** Who says so. */
  readonly by: string;
  readonly note?: string;
  /** Whether a client of a server says so, who decides nothing that is in doubt. */
  readonly isClient?: boolean;
}
